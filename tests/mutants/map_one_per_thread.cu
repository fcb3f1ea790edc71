// SPDX-License-Identifier: MIT
// mutant: a block per 256 elements, as in the step before
// chapter: 18 stride
// expect: TECHNIQUE
// say: why 0.5 threads per 4 bytes
//> todo kernel
static __global__ void relu(const float *x, float *y, unsigned n)
{
    for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n;
         i += gridDim.x * THREADS)
        y[i] = x[i] < 0.0f ? 0.0f : x[i];
}
//< todo
//> todo launch
    relu<<<(n - 1) / THREADS + 1, THREADS, 0, stream>>>(x, y, n);
//< todo
