// SPDX-License-Identifier: MIT
// Stage 24, the gradient of the RMS norm, and of the way around the block.
// New: sums over the channels of a step, and sums over the steps of a channel.
// Before: swish_backward, which has only sums over steps.
// Counter: global_bytes_over_compulsory is 1.13: each array is read once.

#include "op/block.h"

enum {
    THREADS = 512,
    LANES = 32, // and steps per tile
    WARPS = THREADS / LANES,
    MINE = 8,            // channels per thread, in registers
    KEPT = MINE * WARPS, // channels of a step in registers
    BLOCKS = 264,        // an H200 runs them at the same time
    RUN = 3              // tiles that a block takes in a row, at most
};
#define ALL_LANES 0xffffffffu

// The sum over a warp's lanes, in a fixed order; lane 0 has it.
static __device__ float warp_sum(float value)
{
    for (int far = LANES / 2; far > 0; far /= 2)
        value += __shfl_down_sync(ALL_LANES, value, far);
    return value;
}

// The sum over a block's threads, in a fixed order; thread 0 has it.
static __device__ float block_sum(float value)
{
    __shared__ float warps[WARPS];

    value = warp_sum(value);
    if (threadIdx.x % LANES == 0)
        warps[threadIdx.x / LANES] = value;
    __syncthreads(); // each warp has left its sum
    value = threadIdx.x < WARPS ? warps[threadIdx.x] : 0.0f;
    return warp_sum(value);
}

static __host__ __device__ unsigned tiles(struct block_shape s)
{
    return ((unsigned)s.B * s.L - 1) / LANES + 1;
}

// A block's k-th tile: `run` in a row, then as many of each other block.
static __device__ unsigned tile_at(unsigned k, unsigned run)
{
    return (k / run * gridDim.x + blockIdx.x) * run + k % run;
}

// The cell of channel 0 at step r = b L + t; of step 0 if there is no r.
static __device__ unsigned cell(unsigned r, struct block_shape s)
{
    return r < (unsigned)s.B * s.L ? r / s.L * s.H * s.L + r % s.L : 0;
}

struct arrays {
    const float *x, *gamma, *dn, *skip;
    float *dx, *sums;
};

// A thread's cells of a tile: of its channels warp, warp + WARPS, and so on.
struct held {
    float x[MINE], dn[MINE], skip[MINE];
};

static __device__ void take(struct held *v, int i, struct arrays a,
                            unsigned at)
{
    v->x[i] = a.x[at];
    v->dn[i] = a.dn[at];
    v->skip[i] = a.skip[at];
}

