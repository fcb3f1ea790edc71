// SPDX-License-Identifier: MIT
/*
 * timerphase.c: a timer (kind = timer), put to every trap.
 *
 *   timer_phase
 *
 * The program stopwatch plays a trap to the timer: on a GPU, or on the virtual
 * clock, a libcudart of which only time is simulated. What it is to say is
 * known here alone. The one truth that depends on the GPU, a cold cache's, is
 * measured by a run of its own, without the learner's code.
 *
 * An honest timer keeps a GPU busy for seconds before it measures. So a trap
 * that the launcher plays, the same way on both, is met on the clock alone.
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/base/proc.h"
#include "check/base/progress.h"
#include "check/judge/wrong.h"
#include "phase.h"
#include "stopwatch/stopwatch.h"
#include "traps.h"

enum { FIELD_BYTES = 64, FIELDS = 16, CALLS_MOST = 8, REMARK_BYTES = 96 };
static const size_t memory_limit = (size_t)8 << 30;
static const size_t file_limit = (size_t)1 << 26;
static const double us_a_ms = 1e3;

struct said {
    int calls;
    double ms[CALLS_MOST];
    long long launches[CALLS_MOST];
    char remark[REMARK_BYTES]; /* of the last call: vclock_remark */
};

struct play {
    const struct phase *phase;
    struct kernel_result *result;
    struct run *run;
    const struct test_case *c;
    const struct trap_row *row;
    struct trap trap;
    double truth;         /* ms */
    struct said said;
    char answers[PATH_BYTES], output[PATH_BYTES];
};

static const char *absolute(char path[PATH_BYTES])
{
    char *real = realpath(path, NULL);

    if (real)
        path_set(path, "%s", real);
    free(real);
    return path;
}

/* "kernel_us=800", a word each. */
static int write_fields(const struct trap *trap, char words[][FIELD_BYTES])
{
    int n = 0;

#define X(name) snprintf(words[n++], FIELD_BYTES, #name "=%.17g", trap->name);
    TRAP_FIELDS(X)
#undef X
    return n;
}

/* timer: a stage's path; "-": the harness's own. */
static struct proc_result play(const struct play *p, const char *timer,
                               int calls)
{
    enum { WORDS = 5 };
    const struct workbook *w = p->phase->workbook;
    char words[FIELDS][FIELD_BYTES], count[16], library[PATH_BYTES + 32];
    char program[PATH_BYTES], spin[PATH_BYTES], virtual[PATH_BYTES];
    const char *argv[WORDS + FIELDS + 1] = {program, p->answers, spin, timer,
                                            count};
    struct proc_config config = {.argv = argv, .output = p->output,
                                 .folder = w->scratch,
                                 .file_bytes = file_limit};
    int n = write_fields(&p->trap, words);

    for (int i = 0; i < n; i++)
        argv[WORDS + i] = words[i];
    argv[WORDS + n] = NULL;
    snprintf(count, sizeof count, "%d", calls);
    path_set(program, "%s/bin/stopwatch", w->build);
    path_set(spin, "%s/harness/spin.so", w->build);
    path_set(virtual, "%s/vclock", w->build);
    absolute(program);
    absolute(spin);
    snprintf(library, sizeof library, "LD_LIBRARY_PATH=%s",
             p->run->simulated ? absolute(virtual) : w->toolkit.lib);
    config.env[0] = library;
    if (p->run->simulated)
        config.memory_bytes = memory_limit;
    config.seal = p->run->simulated;
    return proc_wait(proc_start(&config), w->options->patience,
                     "timer_ms to return");
}

/* The answers, a line per call. */
static void read_answers(struct play *p)
{
    struct text file = {0};
    struct said *said = &p->said;
    char *rest;

    *said = (struct said){0};
    if (file_read(p->answers, &file)) {
        rest = file.s;
        for (char *line; rest && (line = strsep(&rest, "\n")) && *line &&
                         said->calls < CALLS_MOST;)
            if (sscanf(line, "%lf %lld %95s", &said->ms[said->calls],
                       &said->launches[said->calls], said->remark) == 3)
                said->calls++;
    }
    text_free(&file);
}

