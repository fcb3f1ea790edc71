// SPDX-License-Identifier: MIT
/* An mbarrier for half of the threads that arrive: when they ask for the phase in
 * which they came, another one is over, too. With the tokens that arriving gives,
 * as cuda::barrier does. */
__global__ void meet(int *y)
{
    __shared__ object there;
    unsigned long long token;
    int t = threadIdx.x, done = 0;
#ifdef MENDED
    int count = THREADS;
#else
    int count = THREADS / 2;
#endif
    if (t == 0)
        object_init(&there, count);
    __syncthreads();
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(in_shared(&there)) : "memory");
    __syncthreads();
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }" : "=r"(done) : "r"(in_shared(&there)), "l"(token) : "memory"); // finds: barrier_misuse
    y[t] = done;
}

static void run(void)
{
    meet<<<1, THREADS>>>(cells(THREADS));
    launched();
}
