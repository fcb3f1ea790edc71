// SPDX-License-Identifier: MIT
/* No bug: threads past the end exit; a barrier does not need them. */
__global__ void pairs(int *x, int n)
{
    __shared__ int tile[THREADS];
    int t = threadIdx.x;
    if (t >= n)
        return;
    tile[t] = t;
    __syncthreads();
    x[t] = tile[n - 1 - t];
}

static void run(void)
{
    pairs<<<1, THREADS>>>(cells(THREADS), 75);
    launched();
}
