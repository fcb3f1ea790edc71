// SPDX-License-Identifier: MIT
// mutant: elements after the last whole share of a block are left out
// chapter: 18 stride
// expect: WRONG unwritten
//> todo kernel
enum { FLIGHT = 8, SHARE = THREADS * FLIGHT };

static __global__ void relu(const float *x, float *y, unsigned n)
{
    for (unsigned first = blockIdx.x * SHARE; first + SHARE <= n;
         first += gridDim.x * SHARE) {
        unsigned i = first + threadIdx.x;
        float v[FLIGHT];

#pragma unroll
        for (int j = 0; j < FLIGHT; j++)
            v[j] = x[i + j * THREADS];
#pragma unroll
        for (int j = 0; j < FLIGHT; j++)
            y[i + j * THREADS] = v[j] < 0.0f ? 0.0f : v[j];
    }
}
//< todo
//> todo launch
    relu<<<(n - 1) / SHARE + 1, THREADS, 0, stream>>>(x, y, n);
//< todo
