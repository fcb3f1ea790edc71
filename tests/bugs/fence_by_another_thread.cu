// SPDX-License-Identifier: MIT
/* Thread 0's fence covers others' writes only after a barrier. */
__global__ void sum(int *part, unsigned *count, int *total)
{
    __shared__ bool last;
    part[blockIdx.x * THREADS + threadIdx.x] = (int)threadIdx.x; // against
#ifdef MENDED
    __syncthreads();
#endif
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicInc(count, BLOCKS - 1) == BLOCKS - 1;
    }
    __syncthreads();
    __threadfence();
    if (last && threadIdx.x == 0)
        for (int i = 0; i < N; i++)
            *total += part[i]; // finds: race
}

static void run(void)
{
    sum<<<BLOCKS, THREADS>>>(cells(N), (unsigned *)cells(1), cells(1));
    launched();
}
