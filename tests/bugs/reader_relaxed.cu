// SPDX-License-Identifier: MIT
/* A release has to be met by an acquire. */
__global__ void pass(int *message, int *flag, int *got)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *message = 42; // against
        asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
        return;
    }
    int raised;
    do {
#ifdef MENDED
        asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(raised) : "l"(flag) : "memory");
#else
        asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(raised) : "l"(flag) : "memory");
#endif
    } while (!raised);
    *got = *message; // finds: race
}

static void run(void)
{
    pass<<<2, LANES>>>(cells(1), cells(1), cells(1));
    launched();
}
