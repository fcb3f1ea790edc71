// SPDX-License-Identifier: MIT
// units: neighbour.cu
// says: race in shift, block
// says: neighbour.cu:10
/* units_race.cu: a race whose lines are in a function of another unit. */
#include <cstdio>

__device__ void take_right(int *tile, int n);

__global__ void shift(int *x, int n)
{
    __shared__ int tile[128];
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    take_right(tile, n);
    __syncthreads();
    x[threadIdx.x] = tile[threadIdx.x];
}

int main()
{
    int *x;
    cudaMalloc(&x, 128 * sizeof *x);
    cudaMemset(x, 0, 128 * sizeof *x);
    shift<<<1, 128>>>(x, 128);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
