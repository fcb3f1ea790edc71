// SPDX-License-Identifier: MIT
/* An mbarrier is made anew where one is in use. */
__global__ void anew(int *y)
{
    __shared__ object there;
    int t = threadIdx.x;
    if (t == 0) {
        object_init(&there, 2);
        object_arrive(&there);
#ifdef MENDED
        asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(
                         in_shared(&there)) : "memory");
#endif
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(in_shared(&there)) : "memory"); // finds: barrier_misuse
    }
    y[t] = t;
}

static void run(void)
{
    anew<<<1, LANES>>>(cells(LANES));
    launched();
}
