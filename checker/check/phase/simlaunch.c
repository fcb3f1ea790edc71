// SPDX-License-Identifier: MIT
/*
 * simlaunch.c: one launch of a stage on its simulated GPU; see simlaunch.h.
 *
 * The runner uploads and launches; what happened is read from the device:
 * findings, counters, what the stage did besides.
 */
#include "simlaunch.h"

#include <string.h>

#include "apart.h"
#include "check/base/ceiling.h"
#include "check/judge/contract.h"
#include "phase.h"

/* Begins the result of a case. */
void sim_begin(struct sim *s, struct sim_part *part)
{
    struct kernel_result *r = &part->result;

    *part = (struct sim_part){.done = true};
    *r = (struct kernel_result){.conf = s->whole->conf,
                                .build = s->whole->build, .blamed_case = -1};
    path_set(r->source, "%s", s->whole->source);
    s->part = part;
    s->run = &r->run[RUN_SIM];
    s->phase = (struct phase){.workbook = s->workbook, .result = r};
}

static void end(struct sim *s)
{
    s->over = s->part->over = true;
}

void sim_defect(struct sim *s, const char *what)
{
    struct text limit = {0};
    bool limited = ceiling_say(&limit);
    struct text *t = result_blame(&s->part->result, VERDICT_UNSUPPORTED,
                                  limited ? OWNER_MACHINE : OWNER_WORKBOOK, -1);

    if (t) {
        text_add(t, "%s\n%s", what, text_get(&limit));
        text_add(&s->part->result.advice,
                 limited ? "Lift the limit, and run it again."
                         : "Run it again; if it stays, report it with this "
                           "text.");
    }
    text_free(&limit);
    end(s);
}

bool sim_start(struct sim *s)
{
    const struct workbook *w = s->workbook;
    struct runner_failure failure = {0};
    struct runner_config config = {
        .program = w->runner, .cuda_lib = w->sim_lib, .simulated = true,
        .seconds = w->options->patience, .memory_bytes = RUNNER_BYTES,
        .output_path = s->output};

    if (!device_start_as(&s->device, w->device, "", s->multiprocessors)) {
        sim_defect(s, s->device.error);
        return false;
    }
    config.device_fd = s->device.client_fd;
    s->runner = runner_start(&config, &failure);
    if (!s->runner)
        sim_defect(s, failure.message);
    return s->runner != NULL;
}

/* The stage's fault, unless its GPU is gone: whatever ended that was not the
 * stage, which cannot reach it. */
static void blame_or_defect(struct sim *s, enum runner_status status,
                            const struct runner_failure *failure,
                            const struct test_case *c)
{
    json_t *report = device_report(&s->device);

    if (report)
        blame_runner(&s->phase, status, failure, c);
    else
        sim_defect(s, s->device.error);
    json_decref(report);
    end(s);
}

bool sim_load(struct sim *s, const struct test_case *c)
{
    struct runner_failure failure = {0};
    struct runner_case rc = {.op = s->arrays.op, .shape = c->problem.shape,
                             .off = c->off,
                             .stage = s->whole->build.result};
    enum runner_status status;

    s->arrays.shape = &c->problem.shape;
    status = runner_load(s->runner, &rc, &s->layout, &failure);
    if (status != RUNNER_OK) {
        blame_or_defect(s, status, &failure, c);
        return false;
    }
    memcpy(s->arrays.address, s->layout.address, sizeof s->arrays.address);
    memcpy(s->arrays.bytes, s->layout.bytes, sizeof s->arrays.bytes);
    s->arrays.workspace = s->layout.workspace;
    s->arrays.workspace_bytes = s->layout.workspace_bytes;
    return true;
}

/* What the stage did before its launcher is called. */
static bool look_back(struct sim *s, const struct test_case *c)
{
    json_t *report = device_report(&s->device);

    if (report)
        contract_before(&s->part->result, report, c);
    json_decref(report);
    return report != NULL;
}

