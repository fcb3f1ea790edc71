// SPDX-License-Identifier: MIT
/* atomicAdd to a counter that was never set. */
__global__ void count(int *n)
{
    atomicAdd(n, 1); // finds: uninitialised
}

static void run(void)
{
#ifdef MENDED
    count<<<1, THREADS>>>(cells(1));
#else
    count<<<1, THREADS>>>(unset(1));
#endif
    launched();
}
