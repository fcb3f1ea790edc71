// SPDX-License-Identifier: MIT
/*
 * errors.h: CUDA's error codes, by number.
 *
 *   simgpu_error_name   700 -> "cudaErrorIllegalAddress"
 *   simgpu_error_text   700 -> "an illegal memory access was encountered"
 *
 * Both return NULL if the number is not an error code.
 */
#ifndef SIMGPU_ERRORS_H
#define SIMGPU_ERRORS_H

const char *simgpu_error_name(int error);
const char *simgpu_error_text(int error);

#endif
