// SPDX-License-Identifier: MIT
/*
 * queue_sample.h: a private device that gets the messages that libcudart would
 * send; for queue_test.c.
 *
 *   start, stop         before and after a test
 *   works               what the device does while no message comes
 *   notes, waits, rings kernels that write their number into a list; waits does
 *                       so when a flag is up (raise_flag), and so does rings,
 *                       which then raises the next one, and waits for a third
 *   records, waits_for, syncs, syncs_with, asks, fills, copies
 *                       other calls, and what they answer
 *   expect, expect_end, place, word
 *                       the list; at the end; where a number stands in it
 */
#ifndef QUEUE_SAMPLE_H
#define QUEUE_SAMPLE_H

#include "simgpu/device/queue.h"
#include "simgpu/device/queued.h"

#include <driver_types.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

/* Streams: the default one; blocking ones; others. A thread's default stream
 * has the thread's number above it. */
enum { LEGACY = SIMWIRE_LEGACY, A = SIMWIRE_FIRST_STREAM, B, APART, ALONE };
enum { THREAD = 1, OTHER_THREAD = 2 };
enum { NOTES, WAITS, RINGS, KERNELS };
enum { LIST_MOST = 64, QUEUE_MOST = 1024, STILL_ROUNDS = 3 };

static const char ptx[] =
    ".version 8.0\n.target sm_75\n.address_size 64\n"
#define NOTE                                                                   \
    "ld.global.u32 %r1, [%rd2]; add.u32 %r2, %r1, 1;\n"                        \
    "st.global.u32 [%rd2], %r2; mul.wide.u32 %rd3, %r1, 4;\n"                  \
    "add.s64 %rd3, %rd3, %rd2; st.global.u32 [%rd3+4], %r3; ret;\n}\n"
#define WAIT(label, flag)                                                      \
    label ": ld.volatile.global.u32 %r4, [%rd1+" flag "];\n"                   \
    "setp.eq.u32 %p1, %r4, 0; @%p1 bra " label ";\n"
#define HEAD(name)                                                             \
    ".visible .entry " name "(.param .u64 k_flag, .param .u64 k_list,\n"       \
    ".param .u32 k_number) {\n.reg .pred %p1; .reg .b32 %r<8>;\n"              \
    ".reg .b64 %rd<4>; ld.param.u64 %rd1, [k_flag];\n"                         \
    "ld.param.u64 %rd2, [k_list]; ld.param.u32 %r3, [k_number];\n"
    HEAD("notes") NOTE
    HEAD("waits") WAIT("L", "0") NOTE
    HEAD("rings") WAIT("L", "0") "st.volatile.global.u32 [%rd1+4], 1;\n"
                  WAIT("M", "8") NOTE;

static struct device dev;
static int program, device;
static struct module *module;
static uint64_t flag, list, bytes; /* addresses; bytes: of something else */

static inline void ends(struct device *of)
{
    (void)of;
}

static inline struct simwire_header say(struct simwire_header m,
                                        const void *data)
{
    static const uint8_t none[1];
    struct simwire_header reply;
    char sink[4096];
    assert_true(dev_serve(&dev, device, &m, data ? data : none));
    if (dev.pending)
        dev_queue_launch(&dev, &m);
    assert_true(simwire_head(program, &reply));
    assert_true(reply.text + reply.data <= sizeof sink);
    assert_true(simwire_body(program, sink, reply.text + reply.data));
    return reply;
}

static inline void new_stream(uint64_t stream, bool blocking)
{
    say((struct simwire_header){.op = OP_STREAM, .stream = stream,
                                .a = {blocking ? 1 : 2}}, NULL);
}

static inline int start(void **state)
{
    static const char *const names[KERNELS] = {"notes", "waits", "rings"};
    const struct engine_config config = {
        .gpu = gpu_find("t4"), .workers = 1, .checks = CHECK_ALL,
        .instruction_budget = 10000000, .still_rounds = STILL_ROUNDS};
    char error[256] = "";
    int pair[2];
    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    program = pair[0];
    device = pair[1];
    assert_true(dev_open(&dev, &config));
    dev.bye = ends;
    dev_queue_open(&dev);
    struct ptx_module *m = ptx_read(ptx, strlen(ptx), error, sizeof error);
    if (!m)
        fail_msg("%s", error);
    module = engine_load(dev.engine, m, error, sizeof error);
    ptx_free(m);
    assert_non_null(module);
    dev.kernels = calloc(KERNELS, sizeof *dev.kernels);
    dev.n_kernels = KERNELS;
    for (int k = 0; k < KERNELS; k++) {
        dev.kernels[k].kernel = engine_kernel(module, names[k]);
        dev.kernels[k].info = engine_kernel_info(dev.kernels[k].kernel);
    }
    flag = engine_alloc(dev.engine, 12);
    list = engine_alloc(dev.engine, 4 * (1 + LIST_MOST));
    bytes = engine_alloc(dev.engine, 4);
    assert_int_equal(engine_fill(dev.engine, flag, 0, 4, 3), MEM_OK);
    assert_int_equal(engine_fill(dev.engine, bytes, 0, 4, 1), MEM_OK);
    assert_int_equal(engine_fill(dev.engine, list, 0, 4, 1 + LIST_MOST),
                     MEM_OK);
    new_stream(A, true);
    new_stream(B, true);
    new_stream(APART, false);
    new_stream(ALONE, false);
    return 0;
}

