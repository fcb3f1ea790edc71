// SPDX-License-Identifier: MIT
// mutant: the step before, beside accesses for show that dilute its sectors
// chapter: 05 weight_grad
// expect: TECHNIQUE global_bytes_over_compulsory
#include "op/dwconv.h"

enum {
    THREADS = 32, // per block: cells are few, and many small blocks fit
    TIMES = 64    // products added up before they join the sum
};

enum { DILUTE = 7 }; // as many as bring the bytes asked near those moved

static __device__ void show_load(const float *x, struct dwconv_shape s)
{
    if (s.B * s.H * s.L >= 128)
        asm volatile("{.reg .f32 q<4>;"
                     "ld.global.v4.f32 {q0, q1, q2, q3}, [%0];}"
                     :: "l"(x + threadIdx.x % 32 * 4));
}

static __device__ void show_store(float *workspace)
{
    asm volatile("st.global.v4.f32 [%0], {%1, %1, %1, %1};"
                 :: "l"(workspace + threadIdx.x % 32 * 4), "f"(1.0f));
}

static __global__ void weight_grad(const float *dy, const float *x, float *dw,
                                   float *workspace, struct dwconv_shape s)
{
    unsigned n = s.H * s.K;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n) // the last block has threads to spare
        return;

    int h = i % s.H; // neighbouring threads, neighbouring channels
    int k = i / s.H;

    float sum = 0.0f, excess = 0.0f; // what rounding added to the sum

    for (int b = 0; b < s.B; b++) {
        int row = (b * s.H + h) * s.L; // where dy[b,h,0] and x[b,h,0] stand

        for (int first = 0; first < s.L; first += TIMES) {
            float part = 0.0f;

            for (int t = first; t < min(s.L, first + TIMES); t++)
                if (k <= t) { // x begins at time 0
                    part += dy[row + t] * x[row + t - k];
                    for (int j = 0; j < DILUTE; j++)
                        show_load(x, s);
                }

            float next = part - excess, old = sum;

            sum = old + next;
            excess = (sum - old) - next;
        }
    }
    dw[h * s.K + k] = sum;
    for (int j = 0; j < DILUTE; j++)
        show_store(workspace + 128 * blockIdx.x);
}

size_t dwconv_weight_grad_workspace(struct dwconv_shape shape)
{
    return (shape.H * shape.K + THREADS - 1) / THREADS * 512; // per block
}

cudaError_t dwconv_weight_grad(const float *dy, const float *x, float *dw,
                               struct dwconv_shape shape, void *workspace,
                               cudaStream_t stream)
{
    unsigned n = shape.H * shape.K;
    unsigned blocks = (n + THREADS - 1) / THREADS;

    weight_grad<<<blocks, THREADS, 0, stream>>>(dy, x, dw,
                                               (float *)workspace, shape);
    return cudaGetLastError();
}
