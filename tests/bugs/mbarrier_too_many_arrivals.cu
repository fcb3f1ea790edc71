// SPDX-License-Identifier: MIT
/* Twice as many arrivals as the phase expects, in one instruction. */
__global__ void crowd(int *y)
{
    __shared__ object there;
    int t = threadIdx.x;
    if (t == 0) {
        object_init(&there, 1);
#ifdef MENDED
        object_arrive(&there);
#else
        asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0], 2; }" ::"r"(in_shared(&there)) : "memory"); // finds: barrier_misuse
#endif
    }
    y[t] = t;
}

static void run(void)
{
    crowd<<<1, LANES>>>(cells(LANES));
    launched();
}
