// SPDX-License-Identifier: MIT
// since: 12
/* More bytes are announced than the copy brings. */
__global__ void waits(const int *x, int *y)
{
    __shared__ alignas(128) int tile[THREADS];
    __shared__ object full;
    int t = threadIdx.x, done = 0;
    if (t == 0) {
        object_init(&full, 1);
        object_fence();
    }
    __syncthreads();
    if (t == 0) {
#ifdef MENDED
        object_expects(&full, sizeof tile);
#else
        object_expects(&full, 2 * sizeof tile);
#endif
        bulk_in(tile, x, sizeof tile, &full);
    }
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }" : "=r"(done) : "r"(in_shared(&full)) : "memory"); // finds: deadlock
    y[t] = tile[t];
}

static void run(void)
{
    waits<<<1, THREADS>>>(cells(THREADS), cells(THREADS));
    launched();
}
