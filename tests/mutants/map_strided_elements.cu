// SPDX-License-Identifier: MIT
// mutant: a thread takes eight neighbours, so lanes lie 32 bytes apart
// chapter: 18 scalar
// expect: TECHNIQUE
// say: global_load_bytes_over_asked
//> todo kernel
static __global__ void relu(const float *x, float *y, unsigned n)
{
    unsigned first = (blockIdx.x * THREADS + threadIdx.x) * 8;

    for (unsigned i = first; i < first + 8; i++)
        if (i < n)
            y[i] = x[i] < 0.0f ? 0.0f : x[i];
}
//< todo
//> todo launch
    relu<<<(n - 1) / (THREADS * 8) + 1, THREADS, 0, stream>>>(x, y, n);
//< todo
