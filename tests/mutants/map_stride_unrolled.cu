// SPDX-License-Identifier: MIT
// mutant: unrolled, but a store and an exit lie between a load and the next
// chapter: 18 stride
// expect: SLOW at the shape that is timed
// say: clocks of a thread that has the GPU alone
//> todo kernel
static __global__ void relu(const float *__restrict__ x,
                            float *__restrict__ y, unsigned n)
{
    unsigned stride = gridDim.x * THREADS;

#pragma unroll 4
    for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += stride)
        y[i] = x[i] < 0.0f ? 0.0f : x[i];
}
//< todo
//> todo launch
    unsigned needed = (n - 1) / (4 * THREADS) + 1;
    unsigned blocks = needed < 132 * 8 ? needed : 132 * 8;

    relu<<<blocks, THREADS, 0, stream>>>(x, y, n);
//< todo
