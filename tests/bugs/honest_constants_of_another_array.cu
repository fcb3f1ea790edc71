// SPDX-License-Identifier: MIT
/* No bug: what __ldg() reads is not written, and lies beside what is. */
__global__ void add(int *x)
{
    int t = threadIdx.x;
    x[t] = t;
    __syncthreads();
    x[t] += __ldg(&x[THREADS + t]);
}

static void run(void)
{
    add<<<1, THREADS>>>(cells(2 * THREADS));
    launched();
}
