// SPDX-License-Identifier: MIT
/*
 * stream_order_test.c: which work of which stream is ordered before which, by
 * the CUDA programming guide's rules for streams, events and the host.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "simgpu/core/state/state.h"
#include "simgpu/core/race/streams.h"

static struct engine engine;

enum { A = 3, B = 4, C = 5, D = 6 };
enum { BLOCKING = true, APART = false };

static int start(void **state)
{
    static struct memory memory;
    (void)state;
    memory.reserved = 1 << 20;
    engine = (struct engine){.config = {.checks = CHECK_STREAMS}};
    engine.streams = streams_open(&memory);
    engine_streams_apart(&engine);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    streams_close(engine.streams);
    return 0;
}

/* Work that the host does not wait for; its number. */
static uint32_t work(uint64_t stream)
{
    engine_work(&engine, stream, "work", false);
    return engine.streams->work;
}

/* Is the earlier work ordered before a new one of this stream? */
static bool before(uint32_t earlier, uint64_t stream)
{
    assert_true(earlier > 0);
    work(stream);
    return streams_before(engine.streams, earlier);
}

static void test_one_stream(void **state)
{
    (void)state;
    uint32_t a = work(A);
    assert_true(before(a, A));
}

static void test_two_streams(void **state)
{
    (void)state;
    uint32_t a = work(A);
    assert_false(before(a, B));
    uint32_t b = work(B);
    assert_false(before(b, A));
    assert_true(before(b, B));
}

static void test_event(void **state)
{
    (void)state;
    uint32_t a = work(A);
    engine_record(&engine, A, 0);
    uint32_t later = work(A);
    engine_wait(&engine, B, 0);
    assert_true(before(a, B));
    assert_false(before(later, B));
    assert_false(before(a, C));
}

/* An event that nobody has recorded orders nothing; a later record counts for
 * later waits alone. */
static void test_event_recorded_again(void **state)
{
    (void)state;
    uint32_t a = work(A);
    engine_wait(&engine, B, 1);
    assert_false(before(a, B));
    engine_record(&engine, A, 1);
    assert_false(before(a, B));
    engine_wait(&engine, B, 1);
    uint32_t second = work(A);
    engine_record(&engine, A, 1);
    assert_true(before(a, B));
    assert_false(before(second, B));
}

static void test_by_way_of_a_third_stream(void **state)
{
    (void)state;
    uint32_t a = work(A);
    engine_record(&engine, A, 0);
    engine_wait(&engine, B, 0);
    engine_record(&engine, B, 70); /* B itself has done nothing */
    engine_wait(&engine, C, 70);
    assert_true(before(a, C));
    assert_false(before(a, D));
}

static void test_host_waits_for_an_event(void **state)
{
    (void)state;
    uint32_t a = work(A);
    engine_record(&engine, A, 2);
    uint32_t later = work(A);
    engine_wait(&engine, STREAM_HOST, 2);
    assert_true(before(a, B));
    assert_false(before(later, B));
    assert_true(before(a, D));
}

static void test_host_waits_for_a_stream(void **state)
{
    (void)state;
    uint32_t a = work(A), c = work(C);
    engine_sync(&engine, A);
    assert_true(before(a, B));
    assert_false(before(c, B));
}

static void test_host_waits_for_all(void **state)
{
    (void)state;
    uint32_t a = work(A), c = work(C), d = work(STREAM_LEGACY);
    engine_sync(&engine, STREAM_HOST);
    work(B);
    assert_true(streams_before(engine.streams, a));
    assert_true(streams_before(engine.streams, c));
    assert_true(streams_before(engine.streams, d));
}

/* A copy that the host waits for: what comes after has seen it, whoever asks;
 * and its own past with it. */
static void test_work_the_host_waits_for(void **state)
{
    (void)state;
    uint32_t a = work(A);
    assert_false(before(a, B));
    engine_work(&engine, A, "copy", true);
    uint32_t copy = engine.streams->work;
    assert_true(before(copy, B));
    assert_true(before(a, C));
}

static void test_default_stream(void **state)
{
    (void)state;
    engine_stream(&engine, A, BLOCKING);
    engine_stream(&engine, B, APART);
    uint32_t a = work(A), b = work(B);
    assert_true(before(a, STREAM_LEGACY));
    assert_false(before(b, STREAM_LEGACY));
    uint32_t d = work(STREAM_LEGACY);
    assert_true(before(d, A));
    assert_false(before(d, B));
    engine_stream(&engine, C, BLOCKING);
    assert_true(before(d, C));
    assert_true(before(a, C)); /* by way of the default stream */
}

/* An event in the default stream stands behind the blocking streams' work. */
static void test_event_in_the_default_stream(void **state)
{
    (void)state;
    engine_stream(&engine, A, BLOCKING);
    engine_stream(&engine, B, APART);
    uint32_t a = work(A);
    engine_record(&engine, STREAM_LEGACY, 0);
    engine_wait(&engine, B, 0);
    assert_true(before(a, B));
}

