// SPDX-License-Identifier: MIT
/*
 * host.c: a whole program (kind = host), run once per case.
 *
 * It is called as `program DIM... SCALAR... FILE...`, a file per array, in a
 * private folder,
 * and finds its GPU as any CUDA program does: the linker gives it NVIDIA's
 * libcudart or ours. Each run gets a simulated device of its own, so that what
 * it leaves allocated is seen. On a GPU several run at once, since most of a
 * run's time goes to opening it; they are judged in their order all the same.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/base/proc.h"
#include "check/base/progress.h"
#include "check/conf/holes.h"
#include "check/judge/finding.h"
#include "check/judge/hints.h"
#include "check/judge/wrong.h"
#include "check/run/device.h"
#include "phase.h"

/* Ample for a host program of a first chapter. */
static const size_t memory_limit = (size_t)8 << 30;
static const size_t file_limit = (size_t)1 << 30;

enum { WORDS = OP_MAX_DIMS + OP_MAX_SCALARS + OP_MAX_BUFFERS,
       ARGS = 2 + WORDS, WORD = 32 };

enum { AT_ONCE = 4 }; /* processes on a GPU */

/* One case's program, from its inputs' files to its end. */
struct going {
    struct data data;
    pid_t pid;
    char folder[PATH_BYTES];
    char output[PATH_BYTES];
};

struct host {
    const struct phase *phase;
    struct kernel_result *result;
    struct run *run;
    bool simulated;
    struct going going[AT_ONCE];
    struct device device;
    int launched;
    bool leaked;
};

static void file_of(const struct going *g, int buffer, char path[PATH_BYTES])
{
    path_set(path, "%s/%s.bin", g->folder, g->data.op->buffers[buffer].name);
}

static void write_inputs(const struct going *g)
{
    const struct data *d = &g->data;
    char path[PATH_BYTES];

    for (int i = 0; i < d->op->n_buffers; i++) {
        file_of(g, i, path);
        unlink(path);
        if (d->given[i] && !file_write(path, d->given[i], d->bytes[i]))
            give_up("cannot write %s: %s", path, strerror(errno));
    }
}

static void refuse_output(struct host *h, const struct test_case *c,
                          const char *name, const char *why)
{
    struct text *t = result_blame(h->result, VERDICT_WRONG, OWNER_YOU,
                                  c->number);

    if (!t)
        return;
    text_add(t, "the program ended well, but %s %s\n  at ", name, why);
    case_name(t, h->result->conf->op, c);
    text_add(t, "\n");
}

static bool read_outputs(struct host *h, struct going *g)
{
    struct data *d = &g->data;
    char path[PATH_BYTES];

    for (int i = 0; i < d->op->n_buffers; i++) {
        struct text file = {0};
        bool ok;

        if (!d->got[i])
            continue;
        file_of(g, i, path);
        ok = file_read(path, &file) && file.n == d->bytes[i];
        if (ok)
            memcpy(d->got[i], file.s, d->bytes[i]);
        else
            refuse_output(h, d->c, d->op->buffers[i].name,
                          file.n ? "has another length than the result's"
                                 : "was not written to its file");
        text_free(&file);
        if (!ok)
            return false;
    }
    return true;
}

static void make_args(const struct host *h, const struct op_problem *problem,
                      char program[PATH_BYTES], char words[][WORD],
                      const char *argv[ARGS])
{
    const struct op *op = h->result->conf->op;
    int n = 0, word = 0;

    argv[n++] = program;
    for (int i = 0; i < op->n_dims; i++) {
        snprintf(words[word], WORD, "%d", problem->shape.dim[i]);
        argv[n++] = words[word++];
    }
    for (int i = 0; i < op->n_scalars; i++) {
        snprintf(words[word], WORD, "%.17g", problem->scalar[i]);
        argv[n++] = words[word++];
    }
    for (int i = 0; i < op->n_buffers; i++) {
        snprintf(words[word], WORD, "%.10s.bin", op->buffers[i].name);
        argv[n++] = words[word++];
    }
    argv[n] = NULL;
}

static pid_t start_program(const struct host *h, const struct going *g)
{
    const struct workbook *w = h->phase->workbook;
    char words[WORDS][WORD], program[PATH_BYTES];
    char library[PATH_BYTES + 32], fd[32];
    const char *argv[ARGS];
    struct proc_config config = {.argv = argv, .output = g->output,
                                 .folder = g->folder,
                                 .seal = h->simulated,
                                 .file_bytes = file_limit};
    char *real = realpath(h->result->build.result, NULL);

    path_set(program, "%s", real ? real : h->result->build.result);
    free(real);
    make_args(h, &g->data.c->problem, program, words, argv);
    snprintf(library, sizeof library, "LD_LIBRARY_PATH=%s",
             h->simulated ? w->sim_lib : w->toolkit.lib);
    config.env[0] = library;
    if (h->simulated) {
        snprintf(fd, sizeof fd, "SIMGPU_FD=%d", h->device.client_fd);
        config.env[1] = fd;
        config.keep_fd[0] = h->device.client_fd;
        config.memory_bytes = memory_limit;
    }
    return proc_start(&config);
}

