// SPDX-License-Identifier: MIT
/* A reduction whose barrier is after the loop instead of in it. */
__global__ void reduce(int *x)
{
    __shared__ int sum[THREADS];
    int t = threadIdx.x;
    sum[t] = t;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half)
            sum[t] += sum[t + half]; // finds: race
#ifdef MENDED
        __syncthreads();
#endif
    }
    __syncthreads();
    x[t] = sum[0];
}

static void run(void)
{
    reduce<<<1, THREADS>>>(cells(THREADS));
    launched();
}
