// SPDX-License-Identifier: MIT
/* No bug: all threads that find something write the same value. */
__global__ void any(const int *x, int *found)
{
    __shared__ int here;
    if (threadIdx.x == 0)
        here = 0;
    __syncthreads();
    if ((x[blockIdx.x * THREADS + threadIdx.x] + threadIdx.x) % 3 == 0)
        here = 1; // notes: equal_writes
    __syncthreads();
    if (here)
        *found = 1; // notes: equal_writes
}

static void run(void)
{
    any<<<BLOCKS, THREADS>>>(cells(N), cells(1));
    launched();
}
