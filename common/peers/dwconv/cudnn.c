// SPDX-License-Identifier: MIT
/*
 * cudnn.c: what cuDNN takes for the same work, through its own C interface.
 *
 *   cudnn NAME "B16384 H128 L48 K48" [NAME SHAPE]...
 *
 * Built by cudnn.sh where cudnn.h is found. Prints the lines that results.c
 * describes, for the peer `cudnn`: input padded beforehand, a convolution of
 * H groups over an image of height 1, fp32 without tensor cores, the fastest of
 * the algorithms that cuDNN itself proposes. A shape or path that it refuses is
 * an `absent` line with its reason, and the next one goes on. An error here is
 * over the sum of |terms| of its own cell.
 */
#include <cuda_runtime_api.h>
#include <cudnn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/stats.h"

enum {
    LEAST = 30, MOST = 1000, /* samples */
    ALGORITHMS = 8,          /* looked at, of those that cuDNN proposes */
    CELLS = 64,              /* compared, of a result */
    REASON_BYTES = 160,
};
static const double warm_up_first = 3, warm_up = 0.2; /* seconds */
static const double most_seconds = 1.5;
static const double tight = 0.01, confidence = 0.95, error_limit = 1e-5;
static const size_t most_workspace = (size_t)8 << 30;

enum path { FORWARD, INPUT_GRAD, WEIGHT_GRAD, PATHS };
static const char *const path_names[PATHS] = {"forward", "input_grad",
                                              "weight_grad"};

struct shape {
    int B, H, L, K, P; /* P: a padded row, L + K - 1 */
};

/* Host and device arrays, and cuDNN's words for them. */
struct conv {
    struct shape s;
    float *host_x, *host_y, *host_w; /* x padded */
    float *x, *y, *w;
    void *workspace;
    size_t workspace_bytes;
    cudnnTensorDescriptor_t of_x, of_y;
    cudnnFilterDescriptor_t of_w;
    cudnnConvolutionDescriptor_t how;
    int algorithm;
};

static cudnnHandle_t cudnn;
static void *flush;
static size_t flush_bytes;
static char reason[REASON_BYTES]; /* of the last failure */

static bool ok(cudnnStatus_t status, const char *what)
{
    if (status != CUDNN_STATUS_SUCCESS)
        snprintf(reason, sizeof reason, "%s: %s", what,
                 cudnnGetErrorString(status));
    return status == CUDNN_STATUS_SUCCESS;
}

static bool fine(cudaError_t error, const char *what)
{
    if (error != cudaSuccess)
        snprintf(reason, sizeof reason, "%s: %s", what,
                 cudaGetErrorString(error));
    return error == cudaSuccess;
}

#define OK(call) ok(call, #call)
#define FINE(call) fine(call, #call)

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Uniform in [-1, 1): a 64-bit congruential generator (Knuth, MMIX). */
static float next_value(unsigned long long *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (float)(*state >> 40) * 0x1p-23f - 1;
}

static size_t count_x(const struct shape *s)
{
    return (size_t)s->B * s->H * s->P;
}

static size_t count_y(const struct shape *s)
{
    return (size_t)s->B * s->H * s->L;
}

static size_t count_w(const struct shape *s)
{
    return (size_t)s->H * s->K;
}

/* The inputs; the first K - 1 values of each row of x are the padding. */
static bool fill(struct conv *c)
{
    unsigned long long state = 1;
    size_t nx = count_x(&c->s), ny = count_y(&c->s), nw = count_w(&c->s);

    c->host_x = malloc(nx * sizeof *c->x);
    c->host_y = malloc(ny * sizeof *c->y);
    c->host_w = malloc(nw * sizeof *c->w);
    if (!c->host_x || !c->host_y || !c->host_w) {
        snprintf(reason, sizeof reason, "no memory");
        return false;
    }
    for (size_t i = 0; i < nx; i++)
        c->host_x[i] = (int)(i % (size_t)c->s.P) < c->s.K - 1
                           ? 0
                           : next_value(&state);
    for (size_t i = 0; i < ny; i++)
        c->host_y[i] = next_value(&state);
    for (size_t i = 0; i < nw; i++)
        c->host_w[i] = next_value(&state);
    return FINE(cudaMalloc((void **)&c->x, nx * sizeof *c->x)) &&
           FINE(cudaMalloc((void **)&c->y, ny * sizeof *c->y)) &&
           FINE(cudaMalloc((void **)&c->w, nw * sizeof *c->w));
}

