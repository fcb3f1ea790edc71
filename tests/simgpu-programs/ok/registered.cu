// SPDX-License-Identifier: MIT
/* registered.cu: zero copy. Kernels read and write memory that the host
 * allocated with malloc and registered, by the device's pointer and by its
 * own; copies from and to it; what a stream brings, the same stream reads. */
#include "../check.h"

#include <string.h>

enum { ONES = 0x01010101 };
enum { N = 100003, THREADS = 256, BLOCKS = (N + THREADS - 1) / THREADS };

__global__ void saxpy(const float *x, float *y, int n, float a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += a * x[i];
}

__global__ void sum(const int *x, int n, int *total)
{
    int mine = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        mine += x[i] & 0xffff;
    atomicAdd(total, mine);
}

static void on_malloc(void)
{
    float *block = (float *)malloc((2 * N + 3) * sizeof *block), *dx, *dy;
    float *x = block + 1, *y = block + N + 2, *copy;
    for (int i = 0; i < 2 * N + 3; i++)
        block[i] = i;
    CUDA(cudaHostRegister(block, (2 * N + 3) * sizeof *block,
                          cudaHostRegisterMapped));
    FAILS(cudaErrorHostMemoryAlreadyRegistered,
          cudaHostRegister(block, 4, cudaHostRegisterMapped));
    CUDA(cudaHostGetDevicePointer(&dx, x, 0));
    CUDA(cudaHostGetDevicePointer(&dy, y, 0));
    saxpy<<<BLOCKS, THREADS>>>(dx, dy, N, 2);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++)
        CHECK(y[i] == (float)(N + 2 + i) + 2 * (float)(1 + i));
    saxpy<<<BLOCKS, THREADS>>>(x, y, N, -2); /* by the host's addresses */
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 2 * N + 3; i++)
        CHECK(block[i] == i);
    CUDA(cudaMalloc(&copy, N * sizeof *copy));
    CUDA(cudaMemcpy(copy, y, N * sizeof *copy, cudaMemcpyHostToDevice));
    CUDA(cudaMemset(y, 0, N * sizeof *y));
    CUDA(cudaMemcpy(x, copy, N * sizeof *copy, cudaMemcpyDeviceToHost));
    CHECK(y[0] == 0 && y[N - 1] == 0 && x[0] == N + 2 && block[0] == 0);
    CUDA(cudaHostUnregister(block));
    FAILS(cudaErrorHostMemoryNotRegistered,
          cudaHostUnregister(block));
    CHECK(y[N - 1] == 0 && x[0] == N + 2 && block[2 * N + 2] == 2 * N + 2);
    memset(block, 1, sizeof *block);
    CUDA(cudaFree(copy));
    free(block);
}

/* One buffer of many in a heap that goes on changing. */
static void among_others(void)
{
    enum { SMALL = 700, ROUNDS = 20 };
    for (int round = 0; round < ROUNDS; round++) {
        int *before = (int *)malloc(SMALL * sizeof *before);
        int *x = (int *)malloc(SMALL * sizeof *x), *total;
        CUDA(cudaHostRegister(x, SMALL * sizeof *x, cudaHostRegisterDefault));
        int *after = (int *)malloc(SMALL * sizeof *after);
        CUDA(cudaMallocManaged(&total, sizeof *total));
        for (int i = 0; i < SMALL; i++)
            before[i] = after[i] = x[i] = round;
        *total = 0;
        sum<<<1, THREADS>>>(x, SMALL, total);
        CUDA(cudaDeviceSynchronize());
        CHECK(*total == SMALL * round);
        free(before);
        CUDA(cudaHostUnregister(x));
        CHECK(x[SMALL - 1] == round && after[SMALL - 1] == round);
        CUDA(cudaFree(total));
        free(x);
        free(after);
    }
}

static void within_a_stream(void)
{
    int *h, *d, *out, *total;
    cudaStream_t stream;
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA(cudaMallocHost(&h, THREADS * sizeof *h));
    CUDA(cudaMallocHost(&total, 4));
    CUDA(cudaMalloc(&d, THREADS * sizeof *d));
    CUDA(cudaMalloc(&out, THREADS * sizeof *d));
    *total = 0;
    CUDA(cudaMemsetAsync(d, 1, THREADS * sizeof *d, stream));
    CUDA(cudaMemcpyAsync(h, d, THREADS * sizeof *d, cudaMemcpyDeviceToHost,
                         stream));
    sum<<<1, THREADS, 0, stream>>>(h, THREADS, total);
    CUDA(cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, stream));
    CUDA(cudaMemcpyAsync(out, h, THREADS * sizeof *d, cudaMemcpyHostToDevice,
                         stream));
    CUDA(cudaStreamSynchronize(stream));
    CHECK(*total == THREADS * (ONES & 0xffff));
    CUDA(cudaMemcpy(h, out, THREADS * sizeof *d, cudaMemcpyDeviceToHost));
    for (int i = 0; i < THREADS; i++)
        CHECK(h[i] == ONES);
    CUDA(cudaFree(d));
    CUDA(cudaFree(out));
    CUDA(cudaFreeHost(h));
    CUDA(cudaFreeHost(total));
}

int main(void)
{
    on_malloc();
    among_others();
    within_a_stream();
    return 0;
}
