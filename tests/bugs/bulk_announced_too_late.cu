// SPDX-License-Identifier: MIT
// since: 12
/* The bytes are announced when the phase may be over. */
__global__ void late(const int *x, int *y)
{
    __shared__ alignas(128) int tile[THREADS];
    __shared__ object full;
    int t = threadIdx.x;
    if (t == 0) {
        object_init(&full, 1);
        object_fence();
    }
    __syncthreads();
    if (t == 0) {
        bulk_in(tile, x, sizeof tile, &full);
#ifdef MENDED
        object_expects(&full, sizeof tile);
#else
        asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(in_shared(&full)) : "memory"); // finds: barrier_misuse
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 512;" ::"r"(in_shared(&full)) : "memory");
#endif
    }
    object_wait(&full, 0);
    y[t] = tile[t];
}

static void run(void)
{
    late<<<1, THREADS>>>(cells(THREADS), cells(THREADS));
    launched();
}
