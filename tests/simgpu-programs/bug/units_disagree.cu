// SPDX-License-Identifier: MIT
// units: disagreeing.cu
// says: weights: its declaration in
// says: units_disagree.cu does not match its definition in
// says: disagreeing.cu (size, memory or parameters)
/* units_disagree.cu: an array that two units know with different lengths. */
#include <cstdio>

extern __constant__ float weights[3];

__global__ void copy(float *x)
{
    x[threadIdx.x] = weights[threadIdx.x];
}

int main()
{
    float *x;
    cudaMalloc(&x, 3 * sizeof *x);
    copy<<<1, 3>>>(x);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