/* Each path writes over one of the three arrays: all of them anew. */
static bool upload(const struct conv *c)
{
    return FINE(cudaMemcpy(c->x, c->host_x, count_x(&c->s) * sizeof *c->x,
                           cudaMemcpyHostToDevice)) &&
           FINE(cudaMemcpy(c->y, c->host_y, count_y(&c->s) * sizeof *c->y,
                           cudaMemcpyHostToDevice)) &&
           FINE(cudaMemcpy(c->w, c->host_w, count_w(&c->s) * sizeof *c->w,
                           cudaMemcpyHostToDevice));
}

static bool describe(struct conv *c)
{
    const struct shape *s = &c->s;

    return OK(cudnnCreateTensorDescriptor(&c->of_x)) &&
           OK(cudnnCreateTensorDescriptor(&c->of_y)) &&
           OK(cudnnCreateFilterDescriptor(&c->of_w)) &&
           OK(cudnnCreateConvolutionDescriptor(&c->how)) &&
           OK(cudnnSetTensor4dDescriptor(c->of_x, CUDNN_TENSOR_NCHW,
                                         CUDNN_DATA_FLOAT, s->B, s->H, 1,
                                         s->P)) &&
           OK(cudnnSetTensor4dDescriptor(c->of_y, CUDNN_TENSOR_NCHW,
                                         CUDNN_DATA_FLOAT, s->B, s->H, 1,
                                         s->L)) &&
           OK(cudnnSetFilter4dDescriptor(c->of_w, CUDNN_DATA_FLOAT,
                                         CUDNN_TENSOR_NCHW, s->H, 1, 1,
                                         s->K)) &&
           OK(cudnnSetConvolution2dDescriptor(c->how, 0, 0, 1, 1, 1, 1,
                                              CUDNN_CONVOLUTION,
                                              CUDNN_DATA_FLOAT)) &&
           OK(cudnnSetConvolutionGroupCount(c->how, s->H)) &&
           OK(cudnnSetConvolutionMathType(c->how, CUDNN_FMA_MATH));
}

static void drop(struct conv *c)
{
    free(c->host_x);
    free(c->host_y);
    free(c->host_w);
    cudaFree(c->x);
    cudaFree(c->y);
    cudaFree(c->w);
    cudaFree(c->workspace);
    if (c->of_x)
        cudnnDestroyTensorDescriptor(c->of_x);
    if (c->of_y)
        cudnnDestroyTensorDescriptor(c->of_y);
    if (c->of_w)
        cudnnDestroyFilterDescriptor(c->of_w);
    if (c->how)
        cudnnDestroyConvolutionDescriptor(c->how);
}

static bool launch(struct conv *c, enum path path)
{
    const float one = 1, zero = 0;

    switch (path) {
    case FORWARD:
        return OK(cudnnConvolutionForward(
            cudnn, &one, c->of_x, c->x, c->of_w, c->w, c->how,
            (cudnnConvolutionFwdAlgo_t)c->algorithm, c->workspace,
            c->workspace_bytes, &zero, c->of_y, c->y));
    case INPUT_GRAD:
        return OK(cudnnConvolutionBackwardData(
            cudnn, &one, c->of_w, c->w, c->of_y, c->y, c->how,
            (cudnnConvolutionBwdDataAlgo_t)c->algorithm, c->workspace,
            c->workspace_bytes, &zero, c->of_x, c->x));
    default:
        return OK(cudnnConvolutionBackwardFilter(
            cudnn, &one, c->of_x, c->x, c->of_y, c->y, c->how,
            (cudnnConvolutionBwdFilterAlgo_t)c->algorithm, c->workspace,
            c->workspace_bytes, &zero, c->of_w, c->w));
    }
}

struct proposal {
    int algorithm;
    size_t workspace_bytes;
};

#define TAKE(found, n)                                                        \
    for (int i = 0; i < (n); i++)                                             \
        if ((found)[i].status == CUDNN_STATUS_SUCCESS)                        \
            list[kept++] = (struct proposal){(int)(found)[i].algo,            \
                                             (found)[i].memory}

