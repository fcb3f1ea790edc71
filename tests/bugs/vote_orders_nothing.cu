// SPDX-License-Identifier: MIT
/* Nor does a vote. */
__global__ void swap(int *x)
{
    __shared__ int s[LANES];
    int lane = threadIdx.x;
    s[lane] = lane; // against
    unsigned odd = __ballot_sync(~0u, lane & 1);
#ifdef MENDED
    __syncwarp();
#endif
    x[lane] = s[lane ^ 1] + (int)odd; // finds: race
}

static void run(void)
{
    swap<<<1, LANES>>>(cells(LANES));
    launched();
}
