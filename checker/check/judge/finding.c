// SPDX-License-Identifier: MIT
/*
 * finding.c: tells a learner what the simulated GPU saw; see finding.h.
 *
 * A sentence per kind, and the table of kinds. Accesses to memory have a file
 * of their own, access.c.
 */
#include "finding.h"

#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "evident.h"
#include "rounds.h"
#include "said.h"

static void say_plain(struct text *t, const json_t *f, const struct arrays *a,
                      const char *what)
{
    said_place(t, f, a);
    text_add(t, "%s", what);
    if (*finding_str(f, "detail"))
        text_add(t, ": %s", finding_str(f, "detail"));
    text_add(t, "\n");
    said_source(t, f, a);
}

static void say_deadlock(struct text *t, struct text *advice, const json_t *f,
                         const struct arrays *a)
{
    const char *detail = finding_str(f, "detail");
    bool of_warp = strncmp(detail, "lanes ", 6) == 0 ||
                   strncmp(detail, "all 32 lanes ", 13) == 0;

    say_plain(t, f, a, of_warp
                           ? "what a warp does together, and some lanes never "
                             "come to"
                           : "a barrier that some threads never reach");
    if (strstr(detail, "its own mask")) {
        text_add(advice, "The mask names all lanes that take part, and each of "
                         "them executes that line: 0xffffffff for a whole "
                         "warp. For fewer lanes, let the others go around it.");
        return;
    }
    if (of_warp) {
        text_add(advice, "All lanes that it names have to execute that line "
                         "together: a shuffle, a vote, __syncwarp(), ldmatrix "
                         "or mma. Take it out of the `if`, the loop or the "
                         "early `return` that some lanes leave it by; what a "
                         "lane does not need, it may throw away afterwards.");
        rounds_advise(advice, a->source, ROUNDS_SHUFFLE);
        return;
    }
    text_add(advice, "__syncthreads() must be reached by every thread of the "
                     "block: take it out of the `if`, or the early `return`.");
    rounds_advise(advice, a->source, ROUNDS_BARRIER);
}

static void say_exited(struct text *t, struct text *advice, const json_t *f,
                       const struct arrays *a)
{
    say_plain(t, f, a, "shared memory of a block that may be gone");
    text_add(advice, "Let the blocks of the cluster meet once more before they "
                     "end: cluster.sync() behind the last such access.");
}

static void say_barrier(struct text *t, struct text *advice, const json_t *f,
                        const struct arrays *a)
{
    say_plain(t, f, a, "a barrier used as CUDA does not allow");
    text_add(advice, "Count who arrives and what is announced in each phase, "
                     "and let every arrival be waited for before the next.");
}

static void say_shuffle(struct text *t, struct text *advice, const json_t *f,
                        const struct arrays *a)
{
    say_plain(t, f, a, "a shuffle takes a value from a lane that gives none");
    text_add(advice, "All lanes that are read must come to the shuffle: let no "
                     "thread return before it, name every lane in the mask, "
                     "and give blocks whole warps.");
    rounds_advise(advice, a->source, ROUNDS_SHUFFLE);
}

static void say_illegal(struct text *t, struct text *advice, const json_t *f,
                        const struct arrays *a)
{
    say_plain(t, f, a, "an instruction with operands that a GPU refuses");
    text_add(advice, "Look at what the instruction is given: a GPU stops "
                     "there with an illegal instruction.");
}

static void say_assert(struct text *t, struct text *advice, const json_t *f,
                       const struct arrays *a)
{
    say_plain(t, f, a, "an assert() failed");
    text_add(advice, "Print the values in the condition: make run shows "
                     "printf.");
}

static void say_trap(struct text *t, struct text *advice, const json_t *f,
                     const struct arrays *a)
{
    struct text line = {0};

    say_plain(t, f, a, "the kernel stopped itself (__trap)");
    said_source(&line, f, a);
    if (strstr(text_get(&line), "memcpy_async"))
        text_add(advice, "Is its size 4, 8 or 16 bytes? With any other, "
                         "__pipeline_memcpy_async stops the kernel. Copy more "
                         "elements at once, or load and store them.");
    else
        text_add(advice, "Find what leads to that line.");
    text_free(&line);
}

/* "4 threads of its block wait at add.cu:12", and that line. */
static bool say_waiting(struct text *t, const json_t *f,
                        const struct arrays *a)
{
    const char *words = strstr(finding_str(f, "detail"), "; ");
    const char *line = words ? strrchr(words, ':') : NULL;

    if (!line)
        return false;
    text_add(t, "  %s\n", words + strlen("; "));
    said_line(t, a->source, a->source, atoll(line + 1));
    return true;
}

static double product_of(const json_t *triple)
{
    double n = 1.0;

    for (size_t i = 0; i < json_array_size(triple); i++)
        n *= json_number_value(json_array_get(triple, i));
    return n;
}

/* Millions of blocks, and far more than an array has bytes. */
static bool is_wrapped(const struct arrays *a)
{
    enum { MANY = 1 << 20 };
    double blocks = product_of(json_object_get(a->launch, "grid"));
    size_t most = a->workspace_bytes;

    for (int i = 0; i < a->op->n_buffers; i++)
        most = a->bytes[i] > most ? a->bytes[i] : most;
    return a->launch && blocks >= MANY && blocks > 16.0 * (double)most;
}

