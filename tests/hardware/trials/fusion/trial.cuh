// SPDX-License-Identifier: MIT
/*
 * trial.cuh: what the trials of this folder share.
 *
 *   CHECK(call)          ends the program, and says why, on an error
 *   trial_hash, trial_unit   32 bits of an index, or a number within +-0.5
 *   trial_copy           a float4 copy
 *   trial_median         milliseconds of a launch, by events
 *
 * $REPS: launches that are timed; 0: results are checked, nothing is timed.
 */
#ifndef WB_TRIAL_CUH
#define WB_TRIAL_CUH

#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                           \
    do {                                                                      \
        cudaError_t error_ = (call);                                          \
        if (error_ != cudaSuccess) {                                          \
            printf("# %s: %s\n", #call, cudaGetErrorString(error_));          \
            fflush(stdout);                                                   \
            exit(1);                                                          \
        }                                                                     \
    } while (0)

enum {
    TRIAL_REPS = 15,     // launches, if $REPS does not say
    TRIAL_MOST = 100,
    TRIAL_WARM = 2,      // launches that do not count
    TRIAL_NAP = 50000,   // clocks in which the host enqueues a launch
    TRIAL_THREADS = 256, // of a block that fills or copies
    TRIAL_BLOCKS = 1056  // 8 per multiprocessor
};

static __device__ unsigned trial_hash(unsigned a)
{
    a ^= a >> 16;
    a *= 0x7feb352du;
    a ^= a >> 15;
    a *= 0x846ca68bu;
    return a ^ a >> 16;
}

static __device__ float trial_unit(unsigned index, unsigned seed)
{
    return (trial_hash(index * 2654435761u + seed) >> 8) * 0x1p-24f - 0.5f;
}

template <typename T>
static __global__ void trial_fill(T *a, size_t n, unsigned seed, float scale,
                                  float shift)
{
    size_t step = (size_t)gridDim.x * blockDim.x;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += step)
        a[i] = (T)(trial_unit((unsigned)i, seed) * scale + shift);
}

static __global__ void trial_copy_kernel(const float4 *from, float4 *to,
                                         size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

    if (i < n)
        to[i] = from[i];
}

static inline cudaError_t trial_copy(const void *from, void *to, size_t bytes)
{
    size_t n = bytes / sizeof(float4);

    trial_copy_kernel<<<(unsigned)((n - 1) / TRIAL_THREADS + 1),
                        TRIAL_THREADS>>>((const float4 *)from, (float4 *)to,
                                         n);
    return cudaGetLastError();
}

static __global__ void trial_nap(void)
{
    long long begin = clock64();

    while (clock64() - begin < TRIAL_NAP)
        ;
}

static inline int trial_reps(void)
{
    const char *said = getenv("REPS");
    int reps = said ? atoi(said) : TRIAL_REPS;

    return reps < TRIAL_MOST ? reps : TRIAL_MOST;
}

static inline int trial_by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;

    return x < y ? -1 : x > y;
}

// Before each launch `flush` bytes of `of` are overwritten, if there are any.
static inline float trial_median(cudaError_t (*launch)(void), void *of,
                                 size_t flush)
{
    static cudaEvent_t begin, end;
    float ms[TRIAL_MOST];
    int reps = trial_reps();

    if (!reps)
        return 0;
    if (!begin) {
        CHECK(cudaEventCreate(&begin));
        CHECK(cudaEventCreate(&end));
    }
    for (int i = -TRIAL_WARM; i < reps; i++) {
        if (flush)
            CHECK(cudaMemsetAsync(of, 0, flush));
        trial_nap<<<1, 1>>>();
        CHECK(cudaEventRecord(begin));
        CHECK(launch());
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        if (i >= 0)
            CHECK(cudaEventElapsedTime(ms + i, begin, end));
    }
    qsort(ms, reps, sizeof *ms, trial_by_size);
    return ms[reps / 2];
}

#endif
