// SPDX-License-Identifier: MIT
/* From one account to the next: the lock of the first does not protect the
 * second. */
static __device__ void take(int *lock)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
}

static __device__ void leave(int *lock)
{
    __threadfence();
    atomicExch(lock, 0);
}

__global__ void transfer(int *lock, int *money)
{
    int from = (int)blockIdx.x, to = (from + 1) % BLOCKS;
    if (threadIdx.x)
        return;
    take(&lock[min(from, to)]);
#ifdef MENDED
    take(&lock[max(from, to)]);
#endif
    money[from] -= 10; // finds: race
    money[to] += 10; // against
#ifdef MENDED
    leave(&lock[max(from, to)]);
#endif
    leave(&lock[min(from, to)]);
}

static void run(void)
{
    transfer<<<BLOCKS, LANES>>>(cells(BLOCKS), cells(BLOCKS));
    launched();
}
