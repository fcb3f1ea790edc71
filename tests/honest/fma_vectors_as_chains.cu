// SPDX-License-Identifier: MIT
// honest: four chains per thread, loaded as one float4
// chapter: 03 fma
// expect: PASS
//> todo kernel
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned vectors = n / 4, rest = n % 4;

    if (i < vectors) {
        float4 v = ((const float4 *)from)[i];

#pragma unroll 32
        for (int r = 0; r < rounds; r++) {
            v.x = step(v.x);
            v.y = step(v.y);
            v.z = step(v.z);
            v.w = step(v.w);
        }
        ((float4 *)to)[i] = v;
    }
    if (i < rest) {
        float value = from[vectors * 4 + i];

        for (int r = 0; r < rounds; r++)
            value = step(value);
        to[vectors * 4 + i] = value;
    }
//< todo
//> todo launch
    unsigned blocks = ((unsigned)shape.N / 4 + THREADS) / THREADS;

    chains<<<blocks, THREADS, 0, stream>>>(from, to, shape.N, shape.R);
//< todo
