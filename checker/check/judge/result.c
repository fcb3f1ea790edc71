// SPDX-License-Identifier: MIT
/*
 * result.c: verdicts with their evidence; see result.h.
 */
#include "result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/conf/holes.h"
#include "misplaced.h"
#include "pattern.h"

struct text *result_blame(struct kernel_result *r, enum verdict verdict,
                          enum owner owner, int case_number)
{
    if (r->verdict == verdict ||
        verdict_first(r->verdict, verdict) != verdict)
        return NULL;
    r->verdict = verdict;
    r->owner = owner;
    r->blamed_case = case_number;
    text_free(&r->evidence);
    text_free(&r->advice);
    return &r->evidence;
}

void result_excuse(struct kernel_result *r, bool unfair)
{
    if (!unfair)
        return;
    r->owner = OWNER_MACHINE;
    text_free(&r->advice);
    text_add(&r->advice, "It waited for a processor most of the time, or the "
             "system ran out of memory: check it again when this machine has "
             "less to do.");
}

void predicted_free(struct predicted *p)
{
    json_decref(p->parts);
    json_decref(p->report);
    *p = (struct predicted){0};
}

const char *result_remark(const struct kernel_result *r)
{
    bool predicted = r->verdict == VERDICT_SLOW && !r->run[RUN_GPU].speed.timed;

    return predicted ? " (PREDICTED)" : "";
}

bool speed_at_floor(const struct speed *s, double datasheet_ms)
{
    static const double copy_over_datasheet = 1.5;

    if (datasheet_ms > 0.0 && s->copy_ms > copy_over_datasheet * datasheet_ms)
        return false;
    return s->verdict != TIMING_SLOWER && s->this_ms.high <= 1.1 * s->copy_ms;
}

void result_forget_runs(struct kernel_result *r)
{
    for (int i = 0; i < RUNS; i++) {
        json_decref(r->run[i].counters);
        r->run[i] = (struct run){.planned = r->run[i].planned};
    }
    predicted_free(&r->predicted);
    text_free(&r->notes);
    text_free(&r->table);
    text_free(&r->output);
}

void result_free(struct kernel_result *r)
{
    build_free(&r->build);
    text_free(&r->evidence);
    text_free(&r->advice);
    text_free(&r->notes);
    text_free(&r->table);
    text_free(&r->output);
    predicted_free(&r->predicted);
    for (int i = 0; i < RUNS; i++)
        json_decref(r->run[i].counters);
}

void case_name(struct text *text, const struct op *op,
               const struct test_case *c)
{
    char shape[128];

    op_format_shape(op, &c->problem.shape, shape, sizeof shape);
    text_add(text, "%s, %s inputs", shape,
             op_family_name(op, c->problem.family));
    for (int i = 0; i < op->n_scalars; i++)
        text_add(text, ", %s = %.*g", op->scalars[i].name,
                 type_row[op->scalars[i].type].digits, c->problem.scalar[i]);
    if (c->number >= 0)
        text_add(text, " (case %d)", c->number);
}

/* Of cases of one kind: NaN says less than numbers, which a later step would
 * have shown, and more than both together, or than numbers where NaN belongs;
 * a single cell says less than several, and a pattern most. */
static int telling(const struct comparison *c)
{
    if (c->kind == CELL_SHIFTED)
        return c->every > 0;
    if (c->kind != CELL_LOGIC)
        return 0;
    if (c->nans || !isfinite(c->cell[0].expected))
        return c->nans == c->wrong;
    return c->scaled ? 4 : c->cells > 1 ? 3 : 2;
}

void result_keep_wrong(struct run *run, const struct test_case *c,
                       const struct comparison *cmp, bool launched)
{
    if (cmp->kind < run->first_wrong.kind ||
        (cmp->kind == run->first_wrong.kind &&
         telling(cmp) <= telling(&run->first_wrong)))
        return;
    run->first_wrong = *cmp;
    run->wrong_launched = launched;
    memcpy(run->wrong_launch, run->launched_as, sizeof run->wrong_launch);
    run->wrong_case = *c;
}

/* Is no error allowed in the wrong cells? As of integers, and of steps each of
 * which rounds in one way. */
static bool is_exact(const struct comparison *c)
{
    return !(c->worst > 0.0);
}

/* An in-and-out array's cells hold what they held before, and yet the first of
 * them was written. */
static bool is_kept(const struct run *run)
{
    return run->first_wrong.kind == CELL_UNWRITTEN && run->wrong_writer[0];
}

/* An in-and-out array, no cell of which has changed. */
static bool is_not_stored(const struct op *op, const struct comparison *c)
{
    return c->kind == CELL_UNWRITTEN && c->unwritten == c->cells &&
           op->buffers[c->buffer].role == OP_INOUT;
}

