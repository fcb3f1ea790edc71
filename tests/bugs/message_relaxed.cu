// SPDX-License-Identifier: MIT
/* Relaxed stores and loads, as cuda::atomic_ref makes them, order nothing: the
 * flag has to be released and acquired. */
__global__ void pass(int *message, int *flag, int *got)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        asm volatile("st.relaxed.gpu.global.s32 [%0], 42;" ::"l"(message) : "memory"); // against
#ifdef MENDED
        asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
#else
        asm volatile("st.relaxed.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
#endif
        return;
    }
    int raised, text;
    do {
#ifdef MENDED
        asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(raised) : "l"(flag) : "memory");
#else
        asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(raised) : "l"(flag) : "memory");
#endif
    } while (!raised);
    asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(text) : "l"(message) : "memory"); // finds: unfenced
    *got = text;
}

static void run(void)
{
    pass<<<2, LANES>>>(cells(1), cells(1), cells(1));
    launched();
}
