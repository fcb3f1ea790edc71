// SPDX-License-Identifier: MIT
// How the blocks that share a tile of C find out which of them ends last: that
// one adds up the parts of all, in their order, so results are the same each
// time, and no second kernel is launched. A file that includes this defines
// TICKETS before it: the most tiles that have parts.

// How many blocks of a tile have come here; the last one makes it 0 again. So
// one launch at a time: two at once would share it.
static __device__ unsigned tickets[TICKETS];

// Whether this block is the last of its tile's `parts`. If so, it may read what
// the others stored before.
static __device__ bool is_last(int tile, int parts)
{
    __shared__ bool last;

    __threadfence(); // this thread's part is stored before its block counts
    __syncthreads(); // and everybody's is
    if (threadIdx.x == 0)
        last = atomicInc(&tickets[tile], parts - 1) == parts - 1;
    __syncthreads(); // all know
    __threadfence(); // no other part is read before
    return last;
}

// The parts of a tile: as many as give every multiprocessor `blocks` blocks,
// but no more than `most`.
static int parts_for(long long tiles, int blocks, int most)
{
    int device = 0, room = 1;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&room, cudaDevAttrMultiProcessorCount, device);
    if (tiles > TICKETS || tiles > (long long)room * blocks)
        return 1;
    return max(1, min(most, (int)(room * blocks / tiles)));
}
