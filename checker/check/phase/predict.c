// SPDX-License-Identifier: MIT
/*
 * predict.c: asks the simulated GPU how long a stage would take at the shape
 * that is timed; see predict.h.
 *
 * The launch is the real one, with the real grid, but only some blocks of one
 * multiprocessor run, on arrays that nobody fills: a gigabyte of them costs
 * nothing until it is touched. Registers per thread are ptxas's own words. A
 * stage that cannot be predicted (it waits for blocks that do not run, say)
 * has no prediction, and that is all.
 */
#include "predict.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "left_out.h"
#include "previous.h"
#include "remembered.h"
#include "sampled.h"
#include "too_slow.h"
#include "unpredicted.h"
#include "watched.h"

/* The sampled blocks take a second or two at most. */
static const struct device_look look = {.budget = 60 * 1000 * 1000,
                                        .sample = true};

/* Of many short launches each may be bound by its bytes, and their number by
 * itself takes the time. */
static void look_at_launching(const json_t *report, struct predicted *p)
{
    double launching = json_number_value(json_object_get(p->parts, "launch"));

    if (!(launching > p->ms / 2.0))
        return;
    snprintf(p->bound, sizeof p->bound, "launch");
    snprintf(p->bound_words, sizeof p->bound_words, "launching, %zu times",
             json_array_size(json_object_get(report, "launches")));
}

/* The sum over the stage's launches, copies and memsets; false: a launch was
 * not predicted. */
static bool add_up(const json_t *report, struct predicted *p)
{
    json_t *launches = json_object_get(report, "launches"), *launch, *part;
    double longest = 0.0, moved;
    const char *name;
    size_t i;

    json_array_foreach(launches, i, launch) {
        const json_t *o = json_object_get(launch, "predicted");
        const char *fault =
            json_string_value(json_object_get(launch, "fault"));

        if (!o || !fault || strcmp(fault, "none") != 0)
            return false;
        p->ms += json_number_value(json_object_get(o, "ms"));
        p->least_ms += json_number_value(json_object_get(o, "least_ms"));
        p->l2_bytes += json_number_value(json_object_get(o, "l2_bytes"));
        p->memory_bytes +=
            json_number_value(json_object_get(o, "read_bytes")) +
            json_number_value(json_object_get(o, "write_bytes"));
        json_object_foreach(json_object_get(o, "parts_ms"), name, part)
            json_object_set_new(
                p->parts, name,
                json_real(json_number_value(part) +
                          json_number_value(
                              json_object_get(p->parts, name))));
        if (json_number_value(json_object_get(o, "ms")) <= longest)
            continue;
        longest = json_number_value(json_object_get(o, "ms"));
        snprintf(p->gpu, sizeof p->gpu, "%s",
                 json_string_value(json_object_get(o, "gpu")));
        snprintf(p->bound, sizeof p->bound, "%s",
                 json_string_value(json_object_get(o, "bound")));
        snprintf(p->bound_words, sizeof p->bound_words, "%s",
                 json_string_value(json_object_get(o, "bound_words")));
    }
    moved = json_number_value(json_object_get(
        json_object_get(report, "moved"), "predicted_ms"));
    if (!(p->ms > 0.0))
        return false;
    p->ms += moved;
    p->least_ms += moved;
    look_at_launching(report, p);
    return true;
}

/* Threads of a block wait for each other, for no other block: that not all
 * blocks run is no reason. */
static bool waits_for_itself(const json_t *launch)
{
    static const char *const others[] = {"the barrier of the cluster",
                                         "blocks run at once", NULL};
    json_t *f;
    size_t i;

    json_array_foreach(json_object_get(launch, "findings"), i, f) {
        const char *detail = finding_str(f, "detail");

        for (const char *const *o = others; *o; o++)
            if (strstr(detail, *o))
                return false;
    }
    return true;
}

/* CUDA refused it, or it broke off, for a reason that is the stage's own and
 * not that other blocks did not run. */
static bool is_broken(const json_t *launch)
{
    static const char *const faults[] = {"address", "misaligned", "stack",
                                         "assert", "trap"};
    const char *fault = json_string_value(json_object_get(launch, "fault"));
    const char *error = json_string_value(json_object_get(launch, "error"));

    for (size_t i = 0; fault && i < sizeof faults / sizeof *faults; i++)
        if (strcmp(fault, faults[i]) == 0)
            return true;
    if (fault && strcmp(fault, "deadlock") == 0)
        return waits_for_itself(launch);
    return error && strcmp(error, "cudaSuccess") != 0 &&
           !json_object_get(launch, "counters");
}

