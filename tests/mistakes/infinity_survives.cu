// SPDX-License-Identifier: MIT
// mistake: no NaN for a row that holds an infinity
// chapter: 21 two_passes
// expect: WRONG
// say: NaN belongs there although no input that it comes from is NaN
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

// One value more, for a single exponential: either it or the sum shrinks.
static __device__ struct part join(struct part p, float x)
{
    float less = x == p.max ? 1.0f : expf(-fabsf(x - p.max));

    return x > p.max ? part{x, p.sum * less + 1.0f}
                     : part{p.max, p.sum + less};
}

// Neighbouring lanes get what they know together. With the largest value known
// first, each of their sums shrinks once.
static __device__ struct part over_lanes(struct part p, int lanes)
{
    float max = p.max;

    for (int step = lanes / 2; step > 0; step /= 2)
        max = fmaxf(max, __shfl_xor_sync(~0u, max, step));
    p = {max, p.sum * shrink(p.max, max)};
    for (int step = lanes / 2; step > 0; step /= 2)
        p.sum += __shfl_xor_sync(~0u, p.sum, step);
    return p;
}

// All threads of the block get what they know together. `shared` holds a part
// per warp, and may be used again at once.
static __device__ struct part over_block(struct part p, struct part *shared)
{
    p = over_lanes(p, LANES);
    if (threadIdx.x % LANES == 0)
        shared[threadIdx.x / LANES] = p;
    __syncthreads(); // each warp's part is there: it may be read
    p = over_lanes(shared[threadIdx.x % WARPS], WARPS);
    __syncthreads(); // all have read: shared may be filled again
    return p;
}

static __global__ void softmax(const float *x, float *y,
                               struct softmax_shape s)
{
    __shared__ struct part shared[WARPS];
    const float *row = x + (size_t)blockIdx.x * s.C;
    struct part p = {-CUDART_INF_F, 0.0f};

#pragma unroll 8 // loads in flight
    for (int col = threadIdx.x; col < s.C; col += THREADS)
        p = join(p, row[col]);
    p = over_block(p, shared);

    float scale = 1.0f / p.sum;

#pragma unroll 8
    for (int col = threadIdx.x; col < s.C; col += THREADS)
        y[(size_t)blockIdx.x * s.C + col] = expf(row[col] - p.max) * scale;
}
//< todo
