// SPDX-License-Identifier: MIT
/*
 * keep.c: keeps the arrays of a case for another process, which has the stage.
 *
 *   keep_open      how large a set of arrays is; memory for two sources
 *   keep_source    inputs from check's file into one of the sources
 *   keep_renew     sets of arrays in new memory, which it makes shareable
 *   keep_collect   one set into check's file; checks the guards
 *   keep_run       in the other process: maps the sets, one launch on each
 *   keep_release   there: gives the sets back
 *
 * A set is: guard, array, guard, array ..., workspace, guard. All sets lie in
 * one allocation of CUDA's interprocess memory, so that one handle opens them.
 *
 * The hard idea: a stage sees inputs when check's clock already runs, and never
 * the same inputs twice. Memory that was shared once is not used again: each
 * renewal allocates, and the driver leaves the old pages to whoever kept them
 * mapped. So a stage cannot begin early, remember an answer, or change what was
 * copied from it.
 */
#include <string.h>
#include <sys/mman.h>

#include "runner.h"

enum {
    ALIGNMENT = 512,
    SHARED_UNIT = 2 << 20 /* the least that is shared: nothing else is in it */
};

_Static_assert(sizeof(cudaIpcMemHandle_t) == WIRE_HANDLE_BYTES, "a handle");

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static bool done(cudaError_t error, const char *what, struct wire_reply *reply)
{
    return error == cudaSuccess ||
           runner_fail_cuda(reply, WIRE_DEVICE_FAILED, error, what);
}

/* The workspace is array n_buffers. */
static void lay_out(struct runner *r, size_t workspace_bytes)
{
    struct kept *k = &r->kept;
    size_t at = RUNNER_GUARD;

    for (int i = 0; i <= r->op->n_buffers; i++) {
        k->bytes[i] = i < r->op->n_buffers
                          ? op_bytes(r->op, i, &r->problem.shape)
                          : workspace_bytes;
        k->at[i] = at;
        at = round_up(at + k->bytes[i] + RUNNER_GUARD, ALIGNMENT);
    }
    k->stride = at;
}

void keep_lay_out(struct runner *r)
{
    lay_out(r, r->stage.workspace ? r->op->query(r->stage.workspace,
                                                 &r->problem.shape)
                                  : 0);
}

static void forget(struct runner *r)
{
    cudaFree(r->kept.sets);
    for (int i = 0; i < OP_MAX_BUFFERS; i++)
        for (int which = 0; which < 2; which++)
            cudaFree(r->kept.source[which][i]);
    memset(&r->kept, 0, sizeof r->kept);
}

bool keep_open(struct runner *r, const struct wire_keep *ask,
               struct wire_reply *reply)
{
    cudaError_t error = cudaSuccess;

    forget(r);
    if (!runner_set_case(r, ask->op, ask->dim, ask->ld, reply))
        return false;
    lay_out(r, ask->workspace_bytes);
    for (int i = 0; i < r->op->n_buffers; i++)
        for (int which = 0; which < 2 && error == cudaSuccess; which++)
            if (op_is_read(r->op, i) && r->kept.bytes[i])
                error = cudaMalloc((void **)&r->kept.source[which][i],
                                   r->kept.bytes[i]);
    reply->u.sets.bytes = r->kept.stride;
    return done(error, "allocating inputs", reply);
}

bool keep_source(struct runner *r, const struct wire_source *ask,
                 struct wire_reply *reply)
{
    cudaError_t error = cudaSuccess;
    size_t size;
    char *file = buffers_map(r, &size, reply);

    if (!file)
        return false;
    for (int i = 0; i < r->op->n_buffers && error == cudaSuccess; i++)
        if (r->kept.source[ask->which & 1][i])
            error = cudaMemcpy(r->kept.source[ask->which & 1][i],
                               file + wire_offset(r->op, &r->problem.shape, i),
                               r->kept.bytes[i], cudaMemcpyHostToDevice);
    munmap(file, size);
    return done(error, "uploading inputs", reply);
}

/* n bytes at the same place of all sets. A pitch has a limit, less than large
 * sets take; of those there are few. */
static cudaError_t fill(struct runner *r, size_t at, int value, size_t n,
                        uint32_t sets)
{
    char *first = r->kept.sets + at;
    cudaError_t error = cudaSuccess;

    if (n == 0)
        return cudaSuccess;
    if (r->kept.stride <= r->most_pitch)
        return cudaMemset2DAsync(first, r->kept.stride, value, n, sets,
                                 r->stream);
    for (uint32_t set = 0; set < sets && error == cudaSuccess; set++)
        error = cudaMemsetAsync(first + set * r->kept.stride, value, n,
                                r->stream);
    return error;
}

/* All but inputs: guards get their value, outputs and workspace poison. */
static cudaError_t poison(struct runner *r, uint32_t sets)
{
    const struct kept *k = &r->kept;
    cudaError_t error = fill(r, 0, RUNNER_GUARD_VALUE, k->at[0], sets);

    for (int i = 0; i <= r->op->n_buffers && error == cudaSuccess; i++) {
        size_t end = k->at[i] + k->bytes[i];
        size_t next = i < r->op->n_buffers ? k->at[i + 1] : k->stride;

        error = fill(r, end, RUNNER_GUARD_VALUE, next - end, sets);
        if (error != cudaSuccess || (i < r->op->n_buffers &&
                                     op_is_read(r->op, i)))
            continue;
        error = fill(r, k->at[i],
                     i < r->op->n_buffers
                         ? type_row[r->op->buffers[i].type].poison
                         : WIRE_POISON,
                     k->bytes[i], sets);
    }
    return error;
}

