// SPDX-License-Identifier: MIT
// Trials for chapter 20's linear layer:
//
//   linear M...   each batch M, K = N = 4096 (or $SMALL)
//
// Prints a line per candidate: time, TFLOP/s, and the largest error beside sums
// in double.

#include "solutions/20-fused-epilogue/gemm_bias_act.cu"

#include "linear_loop.cuh"
#include "trial.cuh"

static float *X, *W, *bias, *Y, *want, *worst;
static void *flush;
static struct linear_shape shape = {0, 4096, 4096};
static const size_t flush_bytes = 256u << 20;
enum { MOST_ROWS = 256, COLUMNS = 128 };
static const float limit = 2e-3f; // of an error: sums of 4096 products

static __global__ void reference(const float *X, const float *W,
                                 const float *bias, float *Y,
                                 struct linear_shape s)
{
    size_t col = blockIdx.x * COLUMNS + threadIdx.x, row = blockIdx.y;
    double sum = bias[col];

    for (int k = 0; k < s.K; k++)
        sum += (double)X[row * s.K + k] * W[(size_t)k * s.N + col];
    Y[row * s.N + col] = (float)(sum / (1 + exp(-sum)));
}

static __global__ void differ(const float *a, const float *b, size_t n,
                              float *worst)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    float most = 0.0f;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += step) {
        float e = fabsf(a[i] - b[i]);

        most = e <= most ? most : e < 1e30f ? e : 1e30f; // NaN too
    }
    atomicMax((int *)worst, __float_as_int(most));
}

static struct finish epilogue(void)
{
    return {bias, Y, shape.N};
}

static cudaError_t now(void)
{
    return linear_swish(X, W, bias, Y, shape, NULL, 0);
}

template <class T> static cudaError_t loop(void)
{
    return loop_launch<T>(X, W, shape, epilogue());
}

// Half of what the layer reads and writes: as many bytes in all.
static cudaError_t copy(void)
{
    size_t floats = (size_t)shape.M * shape.K + (size_t)shape.K * shape.N +
                    (size_t)shape.M * shape.N;

    return trial_copy(W, flush, floats * sizeof(float) / 2);
}

static void one(const char *name, cudaError_t (*launch)(void))
{
    size_t n = (size_t)shape.M * shape.N;
    float error, ms;

    CHECK(cudaMemset(Y, 0xff, n * sizeof(float)));
    CHECK(cudaMemset(worst, 0, sizeof(float)));
    CHECK(launch());
    differ<<<TRIAL_BLOCKS, TRIAL_THREADS>>>(Y, want, n, worst);
    CHECK(cudaMemcpy(&error, worst, sizeof error, cudaMemcpyDefault));
    ms = trial_median(launch, flush, flush_bytes);
    printf("batch %d: %-28s %.4f ms %5.1f TFLOP/s, error %.1e%s\n", shape.M,
           name, ms, ms > 0 ? 2e-9 * n * shape.K / ms : 0.0, error,
           error <= limit ? "" : " WRONG");
    fflush(stdout);
}

// BM, BN, TN, SLICES, PARTS, STAGES, BK, BLOCKS
#define TRY(...) one(#__VA_ARGS__, loop<loop_tile<__VA_ARGS__>>)

static void batch(int rows)
{
    shape.M = rows;
    reference<<<dim3(shape.N / COLUMNS, rows), COLUMNS>>>(X, W, bias, want,
                                                          shape);
    CHECK(cudaDeviceSynchronize());
    printf("batch %d: %-28s %.4f ms\n", rows, "copy",
           trial_median(copy, flush, 0));
    one("now", now);
    TRY(64, 128, 16, 4, 1, 3, 16, 1);
    TRY(128, 128, 16, 2, 2, 3, 16, 1);
    TRY(64, 128, 8, 4, 1, 3, 16, 1);
    TRY(128, 128, 8, 2, 2, 3, 16, 1);
    TRY(128, 64, 16, 1, 2, 3, 16, 2);
    TRY(128, 64, 8, 1, 2, 4, 16, 2);
    TRY(64, 128, 16, 2, 2, 3, 16, 2);
    TRY(64, 128, 16, 4, 1, 4, 8, 1);
    one("now", now);
}

int main(int count, char **args)
{
    if (getenv("SMALL"))
        shape.K = shape.N = atoi(getenv("SMALL"));

    size_t in = (size_t)MOST_ROWS * shape.K, out = (size_t)MOST_ROWS * shape.N;
    size_t weights = (size_t)shape.K * shape.N;

    CHECK(cudaMalloc(&X, in * sizeof(float)));
    CHECK(cudaMalloc(&W, weights * sizeof(float)));
    CHECK(cudaMalloc(&bias, shape.N * sizeof(float)));
    CHECK(cudaMalloc(&Y, out * sizeof(float)));
    CHECK(cudaMalloc(&want, out * sizeof(float)));
    CHECK(cudaMalloc(&flush, flush_bytes));
    CHECK(cudaMalloc(&worst, sizeof(float)));
    trial_fill<<<TRIAL_BLOCKS, TRIAL_THREADS>>>(X, in, 1, 2.0f, 0.0f);
    trial_fill<<<TRIAL_BLOCKS, TRIAL_THREADS>>>(W, weights, 2, 0.25f, 0.0f);
    trial_fill<<<TRIAL_BLOCKS, TRIAL_THREADS>>>(bias, shape.N, 3, 2.0f, 0.0f);
    for (int i = 1; i < count; i++)
        batch(atoi(args[i]));
    return 0;
}
