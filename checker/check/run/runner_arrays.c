// SPDX-License-Identifier: MIT
/*
 * runner_arrays.c: the arrays of a case, to a runner and back; see
 * runner_client.h.
 *
 *   runner_upload, runner_upload_sealed, runner_upload_other
 *   runner_download
 *
 * They pass through a memory file of the process that has them on the device:
 * the runner, or its keeper. check remembers a digest of each input instead of
 * the input, and reads the file in pieces, since arrays may be large.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "check/base/spent.h"
#include "keeper.h"
#include "runner_inside.h"
#include "shared_file.h"

static enum runner_status no_memory(struct runner_failure *failure)
{
    runner_describe(failure, "the arrays do not fit in memory: %s",
                    strerror(errno));
    return RUNNER_DEVICE;
}

/* Into the memory file of the process that has the arrays. */
static bool write_inputs(struct runner *r, int memory, void *const *given)
{
    for (int i = 0; i < r->op->n_buffers; i++) {
        if (!op_is_read(r->op, i))
            continue;
        if (!shared_write(memory, given[i], r->layout.bytes[i],
                          wire_offset(r->op, &r->shape, i), &r->digest[i]))
            return false;
    }
    return true;
}

/* ask: the request that has the inputs copied to the device. */
static enum runner_status upload(struct runner *r, void *const *given,
                                 enum wire_type type, const void *ask,
                                 size_t length, struct runner_failure *failure)
{
    struct runner *to = r->keeper ? r->keeper : r;
    size_t size = wire_offset(r->op, &r->shape, r->op->n_buffers);
    enum runner_status status;
    double begun = wire_now();

    *failure = (struct runner_failure){0};
    if (ftruncate(to->memory, (off_t)size) != 0 ||
        !write_inputs(r, to->memory, given))
        return no_memory(failure);
    spent_on(begun, "  inputs written to a runner's memory file");
    begun = wire_now();
    status = runner_call(to, type, ask, length, failure);
    spent_on(begun, "  inputs from there to the device");
    /* On the device now: three runners hold a time_shape at once, and the
     * host's memory should not. */
    if (ftruncate(to->memory, 0) != 0)
        return no_memory(failure);
    return to == r ? status : keeper_status(status, failure);
}

enum runner_status runner_upload(struct runner *r, void *const *given,
                                 const double *scalar,
                                 struct runner_failure *failure)
{
    struct wire_source source = {0};
    struct wire_upload ask = {.follows = false};

    for (int i = 0; i < r->op->n_scalars; i++)
        r->scalar[i] = ask.scalar[i] = scalar[i];
    return r->keeper ? upload(r, given, WIRE_SOURCE, &source, sizeof source,
                              failure)
                     : upload(r, given, WIRE_UPLOAD, &ask, sizeof ask, failure);
}

/* For a keeper, whose way of sharing is another, they are written anew. */
enum runner_status runner_upload_sealed(struct runner *r, void *const *given,
                                        const struct inputs *in,
                                        const double *scalar,
                                        struct runner_failure *failure)
{
    struct wire_upload ask = {.follows = true};
    enum runner_status status;
    double begun = wire_now();

    if (r->keeper)
        return runner_upload(r, given, scalar, failure);
    for (int i = 0; i < r->op->n_scalars; i++)
        r->scalar[i] = ask.scalar[i] = scalar[i];
    memcpy(r->digest, in->digest, sizeof r->digest);
    status = runner_call_with(r, WIRE_UPLOAD, &ask, sizeof ask, in->fd,
                              failure);
    spent_on(begun, "  inputs to the device");
    return status;
}

enum runner_status runner_upload_other(struct runner *r, void *const *given,
                                       struct runner_failure *failure)
{
    struct wire_source source = {1};

    return upload(r, given, WIRE_SOURCE, &source, sizeof source, failure);
}

/* Whether input i came back as it was sent. */
static bool input_is_unchanged(const struct runner *r, int memory, int i,
                               bool *read)
{
    uint64_t digest = 0;

    *read = shared_digest(memory, r->layout.bytes[i],
                          wire_offset(r->op, &r->shape, i), &digest);
    return *read && digest == r->digest[i];
}

static enum runner_status ask_for_outputs(struct runner *r,
                                          struct runner_failure *failure)
{
    struct wire_collect ask = {r->wanted};

    return r->keeper
               ? keeper_status(runner_call(r->keeper, WIRE_COLLECT, &ask,
                                           sizeof ask, failure), failure)
               : runner_call(r, WIRE_DOWNLOAD, NULL, 0, failure);
}

enum runner_status runner_download(struct runner *r, void *const *got,
                                   struct runner_result *result,
                                   struct runner_failure *failure)
{
    struct runner *from = r->keeper ? r->keeper : r;
    size_t size = wire_offset(r->op, &r->shape, r->op->n_buffers);
    double begun = wire_now();
    enum runner_status status =
        ftruncate(from->memory, (off_t)size) == 0 ? ask_for_outputs(r, failure)
                                                  : no_memory(failure);
    const struct wire_guards *g = &runner_reply(from)->u.guards;
    bool read = true;

    spent_on(begun, "  all arrays from the device to the memory file");
    begun = wire_now();
    if (status != RUNNER_OK)
        return status;
    *result = (struct runner_result){.guards_ok = true, .inputs_ok = true};
    for (int i = 0; i < r->op->n_buffers && read; i++)
        if (r->op->buffers[i].role == OP_INPUT)
            result->inputs_ok &=
                input_is_unchanged(r, from->memory, i, &read);
        else
            read = shared_read(from->memory, got[i], r->layout.bytes[i],
                               wire_offset(r->op, &r->shape, i));
    spent_on(begun, "  outputs read there, inputs found unchanged");
    if (ftruncate(from->memory, 0) != 0)
        return no_memory(failure);
    if (!read || g->buffer > r->op->n_buffers)
        return runner_refuse(r, failure);
    if (g->buffer >= 0) {
        result->guards_ok = false;
        result->guard_buffer = g->buffer;
        result->guard_offset = g->offset;
    }
    return RUNNER_OK;
}
