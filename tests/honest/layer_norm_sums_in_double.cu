// SPDX-License-Identifier: MIT
// honest: sums of values and of squares, in double
// chapter: 21 welford
// expect: PASS
//> todo kernel
enum { THREADS = 256, LANES = 32, WARPS = THREADS / LANES };

static __device__ double over_block(double x, double *shared)
{
    for (int step = LANES / 2; step > 0; step /= 2)
        x += __shfl_xor_sync(~0u, x, step);
    if (threadIdx.x % LANES == 0)
        shared[threadIdx.x / LANES] = x;
    __syncthreads(); // each warp's sum is there: it may be read
    x = 0.0;
    for (int warp = 0; warp < WARPS; warp++)
        x += shared[warp];
    __syncthreads(); // all have read: shared may be filled again
    return x;
}

// With 53 bits the difference of squares has enough left.
static __global__ void layer_norm(const float *x, const float *gamma,
                                  const float *beta, float *y,
                                  struct layer_norm_shape s, float eps)
{
    __shared__ double shared[WARPS];
    const float *row = x + (size_t)blockIdx.x * s.C;
    double sum = 0.0, squares = 0.0;

    for (int col = threadIdx.x; col < s.C; col += THREADS) {
        sum += row[col];
        squares += (double)row[col] * row[col];
    }

    double mean = over_block(sum, shared) / s.C;
    double variance = over_block(squares, shared) / s.C - mean * mean;
    float scale = (float)rsqrt((variance < 0.0 ? 0.0 : variance) + eps);

    for (int col = threadIdx.x; col < s.C; col += THREADS)
        y[(size_t)blockIdx.x * s.C + col] =
            (float)(row[col] - mean) * scale * gamma[col] + beta[col];
}
//< todo
