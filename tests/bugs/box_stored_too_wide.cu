// SPDX-License-Identifier: MIT
// since: 12
/* A store writes whole chunks of 16 bytes: the last one of a row reaches beyond
 * the tensor, and here beyond the array. */
__global__ void wide(const __grid_constant__ CUtensorMap map)
{
    __shared__ alignas(128) int tile[THREADS];
    int t = threadIdx.x;
    tile[t] = t;
    proxy_fence();
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %3}], [%1];" ::"l"(&map), "r"(in_shared(tile)), "r"(0), "r"(0) : "memory"); // finds: out_of_bounds
        bulk_commit();
        bulk_read_wait();
    }
}

static void run(void)
{
#ifdef MENDED
    int columns = 16;
#else
    int columns = 13;
#endif
    wide<<<1, THREADS>>>(tensor_map(cells(columns), columns, 1, 16, 8));
    launched();
}
