// SPDX-License-Identifier: MIT
// Kernels of the sequence model: what stands around the convolution.
// (b, h, t) stands at (b H + h) L + t. All of these are bound by device memory,
// so each reads an array once, with many loads under way, in one of four ways:
//
//   cells   a thread takes cells a multiple of H L apart: it stays at its
//           (h, t), and neighbouring threads have neighbouring cells
//   steps   a block sums over a channel; its threads run over (b, t)
//   tile    a block keeps 32 steps with all their channels on chip
//   pass    a block goes through many tiles, and asks ahead (pass.cuh)

#include "train/kernels.h"
#include "train/pass.cuh"

enum {
    THREADS = 256,      // per block
    WIDE = 1024,        // per block that sums over a channel
    TOGETHER = 1 << 17, // threads in all that run at the same time
    LANES = 32,         // and steps per tile
    WARPS = THREADS / LANES,
    KEPT = 128          // channels of a tile that stay on chip: 16 KiB
};

static unsigned blocks_for(size_t n)
{
    return (unsigned)((n - 1) / THREADS + 1);
}

// How many cells of n thread i has, `apart` apart. A loop that counts them is
// unrolled without a test between two turns, so that loads of later turns need
// not wait until earlier ones have come.
static __device__ unsigned cells_of(size_t n, unsigned i, unsigned apart)
{
    return (unsigned)((n - 1 - i) / apart) + 1;
}

// How far apart a thread's cells are.
static unsigned apart_for(struct dwconv_shape s)
{
    unsigned cells = (unsigned)s.H * s.L, most = (TOGETHER - 1) / cells + 1;

    return cells * (most < (unsigned)s.B ? most : (unsigned)s.B);
}

// A channel's steps r = b L + t as one thread of its block sees them: r,
// r + WIDE, and so on. To go on needs no division.
struct steps {
    unsigned r, t;
    size_t cell; // of this step in (B, H, L)
    unsigned more_t;
    size_t more_cells, next_row;
};

static __device__ struct steps first_step(struct dwconv_shape s, unsigned h)
{
    unsigned r = threadIdx.x;
    size_t cell = ((size_t)(r / s.L) * s.H + h) * s.L + r % s.L;
    size_t more = (size_t)(WIDE / s.L) * s.H * s.L + WIDE % s.L;

    return (struct steps){r, r % s.L, cell, WIDE % s.L, more,
                          (size_t)(s.H - 1) * s.L};
}

// How many steps the thread has from here on: to count them spares tests, as
// with cells_of.
static __device__ unsigned steps_left(struct steps at, unsigned steps)
{
    return at.r < steps ? (steps - 1 - at.r) / WIDE + 1 : 0;
}

static __device__ void next_step(struct steps *at, struct dwconv_shape s)
{
    at->r += WIDE;
    at->t += at->more_t;
    at->cell += at->more_cells;
    if (at->t >= (unsigned)s.L) { // in the next sequence
        at->t -= s.L;
        at->cell += at->next_row;
    }
}

static __global__ void tick(float *clock)
{
    *clock += 1.0f;
}

cudaError_t train_tick(float *clock, cudaStream_t stream)
{
    tick<<<1, 1, 0, stream>>>(clock);
    return cudaGetLastError();
}

static __global__ void batch(const float *data, float *to, unsigned n,
                             unsigned batches, const float *clock)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x; // may pass n
    size_t which = ((unsigned)*clock - 1) % batches;

    if (i < n)
        to[i] = data[which * n + i];
}

cudaError_t train_batch(const float *data, float *to, size_t n, int batches,
                        const float *clock, cudaStream_t stream)
{
    batch<<<blocks_for(n), THREADS, 0, stream>>>(data, to, (unsigned)n,
                                                 batches, clock);
    return cudaGetLastError();
}

// Cells. Those of u are apart / H from each other.
static __global__ void lift_cells(const float *__restrict__ u, const float *w,
                            const float *bias, float *__restrict__ x,
                            struct dwconv_shape s, unsigned apart)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x; // may pass apart
    unsigned h = i / s.L % s.H, b = i / s.L / s.H, more = apart / s.H;
    size_t n = (size_t)s.B * s.H * s.L, from = (size_t)b * s.L + i % s.L;
    unsigned cells;
    float own, offset;

    if (i >= apart)
        return;
    cells = cells_of(n, i, apart);
    own = w[h];
    offset = bias[h];
#pragma unroll 8
    for (unsigned c = 0; c < cells; c++)
        x[i + (size_t)c * apart] = own * u[from + (size_t)c * more] + offset;
}

// A pass with a tile per block: u is read once for all channels.
struct nothing {
};