static struct text *blame_play(struct play *p, enum verdict v,
                               enum owner owner)
{
    return result_blame(p->result, v, owner, p->c->number);
}

/* The dynamic linker's words, of which the call's name is what matters. */
static void blame_load(struct play *p)
{
    static const char sign[] = "undefined symbol: ";
    struct text words = {0}, *t;
    const char *name;
    bool cuda;

    file_read(p->answers, &words);
    name = strstr(text_get(&words), sign);
    cuda = name && strncmp(name + strlen(sign), "cuda", 4) == 0;
    t = cuda && p->run->simulated
            ? blame_play(p, VERDICT_UNSUPPORTED, OWNER_WORKBOOK)
            : blame_play(p, VERDICT_BUILD, OWNER_YOU);
    if (t && cuda && p->run->simulated) {
        text_add(t, "the virtual clock does not know this call: %s\n",
                 name + strlen(sign));
        text_add(&p->result->advice, "Use another call, or check it on a GPU "
                 "(DEVICE=gpu). common/vclock/vclock.h says which it knows.");
    } else if (t) {
        text_add(t, "the timer cannot be loaded: %s\n", text_get(&words));
        text_add(&p->result->advice, "It is C, and must export timer_ms as "
                 "op/timer.h declares it.");
    }
    text_free(&words);
}

static void blame_device(struct play *p)
{
    struct text words = {0};
    struct text *t = blame_play(p, VERDICT_LAUNCH, OWNER_MACHINE);

    file_read(p->answers, &words);
    if (t)
        text_add(t, "the GPU cannot be used: %s\n", text_get(&words));
    text_free(&words);
}

static void blame_exit(struct play *p, int code)
{
    struct text *t;

    switch (code) {
    case STOPWATCH_TIMEOUT:
        if ((t = blame_play(p, VERDICT_TIMEOUT, OWNER_YOU)))
            text_add(t, "%s: the timer measured for more than two minutes of "
                     "virtual time\n", p->row->name);
        return;
    case STOPWATCH_NO_LOAD:
    case STOPWATCH_NO_TIMER:
        blame_load(p);
        return;
    case STOPWATCH_DEVICE:
        blame_device(p);
        return;
    default:
        if ((t = blame_play(p, VERDICT_CRASH, OWNER_YOU)))
            text_add(t, "%s: the timer ended the program, with exit code %d\n",
                     p->row->name, code);
    }
}

/* Returns whether it ended well. */
static bool judge_end(struct play *p, struct proc_result end)
{
    struct text *t;

    if (end.end == PROC_EXITED && end.code == STOPWATCH_OK)
        return true;
    if (end.end == PROC_EXITED) {
        blame_exit(p, end.code);
    } else if (end.end == PROC_TIMED_OUT) {
        if ((t = blame_play(p, VERDICT_TIMEOUT, OWNER_YOU))) {
            result_excuse(p->result, end.unfair);
            text_add(t, "%s: the timer was still running after %.0f "
                     "seconds\n", p->row->name,
                     p->phase->workbook->options->patience);
        }
    } else if ((t = blame_play(p, VERDICT_CRASH, OWNER_YOU))) {
        text_add(t, "%s: the timer was ended by signal %d (%s)\n",
                 p->row->name, end.code, strsignal(end.code));
        result_excuse(p->result, end.unfair);
        if (end.code == SIGSEGV)
            text_add(&p->result->advice, "job->input is the GPU's memory. %s",
                     segfault_advice);
    }
    return false;
}

/* An event's time stamps cost a microsecond or so, whatever they enclose. */
static const double stamp_ms = 1e-3;

static bool is_right(const struct play *p, double ms)
{
    double most = p->row->tolerance * p->truth;

    return fabs(ms - p->truth) <= (p->run->simulated ? most
                                                     : most + stamp_ms);
}

