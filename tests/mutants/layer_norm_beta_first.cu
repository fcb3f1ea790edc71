// SPDX-License-Identifier: MIT
// mutant: beta is added before gamma scales
// chapter: 21 welford
// expect: WRONG
//> todo kernel
enum { THREADS = 256, LANES = 32, WARPS = THREADS / LANES };

// What is known of n values: their mean, and the sum of their squared distances
// from it.
struct part {
    float n, mean, squares;
};

static __device__ struct part join(struct part a, struct part b)
{
    float n = a.n + b.n, far = b.mean - a.mean;
    float share = n > 0.0f ? b.n / n : 0.0f;

    return {n, a.mean + far * share,
            a.squares + b.squares + far * far * a.n * share};
}

// All threads of the block get what they know together. `shared` holds a part
// per warp, and may be used again at once.
static __device__ struct part over_block(struct part p, struct part *shared)
{
    for (int step = LANES / 2; step > 0; step /= 2)
        p = join(p, {__shfl_xor_sync(~0u, p.n, step),
                     __shfl_xor_sync(~0u, p.mean, step),
                     __shfl_xor_sync(~0u, p.squares, step)});
    if (threadIdx.x % LANES == 0)
        shared[threadIdx.x / LANES] = p;
    __syncthreads(); // each warp's part is there: it may be read
    p = shared[0];
    for (int warp = 1; warp < WARPS; warp++)
        p = join(p, shared[warp]);
    __syncthreads(); // all have read: shared may be filled again
    return p;
}

static __global__ void layer_norm(const float *x, const float *gamma,
                                  const float *beta, float *y,
                                  struct layer_norm_shape s, float eps)
{
    __shared__ struct part shared[WARPS];
    const float *row = x + (size_t)blockIdx.x * s.C;
    struct part p = {0.0f, 0.0f, 0.0f};

    for (int col = threadIdx.x; col < s.C; col += THREADS)
        p = join(p, {1.0f, row[col], 0.0f});
    p = over_block(p, shared);

    float scale = rsqrtf(p.squares / s.C + eps);

    for (int col = threadIdx.x; col < s.C; col += THREADS)
        y[(size_t)blockIdx.x * s.C + col] =
            ((row[col] - p.mean) * scale + beta[col]) * gamma[col];
}
//< todo