static void test_host_waits_for_the_default_stream(void **state)
{
    (void)state;
    engine_stream(&engine, A, BLOCKING);
    engine_stream(&engine, B, APART);
    uint32_t a = work(A), b = work(B);
    engine_sync(&engine, STREAM_LEGACY);
    assert_true(before(a, C));
    assert_false(before(b, C));
}

/* What the host does itself follows what it has seen, and leaves no trace. */
static void test_host_itself(void **state)
{
    (void)state;
    uint32_t a = work(A), b = work(B);
    engine_sync(&engine, A);
    engine_work(&engine, STREAM_HOST, "host", false);
    assert_true(streams_before(engine.streams, a));
    assert_false(streams_before(engine.streams, b));
    uint32_t host = engine.streams->work;
    assert_true(before(host, D));
}

/* Work that has read what another wrote by an atomic access follows it. */
static void test_message(void **state)
{
    (void)state;
    uint32_t older = work(A), a = work(A);
    work(B);
    streams_saw(engine.streams, a);
    assert_true(streams_before(engine.streams, older));
    assert_true(before(older, B));
    assert_true(before(a, B));
    assert_false(before(a, C));
    uint32_t b = work(B);
    streams_told(engine.streams); /* the host polls what b writes */
    assert_true(before(b, C));
    assert_true(before(a, D));
}

/* A stream that is gone leaves its place, and its past, to another one. */
static void test_stream_gone(void **state)
{
    (void)state;
    uint32_t a = work(A);
    engine_stream_gone(&engine, A);
    engine_stream_gone(&engine, 999); /* there is none */
    engine_stream_gone(&engine, STREAM_LEGACY);
    assert_true(before(work(STREAM_LEGACY), STREAM_LEGACY));
    assert_false(before(a, B));
    assert_int_equal(engine.streams->n, 3);
    assert_false(before(a, A)); /* the number stands for a new stream */
    assert_int_equal(engine.streams->n, 4);
}

/* With more streams than places some share one, and count as ordered. */
static void test_many_streams(void **state)
{
    (void)state;
    uint32_t first = work(1000);
    for (uint64_t n = 1; n < TRACKS - 2; n++)
        work(1000 + n);
    assert_int_equal(engine.streams->n, TRACKS - 1);
    assert_false(before(first, 2000));
    uint32_t last = work(2000);
    assert_true(before(last, 3000));
    assert_false(before(first, 3000));
    assert_int_equal(engine.streams->n, TRACKS);
    engine_sync(&engine, STREAM_HOST); /* for all of them */
    work(1001);
    assert_true(streams_before(engine.streams, last));
    engine_stream_gone(&engine, 1005);
    uint32_t shared = work(3000);
    assert_false(before(shared, 4000)); /* in the place of 1005 */
}

/* Two streams share a place: if one of them is apart, both are. */
static void test_shared_place_is_apart(void **state)
{
    (void)state;
    for (uint64_t n = 1; n < TRACKS; n++)
        engine_stream(&engine, 1000 + n, BLOCKING);
    engine_stream(&engine, 5000, APART);
    uint32_t x = work(5000);
    assert_false(before(x, STREAM_LEGACY));
    engine_stream(&engine, 5001, BLOCKING);
    uint32_t y = work(5001);
    assert_false(before(y, STREAM_LEGACY));
    engine_stream(&engine, 5001, BLOCKING); /* known: nothing new */
    assert_int_equal(engine.streams->n, TRACKS);
}

static void test_too_many_events(void **state)
{
    (void)state;
    uint32_t a = work(A);
    engine_record(&engine, A, UINT64_MAX);
    engine_wait(&engine, B, UINT64_MAX);
    engine_record(&engine, A, 1 << 20);
    engine_wait(&engine, B, 1 << 20);
    assert_false(before(a, B));
    engine_record(&engine, A, (1 << 20) - 1);
    engine_wait(&engine, B, (1 << 20) - 1);
    assert_true(before(a, B));
}

/* What is recorded at all: nothing beside the default stream alone. */

static struct streams *fresh(void)
{
    static struct memory memory = {.reserved = 1 << 20};
    streams_close(engine.streams);
    engine.streams = streams_open(&memory);
    return engine.streams;
}

static void test_recorded_from_the_first_stream(void **state)
{
    (void)state;
    for (int blocking = 0; blocking < 2; blocking++) {
        struct streams *s = fresh();
        assert_int_equal(work(STREAM_LEGACY), 0);
        assert_false(s->records);
        engine_stream(&engine, A, blocking);
        assert_true(s->records);
        assert_int_not_equal(work(STREAM_LEGACY), 0);
        uint32_t a = work(A);
        engine_stream_gone(&engine, A);
        assert_false(before(a, B)); /* which was made later */
        assert_true(s->records);
    }
}

