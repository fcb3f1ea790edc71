// SPDX-License-Identifier: MIT
// Kernels of the sequence model: what stands around the convolution.
// (b, h, t) stands at (b H + h) L + t. All of these are bound by device memory,
// so each reads an array once, with many loads under way, in one of two ways:
//
//   cells   a thread takes cells a multiple of H L apart: it stays at its
//           (h, t), and neighbouring threads have neighbouring cells
//   pass    a block keeps 32 steps with all their channels on chip, or goes
//           through many such tiles, and asks ahead (pass.cuh)

#include "train/kernels.h"
#include "train/pass.cuh"

enum {
    THREADS = 256,      // per block
    TOGETHER = 1 << 17  // threads in all that run at the same time
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
    enum { ACROSS = false, AHEAD = false, SUMS = 0, EXTRAS = 0 };
    enum { WARPS = 8, PER = 4 };
    typedef nothing Cell;
    const float *u, *w, *bias;
    float *x;

    __device__ float2 param(int h) const { return {w[h], bias[h]}; }
    __device__ void take(unsigned, Cell *) const {}
    __device__ float term(Cell *, float2, unsigned, bool) const { return 0; }
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
// would then share sectors, and each would be written in part, at two times.
cudaError_t train_lift(const float *u, const float *w, const float *bias,
                       float *x, struct dwconv_shape s, cudaStream_t stream)
{
    unsigned apart = apart_for(s);

    if (s.L % 8 == 0)
        tile_pass<lift, lift::WARPS, lift::PER>
            <<<pass_tiles(s), lift::WARPS * PASS_STEPS, 0, stream>>>(
                {u, w, bias, x}, s, NULL);
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
    enum { ACROSS = false, AHEAD = true, SUMS = 2, EXTRAS = 0 };
    enum { WARPS = 8, PER = 3 };
    typedef one_number Cell;
    const float *u, *dx;

    __device__ float2 param(int) const { return {0.0f, 0.0f}; }
    __device__ void take(unsigned at, Cell *v) const { v->x = __ldcs(dx + at); }
    __device__ float term(Cell *, float2, unsigned, bool) const { return 0; }
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
    return (size_t)pass_blocks(s, lift_grad::PER) * pass_left<lift_grad>(s.H);
}

cudaError_t train_lift_grad(const float *u, const float *dx, float *dw,
                            float *dbias, float *partial,
                            struct dwconv_shape s, cudaStream_t stream)
{
    unsigned blocks = pass_blocks(s, lift_grad::PER);

    tile_pass<lift_grad, lift_grad::WARPS, lift_grad::PER>
        <<<blocks, lift_grad::WARPS * PASS_STEPS, 0, stream>>>({u, dx}, s,
                                                               partial);
    lift_settle<<<2 * s.H, THREADS, 0, stream>>>(partial, blocks, dw, dbias,
                                                 s.H);
    return cudaGetLastError();
}

// A pass with a tile per block.
struct rms {
    enum { ACROSS = true, AHEAD = false, SUMS = 0, EXTRAS = 0 };
    enum { WARPS = 8, PER = 4 };
    typedef one_number Cell;
    const float *x, *gamma;
    float *n;

    __device__ float2 param(int h) const { return {gamma[h], 0.0f}; }
    __device__ void take(unsigned at, Cell *v) const { v->x = x[at]; }
    __device__ float term(Cell *v, float2, unsigned, bool) const
    {
        return v->x * v->x;
    }
    __device__ float settle(float sum, unsigned, bool, float *,
                            struct dwconv_shape s) const
    {
        return rsqrtf(sum / s.H + BLOCK_RMS_EPS);
    }
    __device__ void put(float own, Cell v, float2 p, unsigned at, float *) const
    {
        n[at] = p.x * own * v.x;
    }
};

cudaError_t train_rms(const float *x, const float *gamma, float *n,
                      struct dwconv_shape s, cudaStream_t stream)
{
    tile_pass<rms, rms::WARPS, rms::PER>
        <<<pass_tiles(s), rms::WARPS * PASS_STEPS, 0, stream>>>({x, gamma, n},
                                                                s, NULL);
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

// A pass with a tile per block: y, and the norm of y for the block that
// follows.
struct swish_rms {
    enum { ACROSS = true, AHEAD = false, SUMS = 0, EXTRAS = 0 };
    enum { WARPS = 16, PER = 2 };
    struct Cell {
        float x, skip; // x: first z, then y
    };
    const float *z, *bias, *skip, *gamma;
    float *y, *n;

