// SPDX-License-Identifier: MIT
/* An mbarrier that nobody has initialised. */
__global__ void nowhere(int *y)
{
    __shared__ object there;
    int t = threadIdx.x;
#ifdef MENDED
    if (t == 0)
        object_init(&there, THREADS);
    __syncthreads();
    object_arrive(&there);
    object_wait(&there, 0);
#else
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(in_shared(&there)) : "memory"); // finds: uninitialised
#endif
    y[t] = t;
}

static void run(void)
{
    nowhere<<<1, THREADS>>>(cells(THREADS));
    launched();
}
