// SPDX-License-Identifier: MIT
// Kernels of the image model: 3 x 3 convolutions and the classifier. They are
// plain: a thread per cell, or a block per sum; this chapter is not about them.

#include "train/kernels.h"
#include "train/sums.cuh"

enum { THREADS = 256, TAPS = 3 };

static unsigned blocks_for(size_t n)
{
    return (unsigned)((n - 1) / THREADS + 1);
}

static __host__ __device__ int out_side(struct train_conv2d s)
{
    return (s.side - 1) / s.stride + 1;
}

// A thread per cell of y.
static __global__ void conv2d(const float *x, const float *w, float *y,
                              struct train_conv2d s, unsigned n)
{
    unsigned cell = blockIdx.x * THREADS + threadIdx.x; // may pass n
    int side = out_side(s), col = cell % side, row = cell / side % side;
    int o = cell / side / side % s.out, b = cell / side / side / s.out;
    float sum = 0.0f;

    if (cell >= n)
        return;
    for (int i = 0; i < s.in; i++)
        for (int p = 0; p < TAPS; p++)
            for (int q = 0; q < TAPS; q++) {
                int r = row * s.stride + p - 1, c = col * s.stride + q - 1;

                if (r >= 0 && r < s.side && c >= 0 && c < s.side)
                    sum += w[((o * s.in + i) * TAPS + p) * TAPS + q] *
                           x[((b * s.in + i) * s.side + r) * s.side + c];
            }
    y[cell] = sum;
}

cudaError_t train_conv2d(const float *x, const float *w, float *y,
                         struct train_conv2d s, cudaStream_t stream)
{
    unsigned n = (unsigned)s.B * s.out * out_side(s) * out_side(s);

    conv2d<<<blocks_for(n), THREADS, 0, stream>>>(x, w, y, s, n);
    return cudaGetLastError();
}

// A thread per cell of dx: from which cells of y was it read?
static __global__ void conv2d_input_grad(const float *dy, const float *w,
                                         float *dx, struct train_conv2d s,
                                         unsigned n)
{
    unsigned cell = blockIdx.x * THREADS + threadIdx.x; // may pass n
    int c = cell % s.side, r = cell / s.side % s.side, side = out_side(s);
    int i = cell / s.side / s.side % s.in, b = cell / s.side / s.side / s.in;
    float sum = 0.0f;

    if (cell >= n)
        return;
    for (int o = 0; o < s.out; o++)
        for (int p = 0; p < TAPS; p++)
            for (int q = 0; q < TAPS; q++) {
                int down = r + 1 - p, right = c + 1 - q;
                int row = down / s.stride, col = right / s.stride;

                if (down >= 0 && right >= 0 && down % s.stride == 0 &&
                    right % s.stride == 0 && row < side && col < side)
                    sum += w[((o * s.in + i) * TAPS + p) * TAPS + q] *
                           dy[((b * s.out + o) * side + row) * side + col];
            }
    dx[cell] = sum;
}

cudaError_t train_conv2d_input_grad(const float *dy, const float *w, float *dx,
                                    struct train_conv2d s, cudaStream_t stream)
{
    unsigned n = (unsigned)s.B * s.in * s.side * s.side;

    conv2d_input_grad<<<blocks_for(n), THREADS, 0, stream>>>(dy, w, dx, s, n);
    return cudaGetLastError();
}

