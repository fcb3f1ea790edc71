// SPDX-License-Identifier: MIT
/* An atomic that fences and acquires, but for its block alone, on a total of all
 * blocks: what cuda::atomic_ref with thread_scope_block does. What a block finds
 * there is no message of another one, and it must not pass it on. */
__global__ void add(int *total, int *had)
{
    int old;
#ifdef MENDED
    asm volatile("fence.sc.gpu;" ::: "memory");
    asm volatile("atom.add.acquire.gpu.s32 %0, [%1], 1;" : "=r"(old) : "l"(total) : "memory");
#else
    asm volatile("fence.sc.cta;" ::: "memory");
    asm volatile("atom.add.acquire.cta.s32 %0, [%1], 1;" : "=r"(old) : "l"(total) : "memory"); // finds: race
#endif
    had[blockIdx.x * THREADS + threadIdx.x] = old;
}

static void run(void)
{
    add<<<BLOCKS, THREADS>>>(cells(1), cells(N));
    launched();
}