// A lane per step, a warp per channel and every WARPS-th after it. A block
// takes runs of tiles, gridDim.x runs apart. It asks for a cell of the next
// tile where it has used that of this one, so that loads are always under way.
// What its tiles add to dgamma[h] waits in registers, and goes to
// sums[block H + h] in the end. Channels from KEPT on are read again; a block
// has one tile then.
static __global__ void __launch_bounds__(THREADS, 2)
    rms_tiles(const __grid_constant__ struct arrays a, struct block_shape s,
              unsigned run)
{
    __shared__ float of_warp[2][2][WARPS][LANES], gamma[KEPT];
    int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES, turn = 0;
    int mine = (s.H - 1 - warp + WARPS) / WARPS; // channels; may pass MINE
    unsigned stride = WARPS * s.L, own_row = warp * s.L;
    unsigned k = 0, tile = tile_at(0, run), after;
    unsigned first = cell(tile * LANES + lane, s);
    float *sums = a.sums + (size_t)blockIdx.x * s.H, part[MINE] = {};
    struct held v = {};

    for (int h = threadIdx.x; h < KEPT; h += THREADS)
        gamma[h] = h < s.H ? a.gamma[h] : 0.0f;
    __syncthreads(); // gamma is there
#pragma unroll
    for (int i = 0; i < MINE; i++)
        if (i < mine)
            take(&v, i, a, first + own_row + i * stride);
    for (; tile < tiles(s); tile = after) {
        bool inside = tile * LANES + lane < (unsigned)s.B * s.L;
        unsigned at = first + own_row;
        after = tile_at(++k, run);
        int due = after < tiles(s) ? mine : 0; // cells of the next tile
        float squares = 0.0f, dot = 0.0f, own; // own: the step's scale

        //> todo scale (about 22 lines)
#pragma unroll
        for (int i = 0; i < MINE; i++) { // zeros where there is no channel
            squares += v.x[i] * v.x[i];
            dot += gamma[warp + i * WARPS] * v.dn[i] * v.x[i];
        }
#pragma unroll 1
        for (int h = KEPT + warp; h < s.H; h += WARPS) {
            float x = a.x[first + h * s.L];

            squares += x * x;
            dot += a.gamma[h] * a.dn[first + h * s.L] * x;
        }
        of_warp[turn][0][warp][lane] = squares;
        of_warp[turn][1][warp][lane] = dot;
        __syncthreads(); // each warp has left its sums, and read those before
        squares = dot = 0.0f;
#pragma unroll 4
        for (int w = 0; w < WARPS; w++) {
            squares += of_warp[turn][0][w][lane];
            dot += of_warp[turn][1][w][lane];
        }
        own = rsqrtf(squares / s.H + BLOCK_RMS_EPS);
        dot *= own * own / s.H;
        //< todo
        turn ^= 1;
        unsigned next = cell(after * LANES + lane, s), then = next + own_row;

        //> todo gradient (about 27 lines)
#pragma unroll
        for (int i = 0; i < MINE; i++) {
            if (inside && i < mine) {
                float g = gamma[warp + i * WARPS] * v.dn[i];

                part[i] += v.dn[i] * v.x[i] * own;
                a.dx[at] = v.skip[i] + own * (g - v.x[i] * dot);
            }
            if (i < due)
                take(&v, i, a, then);
            at += stride;
            then += stride;
        }
#pragma unroll 1
        for (int h = KEPT + warp; h < s.H; h += WARPS) {
            unsigned i = first + h * s.L;
            float x = a.x[i], dn = inside ? a.dn[i] : 0.0f;
            float sum = warp_sum(dn * x * own);

            if (inside)
                a.dx[i] = a.skip[i] + own * (a.gamma[h] * dn - x * dot);
            if (lane == 0)
                sums[h] = sum;
        }
        //< todo
        first = next;
    }
    //> todo leave (about 7 lines)
#pragma unroll
    for (int i = 0; i < MINE; i++) {
        float sum = warp_sum(part[i]);

        if (lane == 0 && i < mine)
            sums[warp + i * WARPS] = sum;
    }
    //< todo
}

// A block per channel h = blockIdx.x.
static __global__ void rms_channel(const float *sums, float *dgamma,
                                   unsigned blocks)
{
    //> todo channel (about 6 lines)
    float sum = 0.0f;

    for (unsigned b = threadIdx.x; b < blocks; b += THREADS)
        sum += sums[(size_t)b * gridDim.x + blockIdx.x];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        dgamma[blockIdx.x] = sum;
    //< todo
}

static unsigned blocks(struct block_shape s)
{
    return s.H > KEPT || tiles(s) < BLOCKS ? tiles(s) : BLOCKS;
}

// Tiles of 32 steps share lines of 128 bytes with their neighbours where L is
// no multiple of 32. So a run begins and ends with a sequence where RUN tiles
// are enough for that, and all blocks have one. Longer ones take more time.
static unsigned run_of(struct block_shape s)
{
    unsigned each = tiles(s) / blocks(s), power = s.L & -s.L;
    unsigned run = power < LANES ? s.L / power : 1;

    return run <= RUN && run <= each ? run : 1;
}

size_t rms_backward_workspace(struct block_shape shape)
{
    //> todo workspace (about 1 lines)
    return (size_t)blocks(shape) * shape.H * sizeof(float); // sums
    //< todo
}

cudaError_t rms_backward(const float *x, const float *gamma, const float *dn,
                         const float *skip, float *dx, float *dgamma,
                         struct block_shape shape, void *workspace,
                         cudaStream_t stream)
{
    struct arrays a = {x, gamma, dn, skip, dx, (float *)workspace};

    rms_tiles<<<blocks(shape), THREADS, 0, stream>>>(a, shape,
                                                     run_of(shape));
    rms_channel<<<shape.H, THREADS, 0, stream>>>(a.sums, dgamma,
                                                 blocks(shape));
    return cudaGetLastError();
}
