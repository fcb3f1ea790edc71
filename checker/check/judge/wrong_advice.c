// SPDX-License-Identifier: MIT
/*
 * wrong_advice.c: where to look for what makes a result wrong; see
 * wrong_advice.h.
 */
#include "wrong_advice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "misplaced.h"
#include "pattern.h"

bool wrong_is_exact(const struct comparison *c)
{
    return !(c->worst > 0.0);
}

bool wrong_is_kept(const struct run *run)
{
    return run->first_wrong.kind == CELL_UNWRITTEN && run->wrong_writer[0];
}

bool wrong_is_not_stored(const struct op *op, const struct comparison *c)
{
    return c->kind == CELL_UNWRITTEN && c->unwritten == c->cells &&
           op->buffers[c->buffer].role == OP_INOUT;
}

/* Of most cells that are shown. Among many terms that nearly cancel out, one
 * that is left out weighs as much as what rounding leaves. */
bool wrong_is_far(const struct comparison *c)
{
    static const double share = 0.05;
    int far = 0;

    for (int i = 0; i < c->n_first; i++)
        far += fabs(c->cell[i].got - c->cell[i].expected) >
               share * fabs(c->cell[i].expected);
    return 2 * far > c->n_first;
}

bool wrong_is_patterned(const struct comparison *c)
{
    return c->kind == CELL_LOGIC || c->kind == CELL_SHIFTED;
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

/* Of two lines: the note says so. */
static bool is_of_two_lines(const struct run *run)
{
    return strstr(run->findings_noted, ", others in line ") != NULL;
}

static bool is_first_missing(const struct op *op, const struct comparison *c)
{
    return c->kind == CELL_UNWRITTEN && op->buffers[c->buffer].rank == 1 &&
           c->low[0] == 0 && c->high[0] + 1 == c->wrong && c->wrong < c->cells;
}

/* Of what threads wrote, each wrote but a half, or a quarter. */
static bool is_part_of_vector(const struct op *op, const struct comparison *c)
{
    size_t first = c->low[0], all = c->high[0] + 1;

    return c->kind == CELL_UNWRITTEN && op->buffers[c->buffer].rank == 1 &&
           first > 1 && c->wrong == all - first &&
           (all == 2 * first || all == 4 * first || all == 8 * first);
}

/* Along an index nothing is missing before the end of a tile. */
static bool is_later_block(const struct op *op, const struct comparison *c)
{
    enum { LEAST_TILE = 8 };
    int rank = op->buffers[c->buffer].rank;

    for (int d = 0; rank > 1 && c->kind == CELL_UNWRITTEN && d < rank; d++)
        if (c->low[d] > 0 && c->low[d] % LEAST_TILE == 0)
            return true;
    return false;
}

static const char overlap_of_lines[] =
    "Two lines store to the same cells here, as the note says, and other cells "
    "have none. What does the index on one of them lack: where its own part of "
    "the array begins?";

static const char first_missing[] =
    "Only the first cells are missing: where does the index of thread 0 of "
    "block 0 begin? It should be 0.";

static const char part_of_vector[] =
    "A half (quarter, eighth) of what should be is written, and nothing of the "
    "rest. Either each thread stores fewer elements than the count of threads "
    "goes by (float2 holds two, float4 four), or the launch has too few "
    "threads.";

static const char left_over[] =
    "Where nothing is left over of a vector or a tile, all is written. Who "
    "stores what is left over, and does its bound let the last one through, "
    "n - 1?";

static const char later_block[] =
    "The first blocks store what is theirs, and those that come later along "
    "this index do not. Are there enough of them? And how does a block work "
    "out its first row and its first column: are / and %, or .x and .y, "
    "exchanged?";

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

static const char all_zero[] =
    "In all wrong cases, or nearly all, what is wrong is 0. Is the value that "
    "is stored the one that was worked out, or is that cleared, or kept in a "
    "copy that is thrown away? Where parts of a sum meet, is = there for +=, "
    "so that a part with nothing in it takes the others away? Do the loops run "
    "at all?";

static const char few_terms[] =
    "So much may be left of a sum that is kept, or rounded in between, in too "
    "narrow a type. But the same comes of a few terms that are left out or "
    "added twice: at the end of the last tile, or where a loop goes from one "
    "part of a sum to the next. Which of the two, small whole numbers tell: "
    "there nothing is rounded.";

static const char single_cell[] =
    "There is only one cell here, so no index of the output is wrong. Work out "
    "by hand what goes into it: which elements does the kernel read, where "
    "there is hardly any, and what does a sum begin with?";

static const char nan_lost[] =
    "A NaN of the input is lost. fmaxf and fminf return their other argument, "
    "and a comparison with NaN is false: choose the one whose other branch "
    "keeps the value.";

static const char nan_of_infinity[] =
    "NaN belongs there although no input that it comes from is NaN: infinity - "
    "infinity, 0 * infinity and infinity / infinity are. Which step of the "
    "formula meets one here, and does the kernel take it, or does a "
    "comparison, fmaxf, or a test for infinity lead around it?";

static const char nan_made[] =
    "Is a sum or a maximum uninitialised, or does it start from the wrong "
    "value? Is a count that you divide by still 0 at the first element? "
    "Otherwise NaN comes of infinity - infinity, 0 * infinity, 0 / 0, "
    "infinity / infinity, and of the root of a number below 0: which step "
    "meets one of them here? Look for an exponential that overflows. What nvcc "
    "makes of an index beyond the end of a thread's own array is NaN, too.";

static const char nan_of_far[] =
    "Inputs far from 0 make it. Does something overflow? exp(x) is infinite "
    "from x = 89 on, and 0 below -104: is the largest value subtracted first, "
    "and is it that of these inputs? Or is one large number subtracted from "
    "another, as in the mean of squares less the square of the mean? What is "
    "left may be below 0, and its root is NaN.";

/* All wrong cells that are shown should be NaN, and none is. */
static bool is_nan_lost(const struct comparison *c)
{
    for (int i = 0; i < c->n_first; i++)
        if (!isnan(c->cell[i].expected))
            return false;
    return c->n_first > 0 && c->nans == 0;
}

/* Inputs near 0, which come first, were right. */
static bool is_of_far(const struct op *op, const struct test_case *c)
{
    return op->positive && c->problem.family == OP_POSITIVE;
}

static const char *nan_advice(const struct op *op, const struct run *run)
{
    const struct comparison *c = &run->first_wrong;

    if (c->kind != CELL_LOGIC)
        return NULL;
    if (is_nan_lost(c))
        return c->nan_of_infinities ? nan_of_infinity : nan_lost;
    if (c->nans < c->wrong)
        return NULL;
    return is_of_far(op, &run->wrong_case) ? nan_of_far : nan_made;
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

static const char left_behind[] =
    "What does a launch leave in memory that outlives it, a __device__ counter "
    "or array, and count on at its start? Each launch has to find it as the "
    "first one did: the last block sets it back, or a memset on the stream "
    "does so before the kernel.";

bool wrong_is_general(const char *advice)
{
    return advice == all_zero || advice == kind_advice[CELL_LOGIC];
}

const char *wrong_advice(const struct kernel_result *r, const struct run *run)
{
    const struct comparison *c = &run->first_wrong;

    if (run->wrong_after != AFTER_NOTHING)
        return left_behind;
    if (is_read_for_nothing(r->conf->op, run))
        return read_for_nothing;
    if (nan_advice(r->conf->op, run))
        return nan_advice(r->conf->op, run);
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
    if (wrong_is_kept(run))
        return kept;
    if (wrong_is_not_stored(r->conf->op, c))
        return not_stored;
    if (is_one_block(run))
        return one_block;
    if (is_overlap(r->conf->op, run))
        return is_of_two_lines(run) ? overlap_of_lines : overlap;
    if (run->apart[0] && !run->apart_by_gaps && c->kind == CELL_UNWRITTEN)
        return left_over;
    if (is_first_missing(r->conf->op, c))
        return first_missing;
    if (is_part_of_vector(r->conf->op, c))
        return part_of_vector;
    if (is_later_block(r->conf->op, c))
        return later_block;
    if (wrong_is_patterned(c) && pattern_advice(c))
        return pattern_advice(c);
    if (run->apart[0] && c->kind == CELL_LOGIC)
        return run->apart_by_gaps ? ld_forgotten : at_the_edge;
    if (run->all_zero && c->kind == CELL_LOGIC)
        return all_zero;
    if (c->kind == CELL_LOGIC && c->cells == 1)
        return single_cell;
    if (c->kind == CELL_ROUNDING && wrong_is_exact(c))
        return exact_advice;
    return c->kind == CELL_ROUNDING && wrong_is_far(c) ? few_terms
                                                       : kind_advice[c->kind];
}
