// SPDX-License-Identifier: MIT
// mistake: a reduction over the block in a loop over a thread.s own columns
// chapter: 21 three_passes
// expect: MEMORY
// say: The loop at line [0-9]+ begins or ends at an index of the thread.s own
//> todo kernel
enum { THREADS = 256, LANES = 32, WARPS = THREADS / LANES };

struct largest {
    static __device__ float none() { return -CUDART_INF_F; }
    static __device__ float of(float a, float b) { return fmaxf(a, b); }
};

struct total {
    static __device__ float none() { return 0.0f; }
    static __device__ float of(float a, float b) { return a + b; }
};

// All threads of the block get what they have together. `shared` holds a float
// per warp, and may be used again at once.
template <class What>
static __device__ float over_block(float x, float *shared)
{
    for (int step = LANES / 2; step > 0; step /= 2)
        x = What::of(x, __shfl_xor_sync(~0u, x, step));
    if (threadIdx.x % LANES == 0)
        shared[threadIdx.x / LANES] = x;
    __syncthreads(); // each warp's result is there: it may be read
    x = What::none();
    for (int warp = 0; warp < WARPS; warp++)
        x = What::of(x, shared[warp]);
    __syncthreads(); // all have read: shared may be filled again
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
        sum += over_block<total>(expf(row[col] - max), shared);

    for (int col = threadIdx.x; col < s.C; col += THREADS)
        y[(size_t)blockIdx.x * s.C + col] = expf(row[col] - max) / sum;
}
//< todo
