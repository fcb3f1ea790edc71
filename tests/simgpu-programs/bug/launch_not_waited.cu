// SPDX-License-Identifier: MIT
// since: 12
// arch: 90
/* launch_not_waited.cu: kernels that may begin before the one in front of them
 * has ended. One reads what that one writes, without a wait; one writes, before
 * its wait, what that one still reads. */
// says: cudaGridDependencySynchronize()
// says: launch_not_waited.cu:14
// says: 2 findings
#include "../units/dependent.h"

__global__ void squares(int *x)
{
    x[blockIdx.x * THREADS + threadIdx.x] = (int)threadIdx.x * 2;
}

__global__ void backwards(const int *x, int *y)
{
    __shared__ int weight[THREADS];
    weight[threadIdx.x] = (int)threadIdx.x % 3;
    __syncthreads(); // weight is complete
    int i = blockIdx.x * THREADS + threadIdx.x;
    y[i] = weight[THREADS - 1 - threadIdx.x];
    y[i] += x[N - 1 - i]; // finds: race
}

__global__ void again(int *y, const int *x)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    y[i] = -1; // finds: race
    cudaGridDependencySynchronize();
    y[i] = x[i];
}

int main(void)
{
    int *x = cells(), *y = cells();
    cudaStream_t stream;
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaDeviceSynchronize());
    squares<<<BLOCKS, THREADS, 0, stream>>>(x);
    launch_beside(backwards, stream, x, y);
    CUDA(cudaStreamSynchronize(stream));
    launch_beside(again, stream, y, x); /* the host has waited: no race */
    squares<<<BLOCKS, THREADS, 0, stream>>>(x);
    backwards<<<BLOCKS, THREADS, 0, stream>>>(x, y); /* after, as usual */
    launch_beside(again, stream, y, x);
    CUDA(cudaDeviceSynchronize());
    return 0;
}