/* It has answered each call; otherwise it left before its time. */
static bool has_answered(struct play *p)
{
    struct text *t;

    if (p->said.calls == p->row->calls)
        return true;
    if ((t = blame_play(p, VERDICT_CRASH, OWNER_YOU)))
        text_add(t, "%s: the timer ended the program, with exit code 0, "
                 "before it answered\n", p->row->name);
    return false;
}

/* The first call that was wrong; -1: none. */
static int first_wrong(const struct play *p)
{
    for (int i = 0; i < p->row->calls; i++)
        if (!is_right(p, p->said.ms[i]))
            return i;
    return -1;
}

/* The call that failed, which the virtual clock knows. */
static void advise_nan(const struct play *p, struct text *advice)
{
    const char *remark = p->said.remark, *error = strchr(remark, ':');

    text_add(advice, "It says \"not a number\": ");
    if (!error) {
        text_add(advice, "a CUDA call failed, or nothing was returned.");
        return;
    }
    text_add(advice, "%.*s failed with %s.", (int)(error - remark), remark,
             error + 1);
    if (strcmp(error + 1, "cudaErrorNotReady") == 0)
        text_add(advice, " The GPU has not come to these events yet: first "
                 "wait for the later one, cudaEventSynchronize.");
}

/* Mistakes that no trap is about; false: it is the trap's own. */
static bool advise_other(const struct play *p, int call, struct text *advice)
{
    enum { MANY = 100 }; /* launches: more would not help */
    double ms = p->said.ms[call];

    if (isnan(ms))
        advise_nan(p, advice);
    else if (ms < 0.0)
        text_add(advice, "No time is negative: the end was taken for the "
                 "beginning. cudaEventElapsedTime(&ms, start, stop) is given "
                 "the earlier event first; of two clock readings the earlier "
                 "is subtracted.");
    else if (p->said.launches[call] == 0)
        text_add(advice, "It never launched the job: job->launch(job, NULL).");
    else if (is_right(p, ms * us_a_ms) || is_right(p, ms / us_a_ms))
        text_add(advice, "The number is right, but not in milliseconds.");
    else if (ms > p->truth && strcmp(p->said.remark, TRAP_MOVES_BETWEEN) == 0)
        text_add(advice, "Between its two events the GPU also ran a memset or "
                 "a copy, whose time was measured too. Flush before the first "
                 "event.");
    else if (p->row->trap.spread > 0 && p->said.launches[call] >= MANY)
        text_add(advice, "Is the answer made of about a hundred samples? If "
                 "it is the middle one: are they in order? Print them.");
    else
        return false;
    return true;
}

static void say_calls(const struct play *p, struct text *t)
{
    text_add(t, "  it says ");
    for (int i = 0; i < p->said.calls; i++)
        text_add(t, "%s%.4g", i ? ", " : "", p->said.ms[i]);
    text_add(t, " ms%s; the truth is %.4g ms, give or take %.0f %%\n",
             p->said.calls > 1 ? ", asked again and again" : "", p->truth,
             100 * p->row->tolerance);
}

static void keep_first_wrong(struct play *p, int call)
{
    struct comparison cmp = {.kind = CELL_LOGIC, .cells = 1, .wrong = 1,
                             .n_first = 1};

    cmp.cell[0] = (struct wrong_cell){.expected = p->truth,
                                        .got = p->said.ms[call]};
    wrong_keep(p->run, p->c, &cmp, p->said.launches[call] > 0);
}

static void blame_answer(struct play *p, int call)
{
    long long launches = p->said.launches[call];
    struct text *t;

    keep_first_wrong(p, call);
    if (!(t = blame_play(p, VERDICT_WRONG, OWNER_YOU)))
        return;
    text_add(t, "%s: %s\n", p->row->name, p->row->what);
    say_calls(p, t);
    text_add(t, "  after %lld launch%s, %s\n", launches,
             launches == 1 ? "" : "es",
             p->run->simulated ? "on the virtual clock" : "on the GPU");
    if (!advise_other(p, call, &p->result->advice))
        text_add(&p->result->advice, "%s", p->row->advice);
}

