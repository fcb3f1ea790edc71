// SPDX-License-Identifier: MIT
// mutant: one block's worth of vectors, each taken apart into four loads
// chapter: 18 relu
// expect: TECHNIQUE
// say: why A warp.s load asks for 128 bytes
//> todo kernel
enum { VECTOR = 4 };

static __global__ void relu(const float *x, float *y, unsigned n)
{
    unsigned first = blockIdx.x * THREADS * VECTOR + threadIdx.x;

    for (unsigned j = 0; j < VECTOR; j++) {
        unsigned i = first + j * THREADS;

        if (i < n)
            y[i] = x[i] < 0.0f ? 0.0f : x[i];
    }
}
//< todo
