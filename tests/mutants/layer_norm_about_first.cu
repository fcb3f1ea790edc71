// SPDX-License-Identifier: MIT
// mutant: the variance from distances to the row's first value, in one pass
// chapter: 21 welford
// expect: WRONG
// shape: R64 C4096
//> todo kernel
enum { THREADS = 256, LANES = 32, WARPS = THREADS / LANES };

// All threads of the block get the sum of what they have. `shared` holds a
// float per warp, and may be used again at once.
static __device__ float over_block(float x, float *shared)
{
    for (int step = LANES / 2; step > 0; step /= 2)
        x += __shfl_xor_sync(~0u, x, step);
    if (threadIdx.x % LANES == 0)
        shared[threadIdx.x / LANES] = x;
    __syncthreads(); // each warp's sum is there: it may be read
    x = 0.0f;
    for (int warp = 0; warp < WARPS; warp++)
        x += shared[warp];
    __syncthreads(); // all have read: shared may be filled again
    return x;
}

static __global__ void layer_norm(const float *x, const float *gamma,
                                  const float *beta, float *y,
                                  struct layer_norm_shape s, float eps)
{
    __shared__ float shared[WARPS];
    const float *row = x + (size_t)blockIdx.x * s.C;
    float sum = 0.0f, squares = 0.0f, x0 = row[0];
    for (int col = threadIdx.x; col < s.C; col += THREADS) {
        float d = row[col] - x0;
        sum += d;
        squares += d * d;
    }
    float md = over_block(sum, shared) / s.C, mean = md + x0;
    float scale = rsqrtf(over_block(squares, shared) / s.C - md * md + eps);

    for (int col = threadIdx.x; col < s.C; col += THREADS)
        y[(size_t)blockIdx.x * s.C + col] =
            (row[col] - mean) * scale * gamma[col] + beta[col];
}
