// SPDX-License-Identifier: MIT
/*
 * spin.h: kernels whose time is known, for a GPU (build/harness/spin.so).
 *
 *   spin_launch     runs for us microseconds, or alike_us if the input's words
 *                   are all equal
 *   chase_launch    does `steps` dependent loads from the input, which come
 *                   from memory or from L2
 */
#ifndef STOPWATCH_SPIN_H
#define STOPWATCH_SPIN_H

#include <stddef.h>

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SPIN_EXPORT __attribute__((visibility("default")))

SPIN_EXPORT cudaError_t spin_launch(const void *input, size_t bytes, double us,
                                    double alike_us, cudaStream_t stream);
/* bytes: a power of two. */
SPIN_EXPORT cudaError_t chase_launch(const void *input, size_t bytes,
                                     unsigned steps, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
