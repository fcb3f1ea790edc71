// SPDX-License-Identifier: MIT
// How many blocks of a cluster share a tile's k. It has no guard: a dispatcher
// has each kernel, and what it includes from here, in a namespace of its own.

// Twice as many, up to `most`, as long as those of all tiles run at a time. A
// multiprocessor has `blocks` of them.
static int cluster_parts(long long tiles, int blocks, int most)
{
    int device = 0, room = 1, parts = 1;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&room, cudaDevAttrMultiProcessorCount, device);
    while (2 * parts <= most && 2 * parts * tiles <= room * blocks)
        parts *= 2;
    return parts;
}
