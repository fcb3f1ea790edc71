// SPDX-License-Identifier: MIT
/*
 * done.c: the end of a call.
 *
 *   rt_done, rt_done_at   see runtime.h
 */
#include "runtime.h"

cudaError_t rt_done_at(const char *call, cudaError_t error, const void *at)
{
    /* The log holds a fault already, with the kernel that caused it. */
    if (error != cudaSuccess && error != cudaErrorNotReady &&
        !rt_is_sticky(error))
        rt_log_error(call, error, at);
    return rt_remember(error);
}

cudaError_t rt_done(const char *call, cudaError_t error)
{
    return rt_done_at(call, error, NULL);
}