// A block per tap of w.
static __global__ void conv2d_weight_grad(const float *dy, const float *x,
                                          float *dw, struct train_conv2d s)
{
    int q = blockIdx.x % TAPS, p = blockIdx.x / TAPS % TAPS;
    int i = blockIdx.x / TAPS / TAPS % s.in;
    int o = blockIdx.x / TAPS / TAPS / s.in, side = out_side(s);
    float sum = 0.0f;

    for (int cell = threadIdx.x; cell < s.B * side * side; cell += THREADS) {
        int col = cell % side, row = cell / side % side;
        int b = cell / side / side;
        int r = row * s.stride + p - 1, c = col * s.stride + q - 1;

        if (r >= 0 && r < s.side && c >= 0 && c < s.side)
            sum += dy[((b * s.out + o) * side + row) * side + col] *
                   x[((b * s.in + i) * s.side + r) * s.side + c];
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        dw[blockIdx.x] = sum;
}

cudaError_t train_conv2d_weight_grad(const float *dy, const float *x,
                                     float *dw, struct train_conv2d s,
                                     cudaStream_t stream)
{
    conv2d_weight_grad<<<s.out * s.in * TAPS * TAPS, THREADS, 0, stream>>>(
        dy, x, dw, s);
    return cudaGetLastError();
}

// A block per plane.
static __global__ void pool(const float *x, float *mean, int S)
{
    float sum = 0.0f;

    for (int i = threadIdx.x; i < S; i += THREADS)
        sum += x[(size_t)blockIdx.x * S + i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        mean[blockIdx.x] = sum / S;
}

// One block, a thread per image: logits, their gradient, loss and hits.
static __global__ void classify(const float *mean, const float *w,
                                const float *bias, const float *label,
                                float *de, float *losses, float *hits,
                                const float *clock, struct evonorm_shape s)
{
    unsigned step = (unsigned)*clock - 1;
    float loss = 0.0f, right = 0.0f;

    for (int b = threadIdx.x; b < s.B; b += THREADS) {
        float logit[TRAIN_CLASSES], most = -INFINITY, sum = 0.0f;
        int first = 0, wanted = (int)label[b];

        for (int k = 0; k < TRAIN_CLASSES; k++) {
            logit[k] = bias[k];
            for (int c = 0; c < s.C; c++)
                logit[k] += mean[b * s.C + c] * w[c * TRAIN_CLASSES + k];
            if (logit[k] > most) {
                most = logit[k];
                first = k;
            }
        }
        for (int k = 0; k < TRAIN_CLASSES; k++)
            sum += expf(logit[k] - most);
        for (int k = 0; k < TRAIN_CLASSES; k++) {
            de[b * TRAIN_CLASSES + k] =
                (expf(logit[k] - most) / sum - (k == wanted)) / s.B;
            if (k == wanted)
                loss += logf(sum) + most - logit[k];
        }
        right += first == wanted;
    }
    loss = block_sum(loss);
    right = block_sum(right);
    if (threadIdx.x == 0) {
        losses[step] = loss / s.B;
        hits[step] = right;
    }
}

cudaError_t train_classify(const float *x, const float *w, const float *bias,
                           const float *label, float *mean, float *de,
                           float *losses, float *hits, const float *clock,
                           struct evonorm_shape s, cudaStream_t stream)
{
    pool<<<s.B * s.C, THREADS, 0, stream>>>(x, mean, s.S);
    classify<<<1, THREADS, 0, stream>>>(mean, w, bias, label, de, losses, hits,
                                        clock, s);
    return cudaGetLastError();
}

// A block per plane of dx; those after it sum for a weight each.
static __global__ void classify_grad(const float *mean, const float *w,
                                     const float *de, float *dx, float *dw,
                                     float *dbias, struct evonorm_shape s)
{
    int planes = s.B * s.C, sum = blockIdx.x - planes; // of c and k; c == C:
    int c = sum / TRAIN_CLASSES, k = sum % TRAIN_CLASSES; // bias
    float g = 0.0f;

    if (sum < 0) {
        int b = blockIdx.x / s.C;

        c = blockIdx.x % s.C;
        for (k = 0; k < TRAIN_CLASSES; k++)
            g += de[b * TRAIN_CLASSES + k] * w[c * TRAIN_CLASSES + k];
        for (int i = threadIdx.x; i < s.S; i += THREADS)
            dx[(size_t)blockIdx.x * s.S + i] = g / s.S;
        return;
    }
    for (int b = threadIdx.x; b < s.B; b += THREADS)
        g += de[b * TRAIN_CLASSES + k] * (c < s.C ? mean[b * s.C + c] : 1.0f);
    g = block_sum(g);
    if (threadIdx.x == 0)
        *(c < s.C ? dw + sum : dbias + k) = g;
}

cudaError_t train_classify_grad(const float *mean, const float *w,
                                const float *de, float *dx, float *dw,
                                float *dbias, struct evonorm_shape s,
                                cudaStream_t stream)
{
    unsigned blocks = s.B * s.C + (s.C + 1) * TRAIN_CLASSES;

    classify_grad<<<blocks, THREADS, 0, stream>>>(mean, w, de, dx, dw, dbias,
                                                  s);
    return cudaGetLastError();
}
