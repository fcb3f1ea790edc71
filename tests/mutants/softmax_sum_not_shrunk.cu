// SPDX-License-Identifier: MIT
// mutant: a larger value leaves the sum so far as it is
// chapter: 21 two_passes
// expect: WRONG formula
// say: a sum of exponentials were not shrunk
//> todo kernel
enum { THREADS = 256, LANES = 32, WARPS = THREADS / LANES };

// What is known of some values: the largest, and the sum of exp(value - max).
struct part {
    float max, sum;
};

// By how much a sum shrinks when the largest value grows from m to max. Equal
// infinities are no growth, where their difference would be NaN.
static __device__ float shrink(float m, float max)
{
    return m == max ? 1.0f : expf(m - max);
}

static __device__ struct part join(struct part a, struct part b)
{
    float max = fmaxf(a.max, b.max);

    return {max, a.sum + b.sum * shrink(b.max, max)};
}

// All threads of the block get what they know together. `shared` holds a part
// per warp, and may be used again at once.
static __device__ struct part over_block(struct part p, struct part *shared)
{
    for (int step = LANES / 2; step > 0; step /= 2)
        p = join(p, {__shfl_xor_sync(~0u, p.max, step),
                     __shfl_xor_sync(~0u, p.sum, step)});
    if (threadIdx.x % LANES == 0)
        shared[threadIdx.x / LANES] = p;
    __syncthreads(); // each warp's part is there: it may be read
    p = shared[0];
    for (int warp = 1; warp < WARPS; warp++)
        p = join(p, shared[warp]);
    __syncthreads(); // all have read: shared may be filled again
    return p;
}

static __global__ void softmax(const float *x, float *y,
                               struct softmax_shape s)
{
    __shared__ struct part shared[WARPS];
    const float *row = x + (size_t)blockIdx.x * s.C;
    struct part p = {-CUDART_INF_F, 0.0f};

    for (int col = threadIdx.x; col < s.C; col += THREADS)
        p = join(p, {row[col], 1.0f});
    p = over_block(p, shared);

    // Beside an infinity all others are 0, but inf - inf is no number.
    if (p.max == -CUDART_INF_F || p.max == CUDART_INF_F)
        p.sum = CUDART_NAN_F;
    for (int col = threadIdx.x; col < s.C; col += THREADS)
        y[(size_t)blockIdx.x * s.C + col] = expf(row[col] - p.max) / p.sum;
}
//< todo
