// SPDX-License-Identifier: MIT
// mistake: the largest of a row starts from 0, so far below it all underflows
// chapter: 21 three_passes
// expect: WRONG logic
// say: Inputs far from 0 make it
//> todo kernel
enum { THREADS = 256, WARPS = THREADS / 32 };

static __global__ void softmax(const float *x, float *y,
                               struct softmax_shape s)
{
    __shared__ float largest[WARPS], total[WARPS];
    size_t first = (size_t)blockIdx.x * s.C;
    float max = 0.0f, sum = 0.0f;

    for (int col = threadIdx.x; col < s.C; col += THREADS)
        max = fmaxf(max, x[first + col]);
    for (int step = 16; step > 0; step /= 2)
        max = fmaxf(max, __shfl_xor_sync(~0u, max, step));
    if (threadIdx.x % 32 == 0)
        largest[threadIdx.x / 32] = max;
    __syncthreads();
    for (int warp = 0; warp < WARPS; warp++)
        max = fmaxf(max, largest[warp]);

    for (int col = threadIdx.x; col < s.C; col += THREADS)
        sum += expf(x[first + col] - max);
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(~0u, sum, step);
    if (threadIdx.x % 32 == 0)
        total[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0.0f;
    for (int warp = 0; warp < WARPS; warp++)
        sum += total[warp];

    for (int col = threadIdx.x; col < s.C; col += THREADS)
        y[first + col] = expf(x[first + col] - max) / sum;
}
//< todo
