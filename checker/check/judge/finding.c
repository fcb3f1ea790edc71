// SPDX-License-Identifier: MIT
/*
 * finding.c: tells a learner what the simulated GPU saw; see finding.h.
 *
 * Every sentence is "FILE:LINE: who does what to which element", then the
 * line of source itself. Which element that is, target.c knows.
 */
#include "finding.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host_pointer.h"
#include "check/base/quote.h"
#include "indexed.h"
#include "races.h"
#include "slips.h"
#include "stride.h"
#include "target.h"
#include "unawaited.h"
#include "unfilled.h"

enum { SOURCE_SHOWN = 100 }; /* bytes of a line */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* A path below this folder, from here. */
static const char *from_here(const char *file)
{
    static char here[PATH_BYTES];
    size_t n;

    if (!here[0] && !getcwd(here, sizeof here))
        here[0] = '\0';
    n = strlen(here);
    return n > 0 && strncmp(file, here, n) == 0 && file[n] == '/'
               ? file + n + 1
               : file;
}

/* The compiler's path of the learner's file is shown as the report's, that of a
 * header as a path from here. */
static const char *shown_file(const struct arrays *a, const char *file)
{
    return strcmp(base_of(file), base_of(a->source)) == 0 ? a->source
                                                          : from_here(file);
}

/* A function in a header is called from somewhere. */
static void say_place(struct text *t, const json_t *site,
                      const struct arrays *a)
{
    const char *file = finding_str(site, "file");
    const json_t *called = json_object_get(site, "called");

    if (*file && finding_num(site, "line") > 0)
        text_add(t, "%s:%lld: ", shown_file(a, file),
                 finding_num(site, "line"));
    else if (*file)
        text_add(t, "%s: ", shown_file(a, file));
    if (*file && called)
        text_add(t, "called at %s:%lld: ",
                 shown_file(a, finding_str(called, "file")),
                 finding_num(called, "line"));
}

static void say_triple(struct text *t, const json_t *array)
{
    text_add(t, "(%lld,%lld,%lld)",
             (long long)json_integer_value(json_array_get(array, 0)),
             (long long)json_integer_value(json_array_get(array, 1)),
             (long long)json_integer_value(json_array_get(array, 2)));
}

static void say_who(struct text *t, const json_t *f)
{
    text_add(t, "thread ");
    say_triple(t, json_object_get(f, "thread"));
    text_add(t, " of block ");
    say_triple(t, json_object_get(f, "block"));
}

bool finding_source_line(struct text *t, const char *of, const char *path,
                         long long line)
{
    struct text source = {0};
    long long at = line;
    char *rest;
    bool found = false;

    if (line < 1 || !quote_may(of, path) || !file_read(path, &source))
        return false;
    rest = source.s;
    for (char *s; rest && (s = strsep(&rest, "\n"));)
        if (--at == 0) {
            s += strspn(s, " \t");
            text_add(t, "  %5lld | %.*s%s\n", line, SOURCE_SHOWN, s,
                     strlen(s) > SOURCE_SHOWN ? "..." : "");
            found = true;
            break;
        }
    text_free(&source);
    return found;
}

/* The line of source that the sentence is about, and the call that led to
 * it. */
static void say_source(struct text *t, const json_t *site,
                       const struct arrays *a)
{
    const char *file = finding_str(site, "file");
    const json_t *called = json_object_get(site, "called");

    if (*file)
        finding_source_line(t, a->source, shown_file(a, file),
                            finding_num(site, "line"));
    if (*file && called)
        finding_source_line(t, a->source,
                            shown_file(a, finding_str(called, "file")),
                            finding_num(called, "line"));
}

/* Line 0, or one of a given header, may be the compiler's alone. */
static void say_indexed(struct text *t, const json_t *f, const struct arrays *a)
{
    const char *file = finding_str(f, "file"), *name = target_array(f, a);
    int line;

    if (!a->source || !name || !*file ||
        (strcmp(shown_file(a, file), a->source) == 0 &&
         finding_num(f, "line") > 0))
        return;
    line = indexed_line(a->source, name);
    if (line == 0)
        return;
    text_add(t, "  %s:%d is the line of yours that indexes %s\n", a->source,
             line, name);
    finding_source_line(t, a->source, a->source, line);
}