/* Input i of a set: source 0, or parts of both. */
static cudaError_t give(struct runner *r, const struct wire_renew *ask,
                        uint32_t set, int i)
{
    const struct kept *k = &r->kept;
    size_t size = type_row[r->op->buffers[i].type].bytes;
    char *to = k->sets + set * k->stride + k->at[i];
    size_t head = k->bytes[i];
    int first = 0;
    cudaError_t error;

    if (ask->mixed)
        head = size * wire_cut(ask->seed, set, i, k->bytes[i] / size, &first);
    error = cudaMemcpyAsync(to, k->source[first][i], head,
                            cudaMemcpyDeviceToDevice, r->stream);
    if (error == cudaSuccess && head < k->bytes[i])
        error = cudaMemcpyAsync(to + head, k->source[!first][i] + head,
                                k->bytes[i] - head, cudaMemcpyDeviceToDevice,
                                r->stream);
    return error;
}

bool keep_renew(struct runner *r, const struct wire_renew *ask,
                struct wire_reply *reply)
{
    struct kept *k = &r->kept;
    cudaIpcMemHandle_t handle;
    size_t bytes = k->stride * ask->sets;
    cudaError_t error = cudaFree(k->sets);

    k->sets = NULL;
    k->n_sets = 0;
    if (ask->sets == 0)
        return runner_fail(reply, WIRE_REFUSED, "no sets of arrays");
    if (bytes < ask->least_bytes)
        bytes = ask->least_bytes;
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&k->sets, round_up(bytes, SHARED_UNIT));
    if (error == cudaSuccess)
        error = poison(r, ask->sets);
    for (uint32_t set = 0; set < ask->sets; set++)
        for (int i = 0; i < r->op->n_buffers && error == cudaSuccess; i++)
            if (k->source[0][i])
                error = give(r, ask, set, i);
    if (!done(error, "making arrays", reply) || !batch_flush(r, reply))
        return false;
    error = cudaStreamSynchronize(r->stream);
    if (error == cudaSuccess)
        error = cudaIpcGetMemHandle(&handle, k->sets);
    if (!done(error, "sharing arrays", reply))
        return false;
    k->n_sets = ask->sets;
    reply->u.sets.bytes = k->stride;
    memcpy(reply->u.sets.handle, &handle, sizeof handle);
    return true;
}

bool keep_collect(struct runner *r, const struct wire_collect *ask,
                  struct wire_reply *reply)
{
    const char *base = r->kept.sets + ask->set * r->kept.stride;
    cudaError_t error = cudaSuccess;
    size_t size;
    char *file;

    if (ask->set >= r->kept.n_sets)
        return runner_fail(reply, WIRE_REFUSED, "no such set of arrays");
    file = buffers_map(r, &size, reply);
    if (!file)
        return false;
    for (int i = 0; i < r->op->n_buffers && error == cudaSuccess; i++)
        error = cudaMemcpy(file + wire_offset(r->op, &r->problem.shape, i),
                           base + r->kept.at[i], r->kept.bytes[i],
                           cudaMemcpyDeviceToHost);
    munmap(file, size);
    if (!done(error, "downloading", reply))
        return false;
    reply->u.guards.buffer = -1;
    for (int i = 0; i <= r->op->n_buffers; i++) {
        const char *at = base + r->kept.at[i];

        if (!buffers_check_guards(i, at, r->kept.bytes[i], reply))
            return false;
        if (reply->u.guards.buffer >= 0)
            break;
    }
    return true;
}

/* In the process with the stage: an error that was there before our calls is
 * the stage's, and makes all later calls fail. */
static bool done_here(cudaError_t error, const char *what,
                      struct wire_reply *reply)
{
    return error == cudaSuccess ||
           runner_fail_cuda(reply,
                            cudaDeviceSynchronize() == cudaSuccess
                                ? WIRE_DEVICE_FAILED
                                : WIRE_LAUNCH_FAILED,
                            error, what);
}

static bool launch_on(struct runner *r, char *sets, uint32_t set,
                      struct wire_reply *reply)
{
    const struct kept *k = &r->kept;

    for (int i = 0; i < r->op->n_buffers; i++)
        r->buffers[i].at = k->bytes[i] ? sets + set * k->stride + k->at[i]
                                       : NULL;
    r->workspace.at = k->bytes[r->op->n_buffers]
                          ? sets + set * k->stride + k->at[r->op->n_buffers]
                          : NULL;
    return stage_launch(r, reply);
}

bool keep_run(struct runner *r, const struct wire_run *ask,
              struct wire_reply *reply)
{
    cudaIpcMemHandle_t handle;
    cudaError_t error;
    bool ok = true;

    if (r->kept.sets)
        return runner_fail(reply, WIRE_REFUSED, "arrays before a release");
    memcpy(&handle, ask->handle, sizeof handle);
    memcpy(r->problem.scalar, ask->scalar, sizeof r->problem.scalar);
    error = cudaIpcOpenMemHandle((void **)&r->kept.sets, handle,
                                 cudaIpcMemLazyEnablePeerAccess);
    if (!done_here(error, "opening the arrays", reply))
        return false;
    for (uint32_t set = 0; ok && set < ask->sets; set++)
        ok = launch_on(r, r->kept.sets, set, reply);
    return ok && stage_wait(r, reply);
}

bool keep_release(struct runner *r, struct wire_reply *reply)
{
    cudaError_t error =
        r->kept.sets ? cudaIpcCloseMemHandle(r->kept.sets) : cudaSuccess;

    r->kept.sets = NULL;
    return done_here(error, "giving the arrays back", reply);
}
