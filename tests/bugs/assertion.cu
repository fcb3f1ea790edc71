// SPDX-License-Identifier: MIT
/* An assertion of the kernel fails. */
__global__ void halve(int *x, int n)
{
    assert(n % 2 == 0); // finds: assert
    x[threadIdx.x] = n / 2;
}

static void run(void)
{
#ifdef MENDED
    halve<<<1, LANES>>>(cells(LANES), 6);
#else
    halve<<<1, LANES>>>(cells(LANES), 7);
#endif
    launched();
}