static void say_access(struct text *t, const json_t *f, const struct arrays *a,
                       const char *after)
{
    say_place(t, f, a);
    say_who(t, f);
    text_add(t, "\n  %s %lld bytes ",
             json_is_true(json_object_get(f, "write")) ? "writes" : "reads",
             finding_num(f, "bytes"));
    target_say(t, f, a);
    text_add(t, "%s\n", after);
    say_source(t, f, a);
    say_indexed(t, f, a);
}

/* Another of the operator's arrays is indexed on the line, too. */
static bool names_another(const json_t *f, const struct arrays *a,
                          const char *name)
{
    struct text line = {0};
    bool found = false;
    char indexed[64];

    finding_source_line(&line, a->source,
                        shown_file(a, finding_str(f, "file")),
                        finding_num(f, "line"));
    for (int i = 0; i < a->op->n_buffers; i++) {
        snprintf(indexed, sizeof indexed, "%s[", a->op->buffers[i].name);
        found |= strcmp(a->op->buffers[i].name, name) != 0 &&
                 strstr(text_get(&line), indexed);
    }
    text_free(&line);
    return found;
}

/* Where the source shows a likely slip, that is the next step, and no list. */
static void advise_past(struct text *advice, const json_t *f,
                        const struct arrays *a, const char *name)
{
    if (slips_advise(advice, a->source ? a->source : "")) {
        text_add(advice, "If that is meant, work out the index for the thread "
                         "named above: which guard should have kept it from "
                         "this access?");
        return;
    }
    if (stride_advise(advice, f, a))
        return;
    text_add(advice, "Is a guard missing, or does it let this thread in? Of n "
                     "elements the last is n - 1: `i < n`. Otherwise the index "
                     "is wrong: work it out for this thread. Or the launch "
                     "passes the arguments in another order than the "
                     "kernel's");
    if (name && names_another(f, a, name))
        text_add(advice, " (%s is the launcher's name for the array)", name);
    text_add(advice, ".");
}

/* An index may come of a quotient by 0, or a remainder. */
static bool say_divisor(struct text *t, struct text *advice, const json_t *f,
                        const struct arrays *a)
{
    static const char words[] = "the thread divided by 0 at ";
    const char *at = strstr(finding_str(f, "detail"), words);
    const char *line = at ? strrchr(at, ':') : NULL;

    if (!line)
        return false;
    at += strlen(words);
    text_add(t, "  after it divided by 0 at %s\n", at);
    if (strncmp(at, base_of(a->source), (size_t)(line - at)) == 0)
        finding_source_line(t, a->source, a->source, atoll(line + 1));
    text_add(advice, "Why is the divisor on line %s zero here? A quotient of "
                     "integers is rounded down: round up where a part counts, "
                     "(n + size - 1) / size.", line + 1);
    return true;
}

static void say_bounds(struct text *t, struct text *advice, const json_t *f,
                       const struct arrays *a)
{
    say_access(t, f, a, "");
    if (say_divisor(t, advice, f, a))
        return;
    if (target_is_far(f, a) && target_wraps(f, a))
        text_add(advice, "The index is unsigned and fell below 0, which makes "
                         "it about 2^32. Work it out for the thread named "
                         "above: which `if` should have kept it from this "
                         "access?");
    else if (target_is_far(f, a))
        text_add(advice, "The index is far off: work it out for the thread "
                         "named above. Does it fall below 0, or is it "
                         "multiplied by too much?");
    else if (target_is_null(f) ||
        (!target_on_chip(f) && finding_num(f, "allocation") <= 0))
        host_pointer_advise(advice, a->source ? a->source : "");
    else if (finding_num(f, "offset") < 0)
        text_add(advice, "The index fell below 0. Work it out for the thread "
                         "named above: which `if`, or which end of a loop, "
                         "should have kept it from this access?");
    else if (target_on_chip(f))
        text_add(advice, "Is the array too small? Count what a block puts in "
                         "it, halo and padding included. If it is large "
                         "enough, the index is wrong: work it out for the "
                         "thread named above.");
    else if (target_workspace(f, a))
        text_add(advice, "The workspace has as many bytes as the function "
                         "%s returns: bytes, not elements. If that is enough, "
                         "the index is wrong: work it out for the thread named "
                         "above.", a->op->workspace);
    else
        advise_past(advice, f, a, target_array(f, a));
}

