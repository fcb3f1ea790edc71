// SPDX-License-Identifier: MIT
/* A thread keeps a note in shared memory, for itself alone. nvcc makes all
 * threads load it, and selects. */
__global__ void notes(int *x, int reader)
{
    __shared__ int note;
    int e = x[threadIdx.x];
    if (threadIdx.x == 0)
        note = e * e; // against
    for (int c = threadIdx.x; c < 4 * THREADS; c += THREADS)
        x[c] += threadIdx.x == reader ? note : e; // finds: race
}

static void run(void)
{
#ifdef MENDED
    int reader = 0;
#else
    int reader = 1;
#endif
    notes<<<1, THREADS>>>(cells(4 * THREADS), reader);
    launched();
}
