// SPDX-License-Identifier: MIT
/* No bug: streams part at one event, and meet again at an event of each; then
 * all of it once more, with the same events. Two of them add to one counter. */
enum { WAYS = 5 };

__global__ void part(int *x, int *sum, int way)
{
    x[way * THREADS + threadIdx.x] += way;
    atomicAdd(sum, way);
}

__global__ void all(int *x, int *sum)
{
    for (int way = 0; way < WAYS; way++)
        *(volatile int *)sum += x[way * THREADS];
}

static void run(void)
{
    int *x = cells(WAYS * THREADS), *sum = cells(1);
    cudaStream_t trunk = stream(), way[WAYS];
    cudaEvent_t fork = event(), done[WAYS];
    for (int k = 0; k < WAYS; k++)
        way[k] = stream(), done[k] = event();
    CUDA(cudaDeviceSynchronize());
    for (int round = 0; round < 3; round++) {
        CUDA(cudaEventRecord(fork, trunk));
        for (int k = 0; k < WAYS; k++) {
            CUDA(cudaStreamWaitEvent(way[k], fork, 0));
            part<<<1, THREADS, 0, way[k]>>>(x, sum, k);
            CUDA(cudaEventRecord(done[k], way[k]));
            CUDA(cudaStreamWaitEvent(trunk, done[k], 0));
        }
        all<<<1, 1, 0, trunk>>>(x, sum);
    }
    launched();
}
