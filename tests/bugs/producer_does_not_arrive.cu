// SPDX-License-Identifier: MIT
/* The consumers' barrier does not count the producers. */
__global__ void hand_over(int *x)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 64) {
        s[t] = t; // against
#ifdef MENDED
        asm volatile("bar.arrive 1, 128;" ::: "memory");
#endif
    } else {
#ifdef MENDED
        asm volatile("bar.sync 1, 128;" ::: "memory");
#else
        asm volatile("bar.sync 1, 64;" ::: "memory");
#endif
        x[t] = s[t - 64]; // finds: race
    }
}

static void run(void)
{
    hand_over<<<1, THREADS>>>(cells(THREADS));
    launched();
}
