// SPDX-License-Identifier: MIT
/* Each thread writes one element more than it asked malloc for. */
__global__ void lists(int *sum)
{
    enum { LENGTH = 4 };
#ifdef MENDED
    int *mine = (int *)malloc(LENGTH * sizeof *mine);
#else
    int *mine = (int *)malloc((LENGTH - 1) * sizeof *mine);
#endif
    for (int i = 0; i < LENGTH; i++)
        mine[i] = i; // finds: out_of_bounds
    int total = 0;
    for (int i = 0; i < LENGTH; i++)
        total += mine[i];
    sum[threadIdx.x] = total;
    free(mine);
}

static void run(void)
{
    lists<<<1, LANES>>>(cells(LANES));
    launched();
}
