// SPDX-License-Identifier: MIT
// Trials for chapter 24's rms_backward, alone and with Swish's gradient of the
// block below:
//
//   norm SECONDS B H L [B H L ...]   begins no size after SECONDS
//
// Prints a line per candidate: time, the time in which a copy moves what must
// be moved, and errors beside double precision, of dx, dgamma, dz and dbias.
// $MOST: a limit for blocks, so that each has many tiles. $REPS: trial.cuh.

#include "norm.cuh"
#include "spans.cuh"
#include "trial.cuh"

#include <math.h>
#include <time.h>

// The solution before: a block per tile.
namespace before
{
#include "rms_grad_tile_on_chip.cu"
}

enum {
    FIXED = 132, // multiprocessors, on every GPU: sums keep their order
    SLICES = 256 // of the steps, for the reference
};
static const double limit = 1e-4;

static struct task a;
static float *dgamma, *dbias, *work, *in, *out;
static double *of_steps, *of_channels, *worst;
static size_t cells;
static float copy_ms[2]; // of 4 and of 6 arrays

// References ------------------------------------------------------------------

// A thread per step: its scale, and the mean that dx needs.
static __global__ void steps_of(struct task a, double *of_steps)
{
    unsigned r = blockIdx.x * blockDim.x + threadIdx.x;
    double squares = 0, dot = 0;

    if (r >= (unsigned)a.s.B * a.s.L)
        return;
    for (int h = 0; h < a.s.H; h++) {
        size_t i = cell_of(r, a.s) + (size_t)h * a.s.L;

        squares += (double)a.x[i] * a.x[i];
        dot += (double)a.gamma[h] * a.dn[i] * a.x[i];
    }
    of_steps[2 * r] = 1 / sqrt(squares / a.s.H + (double)BLOCK_RMS_EPS);
    of_steps[2 * r + 1] = dot / a.s.H;
}

static __device__ double wanted_dx(const struct task &a, const double *of_step,
                                   int h, size_t i)
{
    double own = of_step[0];

    return a.skip[i] + own * ((double)a.gamma[h] * a.dn[i] -
                              a.x[i] * own * own * of_step[1]);
}

static __device__ double wanted_dz(const struct task &a, double dx, int h,
                                   size_t i)
{
    double v = (double)a.z[i] + a.bias[h], sigma = 1 / (1 + exp(-v));

    return dx * sigma * (1 + v * (1 - sigma));
}

static __device__ void worst_of(double *all, double e)
{
    e = e <= 1e30 ? e : 1e30; // NaN, too
    atomicMax((unsigned long long *)all,
              (unsigned long long)__double_as_longlong(e));
}

// Column sums: dgamma, dbias, and the sums of their terms' absolute values.
static __global__ void judge_cells(struct task a, const double *of_steps,
                                   double *of_channels, double *worst)
{
    unsigned h = blockIdx.x;
    double sums[4] = {0, 0, 0, 0}, most[2] = {0, 0};

    for (unsigned r = blockIdx.y * blockDim.x + threadIdx.x;
         r < (unsigned)a.s.B * a.s.L; r += gridDim.y * blockDim.x) {
        size_t i = cell_of(r, a.s) + (size_t)h * a.s.L;
        double term = (double)a.dn[i] * a.x[i] * of_steps[2 * r];
        double dx = wanted_dx(a, of_steps + 2 * r, h, i);
        double dz = wanted_dz(a, dx, h, i), e;

        sums[0] += term;
        sums[1] += fabs(term);
        sums[2] += dz;
        sums[3] += fabs(dz);
        e = fabs(a.dx[i] - dx) / (fabs(dx) + 1);
        most[0] = e <= most[0] ? most[0] : e;
        e = fabs(a.dz[i] - dz) / (fabs(dz) + 1);
        most[1] = e <= most[1] ? most[1] : e;
    }
    for (int i = 0; i < 4; i++)
        atomicAdd(of_channels + 4 * h + i, sums[i]);
    worst_of(worst, most[0]);
    worst_of(worst + 2, most[1]);
}

