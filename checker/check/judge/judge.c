// SPDX-License-Identifier: MIT
/*
 * judge.c: what the simulated GPU reports, turned into verdicts.
 *
 *   judge_report, measure_gates, blame_gates, launch_budget, keep_output
 *   blame_runner, for runners on any device
 *
 * The device's report is trusted: it comes from a process that the learner's
 * code cannot touch. A launch that CUDA refused counts even where the stage
 * swallowed the error.
 */
#include "judge.h"

#include <math.h>
#include <signal.h>
#include <string.h>

#include "finding.h"
#include "refused.h"

uint64_t launch_budget(const struct op *op, const struct op_shape *shape)
{
    /* A warp that works for one lane alone issues a few instructions per flop.
     * A block per output costs a thousand, but nobody does that to a big
     * case. The constant is for tiny cases in big grids: a tile of 32 rows by
     * 48 steps is worked through, however few exist. Chapter 08's `block` needs
     * 11 million at B66 H1000 L1 K2, and a learner's a few times that. */
    static const double a_flop = 16.0, an_output = 1000.0, outputs_most = 1e5,
                        least = 4e7;
    double outputs = 0.0;

    for (int i = 0; i < op->n_buffers; i++)
        if (op_is_written(op, i))
            outputs += (double)op_count(op, i, shape);
    return (uint64_t)(least + a_flop * op->flops(shape) +
                      an_output * fmin(outputs, outputs_most));
}

static void blame_finding(const struct phase *phase, const json_t *finding,
                          const struct arrays *arrays,
                          const struct test_case *c)
{
    struct kernel_result *r = phase->result;
    enum verdict verdict = finding_verdict(finding);
    long long count = json_integer_value(json_object_get(finding, "count"));
    struct text *t = result_blame(r, verdict, verdict_table[verdict].owner,
                                  c->number);

    if (!t)
        return;
    finding_say(t, &r->advice, finding, arrays);
    if (count > 1)
        text_add(t, "  seen %lld times there\n", count);
    text_add(t, "  at ");
    case_name(t, r->conf->op, c);
    text_add(t, "\n");
}

/* A fault without a finding still ends in a verdict. */
static void blame_fault(const struct phase *phase, const json_t *launch,
                        const struct test_case *c)
{
    static const struct {
        const char *fault;
        enum verdict verdict;
    } faults[] = {
        {"address", VERDICT_MEMORY},  {"misaligned", VERDICT_MEMORY},
        {"assert", VERDICT_CRASH},    {"trap", VERDICT_CRASH},
        {"budget", VERDICT_TIMEOUT},  {"deadlock", VERDICT_TIMEOUT},
        {"stack", VERDICT_MEMORY},    {"footprint", VERDICT_MEMORY},
        {"barrier_misuse", VERDICT_RACE},
        {"unsupported", VERDICT_UNSUPPORTED}, {"illegal", VERDICT_CRASH},
    };
    const char *fault = finding_str(launch, "fault");

    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct text *t;

        if (strcmp(faults[i].fault, fault) != 0)
            continue;
        t = result_blame(phase->result, faults[i].verdict,
                         verdict_table[faults[i].verdict].owner, c->number);
        if (t)
            text_add(t, "kernel %s stopped: %s\n", finding_str(launch, "name"),
                     fault);
    }
}

/* A shared element read too early looks uninitialised, where the barrier that
 * is missing is the mistake. */
static bool is_symptom_of_race(const json_t *launch, const json_t *finding)
{
    json_t *other;
    size_t i;

    if (strcmp(finding_str(finding, "kind"), "uninitialised") != 0 ||
        strcmp(finding_str(finding, "space"), "shared") != 0)
        return false;
    json_array_foreach(json_object_get(launch, "findings"), i, other)
        if (strcmp(finding_str(other, "kind"), "race") == 0 &&
            strcmp(finding_str(other, "space"), "shared") == 0)
            return true;
    return false;
}

static bool is_note(const json_t *finding)
{
    return json_is_true(json_object_get(finding, "note"));
}

