// SPDX-License-Identifier: MIT
/* start.cu: the least that a CUDA program does; `make bench-sim` times it from
 * its start to its end, the simulated GPU's own start with it. */
static __global__ void nothing(void)
{
}

int main(void)
{
    nothing<<<1, 1>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
