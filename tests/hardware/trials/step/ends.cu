// SPDX-License-Identifier: MIT
// Trials for the kernels of a training step around chapter 24's: the norm,
// Swish with the next block's norm, the first and the last layer, and their
// gradients:
//
//   ends SECONDS B H L [B H L ...]   begins no size after SECONDS
//
// Prints a line per candidate: time, the time in which a copy moves what must
// be moved, and how far results are from those of the committed kernels.
// $MOST: a limit for blocks, so that each has many tiles. $REPS: trial.cuh.

#include "hints.cuh"
#include "pass.cuh"
#include "train/kernels.h"
#include "trial.cuh"

#include <math.h>
#include <string.h>
#include <time.h>

enum { FIXED = 132, WIDE = 1024, BYTES_OF_SUMS = 1 << 24 };
static const float rms_eps = 1e-5f;

static struct dwconv_shape s;
static size_t cells, steps;
static float *in, *out, *kept; // three arrays, two, two
static float *gammas, *bias, *u, *target, *of_channels, *sums, *extras;
static float *kept_channels, *clocks, *losses, *partial, *worst;
static float copy_ms; // of two arrays

// What the kernels take and make: arrays in[0], in[1]; out[0], out[1]; per
// channel of_channels (2 H).
static float *in_of(int i) { return in + i * cells; }
static float *out_of(int i) { return out + i * cells; }

// Operations ------------------------------------------------------------------

struct one_number {
    float x;
};

struct rms_norm {
    enum { ACROSS = true, SUMS = 0 };
    typedef one_number Cell;
    const float *x, *gamma;
    float *n;

    __device__ float2 param(int h) const { return {gamma[h], 0.0f}; }
    __device__ void take(unsigned at, Cell *v) const { v->x = LOAD(x + at); }
    __device__ float term(Cell *v, float2, unsigned, bool) const
    {
        return v->x * v->x;
    }
    __device__ float settle(float sum, unsigned, bool, float *,
                            struct dwconv_shape s) const
    {
        return rsqrtf(sum / s.H + rms_eps);
    }
    __device__ void put(float own, Cell v, float2 p, unsigned at, float *) const
    {
        STORE(n + at, p.x * own * v.x);
    }
};

// y = skip + swish(z + bias), and the norm of y.
struct swish_norm {
    enum { ACROSS = true, SUMS = 0 };
    struct Cell {
        float x, skip;
    };
    const float *z, *bias, *skip, *gamma;
    float *y, *n;

    __device__ float2 param(int h) const { return {gamma[h], bias[h]}; }
    __device__ void take(unsigned at, Cell *v) const
    {
        v->x = LOAD(z + at);
        v->skip = LOAD(skip + at);
    }
    __device__ float term(Cell *v, float2 p, unsigned at, bool inside) const
    {
        float a = v->x + p.y;

        v->x = v->skip + __fdividef(a, 1.0f + __expf(-a));
        if (inside)
            STORE(y + at, v->x);
        return v->x * v->x;
    }
    __device__ float settle(float sum, unsigned, bool, float *,
                            struct dwconv_shape s) const
    {
        return rsqrtf(sum / s.H + rms_eps);
    }
    __device__ void put(float own, Cell v, float2 p, unsigned at, float *) const
    {
        STORE(n + at, p.x * own * v.x);
    }
};

struct nothing {
};

struct lift {
    enum { ACROSS = false, SUMS = 0 };
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
        STORE(x + at, p.x * own + p.y);
    }
};

struct lift_grad {
    enum { ACROSS = false, SUMS = 2 };
    typedef one_number Cell;
    const float *u, *dx;

    __device__ float2 param(int) const { return {0.0f, 0.0f}; }
    __device__ void take(unsigned at, Cell *v) const { v->x = LOAD(dx + at); }
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

// The read-out, the loss and its gradients: x is read once.
struct loss {
    enum { ACROSS = true, SUMS = 1 };
    typedef one_number Cell;
    const float *x, *w, *bias, *target;
    float *dx;

    __device__ float2 param(int h) const { return {w[h], 0.0f}; }
    __device__ void take(unsigned at, Cell *v) const { v->x = LOAD(x + at); }
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
        STORE(dx + at, own * p.x);
        part[0] += own * v.x;
    }
};

// Candidates ------------------------------------------------------------------

static unsigned blocks_for(unsigned per)
{
    const char *said = getenv("MOST");
    unsigned most = said ? (unsigned)atoi(said) : per * FIXED;
    unsigned tiles = tiles_of(s);

    return per && most < tiles ? most : tiles;
}