/* What the kind means, in one sentence. */
static void say_kind(struct text *t, const struct run *run,
                     const struct op *op)
{
    const struct comparison *c = &run->first_wrong;
    const struct op_buffer *b = &op->buffers[c->buffer];

    switch (c->kind) {
    case CELL_UNWRITTEN:
        if (is_kept(run))
            text_add(t, "kept: %zu of the %zu cells of %s are written, with "
                     "what they held before\n", c->unwritten, c->cells,
                     b->name);
        else if (is_not_stored(op, c))
            text_add(t, "unwritten: nothing is stored to %s: it holds what it "
                     "held before the launch\n", b->name);
        else if (c->unwritten == c->cells)
            text_add(t, "unwritten: no cell of %s was written\n", b->name);
        else
            text_add(t, "unwritten: %zu of the %zu cells of %s were never "
                     "written\n", c->unwritten, c->cells, b->name);
        break;
    case CELL_SHIFTED:
        if (c->every)
            text_add(t, "shifted: some cells hold what belongs to %s%+d\n",
                     b->index[c->shift_index], c->shift_by);
        else
            text_add(t, "shifted: each cell holds what belongs to %s%+d\n",
                     b->index[c->shift_index], c->shift_by);
        break;
    case CELL_WHOLE:
        text_add(t, "whole: %zu of the %zu cells of %s hold the right number "
                 "without what is behind the point\n", c->wrong, c->cells,
                 b->name);
        break;
    case CELL_MISPLACED:
        misplaced_say(t, c, op);
        break;
    case CELL_PADDING:
        text_add(t, "padding: %zu element%s between the rows of %s %s "
                 "changed\n", c->wrong, c->wrong == 1 ? "" : "s", b->name,
                 c->wrong == 1 ? "was" : "were");
        break;
    case CELL_STALE:
        text_add(t, "stale: %s holds the result of an earlier launch\n",
                 b->name);
        break;
    case CELL_ROUNDING:
        if (is_exact(c))
            text_add(t, "rounding: close, but no error is allowed here\n");
        else
            text_add(t, "rounding: close, but up to %.3g times the error that "
                     "%s allows here\n", c->worst, type_row[b->type].name);
        break;
    default:
        text_add(t, "logic: %zu of the %zu cells of %s hold%s another number\n",
                 c->wrong, c->cells, b->name, c->wrong == 1 ? "s" : "");
    }
}

/* A NaN is printed without one: which it has tells nothing. */
static double without_sign(double x)
{
    return isnan(x) ? NAN : x;
}

static void say_cells(struct text *t, const struct run *run,
                      const struct op *op)
{
    const struct comparison *c = &run->first_wrong;
    int digits = type_row[op->buffers[c->buffer].type].digits;

    for (int i = 0; i < c->n_first; i++) {
        text_add(t, "  ");
        cell_say(t, op, c->buffer, c->cell[i].at);
        if (c->kind == CELL_PADDING)
            text_add(t, "  is padding, got ");
        else
            text_add(t, "  expected %.*g, got ", digits,
                     without_sign(c->cell[i].expected));
        if (c->kind == CELL_UNWRITTEN && isnan(c->cell[i].got))
            text_add(t, "nothing\n");
        else
            text_add(t, "%.*g\n", digits, without_sign(c->cell[i].got));
        if (i == 0)
            text_add(t, "%s", run->wrong_writer);
    }
    text_add(t, "  ");
    if (compare_where(t, c, op, &run->wrong_case.problem.shape))
        text_add(t, "\n  ");
    text_add(t, "at ");
    case_name(t, op, &run->wrong_case);
    if (c->kind == CELL_UNWRITTEN && run->wrong_launch[0])
        text_add(t, "\n  launched as %s", run->wrong_launch);
    text_add(t, "\n");
}

static void say_nans(struct text *t, const struct comparison *c)
{
    if (c->wrong == 1)
        text_add(t, "  it is NaN\n");
    else
        text_add(t, "  %zu of them %s NaN\n", c->nans,
                 c->nans == 1 ? "is" : "are");
}

static void say_how_many(struct text *t, const struct run *run)
{
    int left_out = run->planned - run->cases;

    if (run->passed == 0 && run->cases > 1)
        text_add(t, "  wrong in all %d cases\n", run->cases);
    else if (run->cases > 1)
        text_add(t, "  right in %d of %d cases%s%s: look at what sets this one "
                 "apart\n", run->passed, run->cases,
                 run->apart[0] ? ", " : "", run->apart);
    if (left_out > 0)
        text_add(t, "  (%d more case%s left out, since this one is wrong)\n",
                 left_out, left_out == 1 ? " was" : "s were");
}

