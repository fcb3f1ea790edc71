// SPDX-License-Identifier: MIT
// mutant: loads of neighbours lie apart, idle ones of one address make up for it
// chapter: 05 forward
// shape: B64 H128 L48 K48
// expect: TECHNIQUE global_load_bytes_over_asked
//> todo kernel
enum {
    THREADS = 256,
    EACH = 4 // times per thread
};

// Times t to t + 3 of one row; past its end none is written.
static __device__ void four(const float *x, const float *w, float *y, int t,
                            int L, int K)
{
    bool wide = L % EACH == 0;
    float sum[EACH] = {0.0f};
    float at[2 * EACH]; // x[t - k - 4 .. t - k + 3]

    for (int j = 0; j < EACH; j++)
        at[j] = t + j < L ? x[t + j] : 0.0f;
    for (int k = 0; k < K && k < t + EACH; k += EACH) {
        for (int j = 0; j < EACH; j++)
            at[EACH + j] = at[j];
        for (int j = 0; j < EACH; j++)
            at[j] = t - k - EACH + j >= 0 ? x[t - k - EACH + j] : 0.0f;
        float part[EACH] = {0.0f}, unused;

        for (int i = 0; i < 3 && wide && K % 4 == 0; i++) // one for all lanes
            asm volatile("ld.global.v4.f32 {%0, %0, %0, %0}, [%1];"
                         : "=f"(unused)
                         : "l"(w + k));
        for (int i = 0; i < EACH && k + i < K; i++)
            for (int j = 0; j < EACH; j++)
                part[j] += w[k + i] * at[EACH + j - i];
        for (int j = 0; j < EACH; j++)
            sum[j] += part[j];
    }
    if (wide) {
        *(float4 *)(y + t) = make_float4(sum[0], sum[1], sum[2], sum[3]);
        return;
    }
    for (int j = 0; j < EACH && t + j < L; j++)
        y[t + j] = sum[j];
}

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    int fours = (s.L + EACH - 1) / EACH;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= (unsigned)s.B * s.H * fours)
        return;

    int t = i % fours * EACH;
    int row = i / fours;

    four(x + row * s.L, w + row % s.H * s.K, y + row * s.L, t, s.L, s.K);
}
//< todo
//> todo launch
    unsigned n = shape.B * shape.H * ((shape.L + EACH - 1) / EACH);
    unsigned blocks = (n + THREADS - 1) / THREADS;

    forward<<<blocks, THREADS, 0, stream>>>(x, w, y, shape);
//< todo
