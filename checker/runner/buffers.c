// SPDX-License-Identifier: MIT
/*
 * buffers.c: the device arrays of one case.
 *
 *   buffers_allocate, buffers_free
 *   buffers_upload     copies inputs from check's file, poisons outputs
 *   buffers_restore    restores in-and-out arrays to what was uploaded
 *   buffers_poison     the same, and poisons outputs and workspace
 *   buffers_download   copies everything to check's file, checks the guards
 *   buffers_map, buffers_check_guards   what that is made of
 *
 * On a GPU each array lies between two guards of known bytes, which reveal a
 * write just outside it. On the simulator each is one cudaMalloc of exactly its
 * size, in the operator's order, so that the simulator can name it; or of one
 * element more, where the array is not to begin on a boundary.
 */
#include "runner.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

static bool allocate(struct runner *r, struct buffer *b, size_t bytes,
                     size_t off, const char *name, struct wire_reply *reply)
{
    char what[64];
    cudaError_t error;

    if (bytes == 0)
        return true;
    error = cudaMalloc((void **)&b->base, off + bytes + 2 * r->guard);
    /* On our stream, which does not synchronise with the default stream. */
    if (error == cudaSuccess && r->guard)
        error = cudaMemsetAsync(b->base, RUNNER_GUARD_VALUE,
                                off + bytes + 2 * r->guard, r->stream);
    if (error != cudaSuccess) {
        snprintf(what, sizeof what, "allocating %s (%.1f MB)", name,
                 (double)bytes * 1e-6);
        return runner_fail_cuda(reply, WIRE_DEVICE_FAILED, error, what);
    }
    b->at = b->base + r->guard + off;
    b->bytes = bytes;
    return true;
}

/* A copy of what was uploaded: timed launches run without another upload. */
static bool allocate_initial(struct runner *r, int i,
                             struct wire_reply *reply)
{
    cudaError_t error;

    if (r->simulated || r->op->buffers[i].role != OP_INOUT)
        return true;
    error = cudaMalloc(&r->initial[i], r->buffers[i].bytes);
    return error == cudaSuccess ||
           runner_fail_cuda(reply, WIRE_DEVICE_FAILED, error,
                            "allocating the initial content of an array");
}

static size_t workspace_bytes(const struct runner *r)
{
    return r->stage.workspace ? r->op->query(r->stage.workspace,
                                           &r->problem.shape)
                              : 0;
}

bool buffers_allocate(struct runner *r, uint32_t off, struct wire_reply *reply)
{
    struct wire_layout *layout = &reply->u.layout;

    r->guard = r->simulated ? 0 : RUNNER_GUARD;
    for (int i = 0; i < r->op->n_buffers; i++) {
        const struct op_buffer *row = &r->op->buffers[i];
        size_t bytes = op_bytes(r->op, i, &r->problem.shape);
        size_t behind = off >> i & 1 ? type_row[row->type].bytes : 0;
        if (!allocate(r, &r->buffers[i], bytes, behind, row->name, reply) ||
            !allocate_initial(r, i, reply))
            return false;
        layout->address[i] = (uint64_t)(uintptr_t)r->buffers[i].at;
        layout->bytes[i] = bytes;
    }
    if (!allocate(r, &r->workspace, workspace_bytes(r), 0,
                  "the workspace", reply))
        return false;
    layout->workspace = (uint64_t)(uintptr_t)r->workspace.at;
    layout->workspace_bytes = r->workspace.bytes;
    return true;
}

void buffers_free(struct runner *r)
{
    for (int i = 0; i < OP_MAX_BUFFERS; i++) {
        if (r->buffers[i].base)
            cudaFree(r->buffers[i].base);
        if (r->initial[i])
            cudaFree(r->initial[i]);
    }
    if (r->workspace.base)
        cudaFree(r->workspace.base);
    memset(r->buffers, 0, sizeof r->buffers);
    memset(r->initial, 0, sizeof r->initial);
    memset(&r->workspace, 0, sizeof r->workspace);
}

/* A sealed file can be read only, and, by older systems, not be shared. */
static char *map(const struct runner *r, int fd, bool sealed, size_t *size,
                 struct wire_reply *reply)
{
    struct stat st;
    void *at;

    *size = wire_offset(r->op, &r->problem.shape, r->op->n_buffers);
    if (fstat(fd, &st) != 0 || (size_t)st.st_size < *size) {
        runner_fail(reply, WIRE_REFUSED, "check's file is too small");
        return NULL;
    }
    at = mmap(NULL, *size, PROT_READ | (sealed ? 0 : PROT_WRITE),
              sealed ? MAP_PRIVATE : MAP_SHARED, fd, 0);
    if (at == MAP_FAILED) {
        runner_fail(reply, WIRE_DEVICE_FAILED,
                    "no address space left for %.1f MB of arrays",
                    (double)*size * 1e-6);
        return NULL;
    }
    return at;
}

char *buffers_map(struct runner *r, size_t *size, struct wire_reply *reply)
{
    return map(r, r->memory_fd, false, size, reply);
}

static bool done(cudaError_t error, const char *what,
                 struct wire_reply *reply)
{
    return error == cudaSuccess ||
           runner_fail_cuda(reply, WIRE_DEVICE_FAILED, error, what);
}

bool buffers_restore(struct runner *r, struct wire_reply *reply)
{
    cudaError_t error = cudaSuccess;

    for (int i = 0; i < r->op->n_buffers && error == cudaSuccess; i++)
        if (r->initial[i])
            error = cudaMemcpyAsync(r->buffers[i].at, r->initial[i],
                                    r->buffers[i].bytes,
                                    cudaMemcpyDeviceToDevice, r->stream);
    return done(error, "restoring in-and-out arrays", reply);
}

