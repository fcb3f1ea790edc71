// SPDX-License-Identifier: MIT
// mutant: one chain per thread, fully unrolled
// chapter: 03 fma
// expect: TECHNIQUE
// say: why .* threads per 4 bytes
// say: threads_per_word
//> todo kernel
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < (unsigned)n) {
        float value = from[i];

#pragma unroll 64
        for (int r = 0; r < rounds; r++)
            value = step(value);
        to[i] = value;
    }
//< todo
//> todo launch
    unsigned blocks = ((unsigned)shape.N + THREADS - 1) / THREADS;

    chains<<<blocks, THREADS, 0, stream>>>(from, to, shape.N, shape.R);
//< todo
