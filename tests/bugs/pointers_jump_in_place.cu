// SPDX-License-Identifier: MIT
/* Each element takes over its parent's parent, which may have moved already. */
__global__ void jump(const int *from, int *to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef MENDED
    to[i] = from[from[i]];
#else
    to[i] = to[to[i]]; // finds: race
#endif
}

static void run(void)
{
    int h[N], *a = cells(N), *b = cells(N);
    for (int i = 0; i < N; i++)
        h[i] = i ? i - 1 : 0;
    CUDA(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice));
    jump<<<BLOCKS, THREADS>>>(a, b);
    launched();
}