/* Most often a hole is still empty, whoever wrote what is there. Returns
 * whether that, or that nothing was launched, explains it. */
static bool say_nothing_done(struct kernel_result *r, struct text *t,
                             bool launched)
{
    struct hole hole;

    if (!launched)
        text_add(t, "no kernel was launched\n");
    if (holes_first_empty(r->source, &hole)) {
        text_add(t, "%s:%d: the hole \"%s\" is empty\n", r->source, hole.line,
                 hole.name);
        text_add(&r->advice, "Write there: %s",
                 hole.comment[0] ? hole.comment : "what the lesson asks for.");
        return true;
    }
    if (!launched)
        text_add(&r->advice, "Launch it: kernel<<<grid, block, 0, "
                 "stream>>>(...).");
    return !launched;
}

static const char exact_advice[] =
    "Only one result is right here. Use fmaf where the formula does: it rounds "
    "a b + c once, a * b + c rounds twice. Round nothing else before the last "
    "store.";

static const char *const kind_advice[CELL_KINDS] = {
    [CELL_ROUNDING] = "Round nothing before the last store, and add up many "
                      "terms in several partial sums.",
    [CELL_LOGIC] = "Work out the first wrong cell by hand: which inputs does "
                   "it need, at which indices, and what does your kernel "
                   "make of them? Of a sum: where does it begin, and is each "
                   "term added once?",
    [CELL_WHOLE] = "Somewhere the value becomes an integer: a variable, a "
                   "parameter or a cast that is int, a shared array of int, "
                   "or a quotient of two integers.",
    [CELL_STALE] = "A launch must compute its result afresh: keep nothing "
                   "between launches.",
    [CELL_SHIFTED] = "Some index is off by one: look for a + 1, a - 1, or "
                     "< where <= is meant.",
    [CELL_PADDING] = "Write only the elements of each row: its next row "
                     "starts one leading dimension further on.",
    [CELL_UNWRITTEN] = "Does the grid cover every cell, and does every "
                       "thread reach its store?",
};

static const char never_fetched[] =
    "Is the whole result copied back (cudaMemcpyDeviceToHost), and waited for? "
    "Nothing is there before a cudaMemcpyAsync is synchronised.";

/* As many cells as a block may have threads, from the first on; none of the
 * others was written. */
static bool is_one_block(const struct run *run)
{
    const struct comparison *c = &run->first_wrong;
    const char *block = strstr(run->wrong_launch, "block (");
    size_t first = c->cell[0].element, x = first, y = 1, z = 1;

    if (block)
        sscanf(block, "block (%zu,%zu,%zu)", &x, &y, &z);
    return c->kind == CELL_UNWRITTEN && first > 0 && first == x * y * z &&
           first <= 1024 && first % 32 == 0 && c->wrong == c->cells - first;
}

/* Cells that nobody writes, where others are written by several threads. */
static bool is_overlap(const struct op *op, const struct run *run)
{
    const struct comparison *c = &run->first_wrong;
    const char *name = op->buffers[c->buffer].name;
    const char *at = run->findings_noted;
    size_t n = strlen(name);

    if (c->kind != CELL_UNWRITTEN)
        return false;
    while ((at = strstr(at, "one element of "))) {
        at += strlen("one element of ");
        if (strncmp(at, name, n) == 0 && strchr(".,", at[n]))
            return true;
    }
    return false;
}

static const char overlap[] =
    "Several threads write the same cell here, and other cells have none: the "
    "indices overlap. Work them out for the last thread of block 0 and the "
    "first of block 1. Which factor is missing, or wrong?";

static const char one_block[] =
    "Only the first cells are written, as many as a block has threads. Does "
    "the index lack blockIdx.x * blockDim.x, or has the grid a single block?";

static const char kept[] =
    "What is added to these cells comes out as 0. Does its loop run at all "
    "here, or over whole tiles alone? If it does, are the values that it is "
    "computed from those of other cells, or not filled in yet?";

static const char not_stored[] =
    "This array is an input and a result: where the formula gives its new "
    "value, a thread has to store it there. Does any line do that, and does "
    "its thread come there?";

static const char at_the_edge[] =
    "Where nothing is left over of a vector, a warp or a tile it is right. "
    "What does a lane without an element add to a sum: nothing? Are the last "
    "elements added at all? And by what is a sum divided: by the extent "
    "itself, or by one that is rounded up?";

static const char ld_forgotten[] =
    "It is right where rows lie as close as they are long. Elsewhere they lie "
    "a leading dimension apart: is each row's number multiplied by that of its "
    "own array?";