static bool any_broken(const json_t *report)
{
    json_t *launch;
    size_t i;

    json_array_foreach(json_object_get(report, "launches"), i, launch)
        if (is_broken(launch))
            return true;
    return false;
}

/* The devices that are asked ahead of their turn, by whose stage:
 * predict_cancel() ends them. */
static struct {
    pthread_mutex_t lock;
    struct {
        const char *stage; /* NULL: free */
        pid_t pid;
    } ask[CONF_KERNELS];
} asked = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* pid 0: no longer. */
static void set_asked(const char *stage, pid_t pid)
{
    const char *wanted = pid ? NULL : stage;

    pthread_mutex_lock(&asked.lock);
    for (int i = 0; i < CONF_KERNELS; i++)
        if (asked.ask[i].stage == wanted) {
            asked.ask[i].stage = pid ? stage : NULL;
            asked.ask[i].pid = pid;
            break;
        }
    pthread_mutex_unlock(&asked.lock);
}

void predict_cancel(const struct phase *phase)
{
    pthread_mutex_lock(&asked.lock);
    for (int i = 0; i < CONF_KERNELS; i++)
        if (asked.ask[i].stage == phase->result->build.result)
            kill(asked.ask[i].pid, SIGKILL);
    pthread_mutex_unlock(&asked.lock);
}

/* The device's report of a launch that is watched now, if none is known.
 * arrays: told where the stage's lie, where one is watched now; or NULL.
 * told: whether it did not end in time. */
static json_t *watch(const struct workbook *w,
                     const struct watched_stage *stage, struct arrays *arrays,
                     struct predicted *told)
{
    json_t *report = remembered_report(w, stage);
    struct watched b;

    if (report)
        return report;
    if (watched_open(&b, w, w->options->gpu)) {
        set_asked(stage->path, b.device.pid);
        report = watched_launch(&b, stage, &look);
        set_asked(stage->path, 0);
        told->late = b.late;
        told->unfair = b.unfair;
    }
    if (report && arrays) {
        memcpy(arrays->address, b.layout.address, sizeof arrays->address);
        memcpy(arrays->bytes, b.layout.bytes, sizeof arrays->bytes);
        arrays->workspace = b.layout.workspace;
        arrays->workspace_bytes = b.layout.workspace_bytes;
    }
    watched_close(&b);
    if (report && !any_broken(report))
        remember_report(w, stage, report);
    return report;
}

static bool predict(const struct phase *phase, const struct op *op,
                    const char *path, const char *words,
                    struct predicted *p, struct arrays *arrays)
{
    const struct watched_stage stage = {.op = op,
                                        .shape =
                                            phase->result->conf->time_shape,
                                        .path = path, .words = words};

    if (!p->known)
        p->report = watch(phase->workbook, &stage, arrays, p);
    p->known = true;
    p->parts = json_object();
    return p->report && add_up(p->report, p);
}

static struct stage_before stage_before(const struct phase *phase)
{
    struct stage_before found = {.ms = 0.0};
    struct previous previous = {0};
    struct predicted before = {0};
    struct text words = {0};
    char log[PATH_BYTES];

    if (!previous_stage(phase->workbook, phase->result->conf, &previous))
        return found;
    path_set(log, "%.*s.log", (int)(strlen(previous.stage) - strlen(".so")),
             previous.stage);
    file_read(log, &words);
    if (predict(phase, previous.op, previous.stage, text_get(&words),
                &before, NULL)) {
        found.ms = before.ms;
        path_set(found.whose, "%s", previous.whose);
    }
    predicted_free(&before);
    text_free(&words);
    return found;
}

/* Where a launcher goes another way at the shape of the gates, the lines that
 * miss one are those that run there. */
