// SPDX-License-Identifier: MIT
/* A thread sets a flag for itself alone. nvcc makes all threads of the warp
 * load it, and decides by both conditions at once. */
__global__ void flags(int *x, int reader)
{
    __shared__ int flag;
    if (threadIdx.x == 0)
        flag = x[0] == 0; // against
    asm volatile("" ::: "memory"); // nvcc loads what thread 0 wrote, too
    int v = x[threadIdx.x];
    if (threadIdx.x == reader && flag) // finds: race
        v += 5;
    x[threadIdx.x] = v;
}

static void run(void)
{
#ifdef MENDED
    int reader = 0;
#else
    int reader = 1;
#endif
    flags<<<1, THREADS>>>(cells(THREADS), reader);
    launched();
}
