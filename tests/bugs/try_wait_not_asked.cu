// SPDX-License-Identifier: MIT
// since: 12
/* try_wait may come back before the phase has ended: its answer says so. */
__global__ void passes(int *x, int value)
{
    __shared__ object full;
    __shared__ int message;
    int t = threadIdx.x;
    unsigned at = in_shared(&full);
    if (t == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(at) : "memory");
    __syncthreads();
    if (t < LANES) {
        if (t == 0)
            message = value; // against
        asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(at) : "memory");
        return;
    }
#ifdef MENDED
    object_wait(&full, 0);
#else
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%0], 0; }" ::"r"(at) : "memory");
#endif
    x[t] = message; // finds: race
}

static void run(void)
{
    passes<<<1, 2 * LANES>>>(cells(2 * LANES), 5);
    launched();
}
