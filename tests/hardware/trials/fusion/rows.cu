// SPDX-License-Identifier: MIT
// Trials for chapter 21's long rows:
//
//   rows MIB SECONDS COLUMNS...   rows of each length, MIB per array; begins no
//                                 length after SECONDS
//
// Built for one operation: -DSOLUTION='"PATH"' is the .cu that has it, -DMODE
// says which it is (below), -DHALF=1 that it is in bf16. Prints a line
// per candidate: time, per cent of a copy of as many bytes, and the largest
// error, of results and of sums over rows, beside double precision.
// $MOST_GROUPS: a limit for blocks that stay, so that they have many rows.
// $ONLY: what a candidate's name has to contain.

#include SOLUTION

#include "op/row_moments.cuh"
#include "op/row_sums.cuh"

#include "slide.cuh"
#include "trial.cuh"

#include <string.h>
#include <time.h>

#define SOFTMAX 0
#define SOFTMAX_BACKWARD 1
#define LAYER_NORM 2
#define LAYER_NORM_BACKWARD 3

#if HALF
typedef __nv_bfloat16 element;
#define NAME(op) op##_bf16
static const double limit = 1e-2;
#else
typedef float element;
#define NAME(op) op##_f32
static const double limit = 2e-4;
#endif

enum {
    WIDTH = CHIP_VECTOR / sizeof(element),
    INPUTS = MODE % 2 + 1,
    SUMS = MODE == LAYER_NORM_BACKWARD,
    STATS = 4, // numbers that a row's results follow from
    SLICES = 64
};
static const float eps = 1e-5f;
static const double sums_limit = 1e-3; // of an error, over the root of R

static element *x, *dy, *y; // dy lies behind x
static float *gammas, *betas, *dgamma, *dbeta, *work;
static double *stats, *sums, *worst;
static int R, C;
static size_t cells, work_bytes;
static float copy_ms;

#if MODE == SOFTMAX
typedef softmax<element> op_t;
static const char *const mode = "softmax";
static op_t op(void) { return {x, y}; }
static cudaError_t now(void)
{
    return NAME(softmax)(x, y, {R, C}, work, 0);
}
#elif MODE == SOFTMAX_BACKWARD
typedef softmax_backward<element> op_t;
static const char *const mode = "softmax_backward";
static op_t op(void) { return {x, dy, y}; }
static cudaError_t now(void)
{
    return NAME(softmax_backward)(x, dy, y, {R, C}, work, 0);
}
#elif MODE == LAYER_NORM
typedef layer_norm<element> op_t;
static const char *const mode = "layer_norm";
static op_t op(void) { return {x, gammas, betas, y, eps}; }
static cudaError_t now(void)
{
    return NAME(layer_norm)(x, gammas, betas, y, {R, C}, eps, work, 0);
}
#else
typedef layer_norm_backward<element> op_t;
static const char *const mode = "layer_norm_backward";
static op_t op(void) { return {x, dy, gammas, y, eps}; }
static cudaError_t now(void)
{
    size_t need = row_sums_workspace<op_t>(R, C);

    return need > work_bytes
               ? cudaErrorInvalidValue
               : NAME(layer_norm_backward)(x, dy, gammas, y, dgamma,
                                           dbeta, {R, C}, eps, work, 0);
}
#endif

// References ------------------------------------------------------------------

// What all threads have together: their sum, or the largest.
static __device__ double together(double v, bool largest)
{
    __shared__ double all[TRIAL_THREADS];

    __syncthreads(); // the call before has read
    all[threadIdx.x] = v;
    for (int n = TRIAL_THREADS / 2; n; n /= 2) {
        __syncthreads(); // the round before has written
        if ((int)threadIdx.x < n) {
            double other = all[threadIdx.x + n];

            all[threadIdx.x] = largest ? fmax(all[threadIdx.x], other)
                                       : all[threadIdx.x] + other;
        }
    }
    __syncthreads(); // all[0] is complete
    return all[0];
}

