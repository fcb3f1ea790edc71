// SPDX-License-Identifier: MIT
/*
 * contest.cuh: kernels of one product, checked, and timed in turns with cold
 * caches, beside cuBLAS.
 *
 *   contest_open    once, at the beginning
 *   contest         of one product: random A and B, the libraries, a stage of
 *                   the workbook as `now`, and candidates; a table of them, the
 *                   fastest first
 *   add             one more candidate: a launcher and its number of parts
 *   start           launches a kernel, in clusters if they have several blocks
 *
 * The libraries are cuBLAS and the best of cuBLASLt; beside them stand a copy,
 * two reads and an empty kernel.
 *
 * The hard idea: what "a cold L2" is. After a memset of twice its size, which
 * is how make bench does it, L2 is full of lines that have to be written back
 * while the kernel reads. So each candidate is timed a second time, with L2
 * full of lines that were only read.
 *
 * With -DSIMULATED nothing is timed, and there are no libraries.
 */
#ifndef CONTEST_CUH
#define CONTEST_CUH

#include <cuda_bf16.h>
#include <cuda_runtime.h>
#ifndef SIMULATED
#include <cublasLt.h>
#include <cublas_v2.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "op/gemm.h"

#define CUDA(call)                                                            \
    do {                                                                      \
        cudaError_t error_ = (call);                                          \
        if (error_ != cudaSuccess) {                                          \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call,              \
                   cudaGetErrorName(error_));                                 \
            exit(1);                                                          \
        }                                                                     \
    } while (0)

enum {
    MOST = 96,   // candidates
    ROUNDS = 41, // at most
    ALGORITHMS = 32,
    TRIES = 4,       // of each algorithm; the first does not count
    CELLS = 1 << 16, // compared, of a result
    PORTABLE = 8,    // blocks of a cluster; more a kernel must be allowed
    SCRATCH = 64 << 20 // bytes for parts of sums, and for libraries
};

struct product {
    struct gemm_shape s;
    void *a, *b, *c, *scratch, *half; // half: what copy and read use
    size_t bytes;                     // of A, B and C together
};

typedef bool launcher(const struct product *p, int parts);

struct candidate {
    char name[64];
    launcher *launch;
    int parts;
    bool result, absent; // result: it computes C
    float error, us[2][ROUNDS];
};

static struct candidate list[MOST];
static int listed, processors;
static void *flush[2];
static size_t flush_bytes;

static void add(const char *name, launcher *launch, int parts, bool result)
{
    struct candidate *c = &list[listed];

    for (int i = 0; i < listed; i++)
        if (strcmp(list[i].name, name) == 0)
            return;
    if (listed == MOST)
        return;
    listed++;
    memset(c, 0, sizeof *c);
    snprintf(c->name, sizeof c->name, "%s", name);
    c->launch = launch;
    c->parts = parts;
    c->result = result;
}

// Launches a kernel with so much dynamic shared memory; false: it was refused.
template <class... Wanted, class... Given>
static bool start(void (*kernel)(Wanted...), dim3 blocks, int threads,
                  int bytes, int cluster, Given... given)
{
    cudaLaunchConfig_t how = {};
    cudaLaunchAttribute of_cluster = {};

    of_cluster.id = cudaLaunchAttributeClusterDimension;
    of_cluster.val.clusterDim.x = cluster;
    of_cluster.val.clusterDim.y = of_cluster.val.clusterDim.z = 1;
    how.gridDim = blocks;
    how.blockDim = dim3(threads);
    how.dynamicSmemBytes = bytes;
    how.attrs = &of_cluster;
    how.numAttrs = cluster > 1;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         bytes);
    if (cluster > PORTABLE)
        cudaFuncSetAttribute(
            kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    return cudaLaunchKernelEx(&how, kernel, given...) == cudaSuccess;
}

// A stage of the workbook: its launcher, as a candidate.
template <class T, auto LAUNCH>
static bool stage_of(const struct product *p, int)
{
    return LAUNCH((const T *)p->a, (const T *)p->b, (T *)p->c, p->s, 1.0f,
                  0.0f, p->scratch, 0) == cudaSuccess;
}