struct lift {
    enum { ACROSS = false, SUMS = 0, WARPS = 8, PER = 4 };
    typedef nothing Cell;
    const float *u, *w, *bias;
    float *x;

    __device__ float2 param(int h) const { return {w[h], bias[h]}; }
    __device__ void take(unsigned, Cell *) const {}
    __device__ float term(Cell, float2) const { return 0.0f; }
    __device__ float settle(float, unsigned r, bool, float *,
                            struct dwconv_shape) const
    {
        return u[r];
    }
    __device__ void put(float own, Cell, float2 p, unsigned at, float *) const
    {
        __stcs(x + at, p.x * own + p.y);
    }
};

// Rows that are no multiple of 8 cells begin within a sector of 32 bytes. Tiles
// would then share sectors, and a sector that is written in part has to be read.
cudaError_t train_lift(const float *u, const float *w, const float *bias,
                       float *x, struct dwconv_shape s, cudaStream_t stream)
{
    unsigned apart = apart_for(s);

    if (s.L % 8 == 0)
        tile_pass<lift, lift::WARPS, lift::PER>
            <<<pass_tiles(s), lift::WARPS * PASS_STEPS, 0, stream>>>(
                {u, w, bias, x}, s, NULL, NULL);
    else
        lift_cells<<<blocks_for(apart), THREADS, 0, stream>>>(u, w, bias, x, s,
                                                              apart);
    return cudaGetLastError();
}

// A pass.
struct one_number {
    float x;
};

struct lift_grad {
    enum { ACROSS = false, SUMS = 2, WARPS = 8, PER = 3 };
    typedef one_number Cell;
    const float *u, *dx;

    __device__ float2 param(int) const { return {0.0f, 0.0f}; }
    __device__ void take(unsigned at, Cell *v) const { v->x = __ldcs(dx + at); }
    __device__ float term(Cell, float2) const { return 0.0f; }
    __device__ float settle(float, unsigned r, bool, float *,
                            struct dwconv_shape) const
    {
        return u[r];
    }
    __device__ void put(float own, Cell v, float2, unsigned, float *part) const
    {
        part[0] += own * v.x;
        part[1] += v.x;
    }
};

// A block per channel, first of dw, then of dbias.
static __global__ void lift_settle(const float *partial, unsigned blocks,
                                   float *dw, float *dbias, unsigned H)
{
    unsigned i = blockIdx.x;
    float sum = over_blocks(partial, blocks, i, 2 * H);

    if (threadIdx.x == 0)
        *(i < H ? dw + i : dbias + i - H) = sum;
}

size_t train_lift_grad_partial(struct dwconv_shape s)
{
    return (size_t)pass_blocks(s, lift_grad::PER) * lift_grad::SUMS * s.H;
}

cudaError_t train_lift_grad(const float *u, const float *dx, float *dw,
                            float *dbias, float *partial,
                            struct dwconv_shape s, cudaStream_t stream)
{
    unsigned blocks = pass_blocks(s, lift_grad::PER);

    tile_pass<lift_grad, lift_grad::WARPS, lift_grad::PER>
        <<<blocks, lift_grad::WARPS * PASS_STEPS, 0, stream>>>({u, dx}, s,
                                                               partial, NULL);
    lift_settle<<<2 * s.H, THREADS, 0, stream>>>(partial, blocks, dw, dbias,
                                                 s.H);
    return cudaGetLastError();
}

// Tile: a lane per step r = b L + t, a warp per channel and every WARPS-th
// after it. A thread reads back only what it kept itself.
static __global__ void rms(const float *__restrict__ x, const float *gamma,
                           float *__restrict__ n, struct dwconv_shape s)
{
    __shared__ float kept[KEPT][LANES], of_warp[WARPS][LANES];
    int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    unsigned r = blockIdx.x * LANES + lane; // may pass B L
    bool inside = r < (unsigned)s.B * s.L;
    size_t first = (size_t)(r / s.L) * s.H * s.L + r % s.L;
    float squares = 0.0f, scale;

#pragma unroll 16
    for (int h = warp; h < s.H; h += WARPS) {
        float value = inside ? x[first + (size_t)h * s.L] : 0.0f;

        squares += value * value;
        if (h < KEPT)
            kept[h][lane] = value;
    }
    of_warp[warp][lane] = squares;
    __syncthreads(); // each warp has left its sums
    if (!inside)
        return;
    squares = 0.0f;
    for (int w = 0; w < WARPS; w++)
        squares += of_warp[w][lane];
    scale = rsqrtf(squares / s.H + BLOCK_RMS_EPS);
#pragma unroll 8
    for (int h = warp; h < s.H; h += WARPS) {
        size_t i = first + (size_t)h * s.L;

        n[i] = gamma[h] * scale * (h < KEPT ? kept[h][lane] : x[i]);
    }
}

