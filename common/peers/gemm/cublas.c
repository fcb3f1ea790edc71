// SPDX-License-Identifier: MIT
/*
 * cublas.c: what cuBLAS takes for the same product, through its C interface.
 *
 *   cublas NAME "M4096 N4096 K4096" [NAME SHAPE]...
 *
 * Built by cublas.sh; product.h says what it reads and prints. cuBLAS stores
 * matrices by columns, so it is asked for the transpose: C' = B' A'. It chooses
 * an algorithm by itself; cublaslt.c looks for the best.
 */
#include <cublas_v2.h>
#include <stdio.h>

#include "product.h"

static cublasHandle_t cublas;

static bool launch(const struct product *p)
{
    const float one = 1, zero = 0;
    cudaDataType_t type = p->kind->type;

    return OK(cublasGemmEx(cublas, CUBLAS_OP_N, CUBLAS_OP_N, p->N, p->M, p->K,
                           &one, p->b, type, p->N, p->a, type, p->K, &zero,
                           p->c, type, p->N, p->kind->compute,
                           CUBLAS_GEMM_DEFAULT));
}

static bool begin(void)
{
    int version = 0;

    if (!OK(cublasCreate(&cublas)) || !OK(cublasGetVersion(cublas, &version)))
        return false;
    printf("label cublas cuBLAS\n");
    printf("label cublas_fp16 cuBLAS in fp16\n");
    printf("version cublas %d\n", version);
    return true;
}

static void one(const struct product *product, const char *name,
                const char *peer)
{
    peer_measure(product, name, peer, launch);
}

int main(int argc, char **argv)
{
    return peer_main(argc, argv, "cublas", begin, one);
}
