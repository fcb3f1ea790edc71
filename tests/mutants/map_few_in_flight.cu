// SPDX-License-Identifier: MIT
// mutant: a thread strides, but has one load under way at a time
// chapter: 18 stride
// expect: SLOW
// device: gpu
// say: as fast as
//> todo kernel
static __global__ void relu(const float *x, float *y, unsigned n)
{
    unsigned stride = gridDim.x * THREADS;

#pragma unroll 1
    for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += stride)
        y[i] = x[i] < 0.0f ? 0.0f : x[i];
}
//< todo
//> todo launch
    unsigned needed = (n - 1) / THREADS + 1;
    unsigned blocks = needed < 132 ? needed : 132;

    relu<<<blocks, THREADS, 0, stream>>>(x, y, n);
//< todo