// A block per row: softmax: the largest and the sum; its gradient: the sum of
// products; layer norm: mean and scale; its gradient: the means of g and g z.
static __global__ void row_stats(const element *x, const element *dy,
                                 const float *gamma, double *stats, int C)
{
    const element *row = x + (size_t)blockIdx.x * C;
    const element *other = dy + (size_t)blockIdx.x * C;
    double a = 0, b = 0, c = 0, d = 0, s = 0, t = 0;

    if (MODE == SOFTMAX)
        a = -1e300;
    for (int i = threadIdx.x; i < C; i += TRIAL_THREADS) {
        double v = (double)(float)row[i];

        a = MODE == SOFTMAX            ? fmax(a, v)
            : MODE == SOFTMAX_BACKWARD ? a + v * (double)(float)other[i]
                                       : a + v;
    }
    a = together(a, MODE == SOFTMAX);
    a /= MODE >= LAYER_NORM ? C : 1;
    for (int i = threadIdx.x; i < C; i += TRIAL_THREADS) {
        double far = (double)(float)row[i] - a;

        b += MODE == SOFTMAX ? exp(far) : far * far;
    }
    b = together(b, false);
    if (MODE >= LAYER_NORM)
        b = 1 / sqrt(b / C + (double)eps);
    for (int i = threadIdx.x; SUMS && i < C; i += TRIAL_THREADS) {
        double g = (double)(float)other[i] * gamma[i];

        s += g;
        t += g * ((double)(float)row[i] - a) * b;
    }
    c = together(s, false) / C;
    d = together(t, false) / C;
    if (threadIdx.x == 0) {
        double *to = stats + (size_t)blockIdx.x * STATS;

        to[0] = a;
        to[1] = b;
        to[2] = c;
        to[3] = d;
    }
}

// A thread per column and slice of the rows.
static __global__ void column_sums(const element *x, const element *dy,
                                   const double *stats, double *sums, int C,
                                   int R)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    double a = 0, b = 0;

    if (c >= C)
        return;
    for (size_t r = blockIdx.y; r < (size_t)R; r += gridDim.y) {
        double g = (double)(float)dy[r * C + c];

        a += g * ((double)(float)x[r * C + c] - stats[r * STATS]) *
             stats[r * STATS + 1];
        b += g;
    }
    atomicAdd(sums + c, a);
    atomicAdd(sums + C + c, b);
}

static __device__ double worse(double a, double b)
{
    return b <= a ? a : b < 1e30 ? b : 1e30; // NaN is 1e30
}

// Doubles that are not negative are ordered as their bits are.
static __device__ void worst_of(double *all, double e)
{
    atomicMax((unsigned long long *)all,
              (unsigned long long)__double_as_longlong(e));
}

static __device__ double wanted(const double *s, double v, double g,
                                double gamma, double beta)
{
    switch (MODE) {
    case SOFTMAX:
        return exp(v - s[0]) / s[1];
    case SOFTMAX_BACKWARD:
        return v * (g - s[0]);
    case LAYER_NORM:
        return (v - s[0]) * s[1] * gamma + beta;
    default:
        return (g * gamma - s[2] - (v - s[0]) * s[1] * s[3]) * s[1];
    }
}

static __global__ void differ(const element *x, const element *dy,
                              const element *y, const float *gamma,
                              const float *beta, const double *stats, int C,
                              size_t n, double *worst)
{
    double most = 0, unit = MODE < LAYER_NORM ? 1.0 / C : 1;
    size_t step = (size_t)gridDim.x * blockDim.x;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += step) {
        int c = (int)(i % C);
        double want = wanted(stats + i / C * STATS, (double)(float)x[i],
                             INPUTS > 1 ? (double)(float)dy[i] : 0, gamma[c],
                             beta[c]);

        most = worse(most, fabs((double)(float)y[i] - want) /
                               (fabs(want) + unit));
    }
    worst_of(worst, most);
}

static __global__ void differ_sums(const float *a, const float *b,
                                   const double *sums, int C, double unit,
                                   double *worst)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;

    if (c < C)
        worst_of(worst, worse(worse(0, fabs(a[c] - sums[c]) / unit),
                              fabs(b[c] - sums[C + c]) / unit));
}

// Candidates ------------------------------------------------------------------

static struct stream_plan plan; // made once, and not in the time
static bool plans;

