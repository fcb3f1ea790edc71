// SPDX-License-Identifier: MIT
/*
 * middle.cu: candidates for depthwise convolution with dozens of taps, in
 * turns; see README.md.
 *
 *   middle L K [L K ...]
 *
 * B and H are such that an array has 2^23 cells ($CELLS) or a little less, as
 * in the sweep. Each line: kernel, milliseconds, per cent of max(copy, flops at
 * the roof), and how far outputs are from the committed kernel's at most.
 */
#include <math.h>
#include <vector>

#include "op/dwconv_middle.cuh"
#include "overlap.cuh"
#include "tests/hardware/trials/fusion/trial.cuh"

enum { CELLS = 1 << 23, CHANNELS = 64, LONGEST = 8192 };
static const double roof = 62.04e12; // fp32, of an H200: book/results

static struct dwconv_shape shape;
static float *x, *w, *y, *expected;
static bool gradient;
static size_t cells = CELLS, flush = 256u << 20; // before each launch

static cudaError_t copy(void)
{
    return trial_copy(x, y, sizeof *x * shape.B * shape.H * shape.L);
}

static cudaError_t committed(void)
{
    if (!dwconv_middle_fits(shape))
        return cudaErrorNotSupported;
    return gradient ? dwconv_middle_input_grad(x, w, y, shape, 0)
                    : dwconv_middle_forward(x, w, y, shape, 0);
}

template <bool TWO, bool STAY, int BLOCKS>
static cudaError_t candidate(void)
{
    if (!overlap_fits(shape))
        return cudaErrorNotSupported;
    return gradient ? overlap_run<overlap_variant<true, TWO, STAY, BLOCKS>>(
                          x, w, y, shape, 0)
                    : overlap_run<overlap_variant<false, TWO, STAY, BLOCKS>>(
                          x, w, y, shape, 0);
}

static const struct {
    const char *name;
    cudaError_t (*launch)(void);
} kernels[] = {
    {"committed", committed},
    {"goes_one_sum", candidate<false, false, 6>},
    {"goes", candidate<true, false, 5>},
    {"stays_one_sum", candidate<false, true, 6>},
    {"stays_4", candidate<true, true, 4>},
    {"stays_5", candidate<true, true, 5>},
    {"stays_6", candidate<true, true, 6>},
};

static double flops(void)
{
    double taps = shape.K < shape.L ? shape.K : shape.L;

    return 2.0 * shape.B * shape.H *
           (taps * shape.L - taps * (taps - 1) / 2);
}

static double farthest(size_t n)
{
    std::vector<float> a(n), b(n);
    double most = 0;

    CHECK(cudaMemcpy(a.data(), y, n * sizeof *y, cudaMemcpyDefault));
    CHECK(cudaMemcpy(b.data(), expected, n * sizeof *y, cudaMemcpyDefault));
    for (size_t i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= most))
            most = fabs(a[i] - b[i]); // NaN stays
    return most;
}

static void try_shape(void)
{
    size_t n = (size_t)shape.B * shape.H * shape.L;
    double floor_ms = trial_median(copy, x + cells, flush);

    printf("L %d K %d%s: copy %.4f ms\n", shape.L, shape.K,
           gradient ? " gradient" : "", floor_ms);
    if (flops() / roof * 1e3 > floor_ms)
        floor_ms = flops() / roof * 1e3;
    for (const auto &k : kernels) {
        CHECK(cudaMemset(y, 0xff, n * sizeof *y));

        cudaError_t error = k.launch();

        if (error == cudaErrorNotSupported)
            continue;
        CHECK(error);
        CHECK(cudaDeviceSynchronize());
        if (k.launch == committed)
            CHECK(cudaMemcpy(expected, y, n * sizeof *y, cudaMemcpyDefault));

        double off = farthest(n), ms = trial_median(k.launch, x + cells, flush);

        printf("  %-14s %.4f  %5.0f %%  off %.2g%s\n", k.name, ms,
               ms > 0 ? 100 * floor_ms / ms : 0, off,
               off <= 1e-4 ? "" : " WRONG");
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    if (getenv("CELLS")) {
        cells = strtoul(getenv("CELLS"), NULL, 10);
        flush = 0;
    }
    // Behind x lies what is overwritten so that L2 is cold.
    CHECK(cudaMalloc(&x, cells * sizeof *x + flush));
    CHECK(cudaMalloc(&y, cells * sizeof *y));
    CHECK(cudaMalloc(&expected, cells * sizeof *expected));
    CHECK(cudaMalloc(&w, (size_t)CHANNELS * LONGEST * sizeof *w));
    trial_fill<<<TRIAL_BLOCKS, TRIAL_THREADS>>>(x, cells, 1, 2.0f, 0.0f);
    trial_fill<<<TRIAL_BLOCKS, TRIAL_THREADS>>>(w, (size_t)CHANNELS * LONGEST,
                                                2, 0.1f, 0.0f);
    for (int i = 1; i + 1 < argc; i += 2) {
        shape.L = atoi(argv[i]);
        shape.K = atoi(argv[i + 1]);
        shape.H = CHANNELS;
        shape.B = shape.L < 1 ? 0 : (int)(cells / CHANNELS / shape.L);
        if (shape.B < 1 || shape.K < 1 || shape.K > LONGEST) {
            fprintf(stderr, "middle: no such shape: L %s K %s\n", argv[i],
                    argv[i + 1]);
            return 2;
        }
        for (int g = 0; g < 2; g++) {
            gradient = g;
            try_shape();
        }
    }
    return 0;
}
