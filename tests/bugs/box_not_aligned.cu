// SPDX-License-Identifier: MIT
// since: 12
/* A box in shared memory begins at a multiple of 128 bytes. */
__global__ void shifted(const __grid_constant__ CUtensorMap map, int *y)
{
    __shared__ alignas(128) int tile[2 * THREADS];
    __shared__ object full;
    int t = threadIdx.x;
    if (t == 0) {
        object_init(&full, 1);
        object_fence();
        object_expects(&full, sizeof tile / 2);
#ifdef MENDED
        box_in(tile, &map, 0, 0, &full);
#else
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(in_shared(tile + 4)), "l"(&map), "r"(0), "r"(0), "r"(in_shared(&full)) : "memory"); // finds: misaligned
#endif
    }
    __syncthreads();
    object_wait(&full, 0);
    y[t] = tile[t];
}

static void run(void)
{
    CUtensorMap map = tensor_map(cells(4 * N), 64, N / 16, 16, 8);
    shifted<<<1, THREADS>>>(map, cells(THREADS));
    launched();
}