static __global__ void judge_sums(const float *dgamma, const float *dbias,
                                  const double *of_channels, double *worst,
                                  int H)
{
    for (int h = threadIdx.x; h < H; h += blockDim.x) {
        const double *want = of_channels + 4 * h;

        worst_of(worst + 1, fabs(dgamma[h] - want[0]) / want[1]);
        worst_of(worst + 3, fabs(dbias[h] - want[2]) / want[3]);
    }
}

// Candidates ------------------------------------------------------------------

static unsigned blocks_for(unsigned per)
{
    const char *said = getenv("MOST");
    unsigned most = said ? (unsigned)atoi(said) : per * FIXED;
    unsigned tiles = tiles_of(a.s);

    return per && most < tiles ? most : tiles;
}

template <bool SWISH> static cudaError_t join_blocks(unsigned blocks)
{
    over_blocks<256><<<a.s.H, 256>>>(a.sums, dgamma, blocks);
    if (SWISH)
        over_blocks<256><<<a.s.H, 256>>>(a.of_bias, dbias, blocks);
    return cudaGetLastError();
}

static cudaError_t now(void)
{
    return rms_backward(a.x, a.gamma, a.dn, a.skip, a.dx, dgamma, a.s, work, 0);
}

static cudaError_t tile_on_chip(void)
{
    return before::rms_backward(a.x, a.gamma, a.dn, a.skip, a.dx, dgamma, a.s,
                                work, 0);
}

static cudaError_t now_swish(void)
{
    return swish_backward(a.z, a.bias, a.dx, a.dz, dbias, a.s, work, 0);
}

static cudaError_t now_both(void)
{
    cudaError_t error = now();

    return error == cudaSuccess ? now_swish() : error;
}

// STAYS: no more blocks than run at the same time.
template <int WARPS, int PER, bool STAYS, bool AHEAD, bool SWISH>
static cudaError_t lanes(void)
{
    unsigned blocks = blocks_for(STAYS ? PER : 0);

    if (SWISH && a.s.H > KEPT)
        return cudaErrorInvalidValue;
    a.run = 1;
    by_lanes<WARPS, PER, AHEAD, SWISH><<<blocks, WARPS * LANES>>>(a);
    return join_blocks<SWISH>(blocks);
}

// RUN tiles in a row; 0: all tiles of a block.
template <int WARPS, int PER, int RUN> static cudaError_t runs(void)
{
    unsigned blocks = blocks_for(PER);

    a.run = RUN ? RUN : (tiles_of(a.s) - 1) / blocks + 1;
    if (a.s.H > KEPT)
        return cudaErrorInvalidValue;
    by_lanes<WARPS, PER, true, false><<<blocks, WARPS * LANES>>>(a);
    return join_blocks<false>(blocks);
}

// Tiles of whole sequences of up to 64 steps, or 32 or 64 steps of longer ones.
template <int THREADS, int PER, int MINE> static cudaError_t spans(void)
{
    const int most = 64;
    int least = (KEPT - 1) / MINE + 1; // groups
    int longest = THREADS / least < most ? THREADS / least : most;
    int span = a.s.L <= longest ? longest / a.s.L * a.s.L
               : longest < most ? LANES
                                : most;
    unsigned steps = (unsigned)a.s.B * a.s.L, tiles = (steps - 1) / span + 1;
    unsigned blocks = blocks_for(PER);

    if (blocks > tiles)
        blocks = tiles;
    if (a.s.H > KEPT)
        return cudaErrorInvalidValue;
    by_spans<THREADS, PER, MINE><<<blocks, THREADS>>>(a, span);
    return join_blocks<false>(blocks);
}

template <int WARPS, int PER, bool STAYS, bool AHEAD>
static cudaError_t quads(void)
{
    unsigned blocks = blocks_for(STAYS ? PER : 0);

    if (a.s.L % QUAD != 0)
        return cudaErrorInvalidValue;
    by_quads<WARPS, PER, AHEAD><<<blocks, WARPS * LANES>>>(a);
    return join_blocks<false>(blocks);
}