static void look_at_gates(const struct phase *phase)
{
    struct kernel_result *r = phase->result;
    struct predicted told = {0};
    const struct watched_stage stage = {
        .op = r->conf->op, .shape = r->run[RUN_SIM].counters_shape,
        .path = r->build.result, .words = text_get(&r->build.words)};

    if (r->verdict == VERDICT_TECHNIQUE &&
        sampled_keeps(r, r->predicted.report))
        r->predicted.at_gates = watch(phase->workbook, &stage, NULL, &told);
}

/* No time is known, but the least that it can be. */
static void judge_bound(const struct phase *phase, const json_t *report)
{
    struct stage_before before;
    struct bound bound;

    if (!too_slow_is_judged(phase) || !bound_ms(phase, report, &bound))
        return;
    before = stage_before(phase);
    too_slow_at_least(phase, &bound, &before);
}

/* The launch lasts as long as its busiest block. */
static bool judge_busiest(const struct phase *phase)
{
    struct stage_before before;

    if (!(phase->result->run[RUN_SIM].busiest.times > 0.0) ||
        !predict_wants_busiest(phase))
        return false;
    before = stage_before(phase);
    return too_slow_busiest(phase, &before);
}

bool predict_wants_busiest(const struct phase *phase)
{
    return predict_is_wanted(phase) &&
           (too_slow_is_judged(phase) ||
            !previous_is_named(phase->workbook, phase->result->conf));
}

/* Right on every case, but not at the shape that is timed, or not on the GPU
 * that GPU= names, whose limits the launcher was told. The cases' GPU is
 * another one then. */
static void blame_broken(const struct phase *phase, struct arrays *arrays)
{
    struct kernel_result *r = phase->result;
    struct run *run = &r->run[RUN_SIM];
    struct test_case c = {
        .number = -1,
        .problem = op_timed(r->conf->op, &r->conf->time_shape, phase->seed)};
    char ran_on[sizeof run->device];

    arrays->op = r->conf->op;
    arrays->shape = &c.problem.shape;
    arrays->source = r->source;
    memcpy(ran_on, run->device, sizeof ran_on);
    judge_report(phase, run, r->predicted.report, arrays, &c);
    if (strcmp(run->device, ran_on) != 0)
        text_add(&r->notes, "This was on the GPU that GPU= names, %s. "
                 "The cases ran on %s.\n", run->device, ran_on);
    memcpy(run->device, ran_on, sizeof ran_on);
}

/* Right on every case, but at the shape that is timed it does nothing. */
static bool blame_idle(const struct phase *phase)
{
    struct kernel_result *r = phase->result;
    const json_t *report = r->predicted.report, *moved;
    char shape[128];
    struct text *t;

    moved = json_object_get(report, "moved");
    if (!report || json_array_size(json_object_get(report, "launches")) > 0 ||
        json_number_value(json_object_get(moved, "copied")) > 0.0 ||
        json_number_value(json_object_get(moved, "filled")) > 0.0 ||
        json_array_size(json_object_get(report, "api_errors")) > 0)
        return false;
    t = result_blame(r, VERDICT_WRONG, OWNER_YOU, -1);
    op_format_shape(r->conf->op, &r->conf->time_shape, shape, sizeof shape);
    if (t)
        text_add(t, "at the shape that is timed, %s, the launcher launches "
                 "nothing\n", shape);
    text_add(&r->advice, "Does the launcher return early where arrays are "
             "large, or does a number of blocks overflow to 0?");
    return true;
}

/* Right on every case, but at the shape that is timed it does not end. The
 * sampled blocks take seconds: no kernel needs as long as the patience. */
static void blame_late(const struct phase *phase)
{
    struct kernel_result *r = phase->result;
    struct text *t = result_blame(r, VERDICT_TIMEOUT, OWNER_YOU, -1);
    char shape[128];

    if (!t)
        return;
    op_format_shape(r->conf->op, &r->conf->time_shape, shape, sizeof shape);
    text_add(t, "at the shape that is timed, %s, the workspace query,\n"
             "  the launcher and its kernels did not end in time\n", shape);
    result_excuse(r, r->predicted.unfair);
    if (!r->predicted.unfair)
        text_add(&r->advice, "Does one of them loop or wait where arrays are "
                 "large? If this machine has much else to do, check again.");
}

static bool is_timed(const struct kernel_conf *conf)
{
    return conf->has_time_shape && !conf->host;
}

