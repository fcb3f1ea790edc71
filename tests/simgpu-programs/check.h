// SPDX-License-Identifier: MIT
/*
 * check.h: reports what went wrong in a test program, with the line.
 *
 *   CHECK(condition)   exits with 1 if it does not hold
 *   CUDA(call)         exits with 1 if the call fails
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
