// SPDX-License-Identifier: MIT
// since: 12
/* A map is a parameter whose address is taken: without __grid_constant__ nvcc
 * copies it to local memory, and the copy engine cannot read it there. */
#ifdef MENDED
__global__ void boxed(const __grid_constant__ CUtensorMap map, int *y)
#else
__global__ void boxed(const CUtensorMap map, int *y)
#endif
{
    __shared__ alignas(128) int tile[THREADS];
    __shared__ object full;
    int t = threadIdx.x;
    if (t == 0) {
        object_init(&full, 1);
        object_fence();
        object_expects(&full, sizeof tile);
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(in_shared(tile)), "l"(&map), "r"(0), "r"(0), "r"(in_shared(&full)) : "memory"); // finds: illegal
    }
    __syncthreads();
    object_wait(&full, 0);
    y[t] = tile[t];
}

static void run(void)
{
    CUtensorMap map = tensor_map(cells(4 * N), 64, N / 16, 16, 8);
    boxed<<<1, THREADS>>>(map, cells(THREADS));
    launched();
}
