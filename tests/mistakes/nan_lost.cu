// SPDX-License-Identifier: MIT
// mistake: fmaxf, which drops a NaN
// chapter: 18 scalar
// expect: WRONG logic
// say: a NaN of the input is lost
//> todo kernel
static __global__ void relu(const float *x, float *y, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        y[i] = fmaxf(x[i], 0.0f);
}
//< todo
