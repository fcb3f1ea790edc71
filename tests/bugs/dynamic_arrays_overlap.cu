// SPDX-License-Identifier: MIT
/* Two arrays in dynamic shared memory: the second one begins too early, counted
 * in elements of another type. */
__global__ void both(const int *x, int *y)
{
    extern __shared__ char memory[];
    double *wide = (double *)memory;
#ifdef MENDED
    int *narrow = (int *)(memory + THREADS * sizeof(double));
#else
    int *narrow = (int *)(memory + THREADS * sizeof(int));
#endif
    int t = threadIdx.x;
    wide[t] = x[t]; // against
    narrow[t] = x[t] + 1; // finds: race
    __syncthreads();
    y[t] = narrow[THREADS - 1 - t] + (int)wide[t];
}

static void run(void)
{
    int h[THREADS], *x = cells(THREADS);
    for (int i = 0; i < THREADS; i++)
        h[i] = i + 1;
    CUDA(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    both<<<1, THREADS, THREADS * (sizeof(double) + sizeof(int))>>>(
        x, cells(THREADS));
    launched();
}
