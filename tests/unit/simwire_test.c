// SPDX-License-Identifier: MIT
/* simwire_test.c: messages survive the socket; what is no message does not. */
#include "simgpu/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

static void message_arrives(void **state)
{
    (void)state;
    int fd[2];
    char text[4] = "", data[6] = "";
    struct simwire_header in = {.op = OP_READ, .error = 7, .a = {1, 2, 3, 4},
                                .text = 3, .data = 5}, out;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    assert_true(simwire_send(fd[0], &in, "abc", "defgh"));
    assert_true(simwire_head(fd[1], &out));
    assert_memory_equal(&in, &out, sizeof in);
    assert_true(simwire_body(fd[1], text, 3));
    assert_true(simwire_body(fd[1], data, 5));
    assert_string_equal(text, "abc");
    assert_string_equal(data, "defgh");
    close(fd[0]);
    assert_false(simwire_head(fd[1], &out));
    assert_false(simwire_send(fd[1], &in, "abc", "defgh"));
    close(fd[1]);
}

static void bad_headers_are_refused(void **state)
{
    (void)state;
    const struct simwire_header good = {
        .magic = SIMWIRE_MAGIC, .version = SIMWIRE_VERSION,
        .op = N_SIMWIRE_OPS - 1, .data = SIMWIRE_MAX_PAYLOAD};
    struct simwire_header bad;
    assert_null(simwire_check(&good));
    bad = good, bad.magic++;
    assert_non_null(simwire_check(&bad));
    bad = good, bad.version++;
    assert_non_null(simwire_check(&bad));
    bad = good, bad.op++;
    assert_non_null(simwire_check(&bad));
    bad = good, bad.data++;
    assert_non_null(simwire_check(&bad));
    bad = good, bad.text = UINT64_MAX;
    assert_non_null(simwire_check(&bad));
}

static void half_a_header_is_none(void **state)
{
    (void)state;
    int fd[2];
    struct simwire_header header = {.magic = SIMWIRE_MAGIC};
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    assert_int_equal(send(fd[0], &header, sizeof header / 2, 0),
                     sizeof header / 2);
    close(fd[0]);
    assert_false(simwire_head(fd[1], &header));
    close(fd[1]);
}

/* Nobody waits for the rest of a header of another build. */
static void another_build_is_told_by_its_prefix(void **state)
{
    (void)state;
    int fd[2];
    struct simwire_header header = {.magic = SIMWIRE_MAGIC,
                                    .version = SIMWIRE_VERSION + 1};
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    assert_int_equal(send(fd[0], &header, SIMWIRE_PREFIX, 0), SIMWIRE_PREFIX);
    assert_false(simwire_head(fd[1], &header));
    assert_non_null(simwire_prefix(&header));
    close(fd[0]);
    close(fd[1]);
}

static void a_descriptor_arrives(void **state)
{
    (void)state;
    int fd[2], ends[2];
    char byte = 0;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    assert_int_equal(pipe(ends), 0);
    assert_true(simwire_send_fd(fd[0], ends[1]));
    int copy = simwire_take_fd(fd[1]);
    assert_true(copy >= 0 && copy != ends[1]);
    assert_int_equal(write(copy, "x", 1), 1);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    assert_int_equal(byte, 'x');
    assert_int_equal(send(fd[0], "y", 1, 0), 1); /* a byte, and none with it */
    assert_int_equal(simwire_take_fd(fd[1]), -1);
    close(fd[0]);
    assert_int_equal(simwire_take_fd(fd[1]), -1);
    close(fd[1]);
    close(copy);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(message_arrives),
        cmocka_unit_test(bad_headers_are_refused),
        cmocka_unit_test(half_a_header_is_none),
        cmocka_unit_test(another_build_is_told_by_its_prefix),
        cmocka_unit_test(a_descriptor_arrives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