static void say_freed(struct text *t, struct text *advice, const json_t *f,
                      const struct arrays *a)
{
    say_access(t, f, a, ",\n  which was freed before (cudaFree)");
    text_add(advice, "Free an array only when no kernel needs it any more.");
}

static void say_misaligned(struct text *t, struct text *advice, const json_t *f,
                           const struct arrays *a)
{
    char after[128];

    snprintf(after, sizeof after,
             "\n  misaligned: %lld bytes at once need an address that is a "
             "multiple of %lld",
             finding_num(f, "bytes"), finding_num(f, "bytes"));
    say_access(t, f, a, after);
    text_add(advice, "Check where the row starts, not just how long it is: "
                     "a vector starts at a multiple of its own size.");
}

static void say_launch(struct text *t, const json_t *launch)
{
    if (!launch)
        return;
    text_add(t, "  launched as grid ");
    say_triple(t, json_object_get(launch, "grid"));
    text_add(t, ", block ");
    say_triple(t, json_object_get(launch, "block"));
    text_add(t, "\n");
}

static void say_uninitialised(struct text *t, struct text *advice,
                              const json_t *f, const struct arrays *a)
{
    say_access(t, f, a, ",\n  which is uninitialised: never written");
    if (strcmp(finding_str(f, "space"), "local") == 0) {
        text_add(advice, "This array belongs to one thread alone, which has to "
                         "fill it. If the block is to share it, __shared__ is "
                         "missing in its declaration.");
        return;
    }
    if (!target_on_chip(f)) {
        text_add(advice, "Write it first: copied in, or stored by a kernel; "
                         "memory has no value, not even 0, before.");
        return;
    }
    say_launch(t, a->launch);
    if (!unawaited_advise(advice, a->source, false))
        unfilled_advise(advice, f, a);
}

/* The file of both accesses; NULL: they are in two. */
static const char *path_of_both(const json_t *f, const json_t *other,
                                const struct arrays *a)
{
    const char *file = finding_str(f, "file");

    return *file && strcmp(file, finding_str(other, "file")) == 0
               ? shown_file(a, file) : NULL;
}

static void say_race(struct text *t, struct text *advice, const json_t *f,
                     const struct arrays *a)
{
    const json_t *other = json_object_get(f, "other");
    const char *detail = finding_str(f, "detail");
    bool write = json_is_true(json_object_get(f, "write"));
    bool other_write = json_is_true(json_object_get(other, "write"));

    say_place(t, f, a);
    say_who(t, f);
    text_add(t, "\n  %s %lld bytes ", write ? "writes" : "reads",
             finding_num(f, "bytes"));
    target_say(t, f, a);
    text_add(t, "\n");
    say_source(t, f, a);
    text_add(t, "  and ");
    say_place(t, other, a);
    text_add(t, "thread ");
    say_triple(t, json_object_get(other, "thread"));
    if (!*detail && !target_on_chip(f))
        text_add(t, "\n  %s it, with nothing between that orders them\n",
                 other_write ? "writes" : "reads");
    else if (*detail)
        text_add(t, "\n  %s it: %s\n", other_write ? "writes" : "reads",
                 detail);
    else
        text_add(t, "\n  %s it, with no __syncthreads() between\n",
                 other_write ? "writes" : "reads");
    say_source(t, other, a);
    if (strcmp(finding_str(f, "space"), "shared") != 0)
        text_add(advice, "Do two threads work out the same index, because a "
                         "part of it is left out? Give each element one owner, "
                         "or use an atomic.");
    else if (strstr(detail, "copy was never waited for") &&
             unawaited_advise(advice, a->source, true))
        return;
    else if (*detail)
        text_add(advice, "Wait for the copy first (__pipeline_wait_prior), "
                         "then a __syncthreads() if other threads read it.");
    else
        races_advise(advice, f, other, path_of_both(f, other, a));
}