static void limit_groups(struct stream_plan *p)
{
    const char *most = getenv("MOST_GROUPS");

    if (most && p->groups > atoi(most)) {
        p->sums -= p->groups - atoi(most);
        p->groups = atoi(most);
    }
}

static cudaError_t planned(void)
{
    cudaError_t error = cudaSuccess;

    if (SUMS && (size_t)plan.sums * 2 * C * sizeof(float) > work_bytes)
        return cudaErrorInvalidValue;
    error = stream_launch(op_t(op()), plan, work, 0);
    if (SUMS && error == cudaSuccess) {
        row_sums_join<<<(2 * C - 1) / CHIP_LANES + 1, SUMS_THREADS>>>(
            work, dgamma, dbeta, C, plan.sums);
        error = cudaGetLastError();
    }
    return error;
}

static cudaError_t streams(cudaError_t (*plan_of)(size_t, int,
                                                  struct stream_plan *))
{
    if (plans) {
        cudaError_t error = plan_of(R, C, &plan);

        if (error != cudaSuccess)
            return error;
        limit_groups(&plan);
    }
    return planned();
}

// Rows that stream by words, by vectors, and by vectors with a warp per row.
template <class Way> static cudaError_t words(void)
{
    return streams(stream_plan_of<op_t, word_row<element>, Way>);
}

template <class Way> static cudaError_t shift(void)
{
    return streams(stream_plan_of<op_t, shifted_row<element>, Way>);
}

template <class Way> static cudaError_t warps(void)
{
    return streams(warp_plan_of<op_t, shifted_row<element>, Way>);
}

// Rows that slide into place (slide.cuh), with so many columns per thread.
template <int COLUMNS, int MOST, int PER> static cudaError_t slides(void)
{
    static struct slide_plan slide_plan;
    const char *most = getenv("MOST_GROUPS");
    cudaError_t error = cudaSuccess;

    if (plans)
        error = slide_plan_of<op_t, COLUMNS / WIDTH, MOST, PER>(R, C,
                                                                &slide_plan);
    if (plans && error == cudaSuccess && most && slide_plan.groups > atoi(most))
        slide_plan.groups = atoi(most);
    if (error == cudaSuccess && SUMS &&
        (size_t)slide_plan.groups * 2 * C * sizeof(float) > work_bytes)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = slide_launch(op_t(op()), slide_plan, work, 0);
    if (SUMS && error == cudaSuccess) {
        row_sums_join<<<(2 * C - 1) / CHIP_LANES + 1, SUMS_THREADS>>>(
            work, dgamma, dbeta, C, slide_plan.groups);
        error = cudaGetLastError();
    }
    return error;
}

// The same by blocks or clusters, one row ahead.
template <int COLUMNS, int MOST, int PER> static cudaError_t far(void)
{
    static struct slide_far_plan far_plan;
    const char *most = getenv("MOST_GROUPS");
    cudaError_t error = cudaSuccess;

    if (plans)
        error = slide_far_plan_of<op_t, COLUMNS / WIDTH, MOST, PER>(R, C,
                                                                    &far_plan);
    if (plans && error == cudaSuccess && most && far_plan.groups > atoi(most))
        far_plan.groups = atoi(most);
    if (error == cudaSuccess && SUMS &&
        (size_t)far_plan.groups * 2 * C * sizeof(float) > work_bytes)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = slide_far_launch(op_t(op()), far_plan, work, 0);
    if (SUMS && error == cudaSuccess) {
        row_sums_join<<<(2 * C - 1) / CHIP_LANES + 1, SUMS_THREADS>>>(
            work, dgamma, dbeta, C, far_plan.groups);
        error = cudaGetLastError();
    }
    return error;
}

#if MODE != LAYER_NORM_BACKWARD
template <class Row> static cudaError_t bulk(void)
{
    bool taken;
    cudaError_t error = bulk_run<by_cluster, Row>(op(), R, C, 0, &taken);

    return taken ? error : cudaErrorInvalidValue;
}