cudaError_t train_rms(const float *x, const float *gamma, float *n,
                      struct dwconv_shape s, cudaStream_t stream)
{
    unsigned tiles = ((unsigned)s.B * s.L - 1) / LANES + 1;

    rms<<<tiles, THREADS, 0, stream>>>(x, gamma, n, s);
    return cudaGetLastError();
}

// Cells.
static __global__ void swish(const float *__restrict__ z, const float *bias,
                             const float *__restrict__ skip,
                             float *__restrict__ y, struct dwconv_shape s,
                             unsigned apart)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x; // may pass apart
    size_t n = (size_t)s.B * s.H * s.L;
    unsigned cells;
    float own;

    if (i >= apart)
        return;
    cells = cells_of(n, i, apart);
    own = bias[i / s.L % s.H];
#pragma unroll 8
    for (unsigned c = 0; c < cells; c++) {
        size_t cell = i + (size_t)c * apart;
        float a = z[cell] + own;

        y[cell] = skip[cell] + __fdividef(a, 1.0f + __expf(-a));
    }
}

cudaError_t train_swish(const float *z, const float *bias, const float *skip,
                        float *y, struct dwconv_shape s, cudaStream_t stream)
{
    unsigned apart = apart_for(s);

    swish<<<blocks_for(apart), THREADS, 0, stream>>>(z, bias, skip, y, s,
                                                     apart);
    return cudaGetLastError();
}

// A pass; each block leaves a part of the loss.
struct read_out {
    enum { ACROSS = true, SUMS = 0, WARPS = 8, PER = 4 };
    typedef one_number Cell;
    const float *x, *w, *bias, *target;
    float *de;

    __device__ float2 param(int h) const { return {w[h], 0.0f}; }
    __device__ void take(unsigned at, Cell *v) const { v->x = __ldcs(x + at); }
    __device__ float term(Cell v, float2 p) const { return p.x * v.x; }
    __device__ float settle(float sum, unsigned r, bool mine, float *loss,
                            struct dwconv_shape s) const
    {
        unsigned steps = (unsigned)s.B * s.L;
        float e = sum + *bias - target[r];

        if (mine) {
            de[r] = 2.0f * e / steps;
            *loss += e * e / steps;
        }
        return e;
    }
    __device__ void put(float, Cell, float2, unsigned, float *) const {}
};

static __global__ void settle(const float *partial, unsigned blocks,
                              float *losses, const float *clock)
{
    float loss = over_blocks(partial, blocks, 0, 1);

    if (threadIdx.x == 0)
        losses[(unsigned)*clock - 1] = loss;
}

size_t train_read_out_partial(struct dwconv_shape s)
{
    return pass_blocks(s, read_out::PER);
}

cudaError_t train_read_out(const float *x, const float *w, const float *bias,
                           const float *target, float *de, float *losses,
                           const float *clock, float *partial,
                           struct dwconv_shape s, cudaStream_t stream)
{
    unsigned blocks = pass_blocks(s, read_out::PER);

    tile_pass<read_out, read_out::WARPS, read_out::PER>
        <<<blocks, read_out::WARPS * PASS_STEPS, 0, stream>>>(
            {x, w, bias, target, de}, s, NULL, partial);
    settle<<<1, THREADS, 0, stream>>>(partial, blocks, losses, clock);
    return cudaGetLastError();
}

// Steps; the last block sums for the bias.
static __global__ void __launch_bounds__(WIDE)
read_out_grad(const float *__restrict__ x, const float *w,
              const float *__restrict__ de, float *__restrict__ dx, float *dw,
              float *dbias, struct dwconv_shape s)
{
    unsigned h = blockIdx.x, steps = s.B * s.L;
    bool of_bias = h == (unsigned)s.H;
    struct steps at = first_step(s, h);
    float sum = 0.0f, weight = of_bias ? 0.0f : w[h];

    for (unsigned r = threadIdx.x; of_bias && r < steps; r += WIDE)
        sum += de[r];
#pragma unroll 8
    for (unsigned left = of_bias ? 0 : steps_left(at, steps); left > 0;
         left--) {
        float e = de[at.r];

        sum += e * x[at.cell];
        dx[at.cell] = e * weight;
        next_step(&at, s);
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        *(of_bias ? dbias : dw + h) = sum;
}

cudaError_t train_read_out_grad(const float *x, const float *w,
                                const float *de, float *dx, float *dw,
                                float *dbias, struct dwconv_shape s,
                                cudaStream_t stream)
{
    read_out_grad<<<s.H + 1, WIDE, 0, stream>>>(x, w, de, dx, dw, dbias, s);
    return cudaGetLastError();
}
