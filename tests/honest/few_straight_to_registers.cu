// SPDX-License-Identifier: MIT
// honest: B goes straight to registers, eight rows ahead; a second kernel joins
// chapter: 15 few
// also: 15 split
// expect: PASS
#include "op/gemm.h"

enum {
    ROWS = 8,
    WIDTH = 128, // columns per block: four per lane
    WARPS = 8,
    THREADS = WARPS * 32,
    AHEAD = 8,   // rows of B that a thread loads at a time
    DEEP = 512,  // of k on chip at a time
    CELLS = ROWS * WIDTH
};

// Four neighbours, of which the first `count` exist; not kept in L1.
static __device__ float4 get(const float *from, int count, bool wide)
{
    if (wide && count > 0)
        return __ldcs((const float4 *)from);
    return make_float4(count > 0 ? from[0] : 0.0f, count > 1 ? from[1] : 0.0f,
                       count > 2 ? from[2] : 0.0f, count > 3 ? from[3] : 0.0f);
}

static __device__ void add(float4 *sum, float a, float4 b)
{
    sum->x += a * b.x;
    sum->y += a * b.y;
    sum->z += a * b.z;
    sum->w += a * b.w;
}

// Part z of k of ROWS x WIDTH elements. The warps of a block take turns of
// AHEAD values of k.
static __global__ void __launch_bounds__(THREADS)
    gemm(const float *A, const float *B, struct gemm_shape s, bool wide,
         float *partial)
{
    __shared__ float a[ROWS][DEEP];
    __shared__ float4 sums[WARPS][CELLS / 4];

    int row0 = blockIdx.y * ROWS, warp = threadIdx.x / 32;
    int col = blockIdx.x * WIDTH + threadIdx.x % 32 * 4;
    int begin = (long long)s.K * blockIdx.z / gridDim.z;
    int end = (long long)s.K * (blockIdx.z + 1) / gridDim.z;
    float4 sum[ROWS];

    for (int r = 0; r < ROWS; r++)
        sum[r] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int first = begin; first < end; first += DEEP) {
        __syncthreads(); // what was on chip has been read
        for (int i = threadIdx.x; i < CELLS / WIDTH * DEEP; i += THREADS) {
            int r = row0 + i / DEEP, k = first + i % DEEP;

            a[i / DEEP][i % DEEP] =
                r < s.M && k < end ? A[(size_t)r * s.lda + k] : 0.0f;
        }
        __syncthreads(); // the values of A are there
        for (int k = warp * AHEAD; k < min(DEEP, end - first);
             k += WARPS * AHEAD) {
            const float *from = B + (size_t)(first + k) * s.ldb + col;
            float4 b[AHEAD];

#pragma unroll
            for (int i = 0; i < AHEAD; i++)
                b[i] = get(from + (size_t)i * s.ldb,
                           first + k + i < end ? s.N - col : 0, wide);
#pragma unroll
            for (int i = 0; i < AHEAD; i++)
#pragma unroll
                for (int r = 0; r < ROWS; r++)
                    add(&sum[r], a[r][k + i], b[i]);
        }
    }
    for (int r = 0; r < ROWS; r++)
        sums[warp][r * 32 + threadIdx.x % 32] = sum[r];
    __syncthreads(); // all warps' sums are there
    float4 all = sums[0][threadIdx.x];

    for (int w = 1; w < WARPS; w++)
        add(&all, 1.0f, sums[w][threadIdx.x]);
    partial += (((size_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x +
                blockIdx.x) * CELLS;
    ((float4 *)partial)[threadIdx.x] = all;
}

static __global__ void __launch_bounds__(WIDTH)
    join(const float *partial, float *C, struct gemm_shape s, float alpha,
         float beta, int parts)
{
    int r = blockIdx.y * ROWS + blockIdx.z;
    int col = blockIdx.x * WIDTH + threadIdx.x;
    size_t part = (size_t)gridDim.x * gridDim.y * CELLS;
    float *c = C + (size_t)r * s.ldc + col, sum = 0.0f;

    if (r >= s.M || col >= s.N)
        return;
    partial += ((size_t)blockIdx.y * gridDim.x + blockIdx.x) * CELLS +
               blockIdx.z * WIDTH + threadIdx.x;
    for (int i = 0; i < parts; i++)
        sum += partial[i * part];
    *c = alpha * sum + (beta != 0.0f ? beta * *c : 0.0f);
}

static dim3 grid_of(struct gemm_shape s)
{
    int device = 0, room = 1;
    unsigned across = (s.N - 1) / WIDTH + 1, down = (s.M - 1) / ROWS + 1;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&room, cudaDevAttrMultiProcessorCount, device);
    return dim3(across, down,
                max(1u, min((unsigned)room / (across * down),
                            (s.K - 1u) / AHEAD + 1)));
}

size_t gemm_f32_workspace(struct gemm_shape shape)
{
    dim3 grid = grid_of(shape);

    return (size_t)grid.x * grid.y * grid.z * CELLS * sizeof(float);
}

cudaError_t gemm_f32(const float *A, const float *B, float *C,
                     struct gemm_shape shape, float alpha, float beta,
                     void *workspace, cudaStream_t stream)
{
    bool wide = (size_t)B % sizeof(float4) == 0 &&
                (shape.N | shape.ldb) % 4 == 0;
    dim3 grid = grid_of(shape);
    float *partial = (float *)workspace;

    gemm<<<grid, THREADS, 0, stream>>>(A, B, shape, wide, partial);
    join<<<dim3(grid.x, grid.y, ROWS), WIDTH, 0, stream>>>(
        partial, C, shape, alpha, beta, grid.z);
    return cudaGetLastError();
}
