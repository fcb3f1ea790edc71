// SPDX-License-Identifier: MIT
// since: 13
/* One consumer waits, relaxed; a barrier of the consumers hands that on, but
 * is no fence for what the producers wrote. */
static __device__ void relaxed_wait(object *o, int parity)
{
    int done = 0;
    while (!done)
        asm volatile("{ .reg .pred p;\n"
                     "mbarrier.test_wait.parity.relaxed.cta.shared::cta.b64 "
                     "p, [%1], %2;\nselp.b32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(in_shared(o)), "r"(parity) : "memory");
}

__global__ void handed_on_behind(int *y)
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
        return;
    }
    if (t == LANES) {
        relaxed_wait(&full, 0);
#ifdef MENDED
        __threadfence_block();
#endif
    }
    asm volatile("bar.sync 1, 64;" ::: "memory"); // the consumers' two warps
    y[t] = tile[t % LANES]; // finds: race
}

static void run(void)
{
    handed_on_behind<<<1, 3 * LANES>>>(cells(3 * LANES));
    launched();
}
