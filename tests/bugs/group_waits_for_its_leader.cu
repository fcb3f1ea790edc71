// SPDX-License-Identifier: MIT
/* Lanes of one key choose a leader, who takes room for all of them: the others
 * read where it begins before they know that it is there. */
__global__ void room(const int *key, int *next, int *place)
{
    __shared__ int begin[LANES];
    int lane = threadIdx.x, mine = key[lane];
    unsigned peers = __match_any_sync(0xffffffff, mine);
    int leader = __ffs(peers) - 1;
    if (lane == leader)
        begin[mine] = atomicAdd(&next[mine], __popc(peers)); // against
#ifdef MENDED
    __syncwarp();
#endif
    place[lane] = begin[mine] + __popc(peers & ((1u << lane) - 1)); // finds: race
}

static void run(void)
{
    int h[LANES], *key = cells(LANES);
    for (int i = 0; i < LANES; i++)
        h[i] = i % 5;
    CUDA(cudaMemcpy(key, h, sizeof h, cudaMemcpyHostToDevice));
    room<<<1, LANES>>>(key, cells(LANES), cells(LANES));
    launched();
}