// run: tiles in a row; 0: all tiles of a block.
template <class Op, int WARPS, int PER, bool AHEAD>
static cudaError_t pass_of(Op op, bool extra, bool stays = true,
                           unsigned run = 1)
{
    unsigned blocks = blocks_for(stays ? PER : 0);

    if ((size_t)blocks * s.H * PARTS > BYTES_OF_SUMS / sizeof(float) &&
        Op::SUMS > 0)
        return cudaErrorInvalidValue;
    if (run != 1 && s.H > KEPT)
        return cudaErrorInvalidValue;
    if (run == 0)
        run = (tiles_of(s) - 1) / blocks + 1;
    tile_pass<Op, WARPS, PER, AHEAD>
        <<<blocks, WARPS * LANES>>>(op, s, sums, extras, run);
    if (Op::SUMS)
        over_blocks<256><<<s.H * PARTS, 256>>>(sums, of_channels, blocks);
    if (extra)
        over_blocks<256><<<EXTRAS, 256>>>(extras, losses, blocks);
    return cudaGetLastError();
}

static rms_norm norm_op(void) { return {in_of(0), gammas, out_of(0)}; }
static swish_norm swish_norm_op(void)
{
    return {in_of(0), bias, in_of(1), gammas, out_of(1), out_of(0)};
}
static lift lift_op(void) { return {u, gammas, bias, out_of(0)}; }
static lift_grad lift_grad_op(void) { return {u, in_of(0)}; }
static loss loss_op(void)
{
    return {in_of(0), gammas, bias, target, out_of(0)};
}

template <class Op, Op op(void), int WARPS, int PER, bool AHEAD, bool EXTRA>
static cudaError_t stays(void)
{
    return pass_of<Op, WARPS, PER, AHEAD>(op(), EXTRA);
}

template <class Op, Op op(void), int WARPS, int PER>
static cudaError_t goes(void)
{
    return pass_of<Op, WARPS, PER, false>(op(), false, false);
}

template <class Op, Op op(void), int WARPS, int PER, bool EXTRA, unsigned RUN>
static cudaError_t runs(void)
{
    return pass_of<Op, WARPS, PER, true>(op(), EXTRA, true, RUN);
}

static cudaError_t norm_now(void)
{
    return train_rms(in_of(0), gammas, out_of(0), s, 0);
}

static cudaError_t swish_norm_now(void)
{
    cudaError_t error = train_swish(in_of(0), bias, in_of(1), out_of(1), s, 0);

    return error == cudaSuccess
               ? train_rms(out_of(1), gammas, out_of(0), s, 0)
               : error;
}

static cudaError_t lift_now(void)
{
    return train_lift(u, gammas, bias, out_of(0), s, 0);
}

static cudaError_t lift_grad_now(void)
{
    return train_lift_grad(u, in_of(0), of_channels, of_channels + s.H, partial,
                           s, 0);
}

static cudaError_t loss_now(void)
{
    return train_loss(in_of(0), gammas, bias, target, out_of(0), of_channels,
                      losses + 1, losses, clocks, partial, s, 0);
}

static cudaError_t copy(void)
{
    return trial_copy(in, out, cells * sizeof(float));
}

static cudaError_t fill(void)
{
    return cudaMemsetAsync(out, 0, cells * sizeof(float));
}

static __global__ void read_all(const float4 *from, size_t n, float *to)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    float sum = 0.0f;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
         i + 7 * step < n; i += 8 * step) {
        float4 v[8];

#pragma unroll
        for (int j = 0; j < 8; j++)
            v[j] = LOAD(from + i + j * step);
#pragma unroll
        for (int j = 0; j < 8; j++)
            sum += v[j].x + v[j].y + v[j].z + v[j].w;
    }
    if (sum == 1.2345678f) // never: but the compiler does not know
        *to = sum;
}

static cudaError_t read(void)
{
    read_all<<<8 * FIXED, 256>>>((const float4 *)in, cells / 4, losses);
    return cudaGetLastError();
}

// The largest |a - b| over |b| + unit.
static __global__ void differ(const float *a, const float *b, size_t n,
                              float unit, float *worst)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    float most = 0.0f;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += step) {
        float e = fabsf(a[i] - b[i]) / (fabsf(b[i]) + unit);

        most = e <= most ? most : e <= 1e30f ? e : 1e30f; // NaN is 1e30
    }
    atomicMax((unsigned *)worst, __float_as_uint(most));
}

enum { CELLS = 1, MORE = 2, CHANNELS = 4, LOSS = 8, BIAS = 16 };

static void clear(void)
{
    CHECK(cudaMemset(out, 0xff, 2 * cells * sizeof(float)));
    CHECK(cudaMemset(of_channels, 0xff, 2 * s.H * sizeof(float)));
    CHECK(cudaMemset(losses, 0xff, EXTRAS * sizeof(float)));
}

