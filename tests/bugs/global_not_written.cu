// SPDX-License-Identifier: MIT
/* A sum into memory that was not cleared. */
__global__ void add(int *x)
{
    x[threadIdx.x] += 1; // finds: uninitialised
}

static void run(void)
{
#ifdef MENDED
    add<<<1, THREADS>>>(cells(THREADS));
#else
    add<<<1, THREADS>>>(unset(THREADS));
#endif
    launched();
}