bool buffers_poison(struct runner *r, struct wire_reply *reply)
{
    cudaError_t error = cudaSuccess;

    if (!buffers_restore(r, reply))
        return false;
    for (int i = 0; i < r->op->n_buffers && error == cudaSuccess; i++) {
        const struct op_buffer *row = &r->op->buffers[i];
        if (row->role == OP_OUTPUT)
            error = cudaMemsetAsync(r->buffers[i].at,
                                    type_row[row->type].poison,
                                    r->buffers[i].bytes, r->stream);
    }
    if (error == cudaSuccess && r->workspace.bytes)
        error = cudaMemsetAsync(r->workspace.at, WIRE_POISON,
                                r->workspace.bytes, r->stream);
    return done(error, "filling the outputs", reply);
}

static cudaError_t upload(struct runner *r, int i, const char *file)
{
    const char *from = file + wire_offset(r->op, &r->problem.shape, i);
    size_t bytes = r->buffers[i].bytes;
    cudaError_t error = cudaMemcpyAsync(r->buffers[i].at, from, bytes,
                                        cudaMemcpyHostToDevice, r->stream);

    if (error == cudaSuccess && r->initial[i])
        error = cudaMemcpyAsync(r->initial[i], from, bytes,
                                cudaMemcpyHostToDevice, r->stream);
    return error;
}

bool buffers_upload(struct runner *r, const struct wire_upload *ask,
                    int sealed, struct wire_reply *reply)
{
    bool follows = sealed >= 0;
    size_t size;
    cudaError_t error = cudaSuccess;
    char *file = map(r, follows ? sealed : r->memory_fd, follows, &size, reply);

    if (!file)
        return false;
    for (int i = 0; i < r->op->n_buffers && error == cudaSuccess; i++)
        if (op_is_read(r->op, i))
            error = upload(r, i, file);
    memcpy(r->problem.scalar, ask->scalar, sizeof r->problem.scalar);
    bool ok = done(error, "uploading inputs", reply) &&
              buffers_poison(r, reply) &&
              done(cudaStreamSynchronize(r->stream), "uploading inputs",
                   reply);
    munmap(file, size);
    return ok;
}

/* *bad: offset of the first byte that was overwritten, or -1. */
static cudaError_t check_guard(const char *device, size_t n, long *bad)
{
    unsigned char host[RUNNER_GUARD];
    cudaError_t error = cudaMemcpy(host, device, n, cudaMemcpyDeviceToHost);

    *bad = -1;
    for (size_t i = 0; i < n && error == cudaSuccess && *bad < 0; i++)
        if (host[i] != RUNNER_GUARD_VALUE)
            *bad = (long)i;
    return error;
}

bool buffers_check_guards(int i, const char *at, size_t n,
                          struct wire_reply *reply)
{
    struct wire_guards *found = &reply->u.guards;
    long before, after;
    cudaError_t error = check_guard(at - RUNNER_GUARD, RUNNER_GUARD, &before);

    if (error == cudaSuccess)
        error = check_guard(at + n, RUNNER_GUARD, &after);
    if (error != cudaSuccess)
        return done(error, "reading guards", reply);
    if (before < 0 && after < 0)
        return true;
    found->buffer = i;
    found->offset = before >= 0 ? before - RUNNER_GUARD : (long)n + after;
    return true;
}

static bool check_guards(struct runner *r, struct wire_reply *reply)
{
    reply->u.guards.buffer = -1;
    for (int i = 0; r->guard && i <= r->op->n_buffers; i++) {
        const struct buffer *b =
            i < r->op->n_buffers ? &r->buffers[i] : &r->workspace;

        if (b->base && !buffers_check_guards(i, b->at, b->bytes, reply))
            return false;
        if (reply->u.guards.buffer >= 0)
            break;
    }
    return true;
}

/* Pages of a mapping that are touched by several threads: one thread, in the
 * midst of a copy, takes three quarters of a second for those of 800 MB. */
struct touching {
    char *at;
    size_t bytes;
    pthread_t thread;
    bool started;
};

static void *touch(void *argument)
{
    enum { PAGE = 4096 };
    const struct touching *t = argument;

    for (size_t i = 0; i < t->bytes; i += PAGE)
        ((volatile char *)t->at)[i] = 0;
    return NULL;
}

static void touch_all(char *at, size_t bytes)
{
    enum { THREADS = 8 };
    const size_t worth = (size_t)16 << 20;
    struct touching part[THREADS] = {{0}};
    size_t each = bytes / THREADS / 4096 * 4096;

    if (bytes < worth)
        return;
    for (int i = 0; i < THREADS; i++) {
        part[i].at = at + (size_t)i * each;
        part[i].bytes = i < THREADS - 1 ? each : bytes - (size_t)i * each;
        part[i].started =
            pthread_create(&part[i].thread, NULL, touch, &part[i]) == 0;
    }
    for (int i = 0; i < THREADS; i++)
        if (part[i].started)
            pthread_join(part[i].thread, NULL);
}

bool buffers_download(struct runner *r, struct wire_reply *reply)
{
    size_t size;
    cudaError_t error = cudaSuccess;
    char *file = buffers_map(r, &size, reply);

    if (!file)
        return false;
    touch_all(file, size);
    for (int i = 0; i < r->op->n_buffers && error == cudaSuccess; i++)
        error = cudaMemcpy(file + wire_offset(r->op, &r->problem.shape, i),
                           r->buffers[i].at, r->buffers[i].bytes,
                           cudaMemcpyDeviceToHost);
    munmap(file, size);
    return done(error, "downloading", reply) && check_guards(r, reply);
}