static void compare(const float *a, const float *b, size_t n, float unit)
{
    differ<<<TRIAL_BLOCKS, TRIAL_THREADS>>>(a, b, n, unit, worst);
    CHECK(cudaGetLastError());
}

static float kept_losses[EXTRAS];

// what: which results; arrays: how many a copy would have to move.
static void one(const char *name, cudaError_t (*launch)(void), int what,
                double arrays, bool first)
{
    cudaError_t error;
    float ms, off, got[EXTRAS];

    clear();
    error = launch();
    if (error != cudaSuccess) {
        cudaGetLastError(); // forgotten
        printf("  %-30s %s\n", name, cudaGetErrorName(error));
        return;
    }
    CHECK(cudaMemcpy(got, losses, sizeof got, cudaMemcpyDefault));
    if (first) {
        CHECK(cudaMemcpy(kept, out, 2 * cells * sizeof(float),
                         cudaMemcpyDefault));
        CHECK(cudaMemcpy(kept_channels, of_channels, 2 * s.H * sizeof(float),
                         cudaMemcpyDefault));
        memcpy(kept_losses, got, sizeof got);
    }
    CHECK(cudaMemset(worst, 0, sizeof *worst));
    if (what & CELLS)
        compare(out, kept, cells, what & CHANNELS ? 1.0f / steps : 1.0f);
    if (what & MORE)
        compare(out + cells, kept + cells, cells, 1.0f);
    if (what & CHANNELS)
        compare(of_channels, kept_channels, what & CELLS ? s.H : 2 * s.H,
                what & CELLS ? 1.0f / sqrtf(steps) : sqrtf(steps));
    CHECK(cudaMemcpy(&off, worst, sizeof off, cudaMemcpyDefault));
    if (what & LOSS && !(fabsf(got[0] / kept_losses[0] - 1) <= off))
        off = fabsf(got[0] / kept_losses[0] - 1);
    if (what & BIAS && !(fabsf(got[1] - kept_losses[1]) <= off))
        off = fabsf(got[1] - kept_losses[1]);
    ms = trial_median(launch, NULL, 0);
    printf("  %-30s %.4f ms, %.3f copies, off by %.1e%s\n", name, ms,
           copy_ms > 0 ? ms / (copy_ms * arrays / 2) : 0.0, off,
           off <= 1e-4f ? "" : " WRONG");
    fflush(stdout);
}

#define STAYS(op, w, per, ahead, extra)                                       \
    stays<decltype(op()), op, w, per, ahead, extra>
#define GOES(op, w, per) goes<decltype(op()), op, w, per>
#define RUNS(op, w, per, extra, run)                                          \
    runs<decltype(op()), op, w, per, extra, run>

