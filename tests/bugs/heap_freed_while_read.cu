// SPDX-License-Identifier: MIT
/* One lane frees what the others may still read: nothing says that they have. */
__global__ void average(const int *x, int *y)
{
    __shared__ int *copy;
    int l = threadIdx.x;
    if (l == 0)
        copy = (int *)malloc(LANES * sizeof *copy);
    __syncwarp();
    copy[l] = x[l];
    __syncwarp();
    y[l] = (copy[l] + copy[(l + 1) % LANES]) / 2; // against
#ifdef MENDED
    __syncwarp();
#endif
    if (l == LANES - 1)
        free(copy); // finds: race
}

static void run(void)
{
    average<<<1, LANES>>>(cells(LANES), cells(LANES));
    launched();
}
