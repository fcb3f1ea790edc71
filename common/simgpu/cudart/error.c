// SPDX-License-Identifier: MIT
/*
 * error.c: the runtime's error state.
 *
 *   rt_log_error, rt_remember, rt_fail, rt_why, rt_set_sticky, rt_is_sticky,
 *   rt_sticky                                                see runtime.h
 *   cudaGetLastError, cudaPeekAtLastError
 *   cudaGetErrorName, cudaGetErrorString
 *
 * As in CUDA's runtime, each thread has its own last error, and reading it
 * clears it. That holds after a device fault too, but then every later call
 * that needs the device fails again.
 *
 * The device is told which errors the program asked for: those of a thread that
 * reads its last error, and all that are equal to an error whose name or text
 * somebody reads. The others are remarked on at the end (device/remarks.c).
 */
#include "runtime.h"

#include "../errors.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { MAX_WHY = 512 };

static _Thread_local cudaError_t last_error;
static _Thread_local char why[MAX_WHY];
static atomic_int sticky;
static _Thread_local uint64_t thread; /* its number; 0: none yet */
static _Thread_local bool unasked;    /* this thread's errors are */
static atomic_bool any_unasked;       /* some thread's were, at some time */

void rt_log_error(const char *call, cudaError_t error, const void *at)
{
    static atomic_uint_least64_t threads;
    if (!thread)
        thread = 1 + atomic_fetch_add(&threads, 1);
    rt_note(call, error, why, thread, at);
    unasked = true;
    atomic_store(&any_unasked, true);
}

static void asked_for(cudaError_t error)
{
    if (error != cudaSuccess && atomic_load(&any_unasked))
        rt_note_asked(0, error);
}

void rt_set_sticky(cudaError_t error)
{
    atomic_store(&sticky, (int)error);
}

bool rt_is_sticky(cudaError_t error)
{
    return (int)error == atomic_load(&sticky);
}

cudaError_t rt_sticky(void)
{
    return (cudaError_t)atomic_load(&sticky);
}

cudaError_t rt_fail(cudaError_t error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return error;
}

void rt_fail_also(const char *more)
{
    size_t n = strlen(why);
    snprintf(why + n, sizeof why - n, "%s", more);
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
    if (unasked)
        rt_note_asked(thread, cudaSuccess);
    unasked = false;
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
    asked_for(error);
    return name ? name : "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    const char *text = simgpu_error_text((int)error);
    asked_for(error);
    return text ? text : "unrecognized error code";
}
