// SPDX-License-Identifier: MIT
/*
 * cublaslt.c: the best algorithm of cuBLASLt for the same product.
 *
 *   cublaslt NAME "M4096 N4096 K4096" [NAME SHAPE]...
 *
 * Built by cublaslt.sh; product.h says what it reads and prints. cuBLASLt's
 * heuristics return algorithms, the one that they expect to be the fastest
 * first. Here each of them is timed, and the one with the least time is then
 * measured like any other peer.
 */
#include <cublasLt.h>
#include <stdio.h>
#include <string.h>

#include "product.h"

enum {
    ALGORITHMS = 64,
    TRIES = 3,                /* of each; the least time counts */
    WORKSPACE_BYTES = 1 << 25 /* what cuBLAS takes for itself on Hopper */
};

static cublasLtHandle_t lt;
static void *workspace;

/* A product as cuBLASLt sees it: by columns, so C' = B' A'. */
static struct {
    cublasLtMatmulDesc_t multiply;
    cublasLtMatrixLayout_t a, b, c;
    cublasLtMatmulHeuristicResult_t found[ALGORITHMS];
    int n, chosen;
} plan;

static bool launch(const struct product *p)
{
    const float one = 1, zero = 0;

    return OK(cublasLtMatmul(lt, plan.multiply, &one, p->b, plan.b, p->a,
                             plan.a, &zero, p->c, plan.c, p->c, plan.c,
                             &plan.found[plan.chosen].algo, workspace,
                             WORKSPACE_BYTES, 0));
}

static bool ask(const struct product *p)
{
    cublasLtMatmulPreference_t wish = NULL;
    size_t bytes = WORKSPACE_BYTES;
    cudaDataType_t type = p->kind->type;
    uint64_t m = (uint64_t)p->M, n = (uint64_t)p->N, k = (uint64_t)p->K;

    bool asked =
        OK(cublasLtMatmulDescCreate(&plan.multiply, p->kind->compute,
                                    CUDA_R_32F)) &&
        OK(cublasLtMatrixLayoutCreate(&plan.a, type, k, m, p->K)) &&
        OK(cublasLtMatrixLayoutCreate(&plan.b, type, n, k, p->N)) &&
        OK(cublasLtMatrixLayoutCreate(&plan.c, type, n, m, p->N)) &&
        OK(cublasLtMatmulPreferenceCreate(&wish)) &&
        OK(cublasLtMatmulPreferenceSetAttribute(
            wish, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes,
            sizeof bytes)) &&
        OK(cublasLtMatmulAlgoGetHeuristic(lt, plan.multiply, plan.b, plan.a,
                                          plan.c, plan.c, wish, ALGORITHMS,
                                          plan.found, &plan.n));
    if (wish)
        cublasLtMatmulPreferenceDestroy(wish);
    return asked;
}

/* The least time of each algorithm; false: none ran. */
static bool choose(const struct product *p)
{
    double best = -1;
    int fastest = -1;

    for (int i = 0; i < plan.n; i++) {
        plan.chosen = i;
        for (int j = 0; j < TRIES; j++) {
            double ms = peer_time(p, launch);

            if (ms > 0 && (best < 0 || ms < best)) {
                best = ms;
                fastest = i;
            }
        }
    }
    plan.chosen = fastest;
    return fastest >= 0;
}

static void forget(void)
{
    if (plan.multiply)
        cublasLtMatmulDescDestroy(plan.multiply);
    cublasLtMatrixLayout_t layouts[] = {plan.a, plan.b, plan.c};
    for (int i = 0; i < 3; i++)
        if (layouts[i])
            cublasLtMatrixLayoutDestroy(layouts[i]);
    memset(&plan, 0, sizeof plan);
}

static void one(const struct product *product, const char *name,
                const char *peer)
{
    if (ask(product) && choose(product)) {
        fprintf(stderr, "%s: number %d of %d algorithms\n", name, plan.chosen,
                plan.n);
        peer_measure(product, name, peer, launch);
    } else {
        peer_absent(name, peer);
    }
    forget();
}

static bool begin(void)
{
    if (!OK(cublasLtCreate(&lt)) ||
        !FINE(cudaMalloc(&workspace, WORKSPACE_BYTES)))
        return false;
    printf("label cublaslt cuBLASLt, its best\n");
    printf("label cublaslt_fp16 cuBLASLt in fp16, its best\n");
    printf("version cublaslt %zu\n", cublasLtGetVersion());
    return true;
}

int main(int argc, char **argv)
{
    return peer_main(argc, argv, "cublaslt", begin, one);
}
