// SPDX-License-Identifier: MIT
// Kernels of the image model: the classifier and its gradients.

#include "train/kernels.h"
#include "train/sums.cuh"

enum { WIDE = 256 }; // threads per block

// A block per plane.
static __global__ void pool(const float *x, float *mean, int S)
{
    float sum = 0.0f;

    for (int i = threadIdx.x; i < S; i += WIDE)
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

    for (int b = threadIdx.x; b < s.B; b += WIDE) {
        float logit[TRAIN_CLASSES], most = -INFINITY, sum = 0.0f;
        int first = 0, wanted = (int)label[b];

        for (int k = 0; k < TRAIN_CLASSES; k++)
            logit[k] = bias[k];
        for (int c = 0; c < s.C; c++)
            for (int k = 0; k < TRAIN_CLASSES; k++)
                logit[k] += mean[b * s.C + c] * w[c * TRAIN_CLASSES + k];
        for (int k = 0; k < TRAIN_CLASSES; k++) {
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
    pool<<<s.B * s.C, WIDE, 0, stream>>>(x, mean, s.S);
    classify<<<1, WIDE, 0, stream>>>(mean, w, bias, label, de, losses, hits,
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
        for (int i = threadIdx.x; i < s.S; i += WIDE)
            dx[(size_t)blockIdx.x * s.S + i] = g / s.S;
        return;
    }
    for (int b = threadIdx.x; b < s.B; b += WIDE)
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

    classify_grad<<<blocks, WIDE, 0, stream>>>(mean, w, de, dx, dw, dbias,
                                                  s);
    return cudaGetLastError();
}
