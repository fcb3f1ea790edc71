// SPDX-License-Identifier: MIT
/* Even lanes wait at one __syncthreads(), odd lanes at another: the barrier is
 * .aligned, and wants a warp's lanes at one instruction. */
__global__ void halves(int *x)
{
    __shared__ int tile[THREADS];
    int t = threadIdx.x;
    tile[t] = t;
#ifdef MENDED
    __syncthreads();
    x[t] = tile[THREADS - 1 - t] + t % 2;
#else
    if (t % 2 == 0) {
        __syncthreads(); // finds: barrier_misuse
        x[t] = tile[THREADS - 1 - t];
    } else {
        __syncthreads(); // finds: barrier_misuse
        x[t] = tile[THREADS - 1 - t] + 1;
    }
#endif
}

static void run(void)
{
    halves<<<1, THREADS>>>(cells(THREADS));
    launched();
}