// A block per row, or some lanes of one.
static cudaError_t block(void)
{
    return chip_fits<op_t>(C) ? row_chip_run(op(), R, C, 0)
                              : cudaErrorInvalidValue;
}
#else
// Rows one after another through the same threads.
static cudaError_t ring(void)
{
    static struct sums_plan rings;
    op_t o = op();
    void *args[] = {&o, &rings.of_rows, &work};
    cudaError_t error =
        plans ? sums_plan_for<op_t>(R, C, &rings) : cudaSuccess;

    if (error != cudaSuccess)
        return error;
    if (!rings.kernel || rings.rows * 2 * C * sizeof(float) > work_bytes)
        return cudaErrorInvalidValue;
    error = cluster_launch(rings.kernel, &rings.of_rows, rings.rows, args, 0);
    if (error != cudaSuccess)
        return error;
    row_sums_join<<<(2 * C - 1) / CHIP_LANES + 1, SUMS_THREADS>>>(
        work, dgamma, dbeta, C, rings.rows);
    return cudaGetLastError();
}
#endif

static cudaError_t copy(void)
{
    return trial_copy(x, y, cells * sizeof(element) * (INPUTS + 1) / 2);
}

static void one(const char *name, cudaError_t (*launch)(void))
{
    const char *only = getenv("ONLY");
    double errors[2];
    float ms;

    if (only && !strstr(name, only))
        return;
    CHECK(cudaMemset(y, 0xff, cells * sizeof(element)));
    CHECK(cudaMemset(work, 0xff, work_bytes));
    CHECK(cudaMemset(dgamma, 0xff, C * sizeof(float)));
    CHECK(cudaMemset(dbeta, 0xff, C * sizeof(float)));
    CHECK(cudaMemset(worst, 0, sizeof errors));
    plans = true;
    cudaError_t error = launch();
    plans = false;
    if (error == cudaErrorInvalidValue) {
        cudaGetLastError(); // forgotten
        printf("%d columns: %-14s does not fit\n", C, name);
        return;
    }
    CHECK(error);
    differ<<<TRIAL_BLOCKS, TRIAL_THREADS>>>(x, dy, y, gammas, betas,
                                            stats, C, cells, worst);
    if (SUMS)
        differ_sums<<<C / TRIAL_THREADS + 1, TRIAL_THREADS>>>(
            dgamma, dbeta, sums, C, sqrt((double)R), worst + 1);
    CHECK(cudaMemcpy(errors, worst, sizeof errors, cudaMemcpyDefault));
    ms = trial_median(launch, NULL, 0);
    printf("%d columns: %-14s %.4f ms %5.1f %% of a copy, errors %.1e %.1e%s\n",
           C, name, ms, ms > 0 ? 100 * copy_ms / ms : 0.0f, errors[0],
           errors[1],
           errors[0] <= limit && errors[1] <= sums_limit ? "" : " WRONG");
    fflush(stdout);
}

// Columns per thread, as vectors.
#define V(columns) ((columns) / WIDTH)
// Softmax keeps no columns: what counts is the bytes of all inputs together.
enum { FEW = V(32) / INPUTS, MANY = V(64) / INPUTS, UNITS = 4 / INPUTS };

static void candidates(void)
{
    one("now", now);
    one("slide_8", slides<8, 1024, 1>);
    one("slide_8x2", slides<8, 544, 2>);
    one("slide_16", slides<16, 512, 1>);
    one("slide_16x2", slides<16, 288, 2>);
    one("far_16", far<16, 512, 1>);
    one("far_16x2", far<16, 288, 2>);
#if MODE != LAYER_NORM_BACKWARD
    one("far_32", far<32, 512, 1>);
    one("slide_32", slides<32, 544, 1>);
#endif
#if MODE == LAYER_NORM_BACKWARD
    one("ring", ring);
#else
    one("block", block);
#endif
#if MODE < LAYER_NORM
    one("words", words<stream_way<544, FEW, UNITS, 99>>);
    one("words_wide", words<stream_way<544, MANY, UNITS / 2, 3>>);
    one("bulk", bulk<word_row<element>>);
    one("bulk_shift", bulk<shifted_row<element>>);
    one("shift", shift<stream_way<512, FEW, UNITS, 99>>);
    one("shift_wide", shift<stream_way<512, MANY, UNITS / 2, 3>>);
#elif MODE == LAYER_NORM
    one("words_16", words<stream_way<512, V(16) + 1, 2, 99>>);
    one("bulk", bulk<word_row<element>>);
    one("warp_16", warps<stream_way<512, V(32), V(16), 99>>);
    one("shift_16", shift<stream_way<512, V(16), V(16), 99>>);
    one("shift_32", shift<stream_way<512, V(32), V(16), 99>>);
    one("shift_32x2", shift<stream_way<256, V(32), V(16), 99, 3, 2>>);
#else
    one("words_16", words<stream_way<512, V(16) + 1, 2, 2>>);
    one("warp_12", warps<stream_way<384, V(32), 2, 1>>);
    one("warp_8", warps<stream_way<256, V(32), V(16), 1>>);
    one("shift_16", shift<stream_way<512, V(16), 2, 2>>);
    one("shift_24", shift<stream_way<384, V(24), V(24) / 2, 1>>);
    one("shift_32", shift<stream_way<384, V(32), 2, 1>>);
    one("shift_64", shift<stream_way<256, V(64), 2, 2>>);
#endif
}

