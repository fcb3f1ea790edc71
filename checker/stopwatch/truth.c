// SPDX-License-Identifier: MIT
/*
 * truth.c: the reference timer; see stopwatch.h.
 *
 * The time of a chain of loads from memory depends on the GPU, so it is
 * measured: after warm-up, with a flushed L2, the median of many samples.
 */
#include "stopwatch/stopwatch.h"

#include <math.h>
#include <stdlib.h>

#include "op/timer.h"

enum { WARM_UPS = 300, SAMPLES = 51 };

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

/* Milliseconds of one launch after a flush; NAN if a call fails. */
static float sample(const struct timer_job *job, void *flush, size_t bytes,
                    cudaEvent_t before, cudaEvent_t after)
{
    float ms;
    cudaError_t error = cudaMemsetAsync(flush, 0, bytes, NULL);

    error = error ? error : cudaEventRecord(before, NULL);
    error = error ? error : job->launch(job, NULL);
    error = error ? error : cudaEventRecord(after, NULL);
    error = error ? error : cudaEventSynchronize(after);
    error = error ? error : cudaEventElapsedTime(&ms, before, after);
    return error ? NAN : ms;
}

double stopwatch_truth(const struct timer_job *job)
{
    float samples[SAMPLES];
    cudaEvent_t before, after;
    void *flush = NULL;
    int l2 = 0;
    size_t bytes;

    if (cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0) ||
        cudaEventCreate(&before) || cudaEventCreate(&after))
        return NAN;
    bytes = 2 * (size_t)l2;
    if (cudaMalloc(&flush, bytes))
        return NAN;
    for (int i = 0; i < WARM_UPS; i++)
        if (job->launch(job, NULL))
            return NAN;
    for (int i = 0; i < SAMPLES; i++) {
        samples[i] = sample(job, flush, bytes, before, after);
        if (!isfinite(samples[i]))
            return NAN;
    }
    qsort(samples, SAMPLES, sizeof *samples, ascending);
    cudaFree(flush);
    return samples[SAMPLES / 2];
}
