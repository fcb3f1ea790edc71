// SPDX-License-Identifier: MIT
/*
 * contract.c: a table of calls that no launcher needs; see contract.h.
 */
#include "contract.h"

#include <stdlib.h>

#include "check/compile/exports.h"
#include "simgpu/wire.h"

/* The runner's own, after the launcher returned: stream, then device. */
enum { RUNNER_WAITS = 2 };

static const struct rule {
    const char *call;   /* an operation of simgpu/wire.h */
    long long most;
    const char *did;
    const char *advice;
} rules[] = {
    {"ALLOC", 0, "the launcher allocates device memory",
     "Ask for scratch memory through the workspace query; it is allocated "
     "once, outside the launch."},
    {"ALLOC_MAPPED", 0, "the launcher allocates memory that the host can reach",
     "Neither pinned nor managed memory: the result belongs into the arrays "
     "that you are given."},
    {"FREE", 0, "the launcher frees device memory",
     "Free nothing that you did not allocate; scratch memory comes through "
     "the workspace query."},
    {"RESET", 0, "the launcher resets the device",
     "Take cudaDeviceReset() out: the arrays are not yours to lose."},
    {"READ", 0, "the launcher copies from the device to the host",
     "The work is the GPU's: pass results from kernel to kernel through the "
     "workspace."},
    {"SYNC", RUNNER_WAITS, "the launcher waits for the device",
     "Take cudaDeviceSynchronize() and its like out: a launcher only "
     "enqueues, and whoever needs the result waits."},
    {"WRITE", 0, "the launcher copies from the host to the device",
     "Everything that a stage needs is on the device already; pass a few "
     "numbers as the kernel's arguments."},
};

static void refuse(struct kernel_result *r, const struct test_case *c,
                   const char *did, const char *advice)
{
    struct text *t = result_blame(r, VERDICT_REFUSED, OWNER_YOU, c->number);

    if (!t)
        return;
    text_add(t, "%s\n  at ", did);
    case_name(t, r->conf->op, c);
    text_add(t, "\n");
    text_add(&r->advice, "%s", advice);
}

/* The runner makes one stream, before it loads the stage. */
static void check_streams(struct kernel_result *r, const json_t *report,
                          const struct test_case *c)
{
    json_t *launch;
    size_t i;

    json_array_foreach(json_object_get(report, "launches"), i, launch) {
        long long stream =
            json_integer_value(json_object_get(launch, "stream"));

        if (stream == SIMWIRE_FIRST_STREAM)
            continue;
        refuse(r, c,
               stream < SIMWIRE_FIRST_STREAM
                   ? "the kernel runs on the default stream, not on the "
                     "launcher's"
                   : "the kernel runs on another stream than the launcher's",
               "Launch on the stream you are given: "
               "kernel<<<grid, block, 0, stream>>>(...).");
        return;
    }
}

static long long count_of(const json_t *report, const char *call)
{
    return json_integer_value(json_object_get(json_object_get(report, "calls"),
                                              call));
}

void contract_before(struct kernel_result *result, const json_t *report,
                     const struct test_case *c)
{
    if (json_array_size(json_object_get(report, "launches")) > 0)
        refuse(result, c, "a kernel ran before the launcher was called",
               "Launch in the launcher alone: not in the workspace query, nor "
               "in a constructor or a thread.");
    if (count_of(report, "ALLOC_MAPPED") > 0)
        refuse(result, c, "the stage allocates memory that the host can reach",
               "Neither pinned nor managed memory: the result belongs into the "
               "arrays that you are given.");
}

bool contract_check(struct kernel_result *result, const json_t *report,
                    const struct test_case *c)
{
    check_streams(result, report, c);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (count_of(report, rules[i].call) > rules[i].most)
            refuse(result, c, rules[i].did, rules[i].advice);
    return count_of(report, "FREE") == 0 && count_of(report, "RESET") == 0;
}

void contract_exports(struct kernel_result *result)
{
    char *name = exports_foreign(result->build.result, result->conf->op);
    struct text *t;

    if (name && (t = result_blame(result, VERDICT_REFUSED, OWNER_YOU, -1))) {
        text_add(t, "the stage exports %s\n", name);
        text_add(&result->advice, "It may export its launcher and its "
                 "workspace query, nothing else: make %s static, or take it "
                 "out.", name);
    }
    free(name);
}
