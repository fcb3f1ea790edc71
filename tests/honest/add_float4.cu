// SPDX-License-Identifier: MIT
// honest: 16 bytes per lane; the last elements one by one
// chapter: 01 add
// expect: PASS
//> todo kernel
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned vectors = n / 4;

    if (i < vectors) {
        float4 p = ((const float4 *)a)[i], q = ((const float4 *)b)[i];

        ((float4 *)c)[i] =
            make_float4(p.x + q.x, p.y + q.y, p.z + q.z, p.w + q.w);
    } else if (i < vectors + n % 4) {
        unsigned rest = 4 * vectors + i - vectors;

        c[rest] = a[rest] + b[rest];
    }
//< todo
//> todo launch
    unsigned threads = shape.N / 4 + shape.N % 4;

    add<<<(threads + THREADS - 1) / THREADS, THREADS, 0, stream>>>(a, b, c,
                                                                   shape.N);
//< todo