template <int WARPS, int PER, int STAGES> static cudaError_t copies(void)
{
    unsigned blocks = blocks_for(PER);
    size_t chip = STAGES * STAGE * sizeof(float);
    auto kernel = a.s.L % QUAD == 0 ? by_copies<WARPS, PER, STAGES, 16>
                                    : by_copies<WARPS, PER, STAGES, 4>;
    cudaError_t error = cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)chip);

    if (error != cudaSuccess)
        return error;
    kernel<<<blocks, WARPS * LANES, chip>>>(a);
    return join_blocks<false>(blocks);
}

// What follows the norm's gradient where it is not in it.
template <cudaError_t norm(void)> static cudaError_t both(void)
{
    cudaError_t error = norm();

    return error == cudaSuccess ? now_swish() : error;
}

static cudaError_t copy_4(void)
{
    return trial_copy(in, out, 2 * cells * sizeof(float));
}

static cudaError_t copy_6(void)
{
    return trial_copy(in, out, 3 * cells * sizeof(float));
}

static void one(const char *name, cudaError_t (*launch)(void), bool swish)
{
    unsigned enough = tiles_of(a.s) / 4 + 1;
    unsigned slices = enough < SLICES ? enough : SLICES;
    double errors[4];
    bool right;
    float ms;

    CHECK(cudaMemset(out, 0xff, 3 * cells * sizeof(float)));
    CHECK(cudaMemset(dgamma, 0xff, a.s.H * sizeof(float)));
    CHECK(cudaMemset(dbias, 0xff, a.s.H * sizeof(float)));
    CHECK(cudaMemset(of_channels, 0, 4 * a.s.H * sizeof(double)));
    CHECK(cudaMemset(worst, 0, sizeof errors));
    cudaError_t error = launch();

    if (error != cudaSuccess) {
        cudaGetLastError(); // forgotten
        printf("  %-28s %s\n", name, cudaGetErrorName(error));
        return;
    }
    if (!swish) {
        CHECK(now_swish()); // for the reference's sake
    }
    judge_cells<<<dim3(a.s.H, slices), 128>>>(a, of_steps, of_channels, worst);
    judge_sums<<<1, 256>>>(dgamma, dbias, of_channels, worst, a.s.H);
    CHECK(cudaMemcpy(errors, worst, sizeof errors, cudaMemcpyDefault));
    right = errors[0] <= limit && errors[1] <= limit && errors[2] <= limit &&
            errors[3] <= limit;
    ms = trial_median(launch, NULL, 0);
    printf("  %-28s %.4f ms, %.3f copies, errors %.1e %.1e %.1e %.1e%s\n", name,
           ms, copy_ms[swish] > 0 ? ms / copy_ms[swish] : 0.0f, errors[0],
           errors[1], errors[2], errors[3], right ? "" : " WRONG");
    fflush(stdout);
}

static void candidates(void)
{
    one("now", now, false);
    one("tile on chip", tile_on_chip, false);
    one("lanes 8w x2", lanes<8, 2, false, false, false>, false);
    one("lanes 8w x3", lanes<8, 3, false, false, false>, false);
    one("lanes 16w x1", lanes<16, 1, false, false, false>, false);
    one("lanes 16w x2", lanes<16, 2, false, false, false>, false);
    one("lanes 16w x2 ahead, runs of 3", runs<16, 2, 3>, false);
    one("lanes 16w x2 ahead, one run", runs<16, 2, 0>, false);
    one("lanes 8w x2 ahead, runs of 3", runs<8, 2, 3>, false);
    one("lanes 8w x2 ahead, one run", runs<8, 2, 0>, false);
    one("spans 1024t x1", spans<1024, 1, 8>, false);
    one("spans 768t x1", spans<768, 1, 8>, false);
    one("spans 512t x2", spans<512, 2, 13>, false);
    one("spans 384t x2", spans<384, 2, 16>, false);
    one("lanes 8w x2 stays", lanes<8, 2, true, false, false>, false);
    one("lanes 16w x2 stays", lanes<16, 2, true, false, false>, false);
    one("lanes 8w x2 ahead", lanes<8, 2, true, true, false>, false);
    one("lanes 16w x1 ahead", lanes<16, 1, true, true, false>, false);
    one("lanes 16w x2 ahead", lanes<16, 2, true, true, false>, false);
    one("quads 8w x3", quads<8, 3, false, false>, false);
    one("quads 8w x3 stays", quads<8, 3, true, false>, false);
    one("quads 8w x2 ahead", quads<8, 2, true, true>, false);
    one("quads 8w x3 ahead", quads<8, 3, true, true>, false);
    one("quads 16w x2 ahead", quads<16, 2, true, true>, false);
    one("copies 8w x2, 2 on chip", copies<8, 2, 2>, false);
    one("copies 16w x2, 2 on chip", copies<16, 2, 2>, false);
    one("copies 16w x1, 4 on chip", copies<16, 1, 4>, false);
    one("now and Swish", now_both, true);
    one("ahead and Swish", both<lanes<16, 2, true, true, false>>, true);
    one("fused 16w x1 ahead", lanes<16, 1, true, true, true>, true);
    one("fused 16w x2 stays", lanes<16, 2, true, false, true>, true);
    one("fused 8w x2 stays", lanes<8, 2, true, false, true>, true);
}

