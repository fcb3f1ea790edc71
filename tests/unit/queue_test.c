// SPDX-License-Identifier: MIT
/*
 * queue_test.c: the order of work that comes while a kernel polls a flag
 * (device/queue.c, turns.c): over streams, events, the default stream, two
 * threads of the host, host functions, and what has to wait. Kernels write down
 * their numbers; the list that they leave is the order in which they ran.
 */
#include "queue_sample.h"

static void test_one_stream(void **state)
{
    (void)state;
    assert_false(notes(A, 1));
    waits(A, 2);
    for (uint32_t n = 3; n < 7; n++)
        assert_true(notes(A, n));
    expect("1");
    raise_flag();
    expect_end("1 2 3 4 5 6");
}

/* Streams do not wait for each other; each has its order. */
static void test_several_streams(void **state)
{
    (void)state;
    waits(A, 1);
    notes(B, 2);
    notes(A, 3);
    notes(APART, 4);
    notes(B, 5);
    waits(B, 6);
    notes(B, 7);
    notes(APART, 8);
    expect("2 4 5 8");
    assert_int_equal(syncs(A), SIMWIRE_AGAIN);
    assert_int_equal(syncs(B), SIMWIRE_AGAIN);
    assert_int_equal(syncs(APART), cudaSuccess);
    assert_int_equal(syncs(0), SIMWIRE_AGAIN); /* for all */
    assert_int_equal(asks(B), cudaErrorNotReady);
    assert_int_equal(asks(APART), cudaSuccess);
    raise_flag();
    works();
    assert_int_equal(asks(B), cudaSuccess);
    expect_no_work();
    assert_true(place(1) < place(3));
    assert_true(place(6) < place(7));
}

/* B waits for what A had before the event, and ALONE for B. What A gets behind
 * the event is no part of it. */
static void test_events(void **state)
{
    (void)state;
    waits(APART, 1);
    notes(APART, 2);
    records(APART, 0);
    waits_for(B, 0);
    notes(B, 3);
    records(B, 1);
    waits_for(A, 1);
    notes(A, 4);
    assert_int_equal(syncs_with(0), SIMWIRE_AGAIN);
    assert_int_equal(syncs_with(1), SIMWIRE_AGAIN);
    assert_int_equal(syncs_with(2), cudaSuccess); /* never recorded */
    expect("");
    raise_flag();
    assert_int_equal(syncs_with(0), cudaSuccess);
    expect_end("1 2 3 4");
}

/* An event that is recorded beside the kernel that polls orders nothing behind
 * it; recorded once more, behind it, it does. */
static void test_event_again(void **state)
{
    (void)state;
    waits(APART, 1);
    records(B, 0);
    waits_for(A, 0);
    notes(A, 2);
    expect("2");
    records(APART, 0);
    waits_for(A, 0);
    notes(A, 3);
    records(B, 0); /* the wait above is for the earlier one */
    waits_for(B, 0);
    notes(B, 4);
    expect("2");
    raise_flag();
    expect_end("2 1 3 4");
}

/* The default stream waits for blocking streams, and these for it. */
static void test_default_stream(void **state)
{
    (void)state;
    waits(A, 1);
    notes(B, 2);
    notes(LEGACY, 3);
    notes(B, 4);
    notes(APART, 5);
    notes(LEGACY, 6);
    expect("2 5");
    assert_int_equal(syncs(LEGACY), SIMWIRE_AGAIN);
    assert_int_equal(syncs(B), SIMWIRE_AGAIN);
    raise_flag();
    expect_end("2 5 1 3 4 6");
}

static void test_default_stream_polls(void **state)
{
    (void)state;
    waits(LEGACY, 1);
    notes(A, 2);
    notes(APART, 3);
    notes(B, 4);
    notes(A, 5);
    expect("3");
    raise_flag();
    expect_end("3 1 2 4 5");
}

/* Default streams of two threads: they do not wait for each other, but for the
 * legacy one. While one thread waits, the other's calls are served. */
static void test_two_threads(void **state)
{
    uint64_t mine = SIMWIRE_PER_THREAD | (uint64_t)THREAD << SIMWIRE_PART;
    uint64_t other = SIMWIRE_PER_THREAD | (uint64_t)OTHER_THREAD
                                              << SIMWIRE_PART;
    (void)state;
    new_stream(mine, true);
    new_stream(other, true);
    waits(mine, 1);
    notes(mine, 2);
    assert_int_equal(syncs(mine), SIMWIRE_AGAIN);
    notes(other, 3);
    assert_int_equal(syncs(other), cudaSuccess);
    assert_int_equal(syncs(mine), SIMWIRE_AGAIN);
    notes(LEGACY, 4);
    notes(other, 5);
    expect("3");
    assert_int_equal(syncs(other), SIMWIRE_AGAIN);
    raise_flag();
    expect_end("3 1 2 4 5");
}

/* Memsets and copies come in order, with the bytes that they had when they were
 * called; what the program waits for is not queued. */
