// SPDX-License-Identifier: MIT
// mistake: sqrtf for rsqrtf
// chapter: 21 two_sums
// expect: WRONG formula
// say: multiplied by the root, and not divided by it
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

// Adds x to sum. lost is what the last addition rounded away: a thread has a
// thousand columns of a long row, whose rounding would add up.
static __device__ void add(float &sum, float &lost, float x)
{
    float term = x + lost, next = sum + term;

    lost = term - (next - sum);
    sum = next;
}

static __global__ void layer_norm(const float *x, const float *gamma,
                                  const float *beta, float *y,
                                  struct layer_norm_shape s, float eps)
{
    __shared__ float shared[WARPS];
    const float *row = x + (size_t)blockIdx.x * s.C;
    float sum = 0.0f, squares = 0.0f, lost = 0.0f;

    for (int col = threadIdx.x; col < s.C; col += THREADS)
        add(sum, lost, row[col]);

    float mean = over_block(sum, shared) / s.C;

    lost = 0.0f;
    for (int col = threadIdx.x; col < s.C; col += THREADS)
        add(squares, lost, (row[col] - mean) * (row[col] - mean));

    float scale = sqrtf(over_block(squares, shared) / s.C + eps);

    for (int col = threadIdx.x; col < s.C; col += THREADS)
        y[(size_t)blockIdx.x * s.C + col] =
            (row[col] - mean) * scale * gamma[col] + beta[col];
}
//< todo
