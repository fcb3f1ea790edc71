// SPDX-License-Identifier: MIT
// mutant: a block takes its first share of the array, and no other
// chapter: 18 stride
// expect: WRONG
// say: at N2200003
//> todo kernel
enum {
    FLIGHT = 8,              // loads of a thread before its first store
    SHARE = THREADS * FLIGHT, // elements of a block in one round
    MOST = 132 * 2048 / THREADS // blocks that run at a time on an H200
};

// y[i] = max(x[i], 0). The comparison is false for NaN, which so stays NaN.
static __global__ void relu(const float *__restrict__ x,
                            float *__restrict__ y, unsigned n)
{
    unsigned first = blockIdx.x * SHARE;

    {
        unsigned i = first + threadIdx.x; // may pass n, in the last round
        float v[FLIGHT];

#pragma unroll
        for (int j = 0; j < FLIGHT; j++)
            if (i + j * THREADS < n)
                v[j] = x[i + j * THREADS];
#pragma unroll
        for (int j = 0; j < FLIGHT; j++)
            if (i + j * THREADS < n)
                y[i + j * THREADS] = v[j] < 0.0f ? 0.0f : v[j];
    }
}
//< todo
