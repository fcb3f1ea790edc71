// SPDX-License-Identifier: MIT
/*
 * clock.c: the host's clock, the GPU's clock, and what runs when.
 *
 *   vc_*, vclock_now, vclock_sleep, vclock_kernel
 *
 * The hard idea: two numbers are enough. `host` is where the program is;
 * `gpu` is when the queue will be empty. Work starts when both it has arrived
 * and the GPU is free; waiting moves the host up to the GPU.
 */
#include "vclock/vclock.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* An H200's, or close to it. */
enum {
    ARRIVES_NS = 1500,   /* from the call to the GPU */
    BETWEEN_NS = 700,    /* from one kernel's end to the next one's start */
    MARK_NS = 300,       /* an event's time stamp */
    WAKES_NS = 4500,     /* from the end of the work to the end of the wait */
    LAUNCH_NS = 2200,    /* what a launch costs the host */
    QUEUE = 1024,        /* launches under way; the next one waits */
};
/* A GPU that does nothing for so long lets its clocks fall. */
static const uint64_t rests_ns = 200000000;
/* Nobody needs longer to time a kernel of milliseconds. */
static const uint64_t patience_ns = 120000000000;
enum { IMPATIENT = 3 }; /* exit code; stopwatch.h has it too */

static uint64_t host, gpu, worked, ends[QUEUE];
static unsigned long n_enqueued;
static size_t moved; /* bytes through L2 since the last kernel */
static bool seen;    /* a kernel has run: its input was in L2 */

void vc_host(uint64_t ns)
{
    host += ns;
    if (host <= patience_ns)
        return;
    fprintf(stderr, "the timer took more than %llu seconds of virtual time\n",
            (unsigned long long)(patience_ns / 1000000000));
    _exit(IMPATIENT);
}

static void wait_until(uint64_t time)
{
    if (time > host)
        vc_host(time - host);
}

/* When work that arrives now can start. */
static uint64_t start(void)
{
    uint64_t arrives = host + ARRIVES_NS;

    return arrives > gpu ? arrives : gpu;
}

/* The GPU has had nothing to do for long. */
static void notice_rest(void)
{
    if (start() > gpu + rests_ns)
        worked = 0;
}

uint64_t vc_enqueue(uint64_t host_ns, uint64_t gpu_ns)
{
    uint64_t *slot = &ends[n_enqueued++ % QUEUE];

    wait_until(*slot);
    vc_host(host_ns);
    notice_rest();
    gpu = start() + BETWEEN_NS + gpu_ns;
    worked += gpu_ns;
    *slot = gpu;
    return gpu;
}

uint64_t vc_mark(uint64_t host_ns)
{
    vc_host(host_ns);
    gpu = start() + MARK_NS;
    return gpu;
}

void vc_wait(uint64_t until)
{
    wait_until(until);
    vc_host(WAKES_NS);
}

void vc_wait_all(void)
{
    vc_wait(gpu);
}

bool vc_is_past(uint64_t time)
{
    return time <= host;
}

/* How long the GPU has worked since it last rested. */
static double busy_ms(void)
{
    notice_rest();
    return (double)worked * 1e-6;
}

void vc_through_l2(size_t bytes)
{
    moved += bytes;
}

/* Which share of an input is still in L2; from now on all of it is. */
static double l2_share(size_t bytes)
{
    double room = (double)VC_L2_BYTES - (double)moved;
    double share = !seen || room <= 0 ? 0 : room / (double)bytes;

    moved = 0;
    seen = true;
    return share < 1 ? share : 1;
}

uint64_t vclock_now(void)
{
    enum { A_LOOK_NS = 25 };

    vc_host(A_LOOK_NS);
    return host;
}

void vclock_sleep(uint64_t ns)
{
    vc_host(ns);
}

/* Wires and transistors that hold their value take less power, and the clock
 * rises: the same kernel is faster on an input whose words are all alike. */
static bool is_alike(const uint32_t *words, size_t n)
{
    enum { ENOUGH = 1024 };

    for (size_t i = 1; i < n && i < ENOUGH; i++)
        if (words[i] != words[0])
            return false;
    return true;
}

cudaError_t vclock_kernel(const struct trap *trap, double us,
                          const void *input)
{
    size_t bytes = (size_t)trap->input_bytes;
    double share = l2_share(bytes);

    vc_settle(input);
    us *= share * trap->warm + (1 - share);
    if (is_alike(input, bytes / sizeof(uint32_t)))
        us *= trap->alike;
    us *= trap_ramp(trap, busy_ms());
    vc_enqueue(LAUNCH_NS, (uint64_t)(us * 1e3));
    return cudaSuccess;
}