/* As dev_loop does, until nothing more can be done. */
static inline void works(void)
{
    enum { MOST = 10000 };
    struct dev_ran ran;
    for (int n = 0; n < MOST; n++) {
        struct item *x = dev_queue_next(&dev);
        if (!x)
            return;
        dev_queue_go(x, &ran);
        dev_queue_after(&dev, x, &ran);
    }
    fail_msg("the device does not come to rest");
}

static inline int stop(void **state)
{
    (void)state;
    while (dev.queue->first) { /* what a test has left */
        dev.fault = cudaErrorUnknown;
        dev_queue_next(&dev);
    }
    dev_log_clear(&dev.log);
    engine_close(dev.engine);
    free(dev.queue->beside);
    free(dev.queue);
    free(dev.kernels);
    free(dev.times);
    free(dev.text);
    close(program);
    close(device);
    return 0;
}

/* What the program does ---------------------------------------------------- */

/* A block of so many threads. */
static inline struct simwire_header launch_of(uint64_t stream, int kernel,
                                              uint32_t number,
                                              uint32_t threads)
{
    const struct simwire_shape shape = {.grid = {1, 1, 1},
                                        .block = {threads, 1, 1}};
    uint8_t data[sizeof shape + sizeof flag + sizeof list + sizeof number];
    uint8_t *at = data;
    memcpy(at, &shape, sizeof shape);
    memcpy(at += sizeof shape, &flag, sizeof flag);
    memcpy(at += sizeof flag, &list, sizeof list);
    memcpy(at += sizeof list, &number, sizeof number);
    return say((struct simwire_header){.op = OP_LAUNCH, .stream = stream,
                                       .a = {(uint64_t)kernel},
                                       .data = sizeof data}, data);
}

static inline struct simwire_header launch(uint64_t stream, int kernel,
                                           uint32_t number)
{
    struct simwire_header reply = launch_of(stream, kernel, number, 1);
    assert_int_equal(reply.error, cudaSuccess);
    works();
    return reply;
}

/* true: it was put into the list of work. */
static inline bool notes(uint64_t stream, uint32_t number)
{
    return launch(stream, NOTES, number).stream == 1;
}

static inline void waits(uint64_t stream, uint32_t number)
{
    launch(stream, WAITS, number);
}

static inline void raise_at(uint64_t address)
{
    uint32_t one = 1;
    struct simwire_header m = {.op = OP_WRITE, .stream = ALONE,
                               .a = {address}, .data = sizeof one};
    assert_int_equal(say(m, &one).error, cudaSuccess);
    works();
}

static inline void raise_flag(void)
{
    raise_at(flag);
}

static inline void records(uint64_t stream, uint64_t event)
{
    say((struct simwire_header){.op = OP_TIME, .stream = stream,
                                .a = {event + 1}}, NULL);
    works();
}

static inline void waits_for(uint64_t stream, uint64_t event)
{
    say((struct simwire_header){.op = OP_WAIT, .stream = stream,
                                .a = {event}}, NULL);
    works();
}

/* stream 0: for all. */
static inline int syncs(uint64_t stream)
{
    return say((struct simwire_header){.op = OP_SYNC, .stream = stream},
               NULL).error;
}

static inline int asks(uint64_t stream)
{
    return say((struct simwire_header){.op = OP_SYNC, .stream = stream,
                                       .a = {0, 1}}, NULL).error;
}

static inline int syncs_with(uint64_t event)
{
    return say((struct simwire_header){.op = OP_SYNC, .a = {event + 1}},
               NULL).error;
}

static inline int fills(uint64_t stream, uint64_t at, uint32_t value)
{
    struct simwire_header m = {.op = OP_FILL, .stream = stream,
                               .a = {at, value, 4, 1}};
    int error = say(m, NULL).error;
    works();
    return error;
}

static inline int copies(uint64_t stream, uint64_t to, uint64_t from)
{
    struct simwire_header m = {.op = OP_COPY, .stream = stream,
                               .a = {to, from, 4}};
    int error = say(m, NULL).error;
    works();
    return error;
}

static inline uint32_t word(uint64_t at)
{
    uint32_t value;
    assert_int_equal(engine_read(dev.engine, &value, at, sizeof value),
                     MEM_OK);
    return value;
}

/* The numbers written down so far. */
static inline void expect(const char *text)
{
    uint32_t done[1 + LIST_MOST];
    char got[LIST_MOST * 4] = "";
    assert_int_equal(engine_read(dev.engine, done, list, sizeof done), MEM_OK);
    for (uint32_t n = 0; n < done[0]; n++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%u",
                 n ? " " : "", done[1 + n]);
    assert_string_equal(got, text);
}

static inline void expect_no_work(void)
{
    works();
    assert_null(dev.queue->first);
    assert_int_equal(dev.queue->n, 0);
    assert_int_equal(dev.queue->bytes, 0);
    assert_int_equal(syncs(0), cudaSuccess);
}

static inline void expect_end(const char *text)
{
    expect_no_work();
    expect(text);
}

/* Where a number stands in the list. */
static inline uint32_t place(uint32_t number)
{
    uint32_t done[1 + LIST_MOST], n = 1;
    assert_int_equal(engine_read(dev.engine, done, list, sizeof done), MEM_OK);
    while (n <= done[0] && done[n] != number)
        n++;
    assert_true(n <= done[0]);
    return n;
}

#endif
