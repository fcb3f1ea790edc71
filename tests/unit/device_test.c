// SPDX-License-Identifier: MIT
/*
 * device_test.c: the device process against clients that misbehave, and its
 * control channel. Each test forks a device that runs dev_loop on sockets.
 */
#include "simgpu/device/device.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { MAX_REPLY = 1 << 16, SECONDS = 20 };

struct rig {
    int client, control;
    pid_t pid;
};

static struct rig start(void)
{
    int client[2], control[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, client), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, control), 0);
    struct rig rig = {client[0], control[0], fork()};
    if (rig.pid == 0) {
        static struct device dev;
        const struct engine_config config = {
            .gpu = gpu_find("t4"), .workers = 1, .checks = CHECK_ALL};
        close(client[0]);
        close(control[0]);
        alarm(SECONDS);
        if (!dev_open(&dev, &config))
            _exit(EXIT_FAILURE);
        dev_loop(&dev, client[1], control[1]);
    }
    close(client[1]);
    close(control[1]);
    return rig;
}

/* Ends the control channel: the device must go, and well. */
static void stop(struct rig *rig)
{
    int status;
    close(rig->control);
    assert_int_equal(waitpid(rig->pid, &status, 0), rig->pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close(rig->client);
}

static json_t *ask(const struct rig *rig, const char *line)
{
    static char reply[MAX_REPLY];
    size_t n = 0;
    assert_int_equal(send(rig->control, line, strlen(line), MSG_NOSIGNAL),
                     strlen(line));
    assert_int_equal(send(rig->control, "\n", 1, MSG_NOSIGNAL), 1);
    while (n + 1 < sizeof reply && recv(rig->control, reply + n, 1, 0) == 1 &&
           reply[n] != '\n')
        n++;
    json_t *json = json_loadb(reply, n, 0, NULL);
    assert_non_null(json);
    return json;
}

static bool accepted(const struct rig *rig, const char *line)
{
    json_t *reply = ask(rig, line);
    bool ok = json_is_true(json_object_get(reply, "ok"));
    json_decref(reply);
    return ok;
}

static void expect_client(const struct rig *rig, const char *state)
{
    json_t *reply = ask(rig, "report");
    assert_string_equal(json_string_value(json_object_get(reply, "client")),
                        state);
    json_decref(reply);
}

static struct simwire_header call(const struct rig *rig,
                                  struct simwire_header m, const void *data)
{
    char sink[MAX_REPLY];
    struct simwire_header reply;
    assert_true(simwire_send(rig->client, &m, NULL, data));
    assert_true(simwire_head(rig->client, &reply));
    assert_true(reply.text + reply.data <= sizeof sink);
    assert_true(simwire_body(rig->client, sink, reply.text + reply.data));
    assert_int_equal(reply.op, m.op);
    return reply;
}

static void control_answers(void **state)
{
    (void)state;
    struct rig rig = start();
    assert_true(accepted(&rig, "configure seed=3 budget=10 checks=races"));
    assert_true(accepted(&rig, "configure inputs=4096:64:large,8192:4:small"));
    assert_true(accepted(&rig, "configure inputs="));
    assert_false(accepted(&rig, "configure inputs=4096:64"));
    assert_false(accepted(&rig, "configure inputs=4096:64:tiny"));
    assert_false(accepted(&rig, "configure inputs=4096:0:small"));
    assert_false(accepted(&rig, "configure seed=x"));
    assert_false(accepted(&rig, "configure seed=-"));
    assert_false(accepted(&rig, "configure colour=3"));
    assert_false(accepted(&rig, "configure checks=memory,taste"));
    assert_false(accepted(&rig, "configure seed"));
    assert_false(accepted(&rig, "dance"));
    assert_false(accepted(&rig, ""));
    assert_false(accepted(&rig, "read"));
    assert_false(accepted(&rig, "read 0 8"));
    assert_false(accepted(&rig, "undefine 4096 8"));
    assert_true(accepted(&rig, "clear"));
    expect_client(&rig, "none");
    stop(&rig);
}

static void check_reads_what_the_client_wrote(void **state)
{
    (void)state;
    struct rig rig = start();
    char line[100], bytes[5] = "";
    struct simwire_header m =
        call(&rig, (struct simwire_header){.op = OP_ALLOC, .a = {100}}, NULL);
    unsigned long long address = m.a[0];
    assert_int_equal(m.error, 0);
    m = call(&rig, (struct simwire_header){.op = OP_WRITE, .a = {address},
                                           .data = 5}, "abcde");
    assert_int_equal(m.error, 0);
    snprintf(line, sizeof line, "read %llu 4", address + 1);
    assert_true(accepted(&rig, line));
    assert_int_equal(recv(rig.control, bytes, 4, MSG_WAITALL), 4);
    assert_string_equal(bytes, "bcde");
    snprintf(line, sizeof line, "read %llu 101", address);
    assert_false(accepted(&rig, line));
    snprintf(line, sizeof line, "undefine %llu 100", address);
    assert_true(accepted(&rig, line));
    stop(&rig);
}

static void notes_are_seen_before_the_next_report(void **state)
{
    (void)state;
    enum { NOTES = 50 };
    struct rig rig = start();
    for (int i = 0; i < NOTES; i++) {
        struct simwire_header m = {.op = OP_NOTE, .a = {0, 1}, .data = 12};
        assert_true(simwire_send(rig.client, &m, NULL, "cudaFree\0why"));
    }
    json_t *report = ask(&rig, "report");
    json_t *errors = json_object_get(report, "api_errors");
    assert_int_equal(json_array_size(errors), NOTES);
    json_t *last = json_array_get(errors, NOTES - 1);
    assert_string_equal(json_string_value(json_object_get(last, "call")),
                        "cudaFree");
    assert_string_equal(json_string_value(json_object_get(last, "detail")),
                        "why");
    json_decref(report);
    stop(&rig);
}

static void bad_requests_are_refused(void **state)
{
    (void)state;
    static const struct simwire_header bad[] = {
        {.op = OP_LOAD, .data = 4},
        {.op = OP_KERNEL, .a = {77}, .data = 4},
        {.op = OP_SYMBOL, .a = {UINT64_MAX}, .data = 4},
        {.op = OP_ALLOC, .a = {UINT64_MAX}},
        {.op = OP_FREE, .a = {12345}},
        {.op = OP_WRITE, .a = {12345}, .data = 4},
        {.op = OP_READ, .a = {12345, 8}},
        {.op = OP_READ, .a = {0, UINT64_MAX}},
        {.op = OP_COPY, .a = {1, 2, UINT64_MAX}},
        {.op = OP_FILL, .a = {0, 0, 3, 4}},
        {.op = OP_FILL, .a = {0, 0, 4, UINT64_MAX / 4 + 2}},
        {.op = OP_LAUNCH, .a = {0}, .data = 4},
        {.op = OP_DYNAMIC_SHARED, .a = {9, 1}},
    };
    struct rig rig = start();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_not_equal(call(&rig, bad[i], "junk").error, 0);
    assert_int_equal(
        call(&rig, (struct simwire_header){.op = OP_SYNC}, NULL).error, 0);
    stop(&rig);
}

static void half_a_message_keeps_nobody_waiting(void **state)
{
    (void)state;
    struct rig rig = start();
    struct simwire_header m = {.magic = SIMWIRE_MAGIC,
                               .version = SIMWIRE_VERSION, .op = OP_WRITE,
                               .data = 1000};
    assert_int_equal(send(rig.client, &m, sizeof m, 0), sizeof m);
    assert_int_equal(send(rig.client, "x", 1, 0), 1);
    expect_client(&rig, "none");
    shutdown(rig.client, SHUT_RDWR);
    expect_client(&rig, "closed");
    stop(&rig);
}

static void garbage_ends_the_client_alone(void **state)
{
    (void)state;
    char garbage[200];
    struct rig rig = start();
    memset(garbage, 'x', sizeof garbage);
    assert_int_equal(send(rig.client, garbage, sizeof garbage, 0),
                     sizeof garbage);
    assert_true(recv(rig.client, garbage, 1, 0) <= 0);
    expect_client(&rig, "closed");
    assert_true(accepted(&rig, "quit"));
    stop(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_answers),
        cmocka_unit_test(check_reads_what_the_client_wrote),
        cmocka_unit_test(notes_are_seen_before_the_next_report),
        cmocka_unit_test(bad_requests_are_refused),
        cmocka_unit_test(half_a_message_keeps_nobody_waiting),
        cmocka_unit_test(garbage_ends_the_client_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
