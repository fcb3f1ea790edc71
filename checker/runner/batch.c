// SPDX-License-Identifier: MIT
/*
 * batch.c: timed launches.
 *
 *   batch_run    n launches, each between two events, or back to back
 *   batch_flush  writes so much that L2 holds nothing else
 *
 * Before each timed launch a buffer of twice the size of L2 is written, so that
 * inputs come from memory, as in a program that did other work before. That
 * write also keeps the device busy while the host enqueues the launch, so the
 * measured time contains no launch latency. In-and-out buffers are restored
 * before each launch. The outputs are poisoned before the last launch, so a
 * download after a batch returns the results of that launch.
 */
#include "runner.h"

#include <stdlib.h>

struct events {
    cudaEvent_t begin[WIRE_MAX_SAMPLES];
    cudaEvent_t end[WIRE_MAX_SAMPLES];
    uint32_t n; /* created so far; kept for the next batch */
};

static struct events events;

static bool done(cudaError_t error, struct wire_reply *reply)
{
    return error == cudaSuccess ||
           runner_fail_cuda(reply, WIRE_DEVICE_FAILED, error, "timing");
}

static bool make_events(uint32_t n, struct wire_reply *reply)
{
    for (; events.n < n; events.n++) {
        cudaError_t error = cudaEventCreate(&events.begin[events.n]);
        if (error == cudaSuccess)
            error = cudaEventCreate(&events.end[events.n]);
        if (error != cudaSuccess)
            return done(error, reply);
    }
    return true;
}

static bool make_flush(struct runner *r, struct wire_reply *reply)
{
    const size_t least = (size_t)64 << 20; /* bytes, if L2 is unknown */

    if (r->flush)
        return true;
    r->flush_bytes = r->l2_bytes > least / 2 ? 2 * r->l2_bytes : least;
    return done(cudaMalloc((void **)&r->flush, r->flush_bytes), reply);
}

static bool flush(struct runner *r, uint32_t i, struct wire_reply *reply)
{
    return done(cudaMemsetAsync(r->flush, (int)(i & 0xff), r->flush_bytes,
                                r->stream),
                reply);
}

static bool timed(struct runner *r, uint32_t n, struct wire_reply *reply)
{
    for (uint32_t i = 0; i < n; i++)
        if (!(i == n - 1 ? buffers_poison : buffers_restore)(r, reply) ||
            !flush(r, i, reply) ||
            !done(cudaEventRecord(events.begin[i], r->stream), reply) ||
            !stage_launch(r, reply) ||
            !done(cudaEventRecord(events.end[i], r->stream), reply))
            return false;
    if (!stage_wait(r, reply))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        float ms;
        if (!done(cudaEventElapsedTime(&ms, events.begin[i], events.end[i]),
                  reply))
            return false;
        reply->u.samples.seconds[i] = ms * 1e-3;
    }
    reply->u.samples.n = n;
    return true;
}

bool batch_flush(struct runner *r, struct wire_reply *reply)
{
    return make_flush(r, reply) && flush(r, 0, reply);
}

static bool back_to_back(struct runner *r, uint32_t n,
                         struct wire_reply *reply)
{
    for (uint32_t i = 0; i < n; i++)
        if (!stage_launch(r, reply))
            return false;
    return stage_wait(r, reply);
}

bool batch_run(struct runner *r, const struct wire_batch *batch,
               struct wire_reply *reply)
{
    uint32_t n = batch->samples;

    if (n == 0 || (batch->events && n > WIRE_MAX_SAMPLES))
        return runner_fail(reply, WIRE_REFUSED, "a batch of %u launches", n);
    if (!batch->events)
        return buffers_poison(r, reply) && back_to_back(r, n, reply);
    return make_events(n, reply) && make_flush(r, reply) &&
           timed(r, n, reply);
}
