// SPDX-License-Identifier: MIT
// honest: many small parts, dealt out in turn and joined by a second kernel
// chapter: 15 gemm
// shape: M19200 N4 K8
// also: 15 split
// expect: PASS
#include "../tests/honest/gemm_shared_out.cuh"

// Parts of tiles, dealt out to the blocks in turn.
static __global__ void __launch_bounds__(THREADS)
    gemm(const float *A, const float *B, float *C, struct gemm_shape s,
         float alpha, float beta, int parts, float *partial)
{
    int across = (s.N - 1) / SIDE + 1, steps = (s.K - 1) / DEEP + 1;

    for (int i = blockIdx.x; i < tiles_of(s) * parts; i += gridDim.x) {
        int tile = i / parts, part = i % parts;
        int row0 = tile / across * SIDE, col0 = tile % across * SIDE;
        int from = (long long)steps * part / parts * DEEP;
        int to = (long long)steps * (part + 1) / parts * DEEP;
        float sum[4][4];

        tile_sums(sum, A, B, s, row0, col0, from, min(s.K, to));
        if (parts == 1)
            tile_store(C, sum, s, row0, col0, alpha, beta);
        else
            tile_part(partial + (size_t)i * CELLS, sum);
    }
}

// A thread adds up the parts of one element.
static __global__ void __launch_bounds__(THREADS)
    join(float *C, struct gemm_shape s, float alpha, float beta, int parts,
         const float *partial)
{
    int i = blockIdx.x % (CELLS / THREADS);
    int tile = blockIdx.x / (CELLS / THREADS);
    int across = (s.N - 1) / SIDE + 1;
    int m = tile / across * SIDE + threadIdx.x / 16 + i / 4 * 16;
    int n = tile % across * SIDE + threadIdx.x % 16 + i % 4 * 16;
    float *c = C + (size_t)m * s.ldc + n, sum = 0.0f;

    partial += (size_t)tile * parts * CELLS + i * THREADS + threadIdx.x;
    for (int part = 0; part < parts; part++)
        sum += partial[(size_t)part * CELLS];
    if (m < s.M && n < s.N)
        *c = alpha * sum + (beta != 0.0f ? beta * *c : 0.0f);
}

static int parts_of(struct gemm_shape s)
{
    int steps = (s.K - 1) / DEEP + 1, tiles = tiles_of(s);

    return min(steps, (8 * multiprocessors() - 1) / tiles + 1);
}

size_t gemm_f32_workspace(struct gemm_shape shape)
{
    int parts = parts_of(shape);

    return parts == 1 ? 0
                      : (size_t)tiles_of(shape) * parts * CELLS * sizeof(float);
}

cudaError_t gemm_f32(const float *A, const float *B, float *C,
                     struct gemm_shape shape, float alpha, float beta,
                     void *workspace, cudaStream_t stream)
{
    int parts = parts_of(shape), tiles = tiles_of(shape);
    float *partial = (float *)workspace;

    gemm<<<min(tiles * parts, multiprocessors()), THREADS, 0, stream>>>(
        A, B, C, shape, alpha, beta, parts, partial);
    if (parts > 1)
        join<<<tiles * (CELLS / THREADS), THREADS, 0, stream>>>(
            C, shape, alpha, beta, parts, partial);
    return cudaGetLastError();
}