static const char exact_alone[] =
    "Only inputs for which no error is allowed come out wrong, small whole "
    "numbers and the like: for others the same mistake passes for rounding. "
    "Look for one term of many that is left out or added twice, at an edge, "
    "or for a factor that is not quite what it should be.";

static const char single_cell[] =
    "There is only one cell here, so no index of the output is wrong. Work out "
    "by hand what goes into it: which elements does the kernel read, where "
    "there is hardly any, and what does a sum begin with?";

static const char nan_lost[] =
    "A NaN of the input is lost. fmaxf and fminf return their other argument, "
    "and a comparison with NaN is false: choose the one whose other branch "
    "keeps the value.";

static const char nan_made[] =
    "Is a sum or a maximum uninitialised, or does it start from the wrong "
    "value? Otherwise NaN comes of infinity - infinity, 0 * infinity, 0 / 0 "
    "and infinity / infinity: which step meets one of them here? Look for an "
    "exponential that overflows. What nvcc makes of an index beyond the end "
    "of a thread's own array is NaN, too.";

/* All wrong cells that are shown should be NaN, and none is. */
static bool is_nan_lost(const struct comparison *c)
{
    for (int i = 0; i < c->n_first; i++)
        if (!isnan(c->cell[i].expected))
            return false;
    return c->n_first > 0 && c->nans == 0;
}

static const char *nan_advice(const struct comparison *c)
{
    if (c->kind != CELL_LOGIC)
        return NULL;
    return is_nan_lost(c) ? nan_lost : c->nans == c->wrong ? nan_made : NULL;
}

static const char read_for_nothing[] =
    "A factor of this array's old value is 0 here, and 0 * NaN is NaN, as is "
    "0 * infinity: where it is 0, do not read what the array held.";

/* beta C with beta = 0, of a C that holds NaN. */
static bool is_read_for_nothing(const struct op *op, const struct run *run)
{
    const struct comparison *c = &run->first_wrong;
    bool zero = false;

    for (int i = 1; i < op->n_scalars; i++)
        zero = zero || run->wrong_case.problem.scalar[i] == 0.0;
    return zero && c->kind == CELL_LOGIC && c->nans == c->wrong &&
           op->buffers[c->buffer].role == OP_INOUT && !is_nan_lost(c);
}

static bool is_patterned(const struct comparison *c)
{
    return c->kind == CELL_LOGIC || c->kind == CELL_SHIFTED;
}

static const char *advice_for(const struct kernel_result *r,
                              const struct run *run)
{
    const struct comparison *c = &run->first_wrong;

    if (is_read_for_nothing(r->conf->op, run))
        return read_for_nothing;
    if (nan_advice(c))
        return nan_advice(c);
    if (run->exact_alone &&
        (c->kind == CELL_LOGIC ||
         (c->kind == CELL_ROUNDING && fmod(c->cell[0].expected, 1.0) == 0.0)))
        return exact_alone;
    if (r->conf->host && c->kind == CELL_UNWRITTEN)
        return never_fetched;
    if (run->apart[0] && !run->apart_by_gaps &&
        c->kind == CELL_MISPLACED && c->slip.kind == SLIP_UNUSED)
        return at_the_edge;
    if (c->kind == CELL_MISPLACED)
        return misplaced_advice(c, r->conf->op);
    if (is_kept(run))
        return kept;
    if (is_not_stored(r->conf->op, c))
        return not_stored;
    if (is_one_block(run))
        return one_block;
    if (is_overlap(r->conf->op, run))
        return overlap;
    if (is_patterned(c) && pattern_advice(c))
        return pattern_advice(c);
    if (run->apart[0] && c->kind == CELL_LOGIC)
        return run->apart_by_gaps ? ld_forgotten : at_the_edge;
    if (c->kind == CELL_LOGIC && c->cells == 1)
        return single_cell;
    return c->kind == CELL_ROUNDING && is_exact(c) ? exact_advice
                                                   : kind_advice[c->kind];
}

void result_blame_wrong(struct kernel_result *r, const struct run *run)
{
    const struct op *op = r->conf->op;
    bool launched = run->wrong_launched;
    struct text *t;

    if (run->first_wrong.kind == CELL_RIGHT)
        return;
    t = result_blame(r, VERDICT_WRONG, OWNER_YOU, run->wrong_case.number);
    if (!t)
        return;
    say_kind(t, run, op);
    if (is_patterned(&run->first_wrong))
        pattern_say(t, &run->first_wrong, op);
    if (run->first_wrong.nans)
        say_nans(t, &run->first_wrong);
    if (!say_nothing_done(r, t, launched))
        text_add(&r->advice, "%s", advice_for(r, run));
    say_cells(t, run, op);
    say_how_many(t, run);
}
