// SPDX-License-Identifier: MIT
/*
 * cublas.c: what cuBLAS takes for the same product, through its C interface.
 *
 *   cublas NAME "M4096 N4096 K4096" [NAME SHAPE]...
 *
 * Built by cublas.sh. Prints the lines that results.c describes, for the peer
 * `cublas` and the path `gemm`: random data, beta = 0, and a cold L2 before
 * each call. $OPERATORS says which operator each NAME is, and so the types:
 * lines of OPERATOR, a tab, NAME; fp32 without one. Only gemm_tf32 may round to
 * tf32. cuBLAS stores matrices by columns, so it is asked for the transpose:
 * C' = B' A'. An error here is over the sum of |terms| of its own cell.
 */
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/stats.h"

enum {
    LEAST = 20, MOST = 1000, /* samples */
    CELLS = 64,              /* compared, of a result */
    REASON_BYTES = 160,
};
static const double warm_up_first = 3, warm_up = 0.3; /* seconds */
static const double most_seconds = 3;
static const double tight = 0.005, confidence = 0.95;

/* The types of an operator: of A, B and C alike. */
struct kind {
    const char *op;
    cudaDataType_t type;
    cublasComputeType_t compute;
    size_t bytes;
};

static const struct kind kinds[] = {
    {"gemm_f32", CUDA_R_32F, CUBLAS_COMPUTE_32F_PEDANTIC, 4},
    {"gemm_tf32", CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, 4},
    {"gemm_bf16_bf16", CUDA_R_16BF, CUBLAS_COMPUTE_32F, 2},
};

struct product {
    int M, N, K;
    const struct kind *kind;
    float *host_a, *host_b; /* row-major, of values that the type holds */
    void *a, *b, *c;
};

static cublasHandle_t cublas;
static void *flush;
static size_t flush_bytes;
static char reason[REASON_BYTES]; /* of the last failure */

static bool ok(cublasStatus_t status, const char *what)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        snprintf(reason, sizeof reason, "%s: %s", what,
                 cublasGetStatusString(status));
    return status == CUBLAS_STATUS_SUCCESS;
}

static bool fine(cudaError_t error, const char *what)
{
    if (error != cudaSuccess)
        snprintf(reason, sizeof reason, "%s: %s", what,
                 cudaGetErrorString(error));
    return error == cudaSuccess;
}