/* No verdict follows from it. */
static void keep_note(struct run *run, const json_t *finding,
                      const struct arrays *arrays)
{
    struct text t = {0};
    size_t n = strlen(run->findings_noted);

    finding_note(&t, finding, arrays);
    if (!strstr(run->findings_noted, t.s) &&
        n + t.n < sizeof run->findings_noted)
        strcpy(run->findings_noted + n, t.s);
    text_free(&t);
}

static void judge_launch(const struct phase *phase, struct run *run,
                         const json_t *launch, const struct arrays *arrays,
                         const struct test_case *c)
{
    const json_t *findings = json_object_get(launch, "findings");
    struct arrays of_launch = *arrays;
    size_t i;
    json_t *finding;

    of_launch.launch = launch;

    run->memory_errors +=
        json_integer_value(json_object_get(launch, "memory_errors"));
    run->races += json_integer_value(json_object_get(launch, "races"));
    run->equal_writes +=
        json_integer_value(json_object_get(launch, "equal_writes"));
    json_array_foreach(findings, i, finding)
        if (strcmp(finding_str(finding, "kind"), "parted_warps") == 0)
            continue; /* a race of this launch tells of it (races.h) */
        else if (is_note(finding))
            keep_note(run, finding, &of_launch);
        else if (!is_symptom_of_race(launch, finding) &&
            strcmp(finding_str(finding, "kind"), "watched") != 0)
            blame_finding(phase, finding, &of_launch, c);
    blame_fault(phase, launch, c);
}

static bool is_refused(const json_t *launch)
{
    const char *error = finding_str(launch, "error");

    return !json_object_get(launch, "counters") && *error &&
           strcmp(error, "cudaSuccess") != 0;
}

static void note_shape(struct run *run, const json_t *launch)
{
    const json_t *grid = json_object_get(launch, "grid");
    const json_t *block = json_object_get(launch, "block");
    long long n[6];

    for (size_t i = 0; i < 3; i++) {
        n[i] = json_integer_value(json_array_get(grid, i));
        n[3 + i] = json_integer_value(json_array_get(block, i));
    }
    snprintf(run->launched_as, sizeof run->launched_as,
             "grid (%lld,%lld,%lld), block (%lld,%lld,%lld)", n[0], n[1], n[2],
             n[3], n[4], n[5]);
}

int judge_report(const struct phase *phase, struct run *run,
                 const json_t *report, const struct arrays *arrays,
                 const struct test_case *c)
{
    const char *gpu = finding_str(report, "gpu");
    int ran = 0;
    size_t i;
    json_t *launch;

    snprintf(run->device, sizeof run->device, "%s", gpu);
    json_array_foreach(json_object_get(report, "launches"), i, launch) {
        if (is_refused(launch)) {
            refused_blame(phase->result, report, launch, c);
            continue;
        }
        ran++;
        note_shape(run, launch);
        judge_launch(phase, run, launch, arrays, c);
    }
    return ran;
}

static void count(json_t *sum, const char *name, json_int_t more)
{
    json_object_set_new(sum, name, json_integer(
        json_integer_value(json_object_get(sum, name)) + more));
}

static json_int_t threads_of(const json_t *launch)
{
    json_int_t threads = 1;

    for (size_t i = 0; i < 3; i++)
        threads *= json_integer_value(json_array_get(
                       json_object_get(launch, "grid"), i)) *
                   json_integer_value(json_array_get(
                       json_object_get(launch, "block"), i));
    return threads;
}

/* Sectors that copies and memsets of the launcher read and write. */
static void count_moved(json_t *sum, const json_t *report)
{
    enum { SECTOR = 32 };
    const json_t *moved = json_object_get(report, "moved");
    json_int_t bytes =
        2 * json_integer_value(json_object_get(moved, "copied")) +
        json_integer_value(json_object_get(moved, "filled"));

    count(sum, "api_sectors", (bytes + SECTOR - 1) / SECTOR);
}

/* Sums the counters of all launches: a stage may need more than one. */
static json_t *sum_counters(const json_t *report)
{
    json_t *sum = json_object(), *launch, *value;
    const char *name;
    size_t i;

    json_array_foreach(json_object_get(report, "launches"), i, launch) {
        json_object_foreach(json_object_get(launch, "counters"), name, value)
            count(sum, name, json_integer_value(value));
        if (is_refused(launch))
            continue;

        bool by_graph = json_is_true(json_object_get(launch, "by_graph"));

        count(sum, "threads", threads_of(launch));
        count(sum, "graph_launches", by_graph);
        count(sum, "host_launches", !by_graph);
        count(sum, "graph_replays",
              json_is_true(json_object_get(launch, "replayed")));
        count(sum, "busiest_block", json_integer_value(json_object_get(
            json_object_get(launch, "busiest_block"), "warp_instructions")));
    }
    count_moved(sum, report);
    return sum;
}

