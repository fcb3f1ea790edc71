// SPDX-License-Identifier: MIT
/* transpose.cu: shared tiles, barriers, two-dimensional blocks, pitched
 * memory and 2-D copies; a size that is not a multiple of the tile's. */
#include "../check.h"

enum { TILE = 32, ROWS = 8, M = 77, N = 133 };

__global__ void transpose(const float *in, size_t in_pitch, float *out)
{
    __shared__ float tile[TILE][TILE + 1];
    int col = blockIdx.x * TILE + threadIdx.x, row0 = blockIdx.y * TILE;
    for (int r = threadIdx.y; r < TILE; r += ROWS)
        if (row0 + r < M && col < N)
            tile[r][threadIdx.x] =
                *((const float *)((const char *)in + (row0 + r) * in_pitch) +
                  col);
    __syncthreads(); // other threads read the tile than wrote it
    int out_col = row0 + threadIdx.x, out_row0 = blockIdx.x * TILE;
    for (int r = threadIdx.y; r < TILE; r += ROWS)
        if (out_row0 + r < N && out_col < M)
            out[(out_row0 + r) * M + out_col] = tile[threadIdx.x][r];
}

int main(void)
{
    static float in[M][N], out[N][M];
    float *din, *dout;
    size_t pitch;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            in[i][j] = i * 1000 + j;
    CUDA(cudaMallocPitch(&din, &pitch, sizeof in[0], M));
    CHECK(pitch >= sizeof in[0]);
    CUDA(cudaMalloc(&dout, sizeof out));
    CUDA(cudaMemset2D(din, pitch, 0xff, sizeof in[0], M));
    CUDA(cudaMemcpy2D(din, pitch, in, sizeof in[0], sizeof in[0], M,
                      cudaMemcpyHostToDevice));
    dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    transpose<<<grid, dim3(TILE, ROWS)>>>(din, pitch, dout);
    CUDA(cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            CHECK(out[j][i] == in[i][j]);
    CUDA(cudaFree(din));
    CUDA(cudaFree(dout));
    return 0;
}
