// SPDX-License-Identifier: MIT
/* Who reverses an array in place needs half as many threads as it has cells. */
__global__ void reverse(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef MENDED
    if (i < n / 2) {
#else
    if (i < n) {
#endif
        int left = x[i], right = x[n - 1 - i]; // finds: race
        x[i] = right; // against
        x[n - 1 - i] = left; // finds: race
    }
}

static void run(void)
{
    int h[N], *x = cells(N);
    for (int i = 0; i < N; i++)
        h[i] = i;
    CUDA(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    reverse<<<BLOCKS, THREADS>>>(x, N);
    launched();
}
