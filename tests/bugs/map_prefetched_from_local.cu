// SPDX-License-Identifier: MIT
// since: 12
/* Without __grid_constant__, what is prefetched is a thread's own copy of the
 * map, which no copy engine can read. */
#ifdef MENDED
__global__ void ahead(const __grid_constant__ CUtensorMap map, int *y)
#else
__global__ void ahead(const CUtensorMap map, int *y)
#endif
{
    if (threadIdx.x == 0)
        asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory"); // finds: illegal
    y[threadIdx.x] = 1;
}

static void run(void)
{
    CUtensorMap map = tensor_map(cells(4 * N), 64, N / 16, 16, 8);
    ahead<<<1, THREADS>>>(map, cells(THREADS));
    launched();
}
