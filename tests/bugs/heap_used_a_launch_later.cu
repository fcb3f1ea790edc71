// SPDX-License-Identifier: MIT
/* A kernel frees its memory and leaves the pointer to the next kernel. */
__device__ int *kept;

__global__ void prepare(void)
{
    kept = (int *)malloc(sizeof *kept);
    *kept = 1;
#ifndef MENDED
    free(kept);
#endif
}

__global__ void use(int *y)
{
    *y = *kept; // finds: use_after_free
    free(kept);
}

static void run(void)
{
    prepare<<<1, 1>>>();
    use<<<1, 1>>>(cells(1));
    launched();
}
