// SPDX-License-Identifier: MIT
// An exercise of chapter 02: this timer is wrong, although it does all that the
// eight traps ask for. Let the checker say which of them it falls into.

#include "op/timer.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

// Leaves the timer, "not a number", where a CUDA call fails.
#define CHECK(call)                                                            \
    do {                                                                       \
        if ((call) != cudaSuccess)                                             \
            return NAN;                                                        \
    } while (0)

enum {
    SAMPLES = 101,       // odd: the median is one of them
    WARM_MS = 3000,      // of work, until the clocks have settled
    WARM_LAUNCHES = 20,  // between two looks at the wall clock
};

// Milliseconds on the wall's clock, since some moment in the past.
static inline double wall_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * now.tv_sec + 1e-6 * now.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    return (int)(*(const double *)a - *(const double *)b);
}

// The input, full of values of which no two neighbours are equal.
static cudaError_t fill(const struct timer_job *job)
{
    size_t n = job->input_bytes / sizeof(unsigned);
    unsigned *values = (unsigned *)malloc(n * sizeof *values), value = 1;
    cudaError_t error;

    if (!values)
        return cudaErrorMemoryAllocation;
    for (size_t i = 0; i < n; i++) {
        value = value * 1664525u + 1013904223u; // any generator will do
        values[i] = value;
    }
    error = cudaMemcpy(job->input, values, n * sizeof *values,
                       cudaMemcpyHostToDevice);
    free(values);
    return error;
}

double timer_ms(const struct timer_job *job)
{
    double ms[SAMPLES], answer;

    cudaEvent_t before, after;
    void *flush;
    int l2_bytes;

    CHECK(cudaEventCreate(&before));
    CHECK(cudaEventCreate(&after));
    CHECK(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0));
    CHECK(cudaMalloc(&flush, 2 * (size_t)l2_bytes));
    CHECK(fill(job));

    for (double begun = wall_ms(); wall_ms() - begun < WARM_MS;) {
        for (int i = 0; i < WARM_LAUNCHES; i++)
            CHECK(job->launch(job, NULL));
        CHECK(cudaDeviceSynchronize());
    }

    for (int i = 0; i < SAMPLES; i++) {
        float elapsed;

        CHECK(cudaMemsetAsync(flush, 0, 2 * (size_t)l2_bytes, NULL));
        CHECK(cudaEventRecord(before, NULL));
        CHECK(job->launch(job, NULL));
        CHECK(cudaEventRecord(after, NULL));
        CHECK(cudaEventSynchronize(after));
        CHECK(cudaEventElapsedTime(&elapsed, before, after));
        ms[i] = elapsed;
    }

    qsort(ms, SAMPLES, sizeof *ms, ascending);
    answer = ms[SAMPLES / 2];

    CHECK(cudaFree(flush));
    CHECK(cudaEventDestroy(before));
    CHECK(cudaEventDestroy(after));
    return answer;
}
