// SPDX-License-Identifier: MIT
/* One block reverses an array in place. */
__global__ void turn(int *x)
{
    int t = threadIdx.x;
#ifdef MENDED
    int v = x[THREADS - 1 - t];
    __syncthreads();
    x[t] = v;
#else
    x[t] = x[THREADS - 1 - t] + t; // finds: race
#endif
}

static void run(void)
{
    turn<<<1, THREADS>>>(cells(THREADS));
    launched();
}