/* What cuDNN thinks is fastest, best first. Returns how many. */
static int propose(struct conv *c, enum path path,
                   struct proposal list[ALGORITHMS])
{
    int n = 0, kept = 0;

    if (path == FORWARD) {
        cudnnConvolutionFwdAlgoPerf_t found[ALGORITHMS];
        if (OK(cudnnGetConvolutionForwardAlgorithm_v7(
                cudnn, c->of_x, c->of_w, c->how, c->of_y, ALGORITHMS, &n,
                found)))
            TAKE(found, n);
    } else if (path == INPUT_GRAD) {
        cudnnConvolutionBwdDataAlgoPerf_t found[ALGORITHMS];
        if (OK(cudnnGetConvolutionBackwardDataAlgorithm_v7(
                cudnn, c->of_w, c->of_y, c->how, c->of_x, ALGORITHMS, &n,
                found)))
            TAKE(found, n);
    } else {
        cudnnConvolutionBwdFilterAlgoPerf_t found[ALGORITHMS];
        if (OK(cudnnGetConvolutionBackwardFilterAlgorithm_v7(
                cudnn, c->of_x, c->of_y, c->how, c->of_w, ALGORITHMS, &n,
                found)))
            TAKE(found, n);
    }
    return kept;
}

/* Milliseconds of one launch with a cold L2; negative: it failed. */
static double time_one(struct conv *c, enum path path)
{
    static cudaEvent_t begin, end;
    float ms = -1;

    if (!begin && (!FINE(cudaEventCreate(&begin)) ||
                   !FINE(cudaEventCreate(&end))))
        return -1;
    if (FINE(cudaMemsetAsync(flush, 0, flush_bytes, 0)) &&
        FINE(cudaEventRecord(begin, 0)) && launch(c, path) &&
        FINE(cudaEventRecord(end, 0)) && FINE(cudaEventSynchronize(end)) &&
        FINE(cudaEventElapsedTime(&ms, begin, end)))
        return ms;
    return -1;
}

/* Tries the proposals, keeps the fastest with its workspace. */
static bool choose(struct conv *c, enum path path)
{
    struct proposal list[ALGORITHMS], best = {0, 0};
    int n = propose(c, path, list);
    double fastest = INFINITY;

    for (int i = 0; i < n; i++) {
        if (list[i].workspace_bytes > most_workspace)
            continue;
        cudaFree(c->workspace);
        c->workspace = NULL;
        c->workspace_bytes = list[i].workspace_bytes;
        c->algorithm = list[i].algorithm;
        if (c->workspace_bytes &&
            !FINE(cudaMalloc(&c->workspace, c->workspace_bytes)))
            continue;
        time_one(c, path); /* the first call loads code */
        double ms = time_one(c, path);
        if (ms > 0 && ms < fastest) {
            fastest = ms;
            best = list[i];
        }
    }
    cudaFree(c->workspace);
    c->workspace = NULL;
    c->workspace_bytes = best.workspace_bytes;
    c->algorithm = best.algorithm;
    if (c->workspace_bytes)
        FINE(cudaMalloc(&c->workspace, c->workspace_bytes));
    return fastest < INFINITY;
}

/* One cell of a result in double precision: its value, and sum |terms|. */
static double cell(const struct conv *c, enum path path, size_t i,
                   double *size)
{
    const struct shape *s = &c->s;
    size_t width = (size_t)(path == WEIGHT_GRAD ? s->K : s->L);
    size_t row = i / width, h = row % (size_t)s->H;
    int at = (int)(i % width), halo = s->K - 1;
    double sum = 0;

    *size = 0;
    for (int k = 0; path != WEIGHT_GRAD && k < s->K; k++) {
        double w = c->host_w[h * (size_t)s->K + (size_t)k], v = 0;
        if (path == FORWARD)
            v = c->host_x[row * (size_t)s->P + (size_t)(halo + at - k)];
        else if (at + k < s->L)
            v = c->host_y[row * width + (size_t)(at + k)];
        sum += w * v;
        *size += fabs(w * v);
    }
    for (size_t b = 0; path == WEIGHT_GRAD && b < (size_t)s->B; b++)
        for (int t = at; t < s->L; t++) {
            size_t r = b * (size_t)s->H + h;
            double v = (double)c->host_y[r * (size_t)s->L + (size_t)t] *
                       c->host_x[r * (size_t)s->P + (size_t)(halo + t - at)];
            sum += v;
            *size += fabs(v);
        }
    return sum;
}

