// SPDX-License-Identifier: MIT
/*
 * wrong.c: what is wrong with a result, in words; see wrong.h.
 */
#include "wrong.h"

#include <math.h>
#include <string.h>

#include "check/conf/holes.h"
#include "hints.h"
#include "misplaced.h"
#include "pattern.h"
#include "wrong_advice.h"

/* Of cases of one kind: NaN says less than numbers, which a later step would
 * have shown, and more than both together, or than numbers where NaN belongs;
 * a single cell says less than several, and a pattern most. Where nothing is
 * written it says less than which cells are. */
static int telling(const struct comparison *c)
{
    if (c->kind == CELL_SHIFTED)
        return c->every > 0;
    if (c->kind == CELL_UNWRITTEN)
        return c->wrong < c->cells;
    if (c->kind != CELL_LOGIC)
        return 0;
    if (c->nans || !isfinite(c->cell[0].expected))
        return c->nans == c->wrong;
    return c->scaled || c->every ? 4 : c->cells > 1 ? 3 : 2;
}

void wrong_keep(struct run *run, const struct test_case *c,
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

/* What the kind means, in one sentence. */
static void say_kind(struct text *t, const struct run *run,
                     const struct op *op)
{
    const struct comparison *c = &run->first_wrong;
    const struct op_buffer *b = &op->buffers[c->buffer];

    switch (c->kind) {
    case CELL_UNWRITTEN:
        if (wrong_is_kept(run))
            text_add(t, "kept: %zu of the %zu cells of %s are written, with "
                     "what they held before\n", c->unwritten, c->cells,
                     b->name);
        else if (wrong_is_not_stored(op, c))
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
        if (wrong_is_exact(c))
            text_add(t, "rounding: close, but no error is allowed here\n");
        else
            text_add(t, "%s up to %.3g times the error that %s allows here\n",
                     wrong_is_far(c) ? "rounding, or a few terms of many:"
                                     : "rounding: close, but",
                     c->worst, type_row[op->precision.tf32_factors
                                            ? TYPE_TF32 : b->type].name);
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

static void say_after(struct text *t, const struct run *run)
{
    if (run->wrong_after == AFTER_ITSELF)
        text_add(t, "  the first launch is right; it is the next one that is "
                 "not, with the same inputs\n");
    else if (run->wrong_after == AFTER_OTHERS)
        text_add(t, "  launched alone, this case is right: it takes other "
                 "launches before it\n");
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

void wrong_blame(struct kernel_result *r, const struct run *run)
{
    const struct op *op = r->conf->op;
    bool launched = run->wrong_launched;
    struct text *t;

    if (run->first_wrong.kind == CELL_RIGHT)
        return;
    t = result_blame(r, VERDICT_WRONG, OWNER_YOU,
                     run->wrong_after == AFTER_OTHERS ? -1
                                                      : run->wrong_case.number);
    if (!t)
        return;
    say_kind(t, run, op);
    if (wrong_is_patterned(&run->first_wrong))
        pattern_say(t, &run->first_wrong, op);
    if (run->first_wrong.nans &&
        !(run->first_wrong.kind == CELL_UNWRITTEN &&
          op->buffers[run->first_wrong.buffer].role == OP_INOUT))
        say_nans(t, &run->first_wrong);
    if (!say_nothing_done(r, t, launched)) {
        const char *advice = wrong_advice(r, run);
        const char *other = misplaced_or(&run->first_wrong, op);

        if (wrong_is_general(advice))
            hints_wrong(&r->advice, r->source);
        text_add(&r->advice, "%s%s%s", advice,
                 other ? " Or, of the second: " : "", other ? other : "");
    }
    say_cells(t, run, op);
    say_after(t, run);
    say_how_many(t, run);
}
