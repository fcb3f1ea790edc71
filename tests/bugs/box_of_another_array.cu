// SPDX-License-Identifier: MIT
// since: 12
/* The map says more rows than the array has. */
__global__ void far(const __grid_constant__ CUtensorMap map, int *y)
{
    __shared__ alignas(128) int tile[THREADS];
    __shared__ object full;
    int t = threadIdx.x;
    if (t == 0) {
        object_init(&full, 1);
        object_fence();
        object_expects(&full, sizeof tile);
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(in_shared(tile)), "l"(&map), "r"(0), "r"(8), "r"(in_shared(&full)) : "memory"); // finds: out_of_bounds
    }
    __syncthreads();
    object_wait(&full, 0);
    y[t] = tile[t];
}

static void run(void)
{
#ifdef MENDED
    int rows = 12;
#else
    int rows = 16;
#endif
    far<<<1, THREADS>>>(tensor_map(cells(12 * 64), 64, rows, 16, 8),
                        cells(THREADS));
    launched();
}
