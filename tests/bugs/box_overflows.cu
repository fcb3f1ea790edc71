// SPDX-License-Identifier: MIT
// since: 12
/* The box has more rows than the tile, which is the last array on chip. */
__global__ void large(const __grid_constant__ CUtensorMap map, int *y)
{
    extern __shared__ __align__(128) int space[];
    __shared__ object full;
    int t = threadIdx.x;
    if (t == 0) {
        object_init(&full, 1);
        object_fence();
        object_expects(&full, 9 * 64);
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(in_shared(space)), "l"(&map), "r"(0), "r"(0), "r"(in_shared(&full)) : "memory"); // finds: out_of_bounds
    }
    __syncthreads();
    object_wait(&full, 0);
    y[t] = space[t];
}

static void run(void)
{
    CUtensorMap map = tensor_map(cells(4 * N), 64, N / 16, 16, 9);
#ifdef MENDED
    int bytes = 9 * 64;
#else
    int bytes = 8 * 64;
#endif
    large<<<1, THREADS, bytes>>>(map, cells(THREADS));
    launched();
}
