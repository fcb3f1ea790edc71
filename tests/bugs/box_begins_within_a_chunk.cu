// SPDX-License-Identifier: MIT
// since: 12
/* Along a row a box begins at a multiple of 16 bytes: a GPU stops with an
 * illegal instruction if it does not. */
__global__ void between(const __grid_constant__ CUtensorMap map, int *y)
{
    __shared__ alignas(128) int tile[THREADS];
    __shared__ object full;
    int t = threadIdx.x;
    if (t == 0) {
        object_init(&full, 1);
        object_fence();
        object_expects(&full, sizeof tile);
#ifdef MENDED
        box_in(tile, &map, -4, -1, &full);
#else
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(in_shared(tile)), "l"(&map), "r"(-1), "r"(-1), "r"(in_shared(&full)) : "memory"); // finds: illegal
#endif
    }
    __syncthreads();
    object_wait(&full, 0);
    y[t] = tile[t];
}

static void run(void)
{
    CUtensorMap map = tensor_map(cells(4 * N), 64, N / 16, 16, 8);
    between<<<1, THREADS>>>(map, cells(THREADS));
    launched();
}
