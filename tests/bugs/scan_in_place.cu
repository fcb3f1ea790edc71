// SPDX-License-Identifier: MIT
/* A scan in one buffer: between the read and the write there is no barrier. */
__global__ void scan(int *x)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int d = 1; d < THREADS; d *= 2) {
        int left = t >= d ? s[t - d] : 0; // against
#ifdef MENDED
        __syncthreads();
#endif
        s[t] += left; // finds: race
        __syncthreads();
    }
    x[t] = s[t];
}

static void run(void)
{
    scan<<<1, THREADS>>>(cells(THREADS));
    launched();
}
