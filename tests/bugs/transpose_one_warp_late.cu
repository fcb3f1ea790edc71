// SPDX-License-Identifier: MIT
/* A warp synchronises itself, and reads what other warps wrote. */
__global__ void transpose(int *x)
{
    __shared__ int tile[4][LANES + 1];
    int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    tile[warp][lane] = threadIdx.x; // against
#ifdef MENDED
    __syncthreads();
#else
    __syncwarp();
#endif
    x[threadIdx.x] = tile[lane % 4][warp * 8 + lane / 4]; // finds: race
}

static void run(void)
{
    transpose<<<1, THREADS>>>(cells(THREADS));
    launched();
}
