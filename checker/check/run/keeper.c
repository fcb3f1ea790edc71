// SPDX-License-Identifier: MIT
/*
 * keeper.c: see keeper.h, and checker/runner/keep.c for the other side.
 */
#include "keeper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "runner_inside.h"

enum runner_status keeper_status(enum runner_status status,
                                 struct runner_failure *failure)
{
    char why[sizeof failure->message];

    if (status == RUNNER_OK)
        return status;
    snprintf(why, sizeof why, "%s", failure->message);
    runner_describe(failure, "the process that keeps the arrays: %.400s", why);
    return RUNNER_DEVICE;
}

enum runner_status keeper_load(struct runner *r, struct runner_failure *failure)
{
    struct wire_keep ask = {.workspace_bytes = r->layout.workspace_bytes};
    enum runner_status status;

    snprintf(ask.op, sizeof ask.op, "%s", r->op->name);
    memcpy(ask.dim, r->shape.dim, sizeof ask.dim);
    memcpy(ask.ld, r->shape.ld, sizeof ask.ld);
    status = keeper_status(
        runner_call(r->keeper, WIRE_KEEP, &ask, sizeof ask, failure), failure);
    if (status == RUNNER_OK)
        r->sets = (struct runner_sets){
            .n = 1, .bytes = runner_reply(r->keeper)->u.sets.bytes};
    return status;
}

static enum runner_status renew(struct runner *r, int sets, bool mixed,
                                struct wire_run *run,
                                struct runner_failure *failure)
{
    struct wire_renew ask = {.least_bytes = r->sets.least_bytes,
                             .sets = (uint32_t)sets, .mixed = mixed};
    enum runner_status status;

    if (getrandom(&r->mix, sizeof r->mix, 0) != sizeof r->mix)
        abort(); /* cannot be, for so few bytes */
    ask.seed = r->mix;
    status = keeper_status(
        runner_call(r->keeper, WIRE_RENEW, &ask, sizeof ask, failure), failure);
    if (status != RUNNER_OK)
        return status;
    *run = (struct wire_run){.sets = (uint32_t)sets};
    memcpy(run->handle, runner_reply(r->keeper)->u.sets.handle,
           sizeof run->handle);
    memcpy(run->scalar, r->scalar, sizeof run->scalar);
    return RUNNER_OK;
}

enum runner_status keeper_run(struct runner *r, int sets, bool mixed,
                              double *seconds, struct runner_failure *failure)
{
    struct wire_run run = {.sets = 0}; /* a runner that is gone needs none */
    enum runner_status status =
        r->pid > 0 ? renew(r, sets, mixed, &run, failure) : RUNNER_OK;
    double began = wire_now();

    if (status != RUNNER_OK)
        return status;
    status = runner_call(r, WIRE_RUN, &run, sizeof run, failure);
    if (seconds)
        *seconds = wire_now() - began;
    r->wanted = 0;
    if (status == RUNNER_LAUNCH) /* which is what counts */
        runner_call(r, WIRE_RELEASE, NULL, 0, &(struct runner_failure){0});
    return status == RUNNER_OK
               ? runner_call(r, WIRE_RELEASE, NULL, 0, failure)
               : status;
}

struct runner_sets runner_sets(const struct runner *r)
{
    return r->sets;
}

void runner_plan(struct runner *r, const struct runner_sets *sets)
{
    r->sets = *sets;
}

enum runner_status runner_on_sets(struct runner *r, int n, double *seconds,
                                  struct runner_failure *failure)
{
    return keeper_run(r, n, true, seconds, failure);
}

/* Copies what the keeper put together from the two sources. */
void runner_mix(struct runner *r, int set, void *const *given,
                void *const *other, void *const *to)
{
    r->wanted = (uint32_t)set;
    for (int i = 0; i < r->op->n_buffers; i++) {
        size_t size = type_row[r->op->buffers[i].type].bytes;
        size_t bytes = r->layout.bytes[i], head;
        const char *source[2];
        int first;

        if (!op_is_read(r->op, i))
            continue;
        source[0] = given[i];
        source[1] = other[i];
        head = size *
               wire_cut(r->mix, (uint32_t)set, i, bytes / size, &first);
        memcpy(to[i], source[first], head);
        memcpy((char *)to[i] + head, source[!first] + head, bytes - head);
    }
}

/* By check's own clock, on arrays that nobody has seen. */
enum runner_status keeper_time(struct runner *r, int n, double *seconds,
                               struct runner_failure *failure)
{
    enum runner_status status = RUNNER_OK;

    for (int i = 0; i < n && status == RUNNER_OK; i++) {
        double all;

        status = runner_on_sets(r, r->sets.n, &all, failure);
        if (status == RUNNER_OK)
            seconds[i] = (all - r->sets.overhead) / r->sets.n;
    }
    return status;
}