static void size(int B, int H, int L)
{
    float *gamma, *bias;

    a.s = (struct block_shape){B, H, L};
    cells = (size_t)B * H * L;
    size_t padded = cells + 3 & ~(size_t)3, tiles = tiles_of(a.s);
    size_t need = tiles * H, other = swish_backward_workspace(a.s) / 4;

    CHECK(cudaMalloc(&in, 4 * padded * sizeof(float)));
    CHECK(cudaMalloc(&out, 3 * padded * sizeof(float)));
    CHECK(cudaMalloc(&gamma, H * sizeof(float)));
    CHECK(cudaMalloc(&bias, H * sizeof(float)));
    CHECK(cudaMalloc(&dgamma, H * sizeof(float)));
    CHECK(cudaMalloc(&dbias, H * sizeof(float)));
    CHECK(cudaMalloc(&work, (need > other ? need : other) * sizeof(float)));
    CHECK(cudaMalloc(&a.sums, need * sizeof(float)));
    CHECK(cudaMalloc(&a.of_bias, need * sizeof(float)));
    CHECK(cudaMalloc(&of_steps, 2 * (size_t)B * L * sizeof(double)));
    CHECK(cudaMalloc(&of_channels, 4 * H * sizeof(double)));
    CHECK(cudaMalloc(&worst, 4 * sizeof(double)));
    trial_fill<<<TRIAL_BLOCKS, TRIAL_THREADS>>>(in, 4 * padded, 1, 4.0f, 0.25f);
    trial_fill<<<1, TRIAL_THREADS>>>(gamma, H, 2, 1.0f, 1.0f);
    trial_fill<<<1, TRIAL_THREADS>>>(bias, H, 3, 1.0f, 0.0f);
    a.x = in;
    a.dn = in + padded;
    a.skip = in + 2 * padded;
    a.z = in + 3 * padded;
    a.dx = out;
    a.dz = out + padded;
    a.gamma = gamma;
    a.bias = bias;
    steps_of<<<((unsigned)B * L - 1) / 128 + 1, 128>>>(a, of_steps);
    CHECK(cudaDeviceSynchronize());
    copy_ms[0] = trial_median(copy_4, NULL, 0);
    copy_ms[1] = trial_median(copy_6, NULL, 0);
    printf("B%d H%d L%d: a copy of 4 arrays %.4f ms, of 6 %.4f\n", B, H, L,
           copy_ms[0], copy_ms[1]);
    candidates();
    void *all[] = {in, out, gamma, bias, dgamma, dbias, work, a.sums,
                   a.of_bias, of_steps, of_channels, worst};

    for (void *array : all)
        CHECK(cudaFree(array));
}

int main(int count, char **args)
{
    time_t until = time(NULL) + atoi(args[1]);

    for (int i = 2; i + 2 < count && time(NULL) <= until; i += 3)
        size(atoi(args[i]), atoi(args[i + 1]), atoi(args[i + 2]));
    return 0;
}
