// SPDX-License-Identifier: MIT
/*
 * done.c: the end of a call.
 *
 *   rt_done   see runtime.h
 */
#include "runtime.h"

cudaError_t rt_done(const char *call, cudaError_t error)
{
    /* The log holds a fault already, with the kernel that caused it. */
    if (error != cudaSuccess && error != cudaErrorNotReady &&
        !rt_is_sticky(error))
        rt_log_error(call, error);
    return rt_remember(error);
}
