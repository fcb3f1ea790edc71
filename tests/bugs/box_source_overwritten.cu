// SPDX-License-Identifier: MIT
// since: 12
/* A tile is filled again while the copy engine may still read it. */
__global__ void refills(const __grid_constant__ CUtensorMap map)
{
    __shared__ alignas(128) int tile[THREADS];
    int t = threadIdx.x;
    for (int round = 0; round < 2; round++) {
        tile[t] = t + round; // finds: race
        proxy_fence();
        __syncthreads();
        if (t == 0) {
            asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %3}], [%1];" ::"l"(&map), "r"(in_shared(tile)), "r"(16), "r"(8 * round) : "memory"); // against
            bulk_commit();
#ifdef MENDED
            bulk_read_wait();
#endif
        }
        __syncthreads();
    }
    if (t == 0)
        bulk_read_wait();
}

static void run(void)
{
    refills<<<1, THREADS>>>(tensor_map(cells(4 * N), 64, N / 16, 16, 8));
    launched();
}
