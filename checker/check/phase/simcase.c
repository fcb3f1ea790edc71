// SPDX-License-Identifier: MIT
/*
 * simcase.c: one stage on one simulated GPU; see simcase.h.
 *
 * The runner uploads and launches; what happened is read from the device:
 * outputs, inputs still in place, findings, counters. A stage without order of
 * its own (blocks, warps) must give equal bits when that order is shuffled.
 */
#include "simcase.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/base/ceiling.h"
#include "check/judge/contract.h"
#include "check/judge/finding.h"
#include "check/judge/wrong.h"
#include "check/run/runner_client.h"
#include "phase.h"

/* Begins the result of a case. */
static void begin(struct sim *s, struct sim_part *part)
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

void sim_part_free(struct sim_part *part)
{
    part->result.build = (struct build){0}; /* the kernel's */
    result_free(&part->result);
    *part = (struct sim_part){0};
}

static void end(struct sim *s)
{
    s->over = s->part->over = true;
}

static void defect(struct sim *s, const char *what)
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

static bool start(struct sim *s)
{
    const struct workbook *w = s->workbook;
    struct runner_failure failure = {0};
    struct runner_config config = {
        .program = w->runner, .cuda_lib = w->sim_lib, .simulated = true,
        .seconds = w->options->patience, .memory_bytes = RUNNER_BYTES,
        .output_path = s->output};

    if (!device_start_as(&s->device, w->device, "", s->multiprocessors)) {
        defect(s, s->device.error);
        return false;
    }
    config.device_fd = s->device.client_fd;
    s->runner = runner_start(&config, &failure);
    if (!s->runner)
        defect(s, failure.message);
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
        defect(s, s->device.error);
    json_decref(report);
    end(s);
}