/* A gate's limit holds for the chapter's shape, not for any SHAPE=. */
static bool is_at(const struct kernel_conf *conf, int shape,
                  const struct test_case *c)
{
    return memcmp(&c->problem.shape, &conf->sim_shapes[shape],
                  sizeof c->problem.shape) == 0 &&
           c->multiprocessors == conf->multiprocessors[shape];
}

void measure_gates(const struct phase *phase, struct run *run,
                   const json_t *report, const struct test_case *c)
{
    const struct kernel_conf *conf = phase->result->conf;
    bool chosen = phase->workbook->options->shape != NULL;
    json_t *counters = sum_counters(report);

    run->gates_measured = is_at(conf, 0, c);
    for (int i = 0; i < conf->n_gates; i++) {
        const struct gate *gate = &conf->gates[i];

        if (!is_at(conf, gate->at, c))
            continue;
        run->gate_measured[i] = true;
        run->gates_measured |= chosen;
        run->gate_value[i] = gate_value(gate->counter, counters, conf->op,
                                        &c->problem.shape);
        run->gate_ok[i] = gate_holds(gate, run->gate_value[i]);
    }
    if (!run->gates_measured && !chosen) {
        json_decref(counters); /* those of a report are the first shape's */
        return;
    }
    json_decref(run->counters);
    run->counters = counters;
    run->uneven = uneven_of(report);
    run->counters_shape = c->problem.shape;
}

/* Where it is not the first of the shapes. */
static void say_place(struct text *t, const struct kernel_conf *conf,
                      const struct gate *gate)
{
    char shape[128];

    if (gate->at == 0)
        return;
    conf_shape_text(conf, gate->at, shape, sizeof shape);
    text_add(t, "  at %s%s\n", shape,
             conf->multiprocessors[gate->at] ? " multiprocessors" : "");
}

void blame_gates(const struct phase *phase, const struct run *run)
{
    struct kernel_result *r = phase->result;
    const struct kernel_conf *conf = r->conf;
    struct text *t = NULL;

    for (int i = 0; run->gates_measured && i < conf->n_gates; i++) {
        const struct gate *gate = &conf->gates[i];
        char value[32];

        if (!run->gate_measured[i] || run->gate_ok[i])
            continue;
        if (!t && !(t = result_blame(r, VERDICT_TECHNIQUE, OWNER_YOU, -1)))
            return;
        gate_value_text(value, sizeof value, run->gate_value[i]);
        text_add(t, "%s: %s; the gate is %s %.4g\n", gate->counter, value,
                 gate_op_text(gate->op), gate->limit);
        text_add(t, "  (%s)\n", gate_meaning(gate->counter));
        say_place(t, conf, gate);
    }
}

const char segfault_advice[] =
    "Host code may not follow a pointer into the GPU's memory: only kernels "
    "and cudaMemcpy may.";

/* A file of another kernel, or one whose launcher has another name. */
static void advise_symbol(struct kernel_result *r, const char *message)
{
    struct text source = {0};

    if (strstr(message, "undefined symbol: _Z")) { /* no C name, like ours */
        text_add(&r->advice, "A function with that name (mangled: its types "
                 "follow it) is called, and defined nowhere. Define it in this "
                 "file; a header declares it alone, or the definition has "
                 "other parameters.");
        return;
    }

    file_read(r->source, &source);
    if (strstr(text_get(&source), r->conf->op->launcher))
        text_add(&r->advice, "Compare the launcher's name, and the types and "
                 "order of its parameters, with the line above.");
    else if (strstr(text_get(&source), "main("))
        text_add(&r->advice, "The file holds a whole program with a main(). "
                 "Is it under the wrong name? %s.cu holds a kernel and its "
                 "launcher, %s.", r->conf->name, r->conf->op->launcher);
    else
        text_add(&r->advice, "No line of the file has the name %s. Is it the "
                 "right file?", r->conf->op->launcher);
    text_free(&source);
}

