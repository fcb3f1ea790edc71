// SPDX-License-Identifier: MIT
/* A lane reads what its neighbour wrote into global memory. */
__global__ void shift(int *x, int *y)
{
    int lane = threadIdx.x;
    x[lane] = lane + 1; // against
#ifdef MENDED
    __syncwarp();
#endif
    y[lane] = x[(lane + 1) % LANES]; // finds: race
}

static void run(void)
{
    shift<<<1, LANES>>>(cells(LANES), cells(LANES));
    launched();
}
