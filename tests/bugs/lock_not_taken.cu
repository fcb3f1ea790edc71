// SPDX-License-Identifier: MIT
/* Who does not get the lock goes on as if it had. */
__global__ void add(int *lock, int *total, int *skipped)
{
    bool mine = atomicCAS(lock, 0, 1) == 0;
    __threadfence();
#ifdef MENDED
    if (!mine) {
        atomicAdd(skipped, 1);
        return;
    }
#endif
    *total += threadIdx.x; // finds: race
    __threadfence();
    if (mine)
        atomicExch(lock, 0);
}

static void run(void)
{
    add<<<1, LANES>>>(cells(1), cells(1), cells(1));
    launched();
}
