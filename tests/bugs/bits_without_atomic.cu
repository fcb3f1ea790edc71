// SPDX-License-Identifier: MIT
/* A bit per element: 32 threads of a warp, and of others, change one word. */
__global__ void mark(const int *x, unsigned *bits)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = x[i];
#ifdef MENDED
    atomicOr(&bits[at / 32], 1u << at % 32);
#else
    bits[at / 32] |= 1u << at % 32; // finds: race
#endif
}

static void run(void)
{
    int h[N], *x = cells(N);
    for (int i = 0; i < N; i++)
        h[i] = i * 5 % N;
    CUDA(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    mark<<<BLOCKS, THREADS>>>(x, (unsigned *)cells(N / 32));
    launched();
}
