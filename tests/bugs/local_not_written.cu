// SPDX-License-Identifier: MIT
/* An element of a local array was never written. */
__global__ void pick(int *x, int n)
{
    int own[8];
#ifdef MENDED
    for (int k = 0; k < 8; k++)
#else
    for (int k = 0; k < 7; k++)
#endif
        own[(k + n) % 8] = k;
    x[threadIdx.x] = own[(threadIdx.x + n) % 8]; // finds: uninitialised
}

static void run(void)
{
    pick<<<1, LANES>>>(cells(LANES), 3);
    launched();
}