// Reads n fours, eight at a time per thread.
static __global__ void read_all(const float4 *from, size_t n, float *out)
{
    size_t step = gridDim.x * (size_t)blockDim.x;
    float sum = 0.0f;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += 8 * step) {
        float4 v[8];

#pragma unroll
        for (int j = 0; j < 8; j++)
            v[j] = i + j * step < n ? __ldcs(from + i + j * step)
                                    : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll
        for (int j = 0; j < 8; j++)
            sum += v[j].x + v[j].y + v[j].z + v[j].w;
    }
    if (sum == 1.2345678f) // never: but the compiler does not know
        *out = sum;
}

static __global__ void copy_all(const float4 *from, float4 *to, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

    if (i < n)
        to[i] = from[i];
}

static __global__ void do_nothing()
{
}

static bool nothing(const struct product *, int)
{
    do_nothing<<<1, 32>>>();
    return true;
}

// As many bytes as the product, half of them read, the others written.
static bool copy(const struct product *p, int)
{
    size_t n = p->bytes / 2 / sizeof(float4);

    copy_all<<<(unsigned)((n + 255) / 256), 256>>>((float4 *)p->half,
                                                   (float4 *)p->half + n, n);
    return true;
}

static bool read(const struct product *p, int blocks)
{
    read_all<<<processors * blocks, 256>>>(
        (float4 *)p->half, p->bytes / sizeof(float4), (float *)p->c);
    return true;
}

static void make_cold(bool clean)
{
    CUDA(cudaMemsetAsync(flush[0], 0, flush_bytes, 0));
    for (int i = 0; clean && i < 2; i++)
        read_all<<<processors * 8, 256>>>((float4 *)flush[1],
                                          flush_bytes / sizeof(float4),
                                          (float *)flush[0]);
}

// Microseconds; negative: not for this shape.
static float sample(const struct product *p, launcher *launch, int parts,
                    bool clean)
{
    static cudaEvent_t begin, end;
    float ms;

    if (!begin) {
        CUDA(cudaEventCreate(&begin));
        CUDA(cudaEventCreate(&end));
    }
    make_cold(clean);
    CUDA(cudaEventRecord(begin, 0));
    if (!launch(p, parts))
        return -1.0f;
    CUDA(cudaEventRecord(end, 0));
    CUDA(cudaEventSynchronize(end));
    CUDA(cudaEventElapsedTime(&ms, begin, end));
    return ms * 1000.0f;
}

#ifdef SIMULATED
template <class T> static void add_libraries(const struct product *, int)
{
}
#else
static struct {
    cublasLtMatmulDesc_t multiply;
    cublasLtMatrixLayout_t a, b, c;
    cublasLtMatmulHeuristicResult_t found[ALGORITHMS];
    cudaDataType_t type;
    cublasComputeType_t compute;
} plan;
static cublasLtHandle_t lt;
static cublasHandle_t blas;

// By columns, as cuBLAS sees them: C' = B' A'.
static bool cublaslt(const struct product *p, int algorithm)
{
    const float one = 1, zero = 0;

    return cublasLtMatmul(lt, plan.multiply, &one, p->b, plan.b, p->a, plan.a,
                          &zero, p->c, plan.c, p->c, plan.c,
                          &plan.found[algorithm].algo, p->scratch, SCRATCH,
                          0) == CUBLAS_STATUS_SUCCESS;
}

static bool cublas(const struct product *p, int)
{
    const float one = 1, zero = 0;

    return cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, p->s.N, p->s.M, p->s.K,
                        &one, p->b, plan.type, p->s.ldb, p->a, plan.type,
                        p->s.lda, &zero, p->c, plan.type, p->s.ldc,
                        plan.compute,
                        CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS;
}

// How many algorithms the heuristic finds.
static int ask(struct gemm_shape s)
{
    cublasLtMatmulPreference_t wish;
    size_t bytes = SCRATCH;
    int n = 0;

    if (!lt && (cublasLtCreate(&lt) || cublasCreate(&blas)))
        return 0;
    cublasLtMatmulDescCreate(&plan.multiply, plan.compute, CUDA_R_32F);
    cublasLtMatrixLayoutCreate(&plan.a, plan.type, s.K, s.M, s.lda);
    cublasLtMatrixLayoutCreate(&plan.b, plan.type, s.N, s.K, s.ldb);
    cublasLtMatrixLayoutCreate(&plan.c, plan.type, s.N, s.M, s.ldc);
    cublasLtMatmulPreferenceCreate(&wish);
    cublasLtMatmulPreferenceSetAttribute(
        wish, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof bytes);
    cublasLtMatmulAlgoGetHeuristic(lt, plan.multiply, plan.b, plan.a, plan.c,
                                   plan.c, wish, ALGORITHMS, plan.found, &n);
    cublasLtMatmulPreferenceDestroy(wish);
    return n;
}