/* malloc and free find out that somebody wrote where nothing is his. */
static void advise_abort(struct kernel_result *r)
{
    hints_sizeof(&r->advice, r->source);
    text_add(&r->advice, "The program stopped itself. If its words are about "
             "malloc or free, something was written past the end of an array "
             "in the host's memory before: by a copy of more bytes than it "
             "has, or by a loop. If they are about an assertion, it says "
             "which.");
}

/* A program that ended itself says why on its own output; shown below. */
static void blame_end(struct host *h, struct proc_result end,
                      const struct test_case *c)
{
    enum verdict v = end.end == PROC_TIMED_OUT ? VERDICT_TIMEOUT
                                               : VERDICT_CRASH;
    struct text *t;

    if (end.end == PROC_EXITED && end.code == 0)
        return;
    t = result_blame(h->result, v, OWNER_YOU, c->number);
    if (!t)
        return;
    result_excuse(h->result, end.unfair);
    if (end.end == PROC_TIMED_OUT)
        text_add(t, "the program was still running after %.0f seconds\n",
                 h->phase->workbook->options->patience);
    else if (end.end == PROC_SIGNALLED)
        text_add(t, "the program was ended by signal %d (%s)\n", end.code,
                 strsignal(end.code));
    else
        text_add(t, "the program ended with exit code %d\n", end.code);
    if (end.unfair)
        ;
    else if (end.end == PROC_SIGNALLED && end.code == SIGSEGV)
        text_add(&h->result->advice, "%s", segfault_advice);
    else if (end.end == PROC_SIGNALLED && end.code == SIGABRT)
        advise_abort(h->result);
    else if (end.end == PROC_EXITED)
        text_add(&h->result->advice, "Its last words stand above: the call "
                 "that failed.");
    text_add(t, "  at ");
    case_name(t, h->result->conf->op, c);
    text_add(t, "\n");
}

static void note_leaks(struct host *h, const json_t *report)
{
    size_t i, live = 0;
    json_t *allocation;

    json_array_foreach(json_object_get(report, "allocations"), i, allocation)
        live += json_is_true(json_object_get(allocation, "live"));
    if (live && !h->leaked)
        text_add(&h->result->notes, "%zu allocation%s still held when the "
                 "program ended: cudaFree what you cudaMalloc.\n", live,
                 live == 1 ? " is" : "s are");
    h->leaked |= live > 0;
}

static void note_api_errors(struct host *h, const json_t *report)
{
    size_t i;
    json_t *e;

    json_array_foreach(json_object_get(report, "api_errors"), i, e) {
        const char *call = json_string_value(json_object_get(e, "call"));
        const char *error = json_string_value(json_object_get(e, "error"));
        const char *detail = json_string_value(json_object_get(e, "detail"));

        if (h->result->notes.n < 400)
            text_add(&h->result->notes, "%s returned %s%s%s\n",
                     call ? call : "a call", error ? error : "an error",
                     detail && *detail ? ": " : "", detail ? detail : "");
        if (detail && strncmp(detail, "0x0 ", 4) == 0)
            text_add(&h->result->notes, "That is a null pointer: was it "
                     "allocated, with cudaMalloc, before?\n");
    }
}

static void judge_device(struct host *h, const struct test_case *c)
{
    struct arrays arrays = {.op = h->result->conf->op,
                            .shape = &c->problem.shape,
                            .source = h->result->source};
    json_t *report = device_report(&h->device);
    struct text *t;

    if (!report) {
        t = result_blame(h->result, VERDICT_UNSUPPORTED, OWNER_WORKBOOK,
                         c->number);
        if (t)
            text_add(t, "%s\n", h->device.error);
        return;
    }
    arrays.allocations = json_object_get(report, "allocations");
    h->launched = judge_report(h->phase, h->run, report, &arrays, c);
    if (c->gates && h->launched > 0)
        measure_gates(h->phase, h->run, report, c);
    note_api_errors(h, report);
    if (h->result->verdict == VERDICT_PASS)
        note_leaks(h, report);
    json_decref(report);
}

