// SPDX-License-Identifier: MIT
/* boxes.cu: pitched rows and boxes: a window of an image there and back, a
 * volume whose inner part is cut out. */
#include "../check.h"

enum { WIDTH = 100, HEIGHT = 37, DEPTH = 5 };

__global__ void invert(unsigned char *image, size_t pitch, int width,
                       int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        image[y * pitch + x] = 255 - image[y * pitch + x];
}

static void image(void)
{
    static unsigned char h[HEIGHT][WIDTH], back[HEIGHT][WIDTH];
    unsigned char *d;
    size_t pitch;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            h[y][x] = (unsigned char)(x * 3 + y * 7);
    CUDA(cudaMallocPitch(&d, &pitch, WIDTH, HEIGHT));
    CHECK(pitch >= WIDTH && pitch % 256 == 0);
    CUDA(cudaMemset2D(d, pitch, 9, WIDTH, HEIGHT));
    CUDA(cudaMemcpy2D(d, pitch, h, WIDTH, WIDTH, HEIGHT,
                      cudaMemcpyHostToDevice));
    invert<<<dim3(7, 5), dim3(16, 8)>>>(d, pitch, WIDTH, HEIGHT);
    /* A window of 20 by 10, from column 30, row 4. */
    CUDA(cudaMemcpy2D(back, WIDTH, d + 4 * pitch + 30, pitch, 20, 10,
                      cudaMemcpyDeviceToHost));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            CHECK(back[y][x] == (x < 20 && y < 10
                                     ? (unsigned char)(255 - h[y + 4][x + 30])
                                     : 0));
    FAILS(cudaErrorInvalidPitchValue,
          cudaMemcpy2D(back, 10, d, pitch, 20, 10, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d));
}

static void volume(void)
{
    static float h[DEPTH][HEIGHT][WIDTH], back[2][3][4];
    cudaPitchedPtr d;
    cudaMemcpy3DParms p = {};
    for (int z = 0; z < DEPTH; z++)
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                h[z][y][x] = (float)(10000 * z + 100 * y + x);
    CUDA(cudaMalloc3D(&d, make_cudaExtent(sizeof h[0][0], HEIGHT, DEPTH)));
    CUDA(cudaMemset3D(d, 0, make_cudaExtent(sizeof h[0][0], HEIGHT, DEPTH)));
    p.srcPtr = make_cudaPitchedPtr(h, sizeof h[0][0], WIDTH, HEIGHT);
    p.dstPtr = d;
    p.extent = make_cudaExtent(sizeof h[0][0], HEIGHT, DEPTH);
    p.kind = cudaMemcpyHostToDevice;
    CUDA(cudaMemcpy3D(&p));
    cudaMemcpy3DParms cut = {};
    cut.srcPtr = d;
    cut.srcPos = make_cudaPos(11 * sizeof(float), 20, 2);
    cut.dstPtr = make_cudaPitchedPtr(back, sizeof back[0][0], 4, 3);
    cut.extent = make_cudaExtent(4 * sizeof(float), 3, 2);
    cut.kind = cudaMemcpyDeviceToHost;
    CUDA(cudaMemcpy3DAsync(&cut, 0));
    CUDA(cudaDeviceSynchronize());
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 4; x++)
                CHECK(back[z][y][x] == h[z + 2][y + 20][x + 11]);
    CUDA(cudaFree(d.ptr));
}

int main(void)
{
    image();
    volume();
    return 0;
}
