// SPDX-License-Identifier: MIT
// since: 12
/* One test_wait does not wait: the copy may still be on its way. */
__global__ void once(const int *x, int *y)
{
    __shared__ alignas(16) int tile[LANES];
    __shared__ object full;
    int t = threadIdx.x;
    if (t == 0) {
        object_init(&full, 1);
        object_fence();
        object_expects(&full, sizeof tile);
        bulk_in(tile, x, sizeof tile, &full); // against
    }
    __syncwarp();
#ifdef MENDED
    object_wait(&full, 0);
#else
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%0], 0; }" ::"r"(in_shared(&full)) : "memory");
#endif
    y[t] = tile[LANES - 1 - t]; // finds: race
}

static void run(void)
{
    once<<<1, LANES>>>(cells(LANES), cells(LANES));
    launched();
}
