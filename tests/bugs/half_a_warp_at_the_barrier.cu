// SPDX-License-Identifier: MIT
/* Half a warp waits for the block, the other half for the warp. */
__global__ void split(int *x)
{
#ifdef MENDED
    __syncthreads();
    __syncwarp();
#else
    if (threadIdx.x % LANES < 16)
        __syncthreads(); // finds: deadlock
    else
        __syncwarp(); // finds: deadlock
#endif
    x[threadIdx.x] = 1;
}

static void run(void)
{
    split<<<1, THREADS>>>(cells(THREADS));
    launched();
}