#define OK(call)   ok(call, #call)
#define FINE(call) fine(call, #call)

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The bits of the nearest bf16; no NaN comes here. */
static uint16_t bf16_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static float bf16_value(uint16_t half)
{
    uint32_t bits = (uint32_t)half << 16;
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Copies n values to the device, and rounds them if its type is narrower. */
static bool upload(void **device, float *host, size_t n, size_t bytes)
{
    uint16_t *narrow = bytes == 2 ? malloc(n * bytes) : NULL;
    bool done;

    for (size_t i = 0; narrow && i < n; i++) {
        narrow[i] = bf16_bits(host[i]);
        host[i] = bf16_value(narrow[i]);
    }
    done = (bytes != 2 || narrow) && FINE(cudaMalloc(device, n * bytes)) &&
           FINE(cudaMemcpy(*device, narrow ? (void *)narrow : host, n * bytes,
                           cudaMemcpyHostToDevice));
    free(narrow);
    return done;
}

/* n values, uniform in [-1, 1), on the host and the device. */
static bool fill(float **host, void **device, size_t n, size_t bytes)
{
    static unsigned long long state = 1; /* Knuth's MMIX generator */

    *host = malloc(n * sizeof **host);
    if (!*host) {
        snprintf(reason, sizeof reason, "no memory");
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        (*host)[i] = (float)(state >> 40) * 0x1p-23f - 1;
    }
    return upload(device, *host, n, bytes);
}

static void drop(struct product *p)
{
    free(p->host_a);
    free(p->host_b);
    cudaFree(p->a);
    cudaFree(p->b);
    cudaFree(p->c);
}

static bool launch(const struct product *p)
{
    const float one = 1, zero = 0;
    cudaDataType_t type = p->kind->type;

    return OK(cublasGemmEx(cublas, CUBLAS_OP_N, CUBLAS_OP_N, p->N, p->M, p->K,
                           &one, p->b, type, p->N, p->a, type, p->K, &zero,
                           p->c, type, p->N, p->kind->compute,
                           CUBLAS_GEMM_DEFAULT));
}

/* Milliseconds of one call with a cold L2; negative: it failed. */
static double time_one(const struct product *p)
{
    static cudaEvent_t begin, end;
    float ms = -1;

    if (!begin && (!FINE(cudaEventCreate(&begin)) ||
                   !FINE(cudaEventCreate(&end))))
        return -1;
    if (FINE(cudaMemsetAsync(flush, 0, flush_bytes, 0)) &&
        FINE(cudaEventRecord(begin, 0)) && launch(p) &&
        FINE(cudaEventRecord(end, 0)) && FINE(cudaEventSynchronize(end)) &&
        FINE(cudaEventElapsedTime(&ms, begin, end)))
        return ms;
    return -1;
}

/* One cell of C; NAN: unreadable. */
static double result(const struct product *p, size_t cell)
{
    const char *at = (const char *)p->c + cell * p->kind->bytes;
    uint16_t half;
    float got;

    if (p->kind->bytes == 2)
        return FINE(cudaMemcpy(&half, at, 2, cudaMemcpyDeviceToHost))
                   ? bf16_value(half)
                   : NAN;
    return FINE(cudaMemcpy(&got, at, 4, cudaMemcpyDeviceToHost)) ? got : NAN;
}

/* The largest error of some cells over their sum |terms|; NAN: unreadable. */
static double error_of(const struct product *p)
{
    size_t cells = (size_t)p->M * (size_t)p->N;
    double worst = 0;

    for (size_t j = 0; j < CELLS && j < cells; j++) {
        size_t cell = cells / CELLS * j + j % (cells / CELLS + 1);
        size_t row = cell / (size_t)p->N, col = cell % (size_t)p->N;
        double sum = 0, size = 0, got;

        if (cell >= cells)
            break;
        for (size_t k = 0; k < (size_t)p->K; k++) {
            double term = (double)p->host_a[row * (size_t)p->K + k] *
                          p->host_b[k * (size_t)p->N + col];
            sum += term;
            size += fabs(term);
        }
        got = result(p, cell);
        if (!(fabs(got - sum) <= worst * size))
            worst = fabs(got - sum) / size;
    }
    return worst;
}

static void measure(const struct product *p, const char *name)
{
    static double samples[MOST + LEAST];
    static bool warm;
    struct interval t = {0, 0, 0};
    double until = now() + (warm ? warm_up : warm_up_first);
    int n = 0;

    while (now() < until)
        if (time_one(p) < 0)
            break;
    warm = true;
    until = now() + most_seconds;
    do {
        for (int i = 0; i < LEAST; i++) {
            samples[n] = time_one(p);
            if (!(samples[n++] > 0)) {
                printf("absent %s/gemm/cublas %s\n", name, reason);
                return;
            }
        }
        t = stats_median(samples, n, confidence);
    } while (n < MOST && !(stats_width(&t) <= tight) && now() < until);
    printf("row %s/gemm/cublas %.6g %.6g %.6g %d %.3g\n", name, t.median, t.low,
           t.high, n, error_of(p));
    fflush(stdout);
}

/* What $OPERATORS says of a name. */
static const struct kind *kind_of(const char *name)
{
    const char *line = getenv("OPERATORS");
    char op[64], at[64];

    for (; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1
                                                    : NULL) {
        if (sscanf(line, "%63s %63s", op, at) != 2 || strcmp(at, name) != 0)
            continue;
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (strcmp(kinds[i].op, op) == 0)
                return &kinds[i];
    }
    return &kinds[0];
}

static void one_shape(const char *name, const char *extents)
{
    struct product p = {0};
    int M, N, K, end = 0;

    if (sscanf(extents, "M%d N%d K%d%n", &M, &N, &K, &end) != 3 ||
        extents[end]) {
        printf("absent %s/gemm/cublas no shape: %s\n", name, extents);
        return;
    }
    p.M = M;
    p.N = N;
    p.K = K;
    p.kind = kind_of(name);
    if (fill(&p.host_a, &p.a, (size_t)M * (size_t)K, p.kind->bytes) &&
        fill(&p.host_b, &p.b, (size_t)K * (size_t)N, p.kind->bytes) &&
        FINE(cudaMalloc(&p.c, (size_t)M * (size_t)N * p.kind->bytes)))
        measure(&p, name);
    else
        printf("absent %s/gemm/cublas %s\n", name, reason);
    drop(&p);
}

int main(int argc, char **argv)
{
    int l2 = 0, version = 0;

    if (FINE(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0)))
        flush_bytes = 2 * (size_t)l2;
    if (!flush_bytes || !OK(cublasCreate(&cublas)) ||
        !OK(cublasGetVersion(cublas, &version)) ||
        !FINE(cudaMalloc(&flush, flush_bytes))) {
        printf("absent cublas %s\n", reason);
        return 0;
    }
    printf("label cublas cuBLAS\n");
    printf("version cublas %d\n", version);
    for (int i = 1; i + 1 < argc; i += 2)
        one_shape(argv[i], argv[i + 1]);
    return 0;
}