static void say_plain(struct text *t, const json_t *f, const struct arrays *a,
                      const char *what)
{
    say_place(t, f, a);
    text_add(t, "%s", what);
    if (*finding_str(f, "detail"))
        text_add(t, ": %s", finding_str(f, "detail"));
    text_add(t, "\n");
    say_source(t, f, a);
}

static void say_deadlock(struct text *t, struct text *advice, const json_t *f,
                         const struct arrays *a)
{
    say_plain(t, f, a, "a barrier that some threads never reach");
    if (strstr(finding_str(f, "detail"), "its own mask")) {
        text_add(advice, "The mask names all lanes that take part, and each of "
                         "them executes that line: 0xffffffff for a whole "
                         "warp. For fewer lanes, let the others go around it.");
        return;
    }
    text_add(advice, "__syncthreads() must be reached by every thread of the "
                     "block: take it out of the `if`, or the early `return`.");
}

static void say_proxy(struct text *t, struct text *advice, const json_t *f,
                      const struct arrays *a)
{
    const json_t *other = json_object_get(f, "other");

    say_place(t, f, a);
    say_who(t, f);
    text_add(t, "\n  %s %lld bytes ",
             json_is_true(json_object_get(f, "write")) ? "writes" : "reads",
             finding_num(f, "bytes"));
    target_say(t, f, a);
    text_add(t, " by the async proxy\n");
    say_source(t, f, a);
    text_add(t, "  and ");
    say_place(t, other, a);
    text_add(t, "thread ");
    say_triple(t, json_object_get(other, "thread"));
    text_add(t, "\n  wrote it as threads do, with no proxy fence between\n");
    say_source(t, other, a);
    text_add(advice, "%s", finding_str(f, "detail"));
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
    say_source(&line, f, a);
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
    finding_source_line(t, a->source, a->source, atoll(line + 1));
    return true;
}

static void say_budget(struct text *t, struct text *advice, const json_t *f,
                       const struct arrays *a)
{
    say_place(t, f, a);
    text_add(t, "the kernel was still running after many times the "
                "instructions this case needs\n");
    say_source(t, f, a);
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
    {"out_of_bounds", VERDICT_MEMORY, say_bounds},
    {"use_after_free", VERDICT_MEMORY, say_freed},
    {"misaligned", VERDICT_MEMORY, say_misaligned},
    {"uninitialised", VERDICT_MEMORY, say_uninitialised},
    {"shuffle", VERDICT_MEMORY, say_shuffle},
    {"race", VERDICT_RACE, say_race},
    {"proxy", VERDICT_RACE, say_proxy},
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

    return kind < 0 ? VERDICT_UNSUPPORTED : kinds[kind].verdict;
}

void finding_say(struct text *text, struct text *advice, const json_t *finding,
                 const struct arrays *arrays)
{
    int kind = kind_of(finding);

    if (kind < 0)
        text_add(text,
                 "the simulated GPU reports \"%s\", which check does "
                 "not know (a defect of the workbook)\n",
                 finding_str(finding, "kind"));
    else
        kinds[kind].say(text, advice, finding, arrays);
}

void finding_note(struct text *t, const json_t *f, const struct arrays *a)
{
    const json_t *other = json_object_get(f, "other");
    const char *name = target_on_chip(f) ? finding_str(f, "array")
                                         : target_array(f, a);

    say_place(t, f, a);
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
            say_place(text, finding, arrays);
            text_add(text, "written by\n    ");
            say_who(text, finding);
            if (finding_num(finding, "count") > 1)
                text_add(text, ", and %lld times more",
                         finding_num(finding, "count") - 1);
            text_add(text, "\n");
        }
}
