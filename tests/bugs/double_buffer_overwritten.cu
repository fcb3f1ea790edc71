// SPDX-License-Identifier: MIT
/* Two buffers and one barrier per step, but the store goes into the buffer that
 * is read in the same step. */
__global__ void steps(int *x)
{
    __shared__ int s[2][THREADS];
    int t = threadIdx.x;
    s[0][t] = t;
    __syncthreads();
    for (int step = 0; step < 4; step++) {
        int v = s[step % 2][(t + 1) % THREADS]; // against
#ifdef MENDED
        s[(step + 1) % 2][t] = v + 1;
#else
        s[step % 2][t] = v + 1; // finds: race
        s[(step + 1) % 2][t] = v + 1;
#endif
        __syncthreads();
    }
    x[t] = s[0][t];
}

static void run(void)
{
    steps<<<1, THREADS>>>(cells(THREADS));
    launched();
}
