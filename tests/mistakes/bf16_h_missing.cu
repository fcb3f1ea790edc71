// SPDX-License-Identifier: MIT
// mistake: bf16 without its header
// chapter: 18 scalar
// expect: BUILD
// say: #include <cuda_bf16\.h>
//> todo kernel
static __global__ void relu(const float *x, float *y, unsigned n)
{
    const elementwise_bf16_t *half = (const elementwise_bf16_t *)x;
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        y[i] = fmaxf(half[i], 0.0f);
}
//< todo
