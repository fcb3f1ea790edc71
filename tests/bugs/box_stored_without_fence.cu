// SPDX-License-Identifier: MIT
// since: 12
/* Threads fill a tile, and the copy engine stores it: without a proxy fence it
 * may see what was there before. */
__global__ void stores(const __grid_constant__ CUtensorMap map)
{
    __shared__ alignas(128) int tile[THREADS];
    int t = threadIdx.x;
    tile[t] = t; // against
#ifdef MENDED
    proxy_fence();
#endif
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %3}], [%1];" ::"l"(&map), "r"(in_shared(tile)), "r"(16), "r"(3) : "memory"); // finds: proxy
        bulk_commit();
        bulk_read_wait();
    }
}

static void run(void)
{
    stores<<<1, THREADS>>>(tensor_map(cells(4 * N), 64, N / 16, 16, 8));
    launched();
}
