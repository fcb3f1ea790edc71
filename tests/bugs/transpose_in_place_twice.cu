// SPDX-License-Identifier: MIT
/* A square matrix is transposed in place, tile against tile: each pair of tiles
 * must be the work of one block. */
enum { SIDE = 64, TILE = 16 };

__global__ void transpose(int *x)
{
    __shared__ int a[TILE][TILE], b[TILE][TILE];
    int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    int i = threadIdx.y, j = threadIdx.x;
#ifdef MENDED
    if (row > column)
        return;
#endif
    a[i][j] = x[(row + i) * SIDE + column + j]; // against
    b[i][j] = x[(column + i) * SIDE + row + j]; // against
    __syncthreads();
    x[(row + i) * SIDE + column + j] = b[j][i]; // finds: race
    x[(column + i) * SIDE + row + j] = a[j][i]; // finds: race
}

static void run(void)
{
    int h[SIDE * SIDE], *x = cells(SIDE * SIDE);
    for (int i = 0; i < SIDE * SIDE; i++)
        h[i] = i;
    CUDA(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    transpose<<<dim3(SIDE / TILE, SIDE / TILE), dim3(TILE, TILE)>>>(x);
    launched();
}
