// SPDX-License-Identifier: MIT
/* An arrival that promises not to end the phase ends it. */
static __device__ __forceinline__ void arrive_not_last(object *o)
{
    asm volatile("{ .reg .b64 s; mbarrier.arrive.noComplete.shared.b64 s, [%0], 1; }" ::"r"(in_shared(o)) : "memory"); // finds: barrier_misuse
}

__global__ void promised(int *y)
{
    __shared__ object there;
    int t = threadIdx.x;
    if (t == 0) {
        object_init(&there, 2);
#ifdef MENDED
        arrive_not_last(&there);
        object_arrive(&there);
#else
        object_arrive(&there);
        arrive_not_last(&there);
#endif
    }
    y[t] = t;
}

static void run(void)
{
    promised<<<1, LANES>>>(cells(LANES));
    launched();
}
