// SPDX-License-Identifier: MIT
/* The same where the kernel has a fence, so that blocks might be ordered. */
__global__ void raise(int *flag, int *count)
{
    if (threadIdx.x > 0)
        return;
#ifdef MENDED
    *flag = 1; // notes: equal_writes
#else
    *flag = blockIdx.x + 1; // finds: race
#endif
    __threadfence();
    atomicAdd(count, 1);
}

static void run(void)
{
    raise<<<BLOCKS, LANES>>>(cells(1), cells(1));
    launched();
}
