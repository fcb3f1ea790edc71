// SPDX-License-Identifier: MIT
// Stage 24, a whole program: the gradients of a block, batch after batch, as a
// graph: train T B H L K N-FILE W-FILE BIAS-FILE DY-FILE DW-FILE DBIAS-FILE
// New: a step is recorded once and replayed; its batch is in device memory.
// Before: launches, each enqueued by the host.
// Counter: graph_launches rises from 0 to 20: the host launches graphs alone.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime.h>

enum { THREADS = 128, LANES = 32 }; // per block; per warp
#define ALL_LANES 0xffffffffu

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t error_ = (call);                                           \
        if (error_ != cudaSuccess) {                                           \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,      \
                    cudaGetErrorString(error_));                               \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

struct size {
    int T, B, H, L, K; // batches; sequences, channels, steps, taps of each
};

// Everything in the GPU's memory. n and dy hold all batches; z and dz one.
struct arrays {
    float *n, *w, *bias, *dy, *dw, *dbias, *z, *dz;
    unsigned *batch; // the number of this step's batch
};

// The cells of a batch.
static __host__ __device__ unsigned cells(struct size s)
{
    return (unsigned)s.B * s.H * s.L;
}

// z = conv(n, w), of this step's batch. A thread per cell.
static __global__ void forward(struct arrays a, struct size s)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x; // may pass cells(s)
    int t = i % s.L, h = i / s.L % s.H;
    float sum = 0.0f;

    if (i >= cells(s))
        return;
    for (int k = 0; k < s.K && k <= t; k++)
        sum += a.w[h * s.K + k] * a.n[*a.batch * cells(s) + i - k];
    a.z[i] = sum;
}

// dz = dy times Swish's slope at z + bias. A thread per cell.
static __global__ void slope(struct arrays a, struct size s)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x; // may pass cells(s)

    if (i < cells(s)) {
        float x = a.z[i] + a.bias[i / s.L % s.H];
        float sigma = 1.0f / (1.0f + expf(-x));

        a.dz[i] = a.dy[*a.batch * cells(s) + i] * sigma *
                  (1.0f + x * (1.0f - sigma));
    }
}

static __device__ float warp_sum(float value)
{
    for (int far = LANES / 2; far > 0; far /= 2)
        value += __shfl_down_sync(ALL_LANES, value, far);
    return value;
}

// Adds this batch's part to dw (and to dbias: k == K). A warp per sum.
static __global__ void weight_grad(struct arrays a, struct size s)
{
    unsigned warp = (blockIdx.x * THREADS + threadIdx.x) / LANES;
    int h = warp / (s.K + 1), k = warp % (s.K + 1);
    float sum = 0.0f;

    if (h >= s.H)
        return;
    for (int r = threadIdx.x % LANES; r < s.B * s.L; r += LANES) {
        unsigned i = (r / s.L * s.H + h) * s.L + r % s.L;

        if (k == s.K)
            sum += a.dz[i];
        else if (r % s.L >= k)
            sum += a.dz[i] * a.n[*a.batch * cells(s) + i - k];
    }
    sum = warp_sum(sum);
    if (threadIdx.x % LANES == 0)
        *(k == s.K ? a.dbias + h : a.dw + h * s.K + k) += sum;
}

static __global__ void next_batch(unsigned *batch)
{
    *batch += 1;
}

// Enqueues a step: all that has to happen for a batch, and what chooses the
// next one.
static void step(struct arrays a, struct size s, cudaStream_t stream)
{
    unsigned blocks = (cells(s) - 1) / THREADS + 1;
    unsigned sums = ((unsigned)s.H * (s.K + 1) * LANES - 1) / THREADS + 1;

    //> todo wiring (about 4 lines)
    // Enqueue the four kernels above, in an order in which each finds what it
    // needs: forward and slope with `blocks` blocks, weight_grad with `sums`,
    // next_batch with one thread.
    //< todo
    CHECK(cudaGetLastError());
}

// Batches 0 to T - 1. The arrays are filled; *batch, dw and dbias are zero.
static void train(struct arrays a, struct size s, cudaStream_t stream)
{
    //> todo graph (about 9 lines)
    // Record a step as a graph, replay it once per batch, wait, and destroy
    // what you made. The lesson has the calls.
    //< todo
}

static void fail(const char *what, const char *path)
{
    fprintf(stderr, "train: cannot %s %s\n", what, path);
    exit(1);
}

// Memory on the GPU for n floats: those of a file, or zeros.
static float *floats(const char *path, size_t n)
{
    float *host = (float *)calloc(n, sizeof *host), *gpu;
    FILE *file = path ? fopen(path, "rb") : NULL;

    if (!host || (path && (!file || fread(host, sizeof *host, n, file) != n)))
        fail("read", path ? path : "zeros");
    CHECK(cudaMalloc(&gpu, n * sizeof *gpu));
    CHECK(cudaMemcpy(gpu, host, n * sizeof *gpu, cudaMemcpyHostToDevice));
    if (file)
        fclose(file);
    free(host);
    return gpu;
}

static void save(const char *path, const float *gpu, size_t n)
{
    float *host = (float *)malloc(n * sizeof *host);
    FILE *file = fopen(path, "wb");

    if (!host || !file)
        fail("write", path);
    CHECK(cudaMemcpy(host, gpu, n * sizeof *host, cudaMemcpyDeviceToHost));
    if (fwrite(host, sizeof *host, n, file) != n || fclose(file) != 0)
        fail("write", path);
    free(host);
}

int main(int argc, char **argv)
{
    struct size s = {0, 0, 0, 0, 0};
    struct arrays a;
    cudaStream_t stream;

    if (argc == 12)
        s = {atoi(argv[1]), atoi(argv[2]), atoi(argv[3]), atoi(argv[4]),
             atoi(argv[5])};
    if (s.T < 1 || s.B < 1 || s.H < 1 || s.L < 1 || s.K < 1) {
        fprintf(stderr, "usage: train T B H L K N-FILE W-FILE BIAS-FILE "
                        "DY-FILE DW-FILE DBIAS-FILE\n");
        return 2;
    }

    size_t all = (size_t)s.T * cells(s), taps = (size_t)s.H * s.K;

    a = {floats(argv[6], all), floats(argv[7], taps), floats(argv[8], s.H),
         floats(argv[9], all), floats(NULL, taps), floats(NULL, s.H),
         floats(NULL, cells(s)), floats(NULL, cells(s)), NULL};
    CHECK(cudaMalloc(&a.batch, sizeof *a.batch));
    CHECK(cudaMemset(a.batch, 0, sizeof *a.batch));
    CHECK(cudaStreamCreate(&stream));
    train(a, s, stream);
    save(argv[10], a.dw, taps);
    save(argv[11], a.dbias, s.H);
    for (float *array : {a.n, a.w, a.bias, a.dy, a.dw, a.dbias, a.z, a.dz})
        CHECK(cudaFree(array));
    CHECK(cudaFree(a.batch));
    CHECK(cudaStreamDestroy(stream));
    return 0;
}
