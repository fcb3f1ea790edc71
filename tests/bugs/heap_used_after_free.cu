// SPDX-License-Identifier: MIT
/* The sum is taken from memory that was freed. */
__global__ void lists(int *sum)
{
    enum { LENGTH = 4 };
    int *mine = (int *)malloc(LENGTH * sizeof *mine);
    for (int i = 0; i < LENGTH; i++)
        mine[i] = i;
#ifndef MENDED
    free(mine);
#endif
    sum[threadIdx.x] = mine[1] + 2; // finds: use_after_free
#ifdef MENDED
    free(mine);
#endif
}

static void run(void)
{
    lists<<<1, LANES>>>(cells(LANES));
    launched();
}
