// SPDX-License-Identifier: MIT
/*
 * check.h: reports what went wrong in a test program, with the line.
 *
 *   CHECK(condition)           exits with 1 if it does not hold
 *   CHECK_OF(condition, a, b)  the same, and prints the numbers a and b
 *   CUDA(call)                 exits with 1 if the call fails
 *   FAILS(error, call)         exits with 1 if the call returns another error;
 *                              the last error is clear then
 *   LOAD(kernel)               loads it now: its first launch may otherwise
 *                              wait for kernels under way to end
 *   SIMULATED                  is this the simulated GPU? For what no GPU
 *                              promises; bin/simgpu sets the variable
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                       \
    do {                                                                       \
        if (!(condition)) {                                                    \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);     \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

#define CHECK_OF(condition, a, b)                                              \
    do {                                                                       \
        if (!(condition)) {                                                    \
            printf("%s:%d: not so: %s (%s is %lld, %s is %lld)\n", __FILE__,   \
                   __LINE__, #condition, #a, (long long)(a), #b,               \
                   (long long)(b));                                            \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

#define FAILS(error, call)                                                     \
    do {                                                                       \
        cudaError_t got_ = (call);                                             \
        cudaGetLastError();                                                    \
        if (got_ != (error)) {                                                 \
            printf("%s:%d: %s: %s and not %s\n", __FILE__, __LINE__, #call,    \
                   cudaGetErrorName(got_), #error);                            \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

#define SIMULATED (getenv("SIMGPU_STATUS_FD") != NULL)

#define LOAD(kernel)                                                           \
    do {                                                                       \
        cudaFuncAttributes attributes_;                                        \
        CUDA(cudaFuncGetAttributes(&attributes_, kernel));                     \
    } while (0)

#define CUDA(call)                                                             \
    do {                                                                       \
        cudaError_t error_ = (call);                                           \
        if (error_ != cudaSuccess) {                                           \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call,               \
                   cudaGetErrorName(error_));                                  \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

#endif