/* Branches of a graph are not made, but named first where they wait. */
static void test_recorded_from_a_wait(void **state)
{
    (void)state;
    struct streams *s = fresh();
    engine_record(&engine, STREAM_LEGACY, 0);
    assert_false(s->records);
    engine_wait(&engine, A, 0);
    assert_true(s->records);
}

static void test_recorded_if_asked(void **state)
{
    (void)state;
    fresh();
    engine_streams_apart(&engine);
    assert_int_not_equal(work(STREAM_LEGACY), 0);
    engine.config.checks = 0;
    assert_int_equal(work(STREAM_LEGACY), 0);
}

static void test_many_works(void **state)
{
    (void)state;
    uint32_t a = work(A), b = 0;
    for (int n = 0; n < 600; n++)
        b = work(B);
    assert_int_equal(b, a + 600);
    assert_int_equal(engine.streams->works[b].stream, B);
    assert_int_equal(engine.streams->works[a].stream, A);
    assert_true(before(a, A));
    assert_false(before(a, B));
}

/* Work that a launch may begin beside -------------------------------------- */

/* A kernel that the host does not wait for; its number. */
static uint32_t kernel(uint64_t stream)
{
    static const struct kernel some;
    uint32_t n = work(stream);
    assert_true(n > 0);
    engine.streams->works[n].kernel = &some;
    return n;
}

/* Which kernel the stream's next work may begin beside; 0: none. */
static uint32_t beside(uint64_t stream)
{
    work(stream);
    assert_int_equal(engine.streams->primary, 0);
    bool overlaps = streams_overlap(engine.streams);
    assert_int_equal(overlaps, engine.streams->primary != 0);
    return engine.streams->primary;
}

static void test_beside_its_streams_last(void **state)
{
    (void)state;
    assert_int_equal(beside(A), 0); /* the first */
    uint32_t a = kernel(A), b = kernel(B);
    assert_int_equal(beside(A), a);
    assert_int_equal(beside(A), 0); /* the last is no kernel now */
    assert_int_equal(beside(B), b);
    kernel(A);
    assert_int_equal(beside(STREAM_HOST), 0);
    assert_int_equal(beside(C), 0);
    uint32_t older = kernel(D), newer = kernel(D);
    assert_int_not_equal(older, newer);
    assert_int_equal(beside(D), newer);
}

/* What the host has waited for does not run any more; only that. */
static void test_beside_what_the_host_knows(void **state)
{
    (void)state;
    kernel(A);
    engine_sync(&engine, A);
    assert_int_equal(beside(A), 0);
    kernel(B);
    engine_record(&engine, B, 0);
    uint32_t later = kernel(B);
    engine_wait(&engine, STREAM_HOST, 0);
    assert_int_equal(beside(B), later);
    uint32_t c = kernel(C);
    for (int n = 0; n < 8; n++)
        work(A);
    engine_sync(&engine, A); /* far ahead of C, of which it says nothing */
    assert_int_equal(beside(C), c);
    kernel(C);
    engine_sync(&engine, STREAM_HOST);
    assert_int_equal(beside(C), 0);
}

/* A work that nobody records begins beside nothing. */
static void test_beside_without_records(void **state)
{
    (void)state;
    kernel(A);
    engine.config.checks = 0;
    assert_int_equal(beside(A), 0);
    engine.config.checks = CHECK_STREAMS;
    assert_int_equal(beside(A), 0);
}

/* The launch before is ordered, but for who began beside it. */
static void test_beside_is_before(void **state)
{
    (void)state;
    uint32_t a = kernel(A);
    assert_int_equal(beside(A), a);
    assert_true(streams_before(engine.streams, a));
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, start, stop)
    const struct CMUnitTest tests[] = {
        CASE(test_one_stream),
        CASE(test_two_streams),
        CASE(test_event),
        CASE(test_event_recorded_again),
        CASE(test_by_way_of_a_third_stream),
        CASE(test_host_waits_for_an_event),
        CASE(test_host_waits_for_a_stream),
        CASE(test_host_waits_for_all),
        CASE(test_work_the_host_waits_for),
        CASE(test_default_stream),
        CASE(test_event_in_the_default_stream),
        CASE(test_host_waits_for_the_default_stream),
        CASE(test_host_itself),
        CASE(test_message),
        CASE(test_stream_gone),
        CASE(test_many_streams),
        CASE(test_shared_place_is_apart),
        CASE(test_too_many_events),
        CASE(test_recorded_from_the_first_stream),
        CASE(test_recorded_from_a_wait),
        CASE(test_recorded_if_asked),
        CASE(test_many_works),
        CASE(test_beside_its_streams_last),
        CASE(test_beside_what_the_host_knows),
        CASE(test_beside_without_records),
        CASE(test_beside_is_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