/* A row of the table at the end: "first launch   0.0027 ms   2.31 ms". */
static void say_row(const struct play *p, struct text *table, bool right)
{
    text_add(table, "  %-14s%10.4g ms of %7.4g ms  %s\n", p->row->name,
             p->said.ms[0], p->truth, right ? "right" : "WRONG");
}

/* All answers of a trap that asks several times: how near they are to each
 * other is its lesson. */
static void say_right_answers(const struct play *p, struct text *t)
{
    text_add(t, "%s, asked %d times: ", p->row->name, p->said.calls);
    for (int i = 0; i < p->said.calls; i++)
        text_add(t, "%s%.4g", i ? ", " : "", p->said.ms[i]);
    text_add(t, " ms\n");
}

/* Milliseconds; NAN where it could not be measured. */
static double find_truth(struct play *p)
{
    if (p->run->simulated || p->trap.warm >= 1)
        return p->trap.kernel_us / us_a_ms;
    if (!judge_end(p, play(p, "-", 1)))
        return NAN;
    read_answers(p);
    return p->said.calls == 1 ? p->said.ms[0] : NAN;
}

static void run_trap(struct play *p, struct text *table,
                     struct text *several)
{
    char timer[PATH_BYTES];
    int wrong;

    p->row = trap_at(p->c->problem.shape.dim[0] - 1);
    p->trap = trap_draw(p->row, p->c->problem.seed);
    path_set(timer, "%s", p->result->build.result);
    absolute(timer);
    p->run->cases++;
    p->truth = find_truth(p);
    if (isnan(p->truth))
        return;
    if (!judge_end(p, play(p, timer, p->row->calls)))
        return;
    read_answers(p);
    keep_output(p->result, p->output);
    if (!has_answered(p))
        return;
    wrong = first_wrong(p);
    if (wrong >= 0)
        blame_answer(p, wrong);
    p->run->passed += wrong < 0;
    say_row(p, table, wrong < 0);
    if (wrong < 0 && p->row->calls > 1)
        say_right_answers(p, several);
}

static bool was_met(const struct phase *phase, const struct test_case *c)
{
    return phase->result->run[RUN_SIM].ran && phase->cases->n > 1 &&
           trap_at(c->problem.shape.dim[0] - 1)->played;
}

static bool is_hopeless(const struct kernel_result *r)
{
    return r->verdict != VERDICT_PASS && r->verdict < VERDICT_MEMORY;
}

void timer_phase(const struct phase *phase, bool simulated)
{
    struct kernel_result *r = phase->result;
    struct play p = {.phase = phase, .result = r,
                     .run = &r->run[simulated ? RUN_SIM : RUN_GPU]};
    struct text table = {0}, several = {0};

    p.run->ran = true;
    p.run->simulated = simulated;
    snprintf(p.run->device, sizeof p.run->device, "%s",
             simulated ? "clock" : phase->workbook->gpu);
    path_set(p.answers, "%s/answers", phase->workbook->scratch);
    absolute(p.answers);
    path_set(p.output, "%s/timer.out", phase->workbook->scratch);
    progress_begin(r->conf->name);
    /* What crashes or hangs in one trap does so in the next. */
    for (int i = 0; i < phase->cases->n && !is_hopeless(r); i++) {
        p.c = &phase->cases->cases[i];
        if (!simulated && was_met(phase, p.c))
            continue;
        progress_step("trap %d of %d", i + 1, phase->cases->n);
        run_trap(&p, &table, &several);
    }
    progress_clear();
    if (table.n && phase->cases->n > 1)
        text_add(&r->evidence, "%s:\n%s", simulated ? "on the virtual clock"
                                                    : "on the GPU", table.s);
    text_add(&r->evidence, "%s", text_get(&several));
    text_free(&several);
    text_free(&table);
}
