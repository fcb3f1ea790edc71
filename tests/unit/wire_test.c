// SPDX-License-Identifier: MIT
/*
 * wire_test.c: frames whole, cut at every byte, and garbage.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <sys/socket.h>
#include <unistd.h>

#include "wire.h"

enum { TOKEN = 0x12345678 };

static int pair[2];
static struct wire_frame frame;

static int open_pair(void **state)
{
    (void)state;
    return socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
}

static int close_pair(void **state)
{
    (void)state;
    close(pair[1]);
    if (pair[0] >= 0)
        close(pair[0]);
    return 0;
}

static void a_frame_arrives_whole(void **state)
{
    static unsigned char sent[WIRE_MAX];

    (void)state;
    for (size_t i = 0; i < sizeof sent; i++)
        sent[i] = (unsigned char)(i * 7);
    assert_int_equal(wire_send(pair[0], WIRE_LOAD, TOKEN, sent, sizeof sent),
                     WIRE_OK);
    assert_int_equal(wire_send(pair[0], WIRE_LAUNCH, 2, NULL, 0), WIRE_OK);
    assert_int_equal(wire_receive(pair[1], -1, &frame), WIRE_OK);
    assert_int_equal(frame.type, WIRE_LOAD);
    assert_int_equal(frame.token, TOKEN);
    assert_int_equal(frame.length, sizeof sent);
    assert_memory_equal(frame.payload, sent, sizeof sent);
    assert_int_equal(wire_receive(pair[1], -1, &frame), WIRE_OK);
    assert_int_equal(frame.type, WIRE_LAUNCH);
    assert_int_equal(frame.length, 0);
}

static void too_long_is_not_sent(void **state)
{
    static unsigned char sent[WIRE_MAX + 1];

    (void)state;
    assert_int_equal(wire_send(pair[0], WIRE_LOAD, 1, sent, sizeof sent),
                     WIRE_GARBAGE);
    assert_int_equal(wire_receive(pair[1], wire_now() + 0.01, &frame),
                     WIRE_TIMEOUT);
}

/* Bytes of a good frame, as they travel. */
static size_t good_frame(unsigned char *bytes, size_t size)
{
    struct wire_batch batch = {3, 1};

    assert_int_equal(wire_send(pair[0], WIRE_TIME, TOKEN, &batch,
                               sizeof batch),
                     WIRE_OK);
    return (size_t)recv(pair[1], bytes, size, 0);
}

static void every_cut_is_a_closed_channel(void **state)
{
    unsigned char bytes[256];
    size_t n = good_frame(bytes, sizeof bytes);

    assert_int_equal(n, 16 + sizeof(struct wire_batch));
    for (size_t cut = 0; cut < n; cut++) {
        close_pair(state);
        open_pair(state);
        assert_int_equal(send(pair[0], bytes, cut, 0), cut);
        close(pair[0]);
        pair[0] = -1;
        assert_int_equal(wire_receive(pair[1], -1, &frame), WIRE_CLOSED);
    }
}

static void a_started_frame_times_out(void **state)
{
    unsigned char bytes[256];
    size_t n = good_frame(bytes, sizeof bytes);

    (void)state;
    assert_int_equal(send(pair[0], bytes, n - 1, 0), n - 1);
    assert_int_equal(wire_receive(pair[1], wire_now() + 0.02, &frame),
                     WIRE_TIMEOUT);
}

/* The header's magic, version and length: any change there is refused. */
static void damaged_headers_are_garbage(void **state)
{
    static const struct {
        size_t at;
        unsigned char value;
    } damage[] = {{0, 0}, {3, 0xff},  {4, WIRE_VERSION + 1},
                  {5, 1}, {13, 0x80}, {15, 0xff}};
    unsigned char bytes[256];
    size_t n = good_frame(bytes, sizeof bytes);

    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        unsigned char bad[256];
        close_pair(state);
        open_pair(state);
        memcpy(bad, bytes, n);
        bad[damage[i].at] = damage[i].value;
        assert_int_equal(send(pair[0], bad, n, 0), n);
        assert_int_equal(wire_receive(pair[1], wire_now() + 1, &frame),
                         WIRE_GARBAGE);
    }
}

static void a_lost_peer_is_no_signal(void **state)
{
    static unsigned char sent[WIRE_MAX];

    (void)state;
    close(pair[0]);
    pair[0] = -1;
    assert_int_equal(wire_send(pair[1], WIRE_LOAD, 1, sent, sizeof sent),
                     WIRE_CLOSED);
}

static void arrays_do_not_overlap(void **state)
{
    const struct op *op = op_find("dwconv_forward");
    struct op_shape shape = {.dim = {3, 5, 37, 11}};
    size_t end = 0;

    (void)state;
    for (int i = 0; i < op->n_buffers; i++) {
        assert_true(wire_offset(op, &shape, i) >= end);
        end = wire_offset(op, &shape, i) + op_bytes(op, i, &shape);
    }
    assert_true(wire_offset(op, &shape, op->n_buffers) >= end);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_pair, close_pair)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_frame_arrives_whole),
        TEST(too_long_is_not_sent),
        TEST(every_cut_is_a_closed_channel),
        TEST(a_started_frame_times_out),
        TEST(damaged_headers_are_garbage),
        TEST(a_lost_peer_is_no_signal),
        TEST(arrays_do_not_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
