// SPDX-License-Identifier: MIT
/* separable.cu: a blur by rows, then by columns: weights in constant memory that
 * are copied there by an offset, pitched images, sub-rectangles by cudaMemcpy2D,
 * more than 48 KB of dynamic shared memory. */
// alone: a struct and a function of one name
#include "../check.h"

enum { RADIUS = 4, WIDTH = 333, HEIGHT = 77, TILE_ROWS = 32, TILE = 64 };

__constant__ float weight[2][2 * RADIUS + 1];

struct image {
    float *data;
    size_t pitch; // bytes
};

static __device__ float *at(struct image m, int row, int col)
{
    return (float *)((char *)m.data + row * m.pitch) + col;
}

static __device__ int inside(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

__global__ void rows(struct image from, struct image to)
{
    extern __shared__ float line[]; // TILE_ROWS of TILE + 2 RADIUS
    enum { PITCH = TILE + 2 * RADIUS };
    int row = blockIdx.y * TILE_ROWS, col = blockIdx.x * TILE;
    for (int r = threadIdx.y; r < TILE_ROWS; r += blockDim.y)
        for (int c = threadIdx.x; c < PITCH; c += blockDim.x)
            line[r * PITCH + c] = *at(from, inside(row + r, HEIGHT),
                                      inside(col + c - RADIUS, WIDTH));
    __syncthreads(); // the tile is loaded
    for (int r = threadIdx.y; r < TILE_ROWS && row + r < HEIGHT;
         r += blockDim.y)
        for (int c = threadIdx.x; c < TILE && col + c < WIDTH;
             c += blockDim.x) {
            float sum = 0;
            for (int k = 0; k <= 2 * RADIUS; k++)
                sum += weight[0][k] * line[r * PITCH + c + k];
            *at(to, row + r, col + c) = sum;
        }
}

/* The whole height of 32 columns. */
__global__ void columns(struct image from, struct image to)
{
    extern __shared__ float column[][32];
    int col = blockIdx.x * 32 + threadIdx.x;
    for (int r = threadIdx.y; r < HEIGHT; r += blockDim.y)
        column[r][threadIdx.x] = col < WIDTH ? *at(from, r, col) : 0;
    __syncthreads(); // the columns are loaded
    for (int r = threadIdx.y; r < HEIGHT && col < WIDTH; r += blockDim.y) {
        float sum = 0;
        for (int k = 0; k <= 2 * RADIUS; k++)
            sum += weight[1][k] *
                   column[inside(r + k - RADIUS, HEIGHT)][threadIdx.x];
        *at(to, r, col) = sum;
    }
}

static struct image image(void)
{
    struct image m;
    CUDA(cudaMallocPitch(&m.data, &m.pitch, WIDTH * sizeof(float), HEIGHT));
    return m;
}

static float host[HEIGHT][WIDTH], middle[HEIGHT][WIDTH], got[HEIGHT][WIDTH];

static int clamp(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

int main(void)
{
    float w[2 * RADIUS + 1];
    struct image a = image(), b = image(), c = image();
    CHECK(a.pitch % 32 == 0 && a.pitch >= WIDTH * sizeof(float));
    for (int k = 0; k <= 2 * RADIUS; k++)
        w[k] = k <= RADIUS ? k + 1 : 2 * RADIUS + 1 - k;
    CUDA(cudaMemcpyToSymbol(weight, w, sizeof w));
    CUDA(cudaMemcpyToSymbol(weight, w, sizeof w, sizeof w));
    for (int r = 0; r < HEIGHT; r++)
        for (int k = 0; k < WIDTH; k++)
            host[r][k] = (r * 31 + k * 17) % 64;
    CUDA(cudaMemcpy2D(a.data, a.pitch, host, sizeof host[0], sizeof host[0],
                      HEIGHT, cudaMemcpyHostToDevice));
    rows<<<dim3((WIDTH + TILE - 1) / TILE,
                (HEIGHT + TILE_ROWS - 1) / TILE_ROWS),
           dim3(32, 8), TILE_ROWS *(TILE + 2 * RADIUS) * sizeof(float)>>>(a,
                                                                          b);
    CUDA(cudaGetLastError());
    int big = 60 << 10;
    CUDA(cudaFuncSetAttribute(columns,
                              cudaFuncAttributeMaxDynamicSharedMemorySize,
                              big));
    columns<<<(WIDTH + 31) / 32, dim3(32, 8), big>>>(b, c);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy2D(got, sizeof got[0], c.data, c.pitch, sizeof got[0],
                      HEIGHT, cudaMemcpyDeviceToHost));
    for (int r = 0; r < HEIGHT; r++)
        for (int k = 0; k < WIDTH; k++)
            for (int i = 0; i <= 2 * RADIUS; i++)
                middle[r][k] += w[i] * host[r][clamp(k + i - RADIUS, WIDTH)];
    for (int r = 0; r < HEIGHT; r++)
        for (int k = 0; k < WIDTH; k++) {
            float sum = 0; // whole numbers below 2^24: exact
            for (int i = 0; i <= 2 * RADIUS; i++)
                sum += w[i] * middle[clamp(r + i - RADIUS, HEIGHT)][k];
            CHECK(got[r][k] == sum);
        }

    float part[5][7];
    CUDA(cudaMemcpy2D(part, sizeof part[0],
                      (char *)c.data + 10 * c.pitch + 20 * sizeof(float),
                      c.pitch, sizeof part[0], 5, cudaMemcpyDeviceToHost));
    for (int r = 0; r < 5; r++)
        for (int k = 0; k < 7; k++)
            CHECK(part[r][k] == got[10 + r][20 + k]);
    FAILS(cudaErrorInvalidPitchValue,
          cudaMemcpy2D(part, sizeof part[0], c.data, c.pitch, c.pitch + 4, 2,
                       cudaMemcpyDeviceToHost));
    FAILS(cudaErrorInvalidValue, // of one row: as on an H200
          cudaMemcpy2D(part, sizeof part[0], c.data, c.pitch, c.pitch + 4, 1,
                       cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy2D(part, sizeof part[0], c.data, c.pitch, c.pitch + 4, 0,
                      cudaMemcpyDeviceToHost)); // of no rows: nothing to do
    CUDA(cudaFree(a.data));
    CUDA(cudaFree(b.data));
    CUDA(cudaFree(c.data));
    return 0;
}
