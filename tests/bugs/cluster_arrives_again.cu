// SPDX-License-Identifier: MIT
/* A thread arrives twice and waits once. */
__global__ void __cluster_dims__(2, 1, 1) twice(int *x)
{
    asm volatile("barrier.cluster.arrive;" ::: "memory");
#ifdef MENDED
    asm volatile("barrier.cluster.wait;" ::: "memory");
#endif
    x[blockIdx.x * THREADS + threadIdx.x] = 1;
    asm volatile("barrier.cluster.arrive;" ::: "memory"); // finds: barrier_misuse
    asm volatile("barrier.cluster.wait;" ::: "memory");
}

static void run(void)
{
    twice<<<2, THREADS>>>(cells(2 * THREADS));
    launched();
}