static void test_copies(void **state)
{
    uint32_t value = 5;
    struct simwire_header write = {.op = OP_WRITE, .stream = A, .a = {bytes},
                                   .data = sizeof value};
    struct simwire_header read = {
        .op = OP_READ, .stream = A | SIMWIRE_WAITED, .a = {bytes, 4}};
    (void)state;
    waits(A, 1);
    assert_int_equal(fills(A, bytes, 3), cudaSuccess);
    assert_int_equal(word(bytes), 0);
    assert_int_equal(say(write, &value).stream, 1);
    value = 9;
    works();
    assert_int_equal(copies(B, bytes, flag), cudaSuccess);
    assert_int_equal(fills(APART, bytes, 7), cudaSuccess);
    assert_int_equal(word(bytes), 7);
    assert_int_equal(say(read, NULL).error, SIMWIRE_AGAIN);
    write.stream |= SIMWIRE_WAITED;
    assert_int_equal(say(write, &value).error, SIMWIRE_AGAIN);
    raise_flag();
    works();
    assert_int_equal(word(bytes), 5);
    assert_int_equal(say(read, NULL).error, cudaSuccess);
    expect_end("1");
}

/* A kernel that polls goes on when another one, which polls itself then, has
 * written what it waits for: whichever of them runs first. */
static void in_turn(bool rings_first)
{
    if (rings_first)
        launch(B, RINGS, 3);
    flag += 4;
    waits(A, 1);
    flag -= 4;
    notes(A, 2);
    if (!rings_first)
        launch(B, RINGS, 3);
    expect("");
    raise_flag();
    expect("1 2");
    raise_at(flag + 8);
    expect_end("1 2 3");
}

static void test_kernels_in_turn(void **state)
{
    (void)state;
    in_turn(false);
}

static void test_kernels_in_other_turn(void **state)
{
    (void)state;
    in_turn(true);
}

/* cudaFree waits for all; cudaFreeAsync takes its place in the stream, and
 * waits for no other. */
static void test_frees(void **state)
{
    struct simwire_header now = {.op = OP_FREE, .a = {bytes}};
    struct simwire_header later = {.op = OP_FREE, .stream = A,
                                   .a = {bytes, 1}};
    struct simwire_header beside = {.op = OP_FREE, .stream = B, .a = {0, 1}};
    (void)state;
    waits(A, 1);
    beside.a[0] = engine_alloc(dev.engine, 4);
    assert_int_equal(say(beside, NULL).error, cudaSuccess);
    works();
    assert_int_not_equal(fills(B, beside.a[0], 1), cudaSuccess);
    assert_int_equal(say(now, NULL).error, SIMWIRE_AGAIN);
    assert_int_equal(say(later, NULL).error, cudaSuccess);
    works();
    assert_int_equal(fills(APART, bytes, 1), cudaSuccess); /* it lives */
    raise_flag();
    works();
    assert_int_not_equal(fills(APART, bytes, 1), cudaSuccess);
    expect_end("1");
}

/* A host function's turn comes behind its stream's work; what follows it waits
 * until it has ended. Others do not. */
static void test_host_function(void **state)
{
    struct simwire_header host = {.op = OP_HOST, .stream = A,
                                  .a = {HOST_NEW}};
    (void)state;
    waits(A, 1);
    host.a[1] = say(host, NULL).a[0];
    assert_int_not_equal(host.a[1], 0);
    notes(A, 2);
    host.a[0] = HOST_TURN;
    assert_int_equal(say(host, NULL).error, SIMWIRE_AGAIN);
    notes(B, 3);
    raise_flag();
    expect("3 1");
    assert_int_equal(say(host, NULL).error, cudaSuccess);
    works();
    expect("3 1");
    host.a[0] = HOST_DONE;
    assert_int_equal(say(host, NULL).error, cudaSuccess);
    expect_end("3 1 2");
}

/* What would fail is refused when it is called. */
static void test_refused_at_once(void **state)
{
    (void)state;
    waits(A, 1);
    size_t n = dev.queue->n;
    assert_int_not_equal(launch_of(A, NOTES, 2, 4096).error, cudaSuccess);
    assert_int_not_equal(fills(A, 64, 1), cudaSuccess);
    assert_int_not_equal(copies(A, bytes, bytes + 4), cudaSuccess);
    assert_int_equal(dev.queue->n, n);
    raise_flag();
    expect_end("1");
}

/* A full list makes calls wait. */
static void test_full(void **state)
{
    (void)state;
    waits(A, 1);
    while (dev.queue->n < QUEUE_MOST)
        assert_int_equal(fills(A, bytes, (uint32_t)dev.queue->n), cudaSuccess);
    assert_int_equal(fills(A, bytes, 0), SIMWIRE_AGAIN);
    assert_int_equal(fills(APART, bytes, 0), SIMWIRE_AGAIN);
    /* As somebody else would, without a message: it would have to wait. */
    assert_int_equal(engine_fill(dev.engine, flag, 1, 4, 1), MEM_OK);
    dev.queue->stirs++;
    works();
    assert_int_equal(word(bytes), QUEUE_MOST - 1);
    expect_end("1");
}

/* A fault drops all that waits, and the next call says so. */
static void test_fault(void **state)
{
    (void)state;
    waits(A, 1);
    notes(A, 2);
    waits(B, 3);
    notes(B, 4);
    dev.fault = cudaErrorIllegalAddress;
    works();
    assert_null(dev.queue->first);
    assert_int_equal(syncs(A), cudaErrorIllegalAddress);
    expect("");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_one_stream),
        TEST(test_several_streams),
        TEST(test_events),
        TEST(test_event_again),
        TEST(test_default_stream),
        TEST(test_default_stream_polls),
        TEST(test_two_threads),
        TEST(test_copies),
        TEST(test_kernels_in_turn),
        TEST(test_kernels_in_other_turn),
        TEST(test_frees),
        TEST(test_host_function),
        TEST(test_refused_at_once),
        TEST(test_full),
        TEST(test_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
