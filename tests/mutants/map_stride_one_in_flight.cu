// SPDX-License-Identifier: MIT
// mutant: few threads stride, and each has one load under way at a time
// chapter: 18 stride
// expect: SLOW at the shape that is timed
// say: Start several loads
//> todo kernel
enum { MOST = 132 * 2048 / THREADS };

static __global__ void relu(const float *__restrict__ x,
                            float *__restrict__ y, unsigned n)
{
    unsigned stride = gridDim.x * THREADS;

#pragma unroll 1
    for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += stride)
        y[i] = x[i] < 0.0f ? 0.0f : x[i];
}
//< todo
//> todo launch
    unsigned needed = (n - 1) / (8 * THREADS) + 1;
    unsigned blocks = needed < MOST ? needed : MOST;

    relu<<<blocks, THREADS, 0, stream>>>(x, y, n);
//< todo
