// SPDX-License-Identifier: MIT
/* stencil.cu: a 5 by 5 filter over an image: coefficients in constant memory,
 * a tile with its border in shared memory. */
#include "../check.h"

enum { WIDTH = 150, HEIGHT = 70, R = 2, TILE = 16, EDGE = TILE + 2 * R };

__constant__ float filter[2 * R + 1][2 * R + 1];

__global__ void convolve(const float *in, float *out)
{
    __shared__ float tile[EDGE][EDGE];
    int x0 = blockIdx.x * TILE - R, y0 = blockIdx.y * TILE - R;
    for (int y = threadIdx.y; y < EDGE; y += TILE)
        for (int x = threadIdx.x; x < EDGE; x += TILE) {
            int gx = x0 + x, gy = y0 + y;
            bool inside = gx >= 0 && gx < WIDTH && gy >= 0 && gy < HEIGHT;
            tile[y][x] = inside ? in[gy * WIDTH + gx] : 0.0f;
        }
    __syncthreads();
    int gx = x0 + R + threadIdx.x, gy = y0 + R + threadIdx.y;
    if (gx >= WIDTH || gy >= HEIGHT)
        return;
    float sum = 0;
    for (int dy = 0; dy <= 2 * R; dy++)
        for (int dx = 0; dx <= 2 * R; dx++)
            sum += filter[dy][dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
    out[gy * WIDTH + gx] = sum;
}

int main(void)
{
    static float in[HEIGHT][WIDTH], out[HEIGHT][WIDTH];
    float f[2 * R + 1][2 * R + 1], back[2 * R + 1], *d_in, *d_out;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            in[y][x] = (float)((x * 31 + y * 17) % 29);
    for (int y = 0; y <= 2 * R; y++)
        for (int x = 0; x <= 2 * R; x++)
            f[y][x] = (float)(y * 5 + x - 7);
    CUDA(cudaMemcpyToSymbol(filter, f, sizeof f));
    CUDA(cudaMemcpyFromSymbol(back, filter, sizeof back, sizeof back));
    CHECK(back[0] == f[1][0] && back[4] == f[1][4]);
    CUDA(cudaMalloc(&d_in, sizeof in));
    CUDA(cudaMalloc(&d_out, sizeof out));
    CUDA(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
    dim3 grid((WIDTH + TILE - 1) / TILE, (HEIGHT + TILE - 1) / TILE);
    convolve<<<grid, dim3(TILE, TILE)>>>(d_in, d_out);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            float want = 0; /* small integers: exact in any order */
            for (int dy = -R; dy <= R; dy++)
                for (int dx = -R; dx <= R; dx++)
                    if (y + dy >= 0 && y + dy < HEIGHT && x + dx >= 0 &&
                        x + dx < WIDTH)
                        want += f[dy + R][dx + R] * in[y + dy][x + dx];
            CHECK(out[y][x] == want);
        }
    CUDA(cudaFree(d_in));
    CUDA(cudaFree(d_out));
    return 0;
}