/* What a GPU or its driver reports of itself. */
static bool is_hardware(const char *error)
{
    static const char *const names[] = {
        "cudaErrorECCUncorrectable", "cudaErrorNvlinkUncorrectable",
        "cudaErrorDevicesUnavailable", "cudaErrorSystemNotReady",
        "cudaErrorSystemDriverMismatch", "cudaErrorContained",
        "cudaErrorMpsConnectionFailed", "cudaErrorMpsServerNotReady"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], error) == 0)
            return true;
    return false;
}

/* A grade hangs on it, and nobody knows who sent a signal: not a word against
 * the student where it may have been the system. */
static bool is_excused(const struct phase *phase,
                       const struct runner_failure *failure)
{
    return failure->unfair ||
           (phase->workbook->options->grade && failure->signal == SIGKILL) ||
           (phase->result->run[RUN_GPU].ran &&
            is_hardware(failure->error_name));
}

static bool is_at_timed_shape(const struct phase *phase,
                              const struct test_case *c)
{
    const struct kernel_conf *conf = phase->result->conf;

    return conf->has_time_shape &&
           memcmp(&c->problem.shape, &conf->time_shape,
                  sizeof conf->time_shape) == 0;
}

void blame_runner(const struct phase *phase, enum runner_status status,
                  const struct runner_failure *failure,
                  const struct test_case *c)
{
    static const struct {
        enum verdict verdict;
        enum owner owner;
    } ends[] = {
        [RUNNER_LAUNCH] = {VERDICT_LAUNCH, OWNER_YOU},
        [RUNNER_DEVICE] = {VERDICT_LAUNCH, OWNER_MACHINE},
        [RUNNER_SYMBOL] = {VERDICT_BUILD, OWNER_YOU},
        [RUNNER_EXITED] = {VERDICT_CRASH, OWNER_YOU},
        [RUNNER_CRASHED] = {VERDICT_CRASH, OWNER_YOU},
        [RUNNER_TIMEOUT] = {VERDICT_TIMEOUT, OWNER_YOU},
        [RUNNER_REFUSED] = {VERDICT_REFUSED, OWNER_YOU},
    };
    struct text *t = result_blame(phase->result, ends[status].verdict,
                                  ends[status].owner, c->number);

    if (!t)
        return;
    result_excuse(phase->result, is_excused(phase, failure));
    if (status == RUNNER_SYMBOL)
        advise_symbol(phase->result, failure->message);
    if (status == RUNNER_CRASHED && failure->signal == SIGSEGV)
        text_add(&phase->result->advice, "%s", segfault_advice);
    if (status == RUNNER_CRASHED && failure->signal == SIGFPE)
        text_add(&phase->result->advice, "Host code divided an integer by "
                 "zero: which extent, or which quotient, is 0 here?");
    if (status == RUNNER_CRASHED && failure->signal == SIGSYS)
        text_add(&phase->result->advice, "Does its host code send SIGKILL to "
                 "itself? A launcher must return to its caller.");
    if (status == RUNNER_LAUNCH &&
        strcmp(failure->error_name, "cudaErrorDevicesUnavailable") == 0)
        text_add(&phase->result->advice, "The stage lost its GPU. Does its "
                 "host code close files that it did not open? If not, the "
                 "programs may be of two versions: `make clean`, then again.");
    if (status == RUNNER_TIMEOUT)
        text_add(t, "the host code did not come back within %.0f seconds\n",
                 phase->workbook->options->patience);
    else
        text_add(t, "%s\n", failure->message);
    text_add(t, is_at_timed_shape(phase, c) ? "  at the shape that is timed, "
                                            : "  at ");
    case_name(t, phase->result->conf->op, c);
    text_add(t, "\n");
}

void keep_output(struct kernel_result *r, const char *path)
{
    enum { KEPT = 4096 };
    struct text all = {0};

    if (r->output.n < KEPT && file_read(path, &all) && all.n > 0)
        text_add(&r->output, "%.*s", (int)(KEPT - r->output.n), all.s);
    text_free(&all);
}
