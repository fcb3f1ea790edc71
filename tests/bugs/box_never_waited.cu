// SPDX-License-Identifier: MIT
// since: 12
/* The mbarrier counts the box's bytes, and nobody waits for it. */
__global__ void early(const __grid_constant__ CUtensorMap map, int *y)
{
    __shared__ alignas(128) int tile[THREADS];
    __shared__ object full;
    int t = threadIdx.x;
    if (t == 0) {
        object_init(&full, 1);
        object_fence();
        object_expects(&full, sizeof tile);
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(in_shared(tile)), "l"(&map), "r"(0), "r"(0), "r"(in_shared(&full)) : "memory"); // against
    }
    __syncthreads();
#ifdef MENDED
    object_wait(&full, 0);
#endif
    y[t] = tile[t]; // finds: race
}

static void run(void)
{
    CUtensorMap map = tensor_map(cells(4 * N), 64, N / 16, 16, 8);
    early<<<1, THREADS>>>(map, cells(THREADS));
    launched();
}
