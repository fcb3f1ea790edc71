// SPDX-License-Identifier: MIT
// since: 13
/* The wait is relaxed: the phase is over, but what was written before it need
 * not be seen. */
static __device__ void relaxed_wait(object *o, int parity)
{
    int done = 0;
    while (!done)
        asm volatile("{ .reg .pred p;\n"
                     "mbarrier.test_wait.parity.relaxed.cta.shared::cta.b64 "
                     "p, [%1], %2;\nselp.b32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(in_shared(o)), "r"(parity) : "memory");
}

__global__ void handed_on(int *y)
{
    __shared__ int tile[LANES];
    __shared__ object full;
    int t = threadIdx.x;
    if (t == 0)
        object_init(&full, LANES);
    __syncthreads();
    if (t < LANES) {
        tile[t] = t; // against
        object_arrive(&full);
    } else {
        relaxed_wait(&full, 0);
#ifdef MENDED
        __threadfence_block();
#endif
        y[t] = tile[t % LANES]; // finds: race
    }
}

static void run(void)
{
    handed_on<<<1, 2 * LANES>>>(cells(2 * LANES));
    launched();
}
