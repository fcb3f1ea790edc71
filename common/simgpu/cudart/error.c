// SPDX-License-Identifier: MIT
/*
 * error.c: the runtime's error state.
 *
 *   rt_remember, rt_fail, rt_why, rt_set_sticky, rt_is_sticky   see runtime.h
 *   cudaGetLastError, cudaPeekAtLastError
 *   cudaGetErrorName, cudaGetErrorString
 *
 * As in CUDA's runtime, each thread has its own last error, and reading it
 * clears it. That holds after a device fault too, but then every later call
 * that needs the device fails again.
 */
#include "runtime.h"

#include "../errors.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

enum { MAX_WHY = 512 };

static _Thread_local cudaError_t last_error;
static _Thread_local char why[MAX_WHY];
static atomic_int sticky;

void rt_set_sticky(cudaError_t error)
{
    atomic_store(&sticky, (int)error);
}

bool rt_is_sticky(cudaError_t error)
{
    return (int)error == atomic_load(&sticky);
}

cudaError_t rt_fail(cudaError_t error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return error;
}

cudaError_t rt_remember(cudaError_t error)
{
    if (error != cudaSuccess && error != cudaErrorNotReady)
        last_error = error;
    why[0] = '\0';
    return error;
}

const char *rt_why(void)
{
    return why;
}

cudaError_t cudaPeekAtLastError(void)
{
    return last_error;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return error;
}

const char *cudaGetErrorName(cudaError_t error)
{
    const char *name = simgpu_error_name((int)error);
    return name ? name : "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    const char *text = simgpu_error_text((int)error);
    return text ? text : "unrecognized error code";
}
