// SPDX-License-Identifier: MIT
// since: 12
/* A box that ends beyond the tensor brings all of its bytes nevertheless: what
 * is announced counts only those that exist. */
__global__ void edge(const __grid_constant__ CUtensorMap map, int *y)
{
    __shared__ alignas(128) int tile[THREADS];
    __shared__ object full;
    int t = threadIdx.x;
    if (t == 0) {
        object_init(&full, 1);
        object_fence();
        box_in(tile, &map, 0, 5, &full);
#ifdef MENDED
        object_expects(&full, sizeof tile);
#else
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(in_shared(&full)), "r"((int)sizeof tile - 64) : "memory"); // finds: barrier_misuse
#endif
    }
    __syncthreads();
    object_wait(&full, 0);
    y[t] = tile[t];
}

static void run(void)
{
    CUtensorMap map = tensor_map(cells(12 * 16), 16, 12, 16, 8);
    edge<<<1, THREADS>>>(map, cells(THREADS));
    launched();
}
