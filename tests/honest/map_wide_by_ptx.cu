// SPDX-License-Identifier: MIT
// honest: 16 bytes per access in inline PTX, the rest by the last threads
// chapter: 18 relu
// expect: PASS
//> todo kernel
static __global__ void relu(const float *x, float *y, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x, vectors = n / 4;
    float v[4];

    if (i < vectors) {
        asm("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
            : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3])
            : "l"(x + i * 4));
        for (int e = 0; e < 4; e++)
            v[e] = v[e] < 0.0f ? 0.0f : v[e];
        asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(y + i * 4),
                     "f"(v[0]), "f"(v[1]), "f"(v[2]), "f"(v[3]));
    } else if (i < vectors + n % 4) {
        unsigned rest = vectors * 4 + i - vectors;

        y[rest] = x[rest] < 0.0f ? 0.0f : x[rest];
    }
}
//< todo
//> todo launch
    relu<<<(n / 4 + n % 4 - 1) / THREADS + 1, THREADS, 0, stream>>>(x, y, n);
//< todo
