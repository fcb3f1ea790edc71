// SPDX-License-Identifier: MIT
/* Pieces of a whole number of 16 bytes: the element past the end of one would
 * be the first of the next. */
__global__ void lists(int *sum)
{
    enum { LENGTH = 8 };
    int *mine = (int *)malloc(LENGTH * sizeof *mine);
    for (int i = 0; i < LENGTH; i++)
        mine[i] = i;
#ifdef MENDED
    sum[threadIdx.x] = mine[LENGTH - 1];
#else
    sum[threadIdx.x] = mine[LENGTH]; // finds: out_of_bounds
#endif
    free(mine);
}

static void run(void)
{
    lists<<<1, LANES>>>(cells(LANES));
    launched();
}
