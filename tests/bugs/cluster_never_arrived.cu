// SPDX-License-Identifier: MIT
/* A thread waits at the cluster's barrier without having arrived. */
__global__ void __cluster_dims__(2, 1, 1) waits(int *x)
{
#ifdef MENDED
    asm volatile("barrier.cluster.arrive;" ::: "memory");
#endif
    asm volatile("barrier.cluster.wait;" ::: "memory"); // finds: barrier_misuse
    x[blockIdx.x * THREADS + threadIdx.x] = 1;
}

static void run(void)
{
    waits<<<2, THREADS>>>(cells(2 * THREADS));
    launched();
}
