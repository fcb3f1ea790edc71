// SPDX-License-Identifier: MIT
/* __ldg() reads through a path that does not see the kernel's own writes, not
 * even behind a barrier. */
__global__ void turn(int *x, int *y)
{
    int t = threadIdx.x;
    x[t] = t; // against
    __syncthreads();
#ifdef MENDED
    y[t] = x[THREADS - 1 - t];
#else
    y[t] = __ldg(&x[THREADS - 1 - t]); // finds: race
#endif
}

static void run(void)
{
    turn<<<1, THREADS>>>(cells(THREADS), cells(THREADS));
    launched();
}
