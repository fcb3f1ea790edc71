// SPDX-License-Identifier: MIT
/* Under a lock without fences: volatile does not keep the sum behind the lock
 * that guards it. */
__global__ void add(int *lock, volatile int *total)
{
    if (threadIdx.x != 0)
        return;
    while (atomicCAS(lock, 0, 1) != 0)
        ;
#ifdef MENDED
    __threadfence();
#endif
    *total = *total + 1; // finds: unfenced
#ifdef MENDED
    __threadfence();
#endif
    atomicExch(lock, 0);
}

static void run(void)
{
    int h, *total = cells(1);
    add<<<BLOCKS, LANES>>>(cells(1), total);
    CUDA(cudaMemcpy(&h, total, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h == BLOCKS);
    launched();
}
