// SPDX-License-Identifier: MIT
/* The base case is never reached. */
__device__ __noinline__ int depth(volatile int *x, int n)
{
    if (n == 0)
        return *x;
    return depth(x, n - 2) + 1; // finds: stack
}
__global__ void descend(int *x, int n)
{
    x[1] = depth(x, n);
}

static void run(void)
{
#ifdef MENDED
    descend<<<1, 1>>>(cells(2), 6);
#else
    descend<<<1, 1>>>(cells(2), 7);
#endif
    launched();
}
