// SPDX-License-Identifier: MIT
/*
 * pairs.cuh: what the trials of this folder share: arrays, pairs of L and K,
 * and entrants that are checked against the first of them, and timed.
 *
 *   pairs_arrays   once: x, dy, w and room for results
 *   pairs_shape    the shape of a pair
 *   pairs_try      a copy and all entrants at the current shape, a line each
 *
 * B and H are such that x has $CELLS cells (2^23) or a little less, as in the
 * sweep. Lines: path, B, H, L, K, kernel, milliseconds, multiples of max(copy,
 * flops at the roof), and how far results are from the first entrant's at most,
 * as a part of the largest result.
 */
#ifndef PAIRS_CUH
#define PAIRS_CUH

#include <stdint.h>

#include "op/dwconv.h"
#include "tests/hardware/trials/fusion/trial.cuh"

enum {
    PAIRS_CELLS = 1 << 23,
    PAIRS_CHANNELS = 64,
    PAIRS_LONGEST = 16384 // times the channels, taps at most
};
static const double pairs_roof = 62.04e12; // fp32, of an H200: book/results
static const double pairs_far = 2e-5;      // results that are wrong

static struct dwconv_shape shape;
static float *x, *dy, *w, *result, *expected; // dy lies behind x
static void *workspace;
static unsigned *farthest; // and the largest result: bits of floats
static size_t cells = PAIRS_CELLS, flush = 256u << 20; // before each launch
static bool of_weights;    // which results

struct entrant {
    const char *name;
    cudaError_t (*launch)(void);
};

static size_t pairs_number(const char *name, size_t otherwise)
{
    const char *said = getenv(name);

    return said ? strtoul(said, NULL, 10) : otherwise;
}

static void pairs_arrays(void)
{
    size_t taps = (size_t)PAIRS_CHANNELS * PAIRS_LONGEST, results;

    cells = pairs_number("CELLS", PAIRS_CELLS);
    flush = cells < PAIRS_CELLS ? 0 : flush;
    results = cells > taps ? cells : taps;
    // Behind dy lies what is overwritten so that L2 is cold.
    CHECK(cudaMalloc(&x, 2 * cells * sizeof *x + flush));
    dy = x + cells;
    CHECK(cudaMalloc(&result, results * sizeof *result));
    CHECK(cudaMalloc(&expected, results * sizeof *expected));
    CHECK(cudaMalloc(&w, taps * sizeof *w));
    CHECK(cudaMalloc(&workspace, cells * sizeof *x * 8));
    CHECK(cudaMalloc(&farthest, 2 * sizeof *farthest));
    trial_fill<<<TRIAL_BLOCKS, TRIAL_THREADS>>>(x, 2 * cells, 1, 2.0f, 0.0f);
    trial_fill<<<TRIAL_BLOCKS, TRIAL_THREADS>>>(w, taps, 2, 0.1f, 0.0f);
}

// `length`: L, or B:H:L. False, and a message, if there is no such shape.
static bool pairs_shape(const char *length, const char *taps)
{
    size_t most = (size_t)PAIRS_CHANNELS * PAIRS_LONGEST; // taps

    shape.K = atoi(taps);
    if (sscanf(length, "%d:%d:%d", &shape.B, &shape.H, &shape.L) != 3) {
        shape.L = atoi(length);
        shape.H = (int)pairs_number("CHANNELS", PAIRS_CHANNELS);
        shape.B = shape.L < 1 ? 0 : (int)(cells / shape.H / shape.L);
    }
    if (shape.B > 0 && shape.H > 0 && shape.L > 0 && shape.K > 0 &&
        (size_t)shape.B * shape.H * shape.L <= cells &&
        (size_t)shape.H * shape.K <= most)
        return true;
    fprintf(stderr, "no such shape: L %s K %s\n", length, taps);
    return false;
}

static size_t pairs_results(void)
{
    return of_weights ? (size_t)shape.H * shape.K
                      : (size_t)shape.B * shape.H * shape.L;
}

static double pairs_flops(void)
{
    double taps = shape.K < shape.L ? shape.K : shape.L;

    return 2.0 * shape.B * shape.H *
           (taps * shape.L - taps * (taps - 1) / 2);
}

static cudaError_t pairs_copy(void)
{
    return trial_copy(x, result, sizeof *x * shape.B * shape.H * shape.L);
}

// Reads as many bytes, and writes none: what a weight gradient cannot beat.
static __global__ void pairs_read_kernel(const float4 *from, size_t n,
                                         float *to)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    float sum = 0.0f;

#pragma unroll 4
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += step) {
        float4 v = __ldcs(from + i);

        sum += v.x + v.y + v.z + v.w;
    }
    if (sum == 1e30f) // never: but the loads stay
        *to = sum;
}

static cudaError_t pairs_read(void)
{
    size_t n = (size_t)shape.B * shape.H * shape.L;

    pairs_read_kernel<<<TRIAL_BLOCKS, TRIAL_THREADS>>>(
        (const float4 *)x, 2 * n / 4, result);
    return cudaGetLastError();
}

// NaN counts as the farthest.
static __global__ void pairs_compare(const float *a, const float *b, size_t n,
                                     unsigned *most)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    unsigned off = 0, largest = 0;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += step) {
        off = max(off, __float_as_uint(fabsf(a[i] - b[i])));
        largest = max(largest, __float_as_uint(fabsf(b[i])));
    }
    atomicMax(most, off);
    atomicMax(most + 1, largest);
}

static double pairs_off(void)
{
    float most[2];

    CHECK(cudaMemset(farthest, 0, 2 * sizeof *farthest));
    pairs_compare<<<TRIAL_BLOCKS / 8, TRIAL_THREADS>>>(
        result, expected, pairs_results(), farthest);
    CHECK(cudaMemcpy(most, farthest, sizeof most, cudaMemcpyDefault));
    return most[0] / most[1];
}

static void pairs_line(const char *path, const char *name, double ms,
                       double floor_ms, double off)
{
    printf("%s\t%d\t%d\t%d\t%d\t%s\t%.4f\t%.2f\t%.2g%s\n", path, shape.B,
           shape.H, shape.L, shape.K, name, ms,
           floor_ms > 0 ? ms / floor_ms : 0, off,
           off <= pairs_far ? "" : "\tWRONG");
    fflush(stdout);
}

// The first entrant says what is right. What one refuses is left out.
static void pairs_try(const char *path, const struct entrant *entrants, int n)
{
    size_t bytes = pairs_results() * sizeof *result;
    double floor_ms = trial_median(pairs_copy, dy + cells, flush);

    pairs_line(path, "copy", floor_ms, floor_ms, 0);
    if (of_weights)
        pairs_line(path, "read", trial_median(pairs_read, dy + cells, flush),
                   floor_ms, 0);
    if (pairs_flops() / pairs_roof * 1e3 > floor_ms)
        floor_ms = flush ? pairs_flops() / pairs_roof * 1e3 : 0;
    for (int i = 0; i < n; i++) {
        CHECK(cudaMemset(result, 0xff, bytes));

        cudaError_t error = entrants[i].launch();

        if (error != cudaSuccess && error != cudaErrorNotSupported)
            printf("# %s: %s\n", entrants[i].name, cudaGetErrorName(error));
        if (error != cudaSuccess)
            continue;
        CHECK(cudaDeviceSynchronize());
        if (i == 0)
            CHECK(cudaMemcpy(expected, result, bytes, cudaMemcpyDefault));
        double off = pairs_off();

        pairs_line(path, entrants[i].name,
                   trial_median(entrants[i].launch, dy + cells, flush),
                   floor_ms, off);
    }
}

#endif
