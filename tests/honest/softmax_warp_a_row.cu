// SPDX-License-Identifier: MIT
// honest: a warp per row, and no barrier
// chapter: 21 three_passes
// expect: PASS
//> todo kernel
enum { THREADS = 32, LANES = 32, WARPS = THREADS / LANES };

struct largest {
    static __device__ float none() { return -CUDART_INF_F; }
    static __device__ float of(float a, float b) { return fmaxf(a, b); }
};

struct total {
    static __device__ float none() { return 0.0f; }
    static __device__ float of(float a, float b) { return a + b; }
};

// All lanes of the one warp get what they have together.
template <class What>
static __device__ float over_block(float x, float *shared)
{
    for (int step = LANES / 2; step > 0; step /= 2)
        x = What::of(x, __shfl_xor_sync(~0u, x, step));
    (void)shared;
    return x;
}

static __global__ void softmax(const float *x, float *y,
                               struct softmax_shape s)
{
    __shared__ float shared[WARPS];
    const float *row = x + (size_t)blockIdx.x * s.C;
    float max = -CUDART_INF_F, sum = 0.0f;

    for (int col = threadIdx.x; col < s.C; col += THREADS)
        max = fmaxf(max, row[col]);
    max = over_block<largest>(max, shared);

    for (int col = threadIdx.x; col < s.C; col += THREADS)
        sum += expf(row[col] - max);
    sum = over_block<total>(sum, shared);

    for (int col = threadIdx.x; col < s.C; col += THREADS)
        y[(size_t)blockIdx.x * s.C + col] = expf(row[col] - max) / sum;
}
//< todo