bool predict_is_wanted(const struct phase *phase)
{
    const struct options *o = phase->workbook->options;

    return is_timed(phase->result->conf) && !o->shape && !o->draw &&
           o->only_case < 0 && !o->run && !o->inspect;
}

/* The time of a kernel that misses a gate is for information only, and a third
 * of what its check costs: a class does without it, and so may a test. */
static bool is_worth_it(const struct phase *phase)
{
    const struct options *o = phase->workbook->options;
    enum verdict verdict = phase->result->verdict;

    if (o->inspect) /* whatever shape is watched */
        return is_timed(phase->result->conf);
    return predict_is_wanted(phase) &&
           (verdict == VERDICT_PASS ||
            (verdict == VERDICT_TECHNIQUE && !o->grade && !o->brief));
}

void predict_ahead(const struct phase *phase)
{
    struct kernel_result *r = phase->result;
    struct text words = {0};
    struct watched_stage stage = {.op = r->conf->op,
                                  .shape = r->conf->time_shape,
                                  .path = r->build.result};

    if (build_words(&r->build, &words)) {
        stage.words = text_get(&words);
        r->predicted.report = watch(phase->workbook, &stage,
                                    &r->predicted.arrays,
                                    &r->predicted);
        r->predicted.known = true;
    }
    text_free(&words);
}

/* False: nothing is predicted; where the sampled blocks do not stand for the
 * others, the notes say so. */
static bool predict_own(const struct phase *phase)
{
    struct kernel_result *r = phase->result;
    struct predicted *p = &r->predicted;

    if (!predict(phase, r->conf->op, r->build.result,
                 text_get(&r->build.words), p, &p->arrays))
        return false;
    if (bound_moves(r->conf->op, &r->conf->time_shape, p) &&
        bound_allows(r->conf->op, &r->conf->time_shape, p->ms,
                     phase->workbook->options->gpu))
        return true;
    if (!left_out_blame(phase))
        unpredicted_moves(phase, p);
    return false;
}

void predict_phase(const struct phase *phase)
{
    struct kernel_result *r = phase->result;
    struct predicted *p = &r->predicted;
    size_t notes = r->notes.n;

    if (!is_worth_it(phase)) {
        predicted_free(p);
        return;
    }
    if (judge_busiest(phase)) {
        predicted_free(p);
        return;
    }
    if (predict_own(phase)) {
        struct stage_before before = stage_before(phase);

        p->speedup = before.ms > 0.0 ? before.ms / p->ms : 0.0;
        path_set(p->previous, "%s", before.whose);
        too_slow_predicted(phase);
        if (too_slow_is_judged(phase))
            sampled_blame(phase, p->report);
        look_at_gates(phase);
        if (r->verdict == VERDICT_PASS && !sampled_computes(r, p->report)) {
            unpredicted_computes(phase);
            predicted_free(p);
        }
        return;
    }
    if (p->late && too_slow_is_judged(phase))
        blame_late(phase);
    else if (blame_idle(phase))
        ;
    else if (any_broken(p->report))
        blame_broken(phase, &p->arrays);
    else if (phase->workbook->options->gpu[0])
        unpredicted_elsewhere(phase, p->report);
    else {
        judge_bound(phase, p->report);
        if (r->verdict == VERDICT_PASS && too_slow_is_judged(phase) &&
            r->notes.n == notes)
            unpredicted_here(phase, p->report);
    }
    predicted_free(p);
}

/* Nothing is computed but what the sampled blocks do: it is the grid that is
 * looked at. */
void predict_tall(const struct phase *phase)
{
    struct kernel_result *r = phase->result;
    const struct op *op = r->conf->op;
    struct test_case c = {.number = -1,
                          .problem = op_timed(op, &op->tall, phase->seed)};
    const struct watched_stage stage = {
        .op = op, .shape = op->tall, .path = r->build.result,
        .words = text_get(&r->build.words)};
    struct arrays arrays = {.op = op, .shape = &c.problem.shape,
                            .source = r->source};
    struct predicted told = {0};
    json_t *report;

    if (r->verdict != VERDICT_PASS || !op->tall.dim[0] ||
        !predict_is_wanted(phase))
        return;
    report = watch(phase->workbook, &stage, &arrays, &told);
    if (report && any_broken(report))
        judge_report(phase, &r->run[RUN_SIM], report, &arrays, &c);
    json_decref(report);
}