static bool open_device(struct host *h, const struct test_case *c)
{
    struct text *t;

    if (!h->simulated)
        return true;
    if (device_start(&h->device, h->phase->workbook->device) &&
        device_configure(&h->device, 0,
                         launch_budget(h->result->conf->op,
                                       &c->problem.shape)))
        return true;
    t = result_blame(h->result, VERDICT_UNSUPPORTED, OWNER_WORKBOOK, c->number);
    if (t)
        text_add(t, "%s\n", h->device.error);
    device_stop(&h->device);
    return false;
}

static void compare(struct host *h, struct data *d)
{
    struct comparison cmp;
    struct text *t;

    data_compare(d, NULL, &cmp);
    /* The program itself fills its result with NaN before it starts. */
    if (cmp.kind == CELL_LOGIC && cmp.nans == cmp.wrong) {
        cmp.kind = CELL_UNWRITTEN;
        cmp.unwritten = cmp.wrong;
        cmp.nans = 0;
    }
    wrong_keep(h->run, d->c, &cmp, h->launched > 0 || !h->simulated);
    h->run->passed += cmp.kind == CELL_RIGHT;
    if (h->simulated && h->launched == 0 && cmp.kind == CELL_RIGHT &&
        (t = result_blame(h->result, VERDICT_REFUSED, OWNER_YOU, d->c->number)))
        text_add(t, "the result is there, but no kernel was launched\n");
}

static int at_once(const struct host *h)
{
    return h->simulated ? 1 : AT_ONCE;
}

/* The i-th case's. */
static struct going *going_at(struct host *h, int i)
{
    return &h->going[i % at_once(h)];
}

/* Returns false where no device could be opened. */
static bool start_case(struct host *h, int i)
{
    const struct test_case *c = &h->phase->cases->cases[i];
    struct going *g = going_at(h, i);

    if (!open_device(h, c))
        return false;
    data_make(&g->data, h->result->conf->op, c);
    write_inputs(g);
    g->pid = start_program(h, g);
    if (g->pid < 0)
        give_up("cannot start your program: %s", strerror(errno));
    return true;
}

static void finish_case(struct host *h, struct going *g)
{
    const struct test_case *c = g->data.c;
    struct proc_result end = proc_wait(
        g->pid, h->phase->workbook->options->patience, "your program to end");

    h->run->cases++;
    if (h->simulated)
        judge_device(h, c);
    /* A program that stops at an error is right to; the error is to blame. */
    if (h->result->verdict == VERDICT_PASS)
        blame_end(h, end, c);
    if (end.end == PROC_EXITED && end.code == 0 && read_outputs(h, g))
        compare(h, &g->data);
    keep_output(h->result, g->output);
    data_free(&g->data);
    device_stop(&h->device);
}

static void drop_case(struct going *g)
{
    kill(g->pid, SIGKILL);
    proc_wait(g->pid, 0.0, NULL);
    data_free(&g->data);
}

static void make_folders(struct host *h)
{
    for (int i = 0; i < at_once(h); i++) {
        struct going *g = &h->going[i];

        path_set(g->folder, "%s/%s.%d", h->phase->workbook->scratch,
                 h->result->conf->name, i);
        path_set(g->output, "%s/program.%d.out", h->phase->workbook->scratch,
                 i);
        mkdir(g->folder, 0700);
    }
}

void host_phase(const struct phase *phase, bool simulated)
{
    struct host h = {.phase = phase, .result = phase->result,
                     .simulated = simulated,
                     .run = &phase->result->run[simulated ? RUN_SIM
                                                          : RUN_GPU],
                     .device = {.pid = -1, .client_fd = -1, .control = -1}};
    const struct case_list *list = phase->cases;
    enum verdict *v = &phase->result->verdict;
    int started = 0, done;

    h.run->ran = true;
    h.run->simulated = simulated;
    if (!simulated)
        snprintf(h.run->device, sizeof h.run->device, "%s", "GPU");
    make_folders(&h);
    progress_begin(phase->result->conf->name);
    for (done = 0;
         done < list->n && (*v == VERDICT_PASS || *v > VERDICT_MEMORY);
         done++) {
        while (started < list->n && started < done + at_once(&h) &&
               start_case(&h, started))
            started++;
        if (started == done)
            break;
        progress_step("program, case %d of %d", done + 1, list->n);
        finish_case(&h, going_at(&h, done));
        if (h.run->passed < h.run->cases) {
            done++; /* a beginner's program: the first mistake is enough */
            break;
        }
    }
    for (; done < started; done++)
        drop_case(going_at(&h, done));
    wrong_blame(phase->result, h.run);
    blame_gates(phase, h.run);
    progress_clear();
}
