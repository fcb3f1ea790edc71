// SPDX-License-Identifier: MIT
/*
 * clock.c: the host's clock, the GPU's clock, and what runs when.
 *
 *   vc_*, vclock_now, vclock_sleep
 *
 * The hard idea: two numbers are enough. `host` is the program's time; `gpu` is
 * the time at which the queue will be empty. Work starts when it has arrived
 * and the GPU is free; waiting advances the host's time to the GPU's.
 */
#include "vclock/vclock.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Similar to an H200's. */
enum {
    ARRIVAL_NS = 1500, /* from the call until the GPU has the work */
    GAP_NS = 700,      /* between the end of a kernel and the next start */
    EVENT_NS = 300,    /* to write an event's time stamp */
    WAKE_UP_NS = 4500, /* from the end of the work to the end of the wait */
    QUEUE = 1024,      /* launches in the queue; the next one blocks */
};
/* A GPU that is idle for so long lowers its clocks. */
static const uint64_t idle_ns = 200000000;
/* The most that a timer may take; kernels take milliseconds. */
static const uint64_t limit_ns = 120000000000;
enum { TIMEOUT = 3 }; /* exit code: STOPWATCH_TIMEOUT of stopwatch.h */

static uint64_t host, gpu, worked, ends[QUEUE];
static unsigned long n_enqueued;
static size_t l2_traffic; /* bytes through L2 since the last kernel */
static uint64_t moved;    /* bytes through L2 by copies and sets, in all */
static bool in_l2;        /* a kernel has run and left its input in L2 */

void vc_host(uint64_t ns)
{
    host += ns;
    if (host <= limit_ns)
        return;
    fprintf(stderr, "the timer took more than %llu seconds of virtual time\n",
            (unsigned long long)(limit_ns / 1000000000));
    _exit(TIMEOUT);
}

static void wait_until(uint64_t time)
{
    if (time > host)
        vc_host(time - host);
}

/* The time at which work enqueued now can start. */
static uint64_t start(void)
{
    uint64_t arrives = host + ARRIVAL_NS;

    return arrives > gpu ? arrives : gpu;
}

/* If the GPU has been idle for long, its clocks have to rise again. */
static void notice_idle(void)
{
    if (start() > gpu + idle_ns)
        worked = 0;
}

uint64_t vc_enqueue(uint64_t host_ns, uint64_t gpu_ns)
{
    uint64_t *slot = &ends[n_enqueued++ % QUEUE];

    wait_until(*slot);
    vc_host(host_ns);
    notice_idle();
    gpu = start() + GAP_NS + gpu_ns;
    worked += gpu_ns;
    *slot = gpu;
    return gpu;
}

uint64_t vc_record(uint64_t host_ns)
{
    vc_host(host_ns);
    gpu = start() + EVENT_NS;
    return gpu;
}

void vc_wait(uint64_t until)
{
    wait_until(until);
    vc_host(WAKE_UP_NS);
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
double vc_busy_ms(void)
{
    notice_idle();
    return (double)worked * 1e-6;
}

void vc_through_l2(size_t bytes)
{
    l2_traffic += bytes;
    moved += bytes;
}

uint64_t vc_moved(void)
{
    return moved;
}

/* Which share of an input is still in L2; from now on all of it is. */
double vc_l2_share(size_t bytes)
{
    double room = (double)VC_L2_BYTES - (double)l2_traffic;
    double share = !in_l2 || room <= 0 ? 0 : room / (double)bytes;

    l2_traffic = 0;
    in_l2 = true;
    return share < 1 ? share : 1;
}

uint64_t vclock_now(void)
{
    enum { READ_NS = 25 };

    vc_host(READ_NS);
    return host;
}

void vclock_sleep(uint64_t ns)
{
    vc_host(ns);
}
