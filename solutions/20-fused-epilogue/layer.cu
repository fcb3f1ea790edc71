// SPDX-License-Identifier: MIT
/*
 * layer.cu: a linear layer in three kernels and in one, at four batches: time,
 * and the device memory that each needs at its peak.
 *
 * `make bench` builds and runs it. Prints lines of a name and a number. Every
 * array comes from CUDA's memory pool, which says how much of it was in use at
 * most. Times are medians, interleaved, with a cold L2.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "op/linear_tile.cuh"

namespace three {
#include "three.cu"
}
namespace fused {
#include "gemm_bias_act.cu"
}

enum { N = 4096, K = 4096, SAMPLES = 101 };
static const int batches[] = {1, 16, 64, 256};

static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

static float *array(size_t floats)
{
    float *at;

    check(cudaMallocAsync((void **)&at, floats * sizeof(float), 0));
    return at;
}

// Uniform in [-1, 1), from a generator of Knuth's (MMIX).
static void fill(float *at, size_t floats)
{
    static unsigned long long state = 1;
    std::vector<float> host(floats);

    for (float &value : host) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        value = (float)(state >> 40) * 0x1p-23f - 1;
    }
    check(cudaMemcpy(at, host.data(), floats * sizeof(float),
                     cudaMemcpyHostToDevice));
}

struct layer {
    const char *name;
    size_t (*workspace)(struct linear_shape);
    cudaError_t (*run)(const float *, const float *, const float *, float *,
                       struct linear_shape, void *, cudaStream_t);
    std::vector<float> ms;
};

// The pool's bytes in use at most, from an empty one on.
static unsigned long long peak_of(const struct layer *layer,
                                  struct linear_shape s)
{
    cudaMemPool_t pool;
    unsigned long long peak = 0;

    check(cudaDeviceSynchronize());
    check(cudaDeviceGetDefaultMemPool(&pool, 0));
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &peak));

    size_t bytes = layer->workspace(s);
    float *X = array((size_t)s.M * s.K), *W = array((size_t)s.K * s.N);
    float *bias = array(s.N), *Y = array((size_t)s.M * s.N);
    float *workspace = bytes ? array(bytes / sizeof(float)) : nullptr;

    check(layer->run(X, W, bias, Y, s, workspace, 0));
    for (float *at : {X, W, bias, Y, workspace})
        if (at)
            check(cudaFreeAsync(at, 0));
    check(cudaDeviceSynchronize());
    check(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &peak));
    return peak;
}

static void time_both(struct layer *layers, struct linear_shape s)
{
    enum { FLUSH = 256 << 20 };
    float *X = array((size_t)s.M * s.K), *W = array((size_t)s.K * s.N);
    float *bias = array(s.N), *Y = array((size_t)s.M * s.N);
    float *workspace = array(2 * (size_t)s.M * s.N);
    float *flush = array(FLUSH / sizeof(float));
    cudaEvent_t begin, end;

    fill(X, (size_t)s.M * s.K);
    fill(W, (size_t)s.K * s.N);
    fill(bias, s.N);
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    for (int sample = 0; sample < 2 * SAMPLES; sample++) {
        struct layer *layer = &layers[sample % 2];
        float ms;

        check(cudaMemsetAsync(flush, sample, FLUSH, 0));
        check(cudaEventRecord(begin, 0));
        check(layer->run(X, W, bias, Y, s, workspace, 0));
        check(cudaEventRecord(end, 0));
        check(cudaEventSynchronize(end));
        check(cudaEventElapsedTime(&ms, begin, end));
        layer->ms.push_back(ms);
    }
    for (float *at : {X, W, bias, Y, workspace, flush})
        check(cudaFreeAsync(at, 0));
}

int main()
{
    for (int batch : batches) {
        struct linear_shape s = {batch, N, K};
        struct layer layers[] = {
            {"three", three::linear_swish_workspace, three::linear_swish, {}},
            {"fused", fused::linear_swish_workspace, fused::linear_swish, {}}};

        time_both(layers, s);
        for (struct layer &layer : layers) {
            std::sort(layer.ms.begin(), layer.ms.end());
            printf("layer_%s_%d_ms %.6g\n", layer.name, batch,
                   layer.ms[SAMPLES / 2]);
            printf("layer_%s_%d_peak_bytes %llu\n", layer.name, batch,
                   peak_of(&layer, s));
        }
    }
    return 0;
}