// tf32: whether fp32 may be rounded to it.
template <class T>
static void add_libraries(const struct product *p, int tf32)
{
    float least = 0.0f;
    int best = -1, n;

    plan.type = sizeof(T) == 2 ? CUDA_R_16BF : CUDA_R_32F;
    plan.compute = sizeof(T) == 2 ? CUBLAS_COMPUTE_32F
                   : tf32         ? CUBLAS_COMPUTE_32F_FAST_TF32
                                  : CUBLAS_COMPUTE_32F_PEDANTIC;
    n = ask(p->s);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < TRIES; j++) {
            float us = sample(p, cublaslt, i, false);

            if (j > 0 && us > 0.0f && (best < 0 || us < least)) {
                least = us;
                best = i;
            }
        }
    if (best >= 0)
        add("cuBLASLt, its best", cublaslt, best, true);
    if (n > 0)
        add("cuBLAS", cublas, 0, true);
    add("an empty kernel", nothing, 0, false);
    add("a copy of as many bytes", copy, 0, false);
    add("all bytes read, 4 blocks", read, 4, false);
    add("all bytes read, 8 blocks", read, 8, false);
}
#endif

static __device__ unsigned mixed(unsigned x)
{
    x = (x ^ x >> 16) * 0x7feb352dU;
    x = (x ^ x >> 15) * 0x846ca68bU;
    return x ^ x >> 16;
}

// Uniform in [-1, 1).
template <class T> static __global__ void fill(T *to, size_t n, unsigned seed)
{
    size_t step = gridDim.x * (size_t)blockDim.x;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += step)
        to[i] = (T)((mixed((unsigned)i ^ seed) >> 8) * 0x1p-23f - 1.0f);
}

// The largest error over sum |terms|, of `cells` cells of C: one per warp.
template <class T>
static __global__ void judge(const T *A, const T *B, const T *C,
                             struct gemm_shape s, size_t cells, unsigned *worst)
{
    size_t total = (size_t)s.M * s.N;
    size_t warps = gridDim.x * (size_t)blockDim.x / 32;

    for (size_t i = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) / 32;
         i < cells; i += warps) {
        size_t cell = total / cells * i + mixed(i) % (total / cells);
        size_t row = cell / s.N, col = cell % s.N;
        double sum = 0.0, size = 0.0, error;

        for (int k = threadIdx.x % 32; k < s.K; k += 32) {
            double term = (double)(float)A[row * s.lda + k] *
                          (float)B[(size_t)k * s.ldb + col];

            sum += term;
            size += fabs(term);
        }
        for (int far = 16; far > 0; far /= 2) {
            sum += __shfl_xor_sync(~0u, sum, far);
            size += __shfl_xor_sync(~0u, size, far);
        }
        error = fabs((float)C[row * s.ldc + col] - sum) / size;
        if (threadIdx.x % 32 == 0)
            atomicMax(worst, __float_as_uint(error >= 0.0 ? (float)error
                                                          : 1e30f));
    }
}

template <class T> static float error_of(const struct product *p)
{
    static unsigned *worst;
    size_t total = (size_t)p->s.M * p->s.N;
    float error;

    if (!worst)
        CUDA(cudaMalloc(&worst, sizeof *worst));
    CUDA(cudaMemset(worst, 0, sizeof *worst));
    judge<T><<<1024, 256>>>((T *)p->a, (T *)p->b, (T *)p->c, p->s,
                            total < CELLS ? total : (size_t)CELLS, worst);
    CUDA(cudaMemcpy(&error, worst, sizeof error, cudaMemcpyDeviceToHost));
    return error;
}

static void contest_open(void)
{
    int l2;

    CUDA(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0));
    CUDA(cudaDeviceGetAttribute(&processors,
                                cudaDevAttrMultiProcessorCount, 0));
#ifdef SIMULATED
    l2 = 1 << 12;
#endif
    flush_bytes = 2 * (size_t)l2;
    for (int i = 0; i < 2; i++) {
        CUDA(cudaMalloc(&flush[i], flush_bytes));
        CUDA(cudaMemset(flush[i], 0, flush_bytes));
    }
    printf("# product, candidate, then microseconds after a memset of twice "
           "L2: median (least);\n# the same with L2 full of clean lines; "
           "TFLOP/s by the first; error over sum |terms|\n");
}