static bool load(struct sim *s, const struct test_case *c)
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
static bool prepare(struct sim *s, const struct data *d,
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
         device_clear(&s->device);
    if (!ok)
        defect(s, s->device.error);
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
static bool launch(struct sim *s, const struct data *d,
                   const struct test_case *c, uint64_t order,
                   bool take_counters)
{
    struct runner_failure failure = {0};
    enum verdict before = s->part->result.verdict;
    enum runner_status status;
    json_t *report;

    if (!prepare(s, d, c, order))
        return false;
    status = runner_launch(s->runner, &failure);
    report = device_report(&s->device);
    if (!report || !device_clear(&s->device)) { /* look_back() sees the rest */
        json_decref(report);
        defect(s, s->device.error);
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

static bool read_outputs(struct sim *s, const struct data *d)
{
    for (int i = 0; i < d->op->n_buffers; i++)
        if (d->got[i] && !device_read(&s->device, s->layout.address[i],
                                      d->got[i], d->bytes[i])) {
            defect(s, s->device.error);
            return false;
        }
    return true;
}

static void check_inputs(struct sim *s, const struct data *d,
                         const struct test_case *c)
{
    for (int i = 0; i < d->op->n_buffers; i++) {
        struct text *t;
        void *now;
        bool ok;

        if (op_is_written(d->op, i))
            continue;
        now = check_alloc(d->bytes[i], 1);
        ok = device_read(&s->device, s->layout.address[i], now, d->bytes[i]);
        if (!ok)
            defect(s, s->device.error);
        if (ok && memcmp(now, d->given[i], d->bytes[i]) != 0 &&
            (t = result_blame(&s->part->result, VERDICT_REFUSED, OWNER_YOU,
                              c->number))) {
            text_add(t, "the launch changed its input %s\n",
                     d->op->buffers[i].name);
            text_add(&s->part->result.advice, "Inputs are const: write to the "
                     "output and to the workspace only.");
        }
        free(now);
    }
}

/* The same launch in another order of blocks and warps. */
static void shuffled(struct sim *s, struct data *d, const struct test_case *c)
{
    void *first[OP_MAX_BUFFERS] = {NULL};
    uint64_t order = seed_mix(c->problem.seed, 1) | 1;
    struct comparison cmp;
    bool differs = false;
    struct text *t;

    for (int i = 0; i < d->op->n_buffers; i++)
        if (d->got[i]) {
            first[i] = d->got[i];
            d->got[i] = check_alloc(d->bytes[i], 1);
        }
    if (launch(s, d, c, order, false) && read_outputs(s, d)) {
        data_compare(d, NULL, &cmp);
        wrong_keep(s->run, c, &cmp, s->launched > 0);
        for (int i = 0; i < d->op->n_buffers; i++)
            differs |= first[i] &&
                       memcmp(first[i], d->got[i], d->bytes[i]) != 0;
    }
    if (differs && s->whole->conf->deterministic &&
        (t = result_blame(&s->part->result, VERDICT_NONDETERMINISTIC, OWNER_YOU,
                          c->number))) {
        text_add(t, "other bits when blocks run in another order\n  at ");
        case_name(t, d->op, c);
        text_add(t, "\n");
    }
    for (int i = 0; i < OP_MAX_BUFFERS; i++)
        free(first[i]);
}

static void remember(struct sim *s, struct data *d)
{
    data_free(&s->earlier);
    s->earlier_case = *d->c;
    s->earlier = *d;
    s->earlier.c = &s->earlier_case;
}

static void check_nothing_ran(struct sim *s, const struct comparison *cmp,
                              const struct test_case *c)
{
    struct text *t;

    if (s->launched > 0 || cmp->kind != CELL_RIGHT)
        return;
    t = result_blame(&s->part->result, VERDICT_REFUSED, OWNER_YOU, c->number);
    if (!t)
        return;
    text_add(t, "the result is there, but no kernel was launched\n");
    text_add(&s->part->result.advice, "The GPU has to do the work: launch a "
             "kernel on the given stream.");
}

/* Launched once more: what the first launch leaves behind may spoil it. */
static void run_again(struct sim *s, const struct test_case *c)
{
    struct comparison cmp = {0};
    struct data d;

    data_make(&d, s->arrays.op, c);
    if (launch(s, &d, c, 0, false) && read_outputs(s, &d)) {
        data_compare(&d, NULL, &cmp);
        wrong_keep(s->run, c, &cmp, s->launched > 0);
    }
    data_free(&d);
    if (cmp.kind == CELL_RIGHT)
        return;
    s->run->wrong_after = AFTER_ITSELF;
    s->run->passed = 0;
}

static void run_case(struct sim *s, const struct test_case *c)
{
    struct comparison cmp = {0};
    struct data d;

    data_make(&d, s->arrays.op, c);
    s->run->cases++;
    if (launch(s, &d, c, 0, c->gates) && read_outputs(s, &d)) {
        data_compare(&d, &s->earlier, &cmp);
        wrong_keep(s->run, c, &cmp, s->launched > 0);
        s->run->passed += cmp.kind == CELL_RIGHT && s->launched > 0;
        check_inputs(s, &d, c);
        check_nothing_ran(s, &cmp, c);
        if (c->shuffle && cmp.kind == CELL_RIGHT && !s->over)
            shuffled(s, &d, c);
    }
    remember(s, &d);
}

/* Unless the case before had the same shape, and so the same arrays. */
static bool is_loaded(const struct sim *s, const struct test_case *c)
{
    return s->loaded && s->loaded->off == c->off &&
           memcmp(&c->problem.shape, &s->loaded->problem.shape,
                  sizeof c->problem.shape) == 0;
}

static void output_of(char path[PATH_BYTES], const struct workbook *workbook,
                      const struct kernel_result *whole, int n)
{
    path_set(path, "%s/%s-%d.out", workbook->scratch, whole->conf->name, n);
}

static bool open_as(struct sim *s, const struct workbook *workbook,
                    const struct kernel_result *whole, int n,
                    int multiprocessors, struct sim_part *part)
{
    *s = (struct sim){.workbook = workbook, .whole = whole, .number = n,
                      .multiprocessors = multiprocessors};
    s->arrays.op = whole->conf->op;
    s->arrays.source = whole->source;
    s->twice = workbook->options->only_case >= 0;
    output_of(s->output, workbook, whole, n);
    begin(s, part);
    return start(s);
}

static void close_one(struct sim *s)
{
    runner_stop(s->runner);
    device_stop(&s->device);
    data_free(&s->earlier);
}

/* With as many multiprocessors as the case wants: a stage may ask once how many
 * there are, so it meets others in a process of its own. False: part says why.
 */
static bool as_wanted(struct sim **s, const struct test_case *c,
                      struct sim_part *part)
{
    struct sim *few = (*s)->few;

    if (c->multiprocessors == (*s)->multiprocessors)
        return true;
    if (few && few->multiprocessors != c->multiprocessors)
        close_one(few);
    else if (few) {
        *s = few;
        return true;
    }
    if (!few)
        few = (*s)->few = check_alloc(1, sizeof *few);
    bool ok = open_as(few, (*s)->workbook, (*s)->whole, (*s)->number + SIMS,
                      c->multiprocessors, part);
    *s = few;
    return ok;
}

static void run_one(struct sim *s, const struct test_case *c,
                    struct sim_part *part)
{
    begin(s, part);
    if (!is_loaded(s, c) && !load(s, c))
        return;
    s->loaded = c;
    s->arrays.shape = &c->problem.shape;
    run_case(s, c);
    if (s->twice && s->run->passed && !s->over)
        run_again(s, c);
}

void sim_run_case(struct sim *s, const struct test_case *c,
                  struct sim_part *part)
{
    struct sim *wanted = s;

    if (as_wanted(&wanted, c, part))
        run_one(wanted, c, part);
    s->over |= wanted->over;
}

void sim_output(char path[PATH_BYTES], const struct phase *phase, int n)
{
    output_of(path, phase->workbook, phase->result, n);
}

bool sim_open(struct sim *s, const struct phase *phase, int n,
              struct sim_part *part)
{
    return open_as(s, phase->workbook, phase->result, n, 0, part);
}

void sim_close(struct sim *s)
{
    if (s->few)
        close_one(s->few);
    free(s->few);
    close_one(s);
}

void sim_find_writer(struct sim *s, struct run *run)
{
    const struct comparison *wrong = &run->first_wrong;
    const struct test_case *c = &run->wrong_case;
    struct runner_failure failure = {0};
    const struct op_buffer *buffer = &s->arrays.op->buffers[wrong->buffer];
    enum type type = buffer->type;
    size_t offset = wrong->cell[0].element * type_row[type].bytes;
    struct sim_part part;
    struct text writers = {0};
    json_t *report = NULL;
    struct data d;

    /* Cells of an output that still hold the poison have none. */
    if (s->over || wrong->kind == CELL_RIGHT ||
        (wrong->kind == CELL_UNWRITTEN && buffer->role == OP_OUTPUT))
        return;
    if (!as_wanted(&s, c, &part)) {
        sim_part_free(&part);
        return;
    }
    begin(s, &part);
    data_make(&d, s->arrays.op, c);
    if (load(s, c) && prepare(s, &d, c, 0) &&
        device_watch(&s->device,
                     s->layout.address[wrong->buffer] + offset) &&
        runner_launch(s->runner, &failure) == RUNNER_OK)
        report = device_report(&s->device);
    finding_writers(&writers, report, &s->arrays);
    snprintf(run->wrong_writer, sizeof run->wrong_writer, "%s",
             writers.s ? writers.s : "");
    text_free(&writers);
    json_decref(report);
    data_free(&d);
    sim_part_free(&part);
}

json_t *sim_look(struct sim *s, const struct test_case *c,
                 const struct device_look *look)
{
    struct runner_failure failure = {0};
    struct sim_part part;
    json_t *report = NULL;
    struct data d;

    if (s->over)
        return NULL;
    begin(s, &part);
    data_make(&d, s->arrays.op, c);
    if (load(s, c) && prepare(s, &d, c, 0) &&
        device_look(&s->device, look) &&
        runner_launch(s->runner, &failure) == RUNNER_OK)
        report = device_report(&s->device);
    data_free(&d);
    sim_part_free(&part);
    return report;
}
