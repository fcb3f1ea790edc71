// SPDX-License-Identifier: MIT
// Kernels of the sequence model: what stands around the convolution.
// (b, h, t) stands at (b H + h) L + t. Where a thread owns a step (b, t) and
// runs over h, neighbours in t are neighbours in memory. Where a block owns a
// channel, its threads run over (b, t).

#include "train/kernels.h"
#include "train/sums.cuh"

enum {
    THREADS = 256, // per block, a cell or a step each
    WIDE = 512     // per block that sums over a channel
};

static unsigned blocks_for(size_t n)
{
    return (unsigned)((n - 1) / THREADS + 1);
}

static __global__ void tick(float *clock)
{
    *clock += 1.0f;
}

cudaError_t train_tick(float *clock, cudaStream_t stream)
{
    tick<<<1, 1, 0, stream>>>(clock);
    return cudaGetLastError();
}

static __global__ void batch(const float *data, float *to, unsigned n,
                             unsigned batches, const float *clock)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x; // may pass n
    size_t which = ((unsigned)*clock - 1) % batches;

    if (i < n)
        to[i] = data[which * n + i];
}

cudaError_t train_batch(const float *data, float *to, size_t n, int batches,
                        const float *clock, cudaStream_t stream)
{
    batch<<<blocks_for(n), THREADS, 0, stream>>>(data, to, (unsigned)n,
                                                 batches, clock);
    return cudaGetLastError();
}

static __global__ void lift(const float *u, const float *w, const float *bias,
                            float *x, struct dwconv_shape s, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x; // may pass n
    unsigned t = i % s.L, h = i / s.L % s.H, b = i / s.L / s.H;

    if (i < n)
        x[i] = w[h] * u[b * s.L + t] + bias[h];
}

cudaError_t train_lift(const float *u, const float *w, const float *bias,
                       float *x, struct dwconv_shape s, cudaStream_t stream)
{
    unsigned n = (unsigned)s.B * s.H * s.L;

    lift<<<blocks_for(n), THREADS, 0, stream>>>(u, w, bias, x, s, n);
    return cudaGetLastError();
}

// A block per channel.
static __global__ void lift_grad(const float *u, const float *dx, float *dw,
                                 float *dbias, struct dwconv_shape s)
{
    unsigned h = blockIdx.x, steps = s.B * s.L;
    float of_w = 0.0f, of_bias = 0.0f;

    for (unsigned r = threadIdx.x; r < steps; r += WIDE) {
        float g = dx[((size_t)(r / s.L) * s.H + h) * s.L + r % s.L];

        of_w += g * u[r];
        of_bias += g;
    }
    of_w = block_sum(of_w);
    of_bias = block_sum(of_bias);
    if (threadIdx.x == 0) {
        dw[h] = of_w;
        dbias[h] = of_bias;
    }
}

cudaError_t train_lift_grad(const float *u, const float *dx, float *dw,
                            float *dbias, struct dwconv_shape s,
                            cudaStream_t stream)
{
    lift_grad<<<s.H, WIDE, 0, stream>>>(u, dx, dw, dbias, s);
    return cudaGetLastError();
}

// A thread per step, over all channels.
static __global__ void rms(const float *x, const float *gamma, float *n,
                           struct dwconv_shape s)
{
    unsigned r = blockIdx.x * THREADS + threadIdx.x; // may pass B L
    size_t first = (size_t)(r / s.L) * s.H * s.L + r % s.L;
    float squares = 0.0f, scale;

    if (r >= (unsigned)s.B * s.L)
        return;
    for (int h = 0; h < s.H; h++) {
        float value = x[first + (size_t)h * s.L];

        squares += value * value;
    }
    scale = rsqrtf(squares / s.H + BLOCK_RMS_EPS);
    for (int h = 0; h < s.H; h++)
        n[first + (size_t)h * s.L] =
            gamma[h] * scale * x[first + (size_t)h * s.L];
}

cudaError_t train_rms(const float *x, const float *gamma, float *n,
                      struct dwconv_shape s, cudaStream_t stream)
{
    rms<<<blocks_for((size_t)s.B * s.L), THREADS, 0, stream>>>(x, gamma, n, s);
    return cudaGetLastError();
}

static __global__ void swish(const float *z, const float *bias,
                             const float *skip, float *y,
                             struct dwconv_shape s, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x; // may pass n

    if (i < n) {
        float a = z[i] + bias[i / s.L % s.H];

        y[i] = skip[i] + __fdividef(a, 1.0f + __expf(-a));
    }
}

cudaError_t train_swish(const float *z, const float *bias, const float *skip,
                        float *y, struct dwconv_shape s, cudaStream_t stream)
{
    unsigned n = (unsigned)s.B * s.H * s.L;

    swish<<<blocks_for(n), THREADS, 0, stream>>>(z, bias, skip, y, s, n);
    return cudaGetLastError();
}

// The errors of all steps; TRAIN_PARTIAL blocks, each leaves a partial loss.
static __global__ void read_out(const float *x, const float *w,
                                const float *bias, const float *target,
                                float *de, float *partial,
                                struct dwconv_shape s)
{
    unsigned steps = s.B * s.L;
    float loss = 0.0f;

    for (unsigned r = blockIdx.x * THREADS + threadIdx.x; r < steps;
         r += TRAIN_PARTIAL * THREADS) {
        size_t first = (size_t)(r / s.L) * s.H * s.L + r % s.L;
        float e = *bias - target[r];

        for (int h = 0; h < s.H; h++)
            e += w[h] * x[first + (size_t)h * s.L];
        de[r] = 2.0f * e / steps;
        loss += e * e;
    }
    loss = block_sum(loss);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = loss / steps;
}

static __global__ void settle(const float *partial, float *losses,
                              const float *clock)
{
    float loss = block_sum(partial[threadIdx.x]);

    if (threadIdx.x == 0)
        losses[(unsigned)*clock - 1] = loss;
}

cudaError_t train_read_out(const float *x, const float *w, const float *bias,
                           const float *target, float *de, float *losses,
                           const float *clock, float *partial,
                           struct dwconv_shape s, cudaStream_t stream)
{
    read_out<<<TRAIN_PARTIAL, THREADS, 0, stream>>>(x, w, bias, target, de,
                                                    partial, s);
    settle<<<1, TRAIN_PARTIAL, 0, stream>>>(partial, losses, clock);
    return cudaGetLastError();
}

// A block per channel, and one for the bias.
static __global__ void read_out_grad(const float *x, const float *w,
                                     const float *de, float *dx, float *dw,
                                     float *dbias, struct dwconv_shape s)
{
    unsigned h = blockIdx.x, steps = s.B * s.L;
    bool of_bias = h == (unsigned)s.H;
    float sum = 0.0f, weight = of_bias ? 0.0f : w[h];

    for (unsigned r = threadIdx.x; r < steps; r += WIDE) {
        size_t i = ((size_t)(r / s.L) * s.H + h) * s.L + r % s.L;

        if (of_bias) {
            sum += de[r];
        } else {
            sum += de[r] * x[i];
            dx[i] = de[r] * weight;
        }
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        *(of_bias ? dbias : dw + h) = sum;
}

cudaError_t train_read_out_grad(const float *x, const float *w,
                                const float *de, float *dx, float *dw,
                                float *dbias, struct dwconv_shape s,
                                cudaStream_t stream)
{
    read_out_grad<<<s.H + 1, WIDE, 0, stream>>>(x, w, de, dx, dw, dbias, s);
    return cudaGetLastError();
}
