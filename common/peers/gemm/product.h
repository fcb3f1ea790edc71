// SPDX-License-Identifier: MIT
/*
 * product.h: what the peers of the matrix product share: data, clock, checks.
 *
 *   peer_main     the whole program, but for the library's call
 *   peer_time     one call with a cold L2
 *   peer_measure  calls until their median is known: a line of results.c
 *   peer_absent   the line that says why there is none
 *   FINE, OK      whether a call of the CUDA runtime, of cuBLAS, went well
 *   peer_fail     keeps the reason of a failure
 *
 * Arguments are NAME "M4096 N4096 K4096" pairs. $OPERATORS says which operator
 * each NAME is, and so the types: lines of OPERATOR, a tab, NAME; fp32 without
 * one. Only gemm_tf32 may round to tf32. Data are random, beta is 0. An error
 * is over the sum of |terms| of its own cell.
 */
#ifndef PEER_PRODUCT_H
#define PEER_PRODUCT_H

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

/* The types of an operator: of A, B and C alike. */
struct kind {
    const char *op;
    cudaDataType_t type;
    cublasComputeType_t compute;
    size_t bytes;
    const char *suffix; /* of the peer's name: one operator, two types */
};

struct product {
    int M, N, K;
    const struct kind *kind;
    float *host_a, *host_b; /* row-major, of values that the type holds */
    void *a, *b, *c;        /* the same on the device */
};

/* Enqueues C = A B on the default stream; false: peer_fail was told why. */
typedef bool peer_launch(const struct product *product);

/* Prints the line of a product, under the peer's name. */
typedef void peer_one(const struct product *product, const char *name,
                      const char *peer);

/* begin: opens the library; false: peer_fail was told why. A bf16 product is
 * measured in fp16, too: that peer's name has "_fp16" at its end. */
int peer_main(int argc, char **argv, const char *peer, bool (*begin)(void),
              peer_one *one);

/* Milliseconds; negative: it failed. */
double peer_time(const struct product *product, peer_launch *launch);
void peer_measure(const struct product *product, const char *name,
                  const char *peer, peer_launch *launch);
void peer_absent(const char *name, const char *peer);

/* False, and `why` and `what` are the reason from now on. */
bool peer_fail(const char *what, const char *why);
bool peer_fine(cudaError_t error, const char *what);

#define FINE(call) peer_fine(call, #call)

/* The same of cuBLAS and cuBLASLt, whose errors are of one type. */
bool peer_ok(cublasStatus_t status, const char *what);

#define OK(call) peer_ok(call, #call)

#endif