/* The largest error of some cells over their sum |terms|; NAN: unreadable. */
static double error_of(const struct conv *c, enum path path)
{
    const struct shape *s = &c->s;
    const float *from = path == FORWARD      ? c->y
                        : path == INPUT_GRAD ? c->x
                                             : c->w;
    size_t n = path == WEIGHT_GRAD ? count_w(s) : count_y(s);
    double worst = 0;

    for (int j = 0; j < CELLS; j++) {
        size_t i = n / CELLS * (size_t)j + (size_t)j % (n / CELLS + 1), at = i;
        double size, want;
        float got;
        if (i >= n)
            break;
        want = cell(c, path, i, &size);
        if (path == INPUT_GRAD) /* behind the padding of its row */
            at = i / (size_t)s->L * (size_t)s->P + (size_t)(s->K - 1) +
                 i % (size_t)s->L;
        if (!FINE(cudaMemcpy(&got, from + at, sizeof got,
                             cudaMemcpyDeviceToHost)))
            return NAN;
        if (!(fabs(got - want) <= worst * size))
            worst = fabs(got - want) / fmax(size, 1e-30);
    }
    return worst;
}

static void measure(struct conv *c, enum path path, const char *key,
                    double error)
{
    static double samples[MOST + LEAST];
    static bool warm;
    struct interval t = {0, 0, 0};
    double until = now() + (warm ? warm_up : warm_up_first);
    int n = 0;

    while (now() < until)
        if (time_one(c, path) < 0)
            break;
    warm = true;
    until = now() + most_seconds;
    do {
        for (int i = 0; i < LEAST; i++) {
            samples[n] = time_one(c, path);
            if (!(samples[n++] > 0)) {
                printf("absent %s %s\n", key, reason);
                return;
            }
        }
        t = stats_median(samples, n, confidence);
    } while (n < MOST && !(stats_width(&t) <= tight) && now() < until);
    printf("row %s %.6g %.6g %.6g %d %.3g\n", key, t.median, t.low, t.high, n,
           error);
    fflush(stdout);
}

static void one_path(struct conv *c, const char *name, enum path path)
{
    char key[96];
    double error;

    snprintf(key, sizeof key, "%s/%s/cudnn", name, path_names[path]);
    snprintf(reason, sizeof reason, "cuDNN proposes no algorithm for it");
    if (!upload(c) || !choose(c, path)) {
        printf("absent %s %s\n", key, reason);
        return;
    }
    error = upload(c) && launch(c, path) ? error_of(c, path) : NAN;
    if (!(error <= error_limit))
        printf("absent %s its result is off by %.2g\n", key, error);
    else
        measure(c, path, key, error);
}

static void one_shape(const char *name, const char *text)
{
    struct conv c = {.workspace = NULL};
    struct shape *s = &c.s;

    if (sscanf(text, "B%d H%d L%d K%d", &s->B, &s->H, &s->L, &s->K) != 4) {
        fprintf(stderr, "cudnn: %s is no shape\n", text);
        exit(2);
    }
    s->P = s->L + s->K - 1;
    if (!fill(&c) || !describe(&c))
        printf("absent %s/all/cudnn %s\n", name, reason);
    else
        for (int path = 0; path < PATHS; path++)
            one_path(&c, name, (enum path)path);
    drop(&c);
}

int main(int argc, char **argv)
{
    int l2 = 0;

    if (!FINE(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0)) ||
        !OK(cudnnCreate(&cudnn))) {
        printf("absent cudnn %s\n", reason);
        return 0;
    }
    flush_bytes = 2 * (size_t)l2;
    if (!FINE(cudaMalloc(&flush, flush_bytes))) {
        printf("absent cudnn %s\n", reason);
        return 0;
    }
    printf("label cudnn cuDNN's C interface\n");
    printf("version cudnn_c %zu\n", cudnnGetVersion());
    for (int i = 1; i + 1 < argc; i += 2)
        one_shape(argv[i], argv[i + 1]);
    return 0;
}