/* "16777216 blocks of 16777217 began, and each did next to nothing". */
static bool say_idle(struct text *t, struct text *advice, const json_t *f,
                     const struct arrays *a)
{
    const char *detail = finding_str(f, "detail");
    bool idle = strstr(detail, " began, and each did next to nothing");

    if (!idle && !is_wrapped(a))
        return false;
    text_add(t, "the grid has far more blocks than there is work\n");
    if (idle)
        text_add(t, "  %s\n", detail);
    else
        access_say_launch(t, a->launch);
    text_add(advice, "Work out the grid at this size by hand. Is an unsigned "
                     "difference below 0, a quotient rounded up once too "
                     "often, or an extent taken where a number of tiles was "
                     "meant?");
    return true;
}

static void say_budget(struct text *t, struct text *advice, const json_t *f,
                       const struct arrays *a)
{
    said_place(t, f, a);
    if (say_idle(t, advice, f, a))
        return;
    text_add(t, "the kernel was still running after many times the "
                "instructions this case needs\n");
    said_source(t, f, a);
    if (say_waiting(t, f, a)) {
        text_add(advice, "Which condition lets a thread leave the loop around "
                         "the first line, and who is to make it true? If it is "
                         "one of those that wait, they never do.");
        return;
    }
    text_add(advice, "Look for a loop around that line whose condition never "
                     "turns false, or that repeats work far more often than "
                     "it needs to.");
}

static void say_stack(struct text *t, struct text *advice, const json_t *f,
                      const struct arrays *a)
{
    say_plain(t, f, a, "the stack of a thread is full");
    text_add(advice, "Does a device function call itself without end?");
}

static void say_footprint(struct text *t, struct text *advice, const json_t *f,
                          const struct arrays *a)
{
    say_plain(t, f, a, "the kernel uses too much memory");
    text_add(advice, "No case needs so much. Does the workspace have far more "
                     "bytes than the shape asks for, or does an index step "
                     "over most of them?");
}

static void say_unsupported(struct text *t, struct text *advice,
                            const json_t *f, const struct arrays *a)
{
    say_plain(t, f, a, "the simulated GPU does not know this instruction");
    text_add(advice, "Your code may be right. Check it on a GPU with "
                     "DEVICE=gpu, or write that line another way.");
}

static const struct {
    const char *kind;
    enum verdict verdict;
    void (*say)(struct text *t, struct text *advice, const json_t *f,
                const struct arrays *a);
} kinds[] = {
    {"out_of_bounds", VERDICT_MEMORY, access_bounds},
    {"use_after_free", VERDICT_MEMORY, access_freed},
    {"misaligned", VERDICT_MEMORY, access_misaligned},
    {"uninitialised", VERDICT_MEMORY, access_uninitialised},
    {"shuffle", VERDICT_MEMORY, say_shuffle},
    {"race", VERDICT_RACE, access_race},
    {"proxy", VERDICT_RACE, access_proxy},
    {"unfenced", VERDICT_RACE, access_unfenced},
    {"exited", VERDICT_MEMORY, say_exited},
    {"barrier_misuse", VERDICT_RACE, say_barrier},
    {"illegal", VERDICT_CRASH, say_illegal},
    {"deadlock", VERDICT_TIMEOUT, say_deadlock},
    {"assert", VERDICT_CRASH, say_assert},
    {"trap", VERDICT_CRASH, say_trap},
    {"budget", VERDICT_TIMEOUT, say_budget},
    {"stack", VERDICT_MEMORY, say_stack},
    {"footprint", VERDICT_MEMORY, say_footprint},
    {"unsupported", VERDICT_UNSUPPORTED, say_unsupported},
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

static int kind_of(const json_t *finding)
{
    for (int i = 0; i < N_KINDS; i++)
        if (strcmp(kinds[i].kind, finding_str(finding, "kind")) == 0)
            return i;
    return -1;
}

enum verdict finding_verdict(const json_t *finding)
{
    int kind = kind_of(finding);

    if (access_is_unset(finding))
        return VERDICT_WRONG;
    return kind < 0 ? VERDICT_UNSUPPORTED : kinds[kind].verdict;
}

void finding_say(struct text *text, struct text *advice, const json_t *finding,
                 const struct arrays *arrays)
{
    int kind = kind_of(finding);
    struct text usual = {0};
    bool evident = evident_advise(advice, finding);

    if (kind < 0)
        text_add(text,
                 "the simulated GPU reports \"%s\", which check does "
                 "not know (a defect of the workbook)\n",
                 finding_str(finding, "kind"));
    else
        kinds[kind].say(text, evident ? &usual : advice, finding, arrays);
    text_free(&usual);
}

void finding_note(struct text *t, const json_t *f, const struct arrays *a)
{
    const json_t *other = json_object_get(f, "other");
    const char *name = target_on_chip(f) ? finding_str(f, "array")
                                         : target_array(f, a);

    said_place(t, f, a);
    text_add(t, "threads write the same value to one element");
    if (name && *name)
        text_add(t, " of %s", name);
    if (finding_num(f, "line") != finding_num(other, "line"))
        text_add(t, ", others in line %lld", finding_num(other, "line"));
    text_add(t, ". As long as the values are equal, PTX defines what is there "
                "then; C++ calls it a data race.\n");
}

void finding_writers(struct text *text, const json_t *report,
                     const struct arrays *arrays)
{
    json_t *launch, *finding;
    size_t i, j;

    json_array_foreach(json_object_get(report, "launches"), i, launch)
        json_array_foreach(json_object_get(launch, "findings"), j, finding) {
            if (strcmp(finding_str(finding, "kind"), "watched") != 0)
                continue;
            text_add(text, "    ");
            said_place(text, finding, arrays);
            text_add(text, "written by\n    ");
            said_who(text, finding);
            if (finding_num(finding, "count") > 1)
                text_add(text, ", and %lld times more",
                         finding_num(finding, "count") - 1);
            text_add(text, "\n");
        }
}