    __device__ float2 param(int h) const { return {gamma[h], bias[h]}; }
    __device__ void take(unsigned at, Cell *v) const
    {
        v->x = z[at];
        v->skip = skip[at];
    }
    __device__ float term(Cell *v, float2 p, unsigned at, bool inside) const
    {
        float a = v->x + p.y;

        v->x = v->skip + __fdividef(a, 1.0f + __expf(-a));
        if (inside)
            y[at] = v->x;
        return v->x * v->x;
    }
    __device__ float settle(float sum, unsigned, bool, float *,
                            struct dwconv_shape s) const
    {
        return rsqrtf(sum / s.H + BLOCK_RMS_EPS);
    }
    __device__ void put(float own, Cell v, float2 p, unsigned at, float *) const
    {
        n[at] = p.x * own * v.x;
    }
};

cudaError_t train_swish_rms(const float *z, const float *bias,
                            const float *skip, float *y, const float *gamma,
                            float *n, struct dwconv_shape s,
                            cudaStream_t stream)
{
    tile_pass<swish_rms, swish_rms::WARPS, swish_rms::PER>
        <<<pass_tiles(s), swish_rms::WARPS * PASS_STEPS, 0, stream>>>(
            {z, bias, skip, gamma, y, n}, s, NULL);
    return cudaGetLastError();
}

// A pass: the loss, and its gradients with it, so that x is read once.
struct loss {
    enum { ACROSS = true, AHEAD = true, SUMS = 1, EXTRAS = 2 };
    enum { WARPS = 8, PER = 3 };
    typedef one_number Cell;
    const float *x, *w, *bias, *target;
    float *dx;

    __device__ float2 param(int h) const { return {w[h], 0.0f}; }
    __device__ void take(unsigned at, Cell *v) const { v->x = x[at]; }
    __device__ float term(Cell *v, float2 p, unsigned, bool) const
    {
        return p.x * v->x;
    }
    __device__ float settle(float sum, unsigned r, bool mine, float *extra,
                            struct dwconv_shape s) const
    {
        unsigned steps = (unsigned)s.B * s.L;
        float e = sum + *bias - target[r], slope = 2.0f * e / steps;

        if (mine) {
            extra[0] += e * e / steps;
            extra[1] += slope;
        }
        return slope;
    }
    __device__ void put(float own, Cell v, float2 p, unsigned at,
                        float *part) const
    {
        dx[at] = own * p.x;
        part[0] += own * v.x;
    }
};

// A block per channel of dw, one for the loss, and one for dbias.
static __global__ void loss_settle(const float *partial, unsigned blocks,
                                   float *dw, float *dbias, float *losses,
                                   const float *clock, unsigned H)
{
    unsigned i = blockIdx.x;
    float sum = over_blocks(partial, blocks, i, pass_left<loss>(H));

    if (threadIdx.x == 0)
        *(i < H    ? dw + i
          : i == H ? losses + (unsigned)*clock - 1
                   : dbias) = sum;
}

size_t train_loss_partial(struct dwconv_shape s)
{
    return (size_t)pass_blocks(s, loss::PER) * pass_left<loss>(s.H);
}

cudaError_t train_loss(const float *x, const float *w, const float *bias,
                       const float *target, float *dx, float *dw, float *dbias,
                       float *losses, const float *clock, float *partial,
                       struct dwconv_shape s, cudaStream_t stream)
{
    unsigned blocks = pass_blocks(s, loss::PER);

    tile_pass<loss, loss::WARPS, loss::PER>
        <<<blocks, loss::WARPS * PASS_STEPS, 0, stream>>>(
            {x, w, bias, target, dx}, s, partial);
    loss_settle<<<pass_left<loss>(s.H), THREADS, 0, stream>>>(
        partial, blocks, dw, dbias, losses, clock, s.H);
    return cudaGetLastError();
}
