// SPDX-License-Identifier: MIT
/*
 * product.c: data, clock and checks of the peers; see product.h.
 */
#include "product.h"

#include <math.h>
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
static const double most_seconds = 1;
static const double tight = 0.005, confidence = 0.95;

static const struct kind kinds[] = {
    {"gemm_f32", CUDA_R_32F, CUBLAS_COMPUTE_32F_PEDANTIC, 4, ""},
    {"gemm_tf32", CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, 4, ""},
    {"gemm_bf16_bf16", CUDA_R_16BF, CUBLAS_COMPUTE_32F, 2, ""},
    {"gemm_bf16_bf16", CUDA_R_16F, CUBLAS_COMPUTE_32F, 2, "_fp16"},
};

static void *flush;
static size_t flush_bytes;
static char reason[REASON_BYTES]; /* of the last failure */

bool peer_fail(const char *what, const char *why)
{
    snprintf(reason, sizeof reason, "%s: %s", what, why);
    return false;
}

bool peer_fine(cudaError_t error, const char *what)
{
    return error == cudaSuccess || peer_fail(what, cudaGetErrorString(error));
}

bool peer_ok(cublasStatus_t status, const char *what)
{
    return status == CUBLAS_STATUS_SUCCESS ||
           peer_fail(what, cublasGetStatusString(status));
}

void peer_absent(const char *name, const char *peer)
{
    printf("absent %s/gemm/%s %s\n", name, peer, reason);
}

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

/* The bits of the nearest multiple of 2^-11: all of them up to 1 are fp16. */
static uint16_t fp16_bits(float value)
{
    int size = (int)lrintf(fabsf(value) * 0x1p11f), bits;
    uint16_t sign = value < 0 ? 0x8000 : 0;

    if (size == 0)
        return sign;
    frexp(size, &bits);
    return (uint16_t)(sign | (bits + 3) << 10 |
                      (size << 11 >> bits & 0x3ff));
}

/* Subnormals, infinities and NaN are not among the results. */
static float fp16_value(uint16_t half)
{
    float size = ldexpf((float)(0x400 | (half & 0x3ff)),
                        (half >> 10 & 0x1f) - 25);

    return (half & 0x7fff) == 0 ? 0 : half & 0x8000 ? -size : size;
}

static uint16_t narrow_bits(const struct kind *kind, float value)
{
    return kind->type == CUDA_R_16F ? fp16_bits(value) : bf16_bits(value);
}

static float narrow_value(const struct kind *kind, uint16_t half)
{
    return kind->type == CUDA_R_16F ? fp16_value(half) : bf16_value(half);
}

/* Copies n values to the device, and rounds them if its type is narrower. */
static bool upload(void **device, float *host, size_t n,
                   const struct kind *kind)
{
    size_t bytes = kind->bytes;
    uint16_t *narrow = bytes == 2 ? malloc(n * bytes) : NULL;
    bool done;

    for (size_t i = 0; narrow && i < n; i++) {
        narrow[i] = narrow_bits(kind, host[i]);
        host[i] = narrow_value(kind, narrow[i]);
    }
    done = (bytes != 2 || narrow) && FINE(cudaMalloc(device, n * bytes)) &&
           FINE(cudaMemcpy(*device, narrow ? (void *)narrow : host, n * bytes,
                           cudaMemcpyHostToDevice));
    free(narrow);
    return done;
}

/* n values, uniform in [-1, 1), on the host and the device. */
static bool fill(float **host, void **device, size_t n,
                 const struct kind *kind)
{
    static unsigned long long state = 1; /* Knuth's MMIX generator */

    *host = malloc(n * sizeof **host);
    if (!*host)
        return peer_fail("malloc", "no memory");
    for (size_t i = 0; i < n; i++) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        (*host)[i] = (float)(state >> 40) * 0x1p-23f - 1;
    }
    return upload(device, *host, n, kind);
}

static void drop(struct product *p)
{
    free(p->host_a);
    free(p->host_b);
    cudaFree(p->a);
    cudaFree(p->b);
    cudaFree(p->c);
}

double peer_time(const struct product *p, peer_launch *launch)
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
                   ? narrow_value(p->kind, half)
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

void peer_measure(const struct product *p, const char *name, const char *peer,
                  peer_launch *launch)
{
    static double samples[MOST + LEAST];
    static bool warm;
    struct interval t = {0, 0, 0};
    double until = now() + (warm ? warm_up : warm_up_first);
    int n = 0;

    while (now() < until)
        if (peer_time(p, launch) < 0)
            break;
    warm = true;
    until = now() + most_seconds;
    do {
        for (int i = 0; i < LEAST; i++) {
            samples[n] = peer_time(p, launch);
            if (!(samples[n++] > 0)) {
                peer_absent(name, peer);
                return;
            }
        }
        t = stats_median(samples, n, confidence);
    } while (n < MOST && !(stats_width(&t) <= tight) && now() < until);
    printf("row %s/gemm/%s %.6g %.6g %.6g %d %.3g\n", name, peer, t.median,
           t.low, t.high, n, error_of(p));
    fflush(stdout);
}

/* The operator that $OPERATORS says of a name. */
static const char *operator_of(const char *name)
{
    const char *line = getenv("OPERATORS");
    static char op[64];
    char at[64];

    for (; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1
                                                    : NULL) {
        if (sscanf(line, "%63s %63s", op, at) == 2 && strcmp(at, name) == 0)
            return op;
    }
    return kinds[0].op;
}

static void one_kind(struct product p, const char *name, const char *peer,
                     peer_one *one)
{
    char own[64];

    snprintf(own, sizeof own, "%s%s", peer, p.kind->suffix);
    if (fill(&p.host_a, &p.a, (size_t)p.M * (size_t)p.K, p.kind) &&
        fill(&p.host_b, &p.b, (size_t)p.K * (size_t)p.N, p.kind) &&
        FINE(cudaMalloc(&p.c, (size_t)p.M * (size_t)p.N * p.kind->bytes)))
        one(&p, name, own);
    else
        peer_absent(name, own);
    drop(&p);
}

static void one_shape(const char *name, const char *extents, const char *peer,
                      peer_one *one)
{
    struct product p = {0};
    int end = 0;

    if (sscanf(extents, "M%d N%d K%d%n", &p.M, &p.N, &p.K, &end) != 3 ||
        extents[end]) {
        peer_fail("no shape", extents);
        peer_absent(name, peer);
        return;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        p.kind = &kinds[i];
        if (strcmp(p.kind->op, operator_of(name)) == 0)
            one_kind(p, name, peer, one);
    }
}

int peer_main(int argc, char **argv, const char *peer, bool (*begin)(void),
              peer_one *one)
{
    int l2 = 0;

    if (FINE(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0)))
        flush_bytes = 2 * (size_t)l2;
    if (!flush_bytes || !begin() || !FINE(cudaMalloc(&flush, flush_bytes))) {
        printf("absent %s %s\n", peer, reason);
        return 0;
    }
    for (int i = 1; i + 1 < argc; i += 2)
        one_shape(argv[i], argv[i + 1], peer, one);
    return 0;
}
