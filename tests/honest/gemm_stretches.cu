// SPDX-License-Identifier: MIT
// honest: each block has a stretch of all k of all tiles, and the last block of
// a tile waits for the others
// chapter: 15 gemm
// shape: M19200 N4 K8
// expect: PASS
#include "../tests/honest/gemm_shared_out.cuh"

// Of each block: its part of the tile that its stretch ends in, if another
// block has the end of that tile; and whether the part is stored.
struct workspace {
    float (*part)[CELLS];
    unsigned *there;
};

static __device__ long long stretch(long long units, int block)
{
    return units * block / gridDim.x;
}

// The sum of steps [from, to) of a tile goes to C, or to where another block
// finds it. The last block of a tile adds up the parts of those before it.
static __device__ void piece(const float *A, const float *B, float *C,
                             struct gemm_shape s, float alpha, float beta,
                             struct workspace w, int tile, int from, int to)
{
    int across = (s.N - 1) / SIDE + 1, steps = (s.K - 1) / DEEP + 1;
    int row0 = tile / across * SIDE, col0 = tile % across * SIDE;
    long long units = (long long)steps * tiles_of(s);
    float sum[4][4];

    tile_sums(sum, A, B, s, row0, col0, from * DEEP, min(s.K, to * DEEP));
    if (to < steps) {
        tile_part(w.part[blockIdx.x], sum);
        __threadfence(); // the part is stored before the flag
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch(&w.there[blockIdx.x], 1);
        return;
    }
    for (int block = blockIdx.x - 1;
         from > 0 && stretch(units, block + 1) > (long long)tile * steps;
         block--) {
        if (threadIdx.x == 0)
            while (atomicAdd(&w.there[block], 0) == 0)
                ;
        __syncthreads(); // the part is there
        __threadfence(); // and is read after the flag
        tile_add(sum, w.part[block]);
    }
    tile_store(C, sum, s, row0, col0, alpha, beta);
}

// Backwards, so that nobody waits before others have what they wait for.
static __global__ void __launch_bounds__(THREADS)
    gemm(const float *A, const float *B, float *C, struct gemm_shape s,
         float alpha, float beta, struct workspace w)
{
    int steps = (s.K - 1) / DEEP + 1;
    long long units = (long long)steps * tiles_of(s);
    long long begin = stretch(units, blockIdx.x);

    for (long long end = stretch(units, blockIdx.x + 1); end > begin;) {
        int tile = (end - 1) / steps;
        long long from = max(begin, (long long)tile * steps);

        piece(A, B, C, s, alpha, beta, w, tile, from - (long long)tile * steps,
              end - (long long)tile * steps);
        end = from;
    }
}

static int blocks_of(struct gemm_shape s)
{
    long long units = ((s.K - 1LL) / DEEP + 1) * tiles_of(s);

    return (int)min(units, (long long)multiprocessors());
}

static const size_t part_bytes = CELLS * sizeof(float);

size_t gemm_f32_workspace(struct gemm_shape shape)
{
    return blocks_of(shape) * (part_bytes + sizeof(unsigned));
}

cudaError_t gemm_f32(const float *A, const float *B, float *C,
                     struct gemm_shape shape, float alpha, float beta,
                     void *workspace, cudaStream_t stream)
{
    int blocks = blocks_of(shape);
    struct workspace w = {
        (float(*)[CELLS])workspace,
        (unsigned *)((char *)workspace + blocks * part_bytes)};
    cudaError_t error =
        cudaMemsetAsync(w.there, 0, blocks * sizeof *w.there, stream);

    if (error != cudaSuccess)
        return error;
    gemm<<<blocks, THREADS, 0, stream>>>(A, B, C, shape, alpha, beta, w);
    return cudaGetLastError();
}
