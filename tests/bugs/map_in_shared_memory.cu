// SPDX-License-Identifier: MIT
// since: 12
/* A map that a kernel has changed is fenced where the copies will read it: in
 * global memory, and not in the block's own. */
__global__ void fenced(const __grid_constant__ CUtensorMap map,
                       CUtensorMap *copy)
{
    __shared__ CUtensorMap own;
    if (threadIdx.x == 0) {
        own = map;
        *copy = own;
        __threadfence();
#ifdef MENDED
        const CUtensorMap *at = copy;
#else
        const CUtensorMap *at = &own;
#endif
        asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
        asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(at) : "memory"); // finds: illegal
    }
}

static void run(void)
{
    CUtensorMap map = tensor_map(cells(4 * N), 64, N / 16, 16, 8);
    fenced<<<1, THREADS>>>(map, (CUtensorMap *)cells(N));
    launched();
}