static void candidates(void)
{
    printf("  one array written: %.4f ms, read: %.4f\n",
           trial_median(fill, NULL, 0), trial_median(read, NULL, 0));
    one("norm: now", norm_now, CELLS, 2, true);
    one("norm: 8w x3", GOES(norm_op, 8, 3), CELLS, 2, false);
    one("norm: 8w x4", GOES(norm_op, 8, 4), CELLS, 2, false);
    one("norm: 16w x2", GOES(norm_op, 16, 2), CELLS, 2, false);
    one("norm: 8w x3 ahead", STAYS(norm_op, 8, 3, true, false), CELLS, 2,
        false);
    one("norm: 8w x4 ahead", STAYS(norm_op, 8, 4, true, false), CELLS, 2,
        false);
    one("norm: 16w x2 ahead", STAYS(norm_op, 16, 2, true, false), CELLS, 2,
        false);
    one("norm: 16w x3 ahead", STAYS(norm_op, 16, 3, true, false), CELLS, 2,
        false);
    one("norm: 8w x3 ahead, runs of 3", RUNS(norm_op, 8, 3, false, 3), CELLS,
        2, false);
    one("norm: 8w x3 ahead, one run", RUNS(norm_op, 8, 3, false, 0), CELLS, 2,
        false);
    one("Swish, norm: now, two kernels", swish_norm_now, CELLS | MORE, 5, true);
    one("Swish, norm: 16w x2", GOES(swish_norm_op, 16, 2), CELLS | MORE, 4,
        false);
    one("Swish, norm: 16w x2 ahead, runs of 3",
        RUNS(swish_norm_op, 16, 2, false, 3), CELLS | MORE, 4, false);
    one("Swish, norm: 8w x2", GOES(swish_norm_op, 8, 2), CELLS | MORE, 4,
        false);
    one("Swish, norm: 8w x4", GOES(swish_norm_op, 8, 4), CELLS | MORE, 4,
        false);
    one("Swish, norm: 8w x2 ahead", STAYS(swish_norm_op, 8, 2, true, false),
        CELLS | MORE, 4, false);
    one("Swish, norm: 16w x2 ahead", STAYS(swish_norm_op, 16, 2, true, false),
        CELLS | MORE, 4, false);
    one("lift: now", lift_now, CELLS, 1, true);
    one("lift: 8w x4", GOES(lift_op, 8, 4), CELLS, 1, false);
    one("lift: 4w x8", GOES(lift_op, 4, 8), CELLS, 1, false);
    one("lift: 8w x4 stays", STAYS(lift_op, 8, 4, false, false), CELLS, 1,
        false);
    one("lift_grad: now", lift_grad_now, CHANNELS, 1, true);
    one("lift_grad: 8w x3 stays", STAYS(lift_grad_op, 8, 3, false, false),
        CHANNELS, 1, false);
    one("lift_grad: 8w x3 ahead", STAYS(lift_grad_op, 8, 3, true, false),
        CHANNELS, 1, false);
    one("lift_grad: 8w x3 ahead, runs of 3",
        RUNS(lift_grad_op, 8, 3, false, 3), CHANNELS, 1, false);
    one("lift_grad: 16w x2 ahead", STAYS(lift_grad_op, 16, 2, true, false),
        CHANNELS, 1, false);
    one("loss: now", loss_now, CELLS | CHANNELS | LOSS | BIAS, 2, true);
    one("loss: 8w x3 ahead", STAYS(loss_op, 8, 3, true, true),
        CELLS | CHANNELS | LOSS | BIAS, 2, false);
    one("loss: 8w x3 ahead, runs of 3", RUNS(loss_op, 8, 3, true, 3),
        CELLS | CHANNELS | LOSS | BIAS, 2, false);
    one("loss: 8w x3 ahead, one run", RUNS(loss_op, 8, 3, true, 0),
        CELLS | CHANNELS | LOSS | BIAS, 2, false);
    one("loss: 8w x4 ahead, runs of 3", RUNS(loss_op, 8, 4, true, 3),
        CELLS | CHANNELS | LOSS | BIAS, 2, false);
    one("loss: 16w x2 ahead", STAYS(loss_op, 16, 2, true, true),
        CELLS | CHANNELS | LOSS | BIAS, 2, false);
}

static float *room(size_t n)
{
    float *array;

    CHECK(cudaMalloc(&array, n * sizeof *array));
    return array;
}

static void size(int B, int H, int L)
{
    const float one_tick = 1.0f;

    s = (struct dwconv_shape){B, H, L, 1};
    steps = (size_t)B * L;
    cells = steps * H;
    float *all[] = {in = room(2 * cells),
                    out = room(2 * cells),
                    kept = room(2 * cells),
                    gammas = room(H),
                    bias = room(H),
                    u = room(steps),
                    target = room(steps),
                    of_channels = room(2 * H),
                    kept_channels = room(2 * H),
                    sums = room(BYTES_OF_SUMS / sizeof(float)),
                    extras = room(EXTRAS * (size_t)tiles_of(s)),
                    clocks = room(1),
                    losses = room(EXTRAS),
                    partial = room(train_lift_grad_partial(s) +
                                   train_loss_partial(s)),
                    worst = room(1)};

    trial_fill<<<TRIAL_BLOCKS, TRIAL_THREADS>>>(in, 2 * cells, 1, 4.0f, 0.25f);
    trial_fill<<<1, TRIAL_THREADS>>>(gammas, H, 2, 1.0f, 1.0f);
    trial_fill<<<1, TRIAL_THREADS>>>(bias, H, 3, 1.0f, 0.0f);
    trial_fill<<<TRIAL_BLOCKS, TRIAL_THREADS>>>(u, steps, 4, 2.0f, 0.0f);
    trial_fill<<<TRIAL_BLOCKS, TRIAL_THREADS>>>(target, steps, 5, 2.0f, 0.0f);
    CHECK(cudaMemcpy(clocks, &one_tick, sizeof one_tick, cudaMemcpyDefault));
    copy_ms = trial_median(copy, NULL, 0);
    printf("B%d H%d L%d: a copy of two arrays %.4f ms\n", B, H, L, copy_ms);
    candidates();
    for (float *array : all)
        CHECK(cudaFree(array));
}

int main(int count, char **args)
{
    time_t until = time(NULL) + atoi(args[1]);

    for (int i = 2; i + 2 < count && time(NULL) <= until; i += 3)
        size(atoi(args[i]), atoi(args[i + 1]), atoi(args[i + 2]));
    return 0;
}