static void length(size_t of_array, int columns)
{
    const float scale = MODE == SOFTMAX_BACKWARD ? 2.0f / columns : 4.0f;
    const float shift = MODE == SOFTMAX_BACKWARD ? 1.0f / columns : 0.5f;

    C = columns;
    R = (int)(of_array / C);
    cells = (size_t)R * C;
    trial_fill<<<TRIAL_BLOCKS, TRIAL_THREADS>>>(x, cells, 1, scale, shift);
    trial_fill<<<TRIAL_BLOCKS, TRIAL_THREADS>>>(dy, cells, 2, 2.0f, 0.0f);
    row_stats<<<R, TRIAL_THREADS>>>(x, dy, gammas, stats, C);
    if (SUMS) {
        CHECK(cudaMemset(sums, 0, 2 * C * sizeof *sums));
        column_sums<<<dim3(C / TRIAL_THREADS + 1, SLICES), TRIAL_THREADS>>>(
            x, dy, stats, sums, C, R);
    }
    CHECK(cudaDeviceSynchronize());
    copy_ms = trial_median(copy, NULL, 0);
    printf("%d columns: %-14s %.4f ms, %s%s\n", C, "copy", copy_ms, mode,
           HALF ? " in bf16" : "");
    candidates();
}

int main(int count, char **args)
{
    size_t vectors = (size_t)(atof(args[1]) * (1 << 20)) / CHIP_VECTOR;
    size_t of_array = vectors * WIDTH, bytes = (vectors + 1) * CHIP_VECTOR;
    size_t most = 1, least = of_array;
    time_t until = time(NULL) + atoi(args[2]);

    for (int i = 3; i < count; i++) {
        size_t columns = atoi(args[i]);

        most = columns > most ? columns : most;
        least = columns < least ? columns : least;
    }
    work_bytes = bytes / 4 + (64 << 20);
    CHECK(cudaMalloc(&x, 2 * bytes));
    dy = (element *)((char *)x + bytes);
    CHECK(cudaMalloc(&y, INPUTS * bytes));
    CHECK(cudaMalloc(&work, work_bytes));
    CHECK(cudaMalloc(&gammas, most * sizeof(float)));
    CHECK(cudaMalloc(&betas, most * sizeof(float)));
    CHECK(cudaMalloc(&dgamma, most * sizeof(float)));
    CHECK(cudaMalloc(&dbeta, most * sizeof(float)));
    CHECK(cudaMalloc(&sums, 2 * most * sizeof *sums));
    CHECK(cudaMalloc(&stats, of_array / least * STATS * sizeof *stats));
    CHECK(cudaMalloc(&worst, 2 * sizeof *worst));
    trial_fill<<<TRIAL_BLOCKS, TRIAL_THREADS>>>(gammas, most, 5, 1.0f, 1.0f);
    trial_fill<<<TRIAL_BLOCKS, TRIAL_THREADS>>>(betas, most, 6, 1.0f, 0.0f);
    for (int i = 3; i < count && time(NULL) <= until; i++)
        length(of_array, atoi(args[i]));
    return 0;
}
