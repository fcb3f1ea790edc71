// SPDX-License-Identifier: MIT
/*
 * cublas_stage.c: cuBLAS as a stage, so that a sweep times it as it times ours.
 *
 *   gemm_f32, gemm_bf16_bf16   gemm.h; and their workspace queries
 *
 * Built by common/cli/sweep.sh. The first call at a shape times the algorithms
 * that cuBLASLt's heuristics propose for it and keeps the fastest: the best
 * that cuBLAS can do there, which a program would have to search for. So this
 * stage allocates and synchronises, as ours may not; it does so before what is
 * timed.
 *
 * cuBLAS stores matrices by columns, so it is asked for the transpose:
 * C' = B' A'. Nothing is rounded to tf32. And where an algorithm splits k, the
 * parts' sums stay fp32, as gemm.h asks for: some round them to bf16 unless
 * told otherwise, and are wrong where sums cancel.
 */
#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <string.h>

#include "op/gemm.h"

enum { PROPOSALS = 8, TRIES = 3 };

/* One product, as cuBLASLt wants it described. */
struct product {
    struct gemm_shape shape;
    cudaDataType_t type; /* of all three matrices */
    cublasLtMatmulDesc_t what;
    cublasLtMatrixLayout_t a, b, c;
    cublasLtMatmulAlgo_t algorithm;
    bool found;
};

static cublasLtHandle_t cublas;
static void *workspace;
static const size_t workspace_bytes = (size_t)32 << 20; /* its advice for 9.0 */
static struct product kept; /* of the last shape */

static void drop(struct product *p)
{
    if (p->what)
        cublasLtMatmulDescDestroy(p->what);
    if (p->a)
        cublasLtMatrixLayoutDestroy(p->a);
    if (p->b)
        cublasLtMatrixLayoutDestroy(p->b);
    if (p->c)
        cublasLtMatrixLayoutDestroy(p->c);
    memset(p, 0, sizeof *p);
}

static bool describe(struct product *p, struct gemm_shape s,
                     cudaDataType_t type)
{
    uint64_t M = (uint64_t)s.M, N = (uint64_t)s.N, K = (uint64_t)s.K;

    p->shape = s;
    p->type = type;
    return !cublasLtMatmulDescCreate(&p->what, CUBLAS_COMPUTE_32F,
                                     CUDA_R_32F) &&
           !cublasLtMatrixLayoutCreate(&p->a, type, N, K, s.ldb) &&
           !cublasLtMatrixLayoutCreate(&p->b, type, K, M, s.lda) &&
           !cublasLtMatrixLayoutCreate(&p->c, type, N, M, s.ldc);
}

static bool multiply(const struct product *p,
                     const cublasLtMatmulAlgo_t *algorithm, const void *A,
                     const void *B, void *C, float alpha, float beta,
                     cudaStream_t stream)
{
    return !cublasLtMatmul(cublas, p->what, &alpha, B, p->a, A, p->b, &beta, C,
                           p->c, C, p->c, algorithm, workspace,
                           workspace_bytes, stream);
}

/* The shortest of a few calls, in ms; negative: it fails. */
static float time_of(const struct product *p,
                     const cublasLtMatmulAlgo_t *algorithm, const void *A,
                     const void *B, void *C, float alpha, float beta,
                     cudaStream_t stream)
{
    static cudaEvent_t begin, end;
    float best = -1;

    if (!begin && (cudaEventCreate(&begin) || cudaEventCreate(&end)))
        return -1;
    for (int i = 0; i < TRIES; i++) {
        float ms;

        if (cudaEventRecord(begin, stream) ||
            !multiply(p, algorithm, A, B, C, alpha, beta, stream) ||
            cudaEventRecord(end, stream) || cudaEventSynchronize(end) ||
            cudaEventElapsedTime(&ms, begin, end))
            return -1;
        if (best < 0 || ms < best)
            best = ms;
    }
    return best;
}

/* Tries write to C: with beta = 0 that changes nothing. */
static void choose(struct product *p, const void *A, const void *B, void *C,
                   float alpha, float beta, cudaStream_t stream)
{
    const uint32_t in_fp32 = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
    cublasLtMatmulHeuristicResult_t proposed[PROPOSALS];
    cublasLtMatmulPreference_t wish;
    float best = -1;
    int n = 0;

    if (cublasLtMatmulPreferenceCreate(&wish))
        return;
    cublasLtMatmulPreferenceSetAttribute(
        wish, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes,
        sizeof workspace_bytes);
    if (p->type != CUDA_R_32F) /* else all schemes add in fp32 */
        cublasLtMatmulPreferenceSetAttribute(
            wish, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &in_fp32,
            sizeof in_fp32);
    if (cublasLtMatmulAlgoGetHeuristic(cublas, p->what, p->a, p->b, p->c, p->c,
                                       wish, PROPOSALS, proposed, &n))
        n = 0;
    cublasLtMatmulPreferenceDestroy(wish);
    for (int i = 0; i < n && beta == 0; i++) {
        float ms = time_of(p, &proposed[i].algo, A, B, C, alpha, beta, stream);

        if (ms < 0 || (best >= 0 && ms >= best))
            continue;
        best = ms;
        p->algorithm = proposed[i].algo;
        p->found = true;
    }
}

static bool is_open(void)
{
    if (!cublas && cublasLtCreate(&cublas))
        return false;
    return workspace || !cudaMalloc(&workspace, workspace_bytes);
}

static cudaError_t product(const void *A, const void *B, void *C,
                           struct gemm_shape s, float alpha, float beta,
                           cudaDataType_t type, cudaStream_t stream)
{
    if (!is_open())
        return cudaErrorInitializationError;
    if (memcmp(&kept.shape, &s, sizeof s) != 0) {
        drop(&kept);
        if (!describe(&kept, s, type))
            return cudaErrorInvalidValue;
        choose(&kept, A, B, C, alpha, beta, stream);
    }
    return kept.found && multiply(&kept, &kept.algorithm, A, B, C, alpha, beta,
                                  stream)
               ? cudaGetLastError()
               : cudaErrorNotSupported;
}

size_t gemm_f32_workspace(struct gemm_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t gemm_f32(const float *A, const float *B, float *C,
                     struct gemm_shape shape, float alpha, float beta,
                     void *none, cudaStream_t stream)
{
    (void)none;
    return product(A, B, C, shape, alpha, beta, CUDA_R_32F, stream);
}

size_t gemm_bf16_bf16_workspace(struct gemm_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t gemm_bf16_bf16(const gemm_bf16_t *A, const gemm_bf16_t *B,
                           gemm_bf16_t *C, struct gemm_shape shape, float alpha,
                           float beta, void *none, cudaStream_t stream)
{
    (void)none;
    return product(A, B, C, shape, alpha, beta, CUDA_R_16BF, stream);
}