/* The inputs of a case always fit; what the stage asked for did not. */
static bool blame_workspace(struct sim *s, const struct runner_failure *failure,
                            const struct test_case *c)
{
    struct text *t;

    if (strcmp(failure->error_name, "cudaErrorMemoryAllocation") != 0)
        return false;
    t = result_blame(&s->part->result, VERDICT_MEMORY, OWNER_YOU, c->number);
    if (t) {
        text_add(t, "too much memory: of its workspace alone the stage asks "
                 "for %zu MiB\n  at ", s->layout.workspace_bytes >> 20);
        case_name(t, s->arrays.op, c);
        text_add(t, "\n");
        text_add(&s->part->result.advice, "No case needs so much. Does the "
                 "function %s count bytes, and only those of this shape?",
                 s->arrays.op->workspace);
    }
    end(s);
    return true;
}

/* Uploads, and marks what the launcher must write as never written. */
bool sim_prepare(struct sim *s, const struct data *d,
                    const struct test_case *c, uint64_t order)
{
    struct runner_failure failure = {0};
    uint64_t budget = launch_budget(d->op, &c->problem.shape);
    enum runner_status status =
        runner_upload(s->runner, d->given, c->problem.scalar, &failure);
    bool ok = true;

    if (status != RUNNER_OK) {
        if (!blame_workspace(s, &failure, c))
            blame_or_defect(s, status, &failure, c);
        return false;
    }
    for (int i = 0; ok && i < d->op->n_buffers; i++)
        ok = op_is_read(d->op, i) ||
             device_undefine(&s->device, s->layout.address[i],
                             s->layout.bytes[i]);
    if (ok && s->layout.workspace)
        ok = device_undefine(&s->device, s->layout.workspace,
                             s->layout.workspace_bytes);
    ok = ok && look_back(s, c) &&
         device_configure(&s->device, order, budget) &&
         apart_tell(&s->device, d->op, &c->problem.shape, &s->layout) &&
         device_clear(&s->device);
    if (!ok)
        sim_defect(s, s->device.error);
    return ok;
}

/* Of warps, in all launches of a report. */
static double instructions_of(const json_t *report)
{
    double n = 0.0;
    size_t i;
    json_t *launch;

    json_array_foreach(json_object_get(report, "launches"), i, launch)
        n += json_number_value(json_object_get(
            json_object_get(launch, "counters"), "warp_instructions"));
    return n;
}

/* One launch; true when its outputs may be looked at. */
bool sim_launch(struct sim *s, const struct data *d,
                   const struct test_case *c, uint64_t order,
                   bool take_counters)
{
    struct runner_failure failure = {0};
    enum verdict before = s->part->result.verdict;
    enum runner_status status;
    json_t *report;

    if (!sim_prepare(s, d, c, order))
        return false;
    status = runner_launch(s->runner, &failure);
    report = device_report(&s->device);
    if (!report || !device_clear(&s->device)) { /* look_back() sees the rest */
        json_decref(report);
        sim_defect(s, s->device.error);
        return false;
    }
    s->launched = judge_report(&s->phase, s->run, report, &s->arrays, c);
    s->part->instructions += instructions_of(report);
    if (!s->multiprocessors) /* which a grid may depend on, too */
        beyond_see(&s->part->grids, report);
    /* The device knows better why a launch failed, where it knows at all. */
    if (status != RUNNER_OK &&
        (status != RUNNER_LAUNCH || s->part->result.verdict == before))
        blame_runner(&s->phase, status, &failure, c);
    if (status != RUNNER_OK)
        end(s);
    if (!contract_check(&s->part->result, report, c))
        end(s);
    if (take_counters && status == RUNNER_OK && s->launched > 0)
        measure_gates(&s->phase, s->run, report, c);
    json_decref(report);
    return status == RUNNER_OK && !s->over;
}

bool sim_read_outputs(struct sim *s, const struct data *d)
{
    for (int i = 0; i < d->op->n_buffers; i++)
        if (d->got[i] && !device_read(&s->device, s->layout.address[i],
                                      d->got[i], d->bytes[i])) {
            sim_defect(s, s->device.error);
            return false;
        }
    return true;
}
