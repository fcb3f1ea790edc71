// SPDX-License-Identifier: MIT
/* No bug: a volatile sum under a lock, a volatile mark that anybody may set to
 * the same value, and a volatile answer that only the last block stores. */
__global__ void sum(int *lock, volatile int *total, volatile int *mark,
                    unsigned *count, volatile int *answer)
{
    if (threadIdx.x)
        return;
    *mark = 1;
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    *total = *total + (int)blockIdx.x;
    *mark = 1;
    __threadfence();
    atomicExch(lock, 0);
    *mark = 1;
    *answer = -1;
    __threadfence();
    if (atomicInc(count, gridDim.x - 1) == gridDim.x - 1) {
        __threadfence();
        *answer = *total;
    }
}

static void run(void)
{
    int h, *answer = cells(1);
    sum<<<BLOCKS, LANES>>>(cells(1), cells(1), cells(1), (unsigned *)cells(1),
                           answer);
    CUDA(cudaMemcpy(&h, answer, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h == BLOCKS * (BLOCKS - 1) / 2);
    launched();
}
