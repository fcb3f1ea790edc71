// SPDX-License-Identifier: MIT
/* The phase expects one arrival more than there are, and all threads ask by
 * test_wait. */
__global__ void lonely(int *y)
{
    __shared__ object there;
    int t = threadIdx.x, done = 0;
    if (t == 0)
#ifdef MENDED
        object_init(&there, THREADS);
#else
        object_init(&there, THREADS + 1);
#endif
    __syncthreads();
    object_arrive(&there);
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }" : "=r"(done) : "r"(in_shared(&there)) : "memory"); // finds: deadlock
    y[t] = t;
}

static void run(void)
{
    lonely<<<1, THREADS>>>(cells(THREADS));
    launched();
}
