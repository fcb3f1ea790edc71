// SPDX-License-Identifier: MIT
/*
 * stage.c: the learner's shared library, and calls into it.
 *
 *   stage_load     opens it and finds its launcher
 *   stage_launch   calls the launcher once
 *   stage_wait     waits until the device is done
 */
#include "runner.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static bool find(void *handle, const char *name, const char *signature,
                 void **symbol, struct wire_reply *reply)
{
    *symbol = dlsym(handle, name);
    if (*symbol)
        return true;
    return runner_fail(reply, WIRE_SYMBOL_MISSING,
                       "the stage does not export %s. Keep the signature as "
                       "the header gives it: %s",
                       name, signature);
}

/* A library stays open for several shapes: opening it is expensive. */
static bool open_library(struct stage *stage, const char *path,
                         struct wire_reply *reply)
{
    if (stage->handle && strcmp(stage->path, path) != 0) {
        dlclose(stage->handle);
        stage->handle = NULL;
    }
    if (!stage->handle)
        stage->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!stage->handle)
        return runner_fail(reply, WIRE_SYMBOL_MISSING,
                           "the stage cannot be loaded: %s", dlerror());
    snprintf(stage->path, sizeof stage->path, "%s", path);
    stage->launcher = stage->workspace = NULL;
    return true;
}

bool stage_load(struct stage *stage, const struct op *op, const char *path,
                struct wire_reply *reply)
{
    char query[160];

    if (!open_library(stage, path, reply))
        return false;
    if (!find(stage->handle, op->launcher, op->signature, &stage->launcher,
              reply))
        return false;
    snprintf(query, sizeof query,
             "size_t %s(the shape); return 0 if none is needed",
             op->workspace ? op->workspace : "");
    return !op->workspace || find(stage->handle, op->workspace, query,
                                  &stage->workspace, reply);
}

bool stage_launch(struct runner *r, struct wire_reply *reply)
{
    void *at[OP_MAX_BUFFERS] = {NULL};
    cudaError_t error, pending;

    for (int i = 0; i < r->op->n_buffers; i++)
        at[i] = r->buffers[i].at;
    cudaGetLastError(); /* an older error is not this launch's */
    error = r->op->launch(r->stage.launcher, at, &r->problem, r->workspace.at,
                          r->stream);
    pending = cudaGetLastError();
    if (error != cudaSuccess)
        return runner_fail_cuda(reply, WIRE_LAUNCH_FAILED, error,
                                r->op->launcher);
    if (pending != cudaSuccess)
        return runner_fail_cuda(reply, WIRE_LAUNCH_FAILED, pending,
                                "a launch that the launcher called a success");
    return true;
}

/* The contract allows work on the stream only. Waiting for the whole device
 * prevents work elsewhere from ending after its time was taken. */
bool stage_wait(struct runner *r, struct wire_reply *reply)
{
    cudaError_t error = cudaStreamSynchronize(r->stream);

    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        error = cudaGetLastError();
    if (error != cudaSuccess)
        return runner_fail_cuda(reply, WIRE_LAUNCH_FAILED, error,
                                "the kernel, while it ran");
    return true;
}