template <class T> static void product_open(struct product *p)
{
    size_t a = (size_t)p->s.M * p->s.lda, b = (size_t)p->s.K * p->s.ldb;

    p->bytes = (a + b + (size_t)p->s.M * p->s.ldc) * sizeof(T);
    CUDA(cudaMalloc(&p->a, a * sizeof(T)));
    CUDA(cudaMalloc(&p->b, b * sizeof(T)));
    CUDA(cudaMalloc(&p->c, (size_t)p->s.M * p->s.ldc * sizeof(T)));
    CUDA(cudaMalloc(&p->scratch, SCRATCH));
    CUDA(cudaMalloc(&p->half, p->bytes));
    CUDA(cudaMemset(p->half, 0, p->bytes));
    fill<<<1024, 256>>>((T *)p->a, a, 1);
    fill<<<1024, 256>>>((T *)p->b, b, 2);
    CUDA(cudaDeviceSynchronize());
    listed = 0;
}

static void product_close(struct product *p)
{
    void *all[] = {p->a, p->b, p->c, p->scratch, p->half};

    for (int i = 0; i < 5; i++)
        CUDA(cudaFree(all[i]));
}

// Launches it twice, since tickets have to be left as they were found.
template <class T>
static void check(const char *title, const struct product *p,
                  struct candidate *c, float tolerance)
{
    for (int i = 0; i < 2 && !c->absent; i++) {
        CUDA(cudaMemset(p->c, 0xff, (size_t)p->s.M * p->s.ldc * sizeof(T)));
        c->absent = !c->launch(p, c->parts);
        if (c->absent) {
            printf("%s  %s: %s\n", title, c->name,
                   cudaGetErrorName(cudaGetLastError()));
            return;
        }
        CUDA(cudaDeviceSynchronize());
        c->error = c->result ? error_of<T>(p) : 0.0f;
        if (!(c->error <= tolerance)) {
            printf("%s  %s: WRONG, %.3g\n", title, c->name, c->error);
            c->absent = true;
        }
    }
}

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

// Candidates whose samples are sorted.
static int by_median(const void *a, const void *b)
{
    const struct candidate *x = (const struct candidate *)a;
    const struct candidate *y = (const struct candidate *)b;

    return by_size(&x->us[0][ROUNDS / 2], &y->us[0][ROUNDS / 2]);
}

template <class T>
static void contest_hold(const char *title, const struct product *p,
                         float tolerance)
{
    double flops = 2.0 * p->s.M * p->s.N * p->s.K;
    int rounds = ROUNDS;

#ifdef SIMULATED
    rounds = 0;
#endif
    for (int i = 0; i < listed; i++)
        check<T>(title, p, &list[i], tolerance);
    for (int round = 0; round < rounds; round++)
        for (int clean = 0; clean < 2; clean++)
            for (int i = 0; i < listed; i++)
                if (!list[i].absent)
                    list[i].us[clean][round] = sample(
                        p, list[i].launch, list[i].parts, clean);
    for (int i = 0; i < listed; i++)
        for (int clean = 0; clean < 2; clean++)
            qsort(list[i].us[clean], ROUNDS, sizeof(float), by_size);
    qsort(list, listed, sizeof *list, by_median);
    for (int i = 0; i < listed; i++) {
        struct candidate *c = &list[i];

        if (!c->absent)
            printf("%-19s %-30s %8.2f (%8.2f) %8.2f (%8.2f) %7.1f %8.1e\n",
                   title, c->name, c->us[0][ROUNDS / 2], c->us[0][0],
                   c->us[1][ROUNDS / 2], c->us[1][0],
                   flops / c->us[0][ROUNDS / 2] * 1e-6, c->error);
    }
    printf("\n");
    fflush(stdout);
}

// kind: what stands before the sizes in the table. candidates(&p) adds them.
template <class T, class Candidates>
static void contest(const char *kind, int M, int N, int K, float tolerance,
                    bool tf32, launcher *now, Candidates candidates)
{
    struct product p = {{M, N, K, K, N, N}};
    char title[64];

    snprintf(title, sizeof title, "%s%dx%dx%d", kind, M, N, K);
    product_open<T>(&p);
    add_libraries<T>(&p, tf32);
    add("now", now, 0, true);
    candidates(&p);
    contest_hold<T>(title, &p, tolerance);
    product_close(&p);
}

#endif
