// SPDX-License-Identifier: MIT
/*
 * dwconv_parts.cuh: the second pass of a weight gradient whose channels are
 * shared by many blocks.
 *
 *   parts_wanted   into how many parts a channel's work is cut
 *   parts_total    dw = the sum of the parts' sums
 *
 * Each part leaves its sums in the workspace, (parts, cells); a cell's parts
 * are added in one order, so that the result is the same each time. No block
 * of the first pass waits for another, and no counter must be zero beforehand.
 */
#ifndef WB_DWCONV_PARTS_CUH
#define WB_DWCONV_PARTS_CUH

#include "op/dwconv.h"

enum {
    PARTS_LANES = 32,  // cells per block of the second pass
    PARTS_SHARES = 8,  // threads that share a cell
    PARTS_BLOCKS = 8,  // per multiprocessor, that the first pass should fill
    PARTS_MOST = 1024  // a channel
};

// `blocks` work if nothing is cut; `most` is as often as a channel can be cut.
static inline unsigned parts_wanted(size_t blocks, size_t most)
{
    int device = 0, multiprocessors = 1;
    size_t wanted;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                           device);
    wanted = (size_t)multiprocessors * PARTS_BLOCKS / blocks;
    if (wanted > most)
        wanted = most;
    if (wanted > PARTS_MOST)
        wanted = PARTS_MOST;
    return wanted > 0 ? (unsigned)wanted : 1;
}

static __global__ void __launch_bounds__(PARTS_LANES *PARTS_SHARES)
    parts_sum(const float *partials, float *dw, unsigned cells, unsigned parts)
{
    __shared__ float shares[PARTS_SHARES][PARTS_LANES];

    unsigned cell = blockIdx.x * PARTS_LANES + threadIdx.x;
    float sum = 0.0f;

    if (cell < cells)
        for (unsigned part = threadIdx.y; part < parts; part += PARTS_SHARES)
            sum += partials[(size_t)part * cells + cell];
    shares[threadIdx.y][threadIdx.x] = sum;
    __syncthreads(); // every share stands there before one thread adds them
    if (threadIdx.y == 0 && cell < cells) {
        for (int i = 1; i < PARTS_SHARES; i++)
            sum += shares[i][threadIdx.x];
        dw[cell] = sum;
    }
}

static inline void parts_total(const float *partials, float *dw,
                               struct dwconv_shape s, unsigned parts,
                               cudaStream_t stream)
{
    unsigned cells = (unsigned)s.H * s.K;
    dim3 block(PARTS_LANES, PARTS_SHARES);

    parts_sum<<<(cells - 1) / PARTS_LANES + 1, block, 0, stream>>>(
        partials, dw, cells, parts);
}

#endif
