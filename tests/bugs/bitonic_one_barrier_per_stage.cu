// SPDX-License-Identifier: MIT
/* A bitonic sort: every step needs a barrier, not every stage. */
__global__ void sort(int *x)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int k = 2; k <= THREADS; k *= 2) {
        for (int j = k / 2; j > 0; j /= 2) {
            int other = t ^ j;
            if (other > t) {
                int a = s[t], b = s[other]; // finds: race
                bool up = !(t & k);
                s[t] = (a < b) == up ? a : b; // against
                s[other] = (a < b) == up ? b : a; // against
            }
#ifdef MENDED
            __syncthreads();
#endif
        }
#ifndef MENDED
        __syncthreads();
#endif
    }
    x[t] = s[t];
}

static void run(void)
{
    int h[THREADS], *x = cells(THREADS);
    for (int i = 0; i < THREADS; i++)
        h[i] = i * 37 % THREADS;
    CUDA(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    sort<<<1, THREADS>>>(x);
    launched();
}
