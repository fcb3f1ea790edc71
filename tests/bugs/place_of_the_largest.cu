// SPDX-License-Identifier: MIT
/* The largest value by an atomic, and its place by a store of its own: another
 * thread's place may stay. */
typedef unsigned long long wide;

__global__ void largest(const int *x, wide *best, int *value, int *place)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef MENDED
    atomicMax(best, (wide)x[i] << 32 | (unsigned)i);
#else
    if (atomicMax(value, x[i]) < x[i])
        *place = i; // finds: race
#endif
}

static void run(void)
{
    int h[N], *x = cells(N);
    for (int i = 0; i < N; i++)
        h[i] = i + 1;
    CUDA(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    largest<<<BLOCKS, THREADS>>>(x, (wide *)cells(2), cells(1), cells(1));
    launched();
}
