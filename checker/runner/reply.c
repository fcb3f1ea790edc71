// SPDX-License-Identifier: MIT
/*
 * reply.c: why a request failed, for check.
 *
 *   runner_fail, runner_fail_cuda   see runner.h
 */
#include "runner.h"

#include <stdarg.h>
#include <stdio.h>

bool runner_fail(struct wire_reply *reply, enum wire_status status,
                 const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(reply->message, sizeof reply->message, format, args);
    va_end(args);
    reply->status = status;
    return false;
}

bool runner_fail_cuda(struct wire_reply *reply, enum wire_status status,
                      cudaError_t error, const char *what)
{
    snprintf(reply->error_name, sizeof reply->error_name, "%s",
             cudaGetErrorName(error));
    return runner_fail(reply, status, "%s: %s (%s)", what, reply->error_name,
                       cudaGetErrorString(error));
}
