// SPDX-License-Identifier: MIT
/*
 * access.c: memory that was accessed as it must not be; see access.h.
 *
 * Every sentence is "FILE:LINE: who does what to which element", then the
 * line of source itself. Which element that is, target.c knows.
 */
#include "access.h"

#include <stdlib.h>
#include <string.h>

#include "dims.h"
#include "host_pointer.h"
#include "indexed.h"
#include "origins.h"
#include "races.h"
#include "rounds.h"
#include "said.h"
#include "slips.h"
#include "stride.h"
#include "unawaited.h"
#include "unfilled.h"

/* Line 0, or one of a given header, may be the compiler's alone. */
static void say_indexed(struct text *t, const json_t *f, const struct arrays *a)
{
    const char *file = finding_str(f, "file"), *name = target_array(f, a);
    int line;

    if (!a->source || !name || !*file ||
        (strcmp(said_file(a, file), a->source) == 0 &&
         finding_num(f, "line") > 0))
        return;
    line = indexed_line(a->source, name);
    if (line == 0)
        return;
    text_add(t, "  %s:%d is the line of yours that indexes %s\n", a->source,
             line, name);
    said_line(t, a->source, a->source, line);
}

static void say_access(struct text *t, const json_t *f, const struct arrays *a,
                       const char *after)
{
    said_place(t, f, a);
    said_who(t, f);
    text_add(t, "\n  %s %lld bytes ",
             json_is_true(json_object_get(f, "write")) ? "writes" : "reads",
             finding_num(f, "bytes"));
    target_say(t, f, a);
    text_add(t, "%s\n", after);
    said_source(t, f, a);
    say_indexed(t, f, a);
}

/* The line of the learner's that leads to it: its own, or the call's; 0: it is
 * in another file. */
static int own_line(const json_t *f, const struct arrays *a)
{
    const json_t *called = json_object_get(f, "called");
    const json_t *sites[] = {called, f};

    for (int i = called ? 0 : 1; a->source && i < 2; i++) {
        const char *file = finding_str(sites[i], "file");

        if (*file && strcmp(said_file(a, file), a->source) == 0)
            return (int)finding_num(sites[i], "line");
    }
    return 0;
}

static const char *name_of(const json_t *f, const struct arrays *a)
{
    const char *name = target_on_chip(f) ? finding_str(f, "array")
                                         : target_array(f, a);

    return name ? name : "";
}

/* Another of the operator's arrays is indexed on the line, too. */
static bool names_another(const json_t *f, const struct arrays *a,
                          const char *name)
{
    struct text line = {0};
    bool found = false;
    char indexed[64];

    said_line(&line, a->source, said_file(a, finding_str(f, "file")),
              finding_num(f, "line"));
    for (int i = 0; i < a->op->n_buffers; i++) {
        snprintf(indexed, sizeof indexed, "%s[", a->op->buffers[i].name);
        found |= strcmp(a->op->buffers[i].name, name) != 0 &&
                 strstr(text_get(&line), indexed);
    }
    text_free(&line);
    return found;
}

/* The lines that the index is worked out in. */
static bool say_origins(struct text *t, const json_t *f, const struct arrays *a)
{
    return origins_say(t, a->source, own_line(f, a), name_of(f, a));
}

/* Of several elements at once. */
static bool advise_vector(struct text *advice, const json_t *f,
                          const struct arrays *a)
{
    long long element;
    size_t each;
    int i;

    if (!target_past(f, a, &i, &element))
        return false;
    each = type_row[a->op->buffers[i].type].bytes;
    if (finding_num(f, "bytes") <= (long long)each)
        return false;
    text_add(advice, "One such access takes %lld elements of %s. Does each "
                     "index count what its array is made of, vectors of so "
                     "many or single elements, and each bound and each divisor "
                     "the same? And are the elements that make no whole vector "
                     "taken one by one?",
             finding_num(f, "bytes") / (long long)each,
             a->op->buffers[i].name);
    return true;
}

/* Where the source shows a likely slip, that is the next step, and no list. */
static void advise_past(struct text *t, struct text *advice, const json_t *f,
                        const struct arrays *a, const char *name)
{
    bool origins;

    if (slips_advise(advice, a->source ? a->source : "")) {
        text_add(advice, "If that is meant, work out the index for the thread "
                         "named above: which guard should have kept it from "
                         "this access?");
        return;
    }
    if (stride_advise(advice, f, a) ||
        dims_advise(advice, a->launch, a->source))
        return;
    origins = say_origins(t, f, a);
    if (origins_advise(advice, a->source, own_line(f, a), name_of(f, a)))
        return;
    if (advise_vector(advice, f, a))
        return;
    text_add(advice, "Is a guard missing, or does it let this thread in? Of n "
                     "elements the last is n - 1: `i < n`. Otherwise the index "
                     "is wrong: work it out for this thread%s Or the launch "
                     "passes the arguments in another order than the "
                     "kernel's", origins ? ", line by line. Is each bound, and "
                                           "each divisor, that of its own "
                                           "index?"
                                         : ".");
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
    if (strncmp(at, said_base(a->source), (size_t)(line - at)) == 0)
        said_line(t, a->source, a->source, atoll(line + 1));
    text_add(advice, "Why is the divisor on line %s zero here? A quotient of "
                     "integers is rounded down: round up where a part counts, "
                     "(n + size - 1) / size.", line + 1);
    return true;
}

/* An extern __shared__ array has the bytes that the launch gives. */
static bool is_of_launch(const json_t *f, const struct arrays *a)
{
    struct text source = {0};
    bool found;

    if (strcmp(finding_str(f, "space"), "shared") != 0 || !a->source ||
        !a->launch || !*finding_str(f, "array") ||
        finding_num(f, "array_bytes") !=
            finding_num(a->launch, "dynamic_shared"))
        return false;
    found = file_read(a->source, &source) &&
            strstr(text_get(&source), "extern __shared__");
    text_free(&source);
    return found;
}

static void advise_on_chip(struct text *t, struct text *advice,
                           const json_t *f, const struct arrays *a)
{
    if (dims_advise(advice, a->launch, a->source))
        return;
    say_origins(t, f, a);
    origins_advise(advice, a->source, own_line(f, a), name_of(f, a));
    if (is_of_launch(f, a))
        text_add(advice, "%s has as many bytes as the launch's third argument "
                         "says, %lld: <<<blocks, threads, bytes, stream>>>. "
                         "Are they bytes, and not elements, and enough of "
                         "them? ", finding_str(f, "array"),
                 finding_num(f, "array_bytes"));
    else
        text_add(advice, "Is the array too small? ");
    text_add(advice, "Count what a block puts in it, halo and padding "
                     "included. If it is large enough, the index is wrong: "
                     "work it out for the thread named above.");
}

static void advise_below(struct text *advice, const json_t *f,
                         const struct arrays *a)
{
    struct text line = {0};

    text_add(advice, "The index fell below 0. Work it out for the thread named "
                     "above: which `if`, or which end of a loop, should have "
                     "kept it from this access?");
    said_source(&line, f, a);
    if (strstr(text_get(&line), " - "))
        text_add(advice, " Or is a - on that line meant to be a +?");
    text_free(&line);
}

void access_bounds(struct text *t, struct text *advice, const json_t *f,
                   const struct arrays *a)
{
    say_access(t, f, a, "");
    if (say_divisor(t, advice, f, a))
        return;
    if ((target_is_far(f, a) || finding_num(f, "offset") < 0) &&
        finding_num(f, "allocation") > 0)
        say_origins(t, f, a);
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
        advise_below(advice, f, a);
    else if (target_on_chip(f))
        advise_on_chip(t, advice, f, a);
    else if (target_workspace(f, a))
        text_add(advice, "The workspace has as many bytes as the function "
                         "%s returns: bytes, not elements. If that is enough, "
                         "the index is wrong: work it out for the thread named "
                         "above.", a->op->workspace);
    else
        advise_past(t, advice, f, a, target_array(f, a));
}

void access_freed(struct text *t, struct text *advice, const json_t *f,
                  const struct arrays *a)
{
    say_access(t, f, a, ",\n  which was freed before (cudaFree)");
    text_add(advice, "Free an array only when no kernel needs it any more.");
}

void access_misaligned(struct text *t, struct text *advice, const json_t *f,
                       const struct arrays *a)
{
    char after[160];
    const char *of_copy = strstr(finding_str(f, "detail"), "such a copy needs");

    if (of_copy)
        snprintf(after, sizeof after, "\n  misaligned: %s", of_copy);
    else
        snprintf(after, sizeof after,
                 "\n  misaligned: %lld bytes at once need an address that is a "
                 "multiple of %lld",
                 finding_num(f, "bytes"), finding_num(f, "bytes"));
    say_access(t, f, a, after);
    text_add(advice, "Check where the row starts, not just how long it is: "
                     "a vector starts at a multiple of its own size.");
    if (strcmp(finding_str(f, "space"), "shared") == 0 && !of_copy)
        text_add(advice, " So in shared memory each row, padding included, is "
                         "a whole number of vectors long.");
}

void access_say_launch(struct text *t, const json_t *launch)
{
    if (!launch)
        return;
    text_add(t, "  launched as grid ");
    said_triple(t, json_object_get(launch, "grid"));
    text_add(t, ", block ");
    said_triple(t, json_object_get(launch, "block"));
    text_add(t, "\n");
}

bool access_is_unset(const json_t *f)
{
    return strcmp(finding_str(f, "kind"), "uninitialised") == 0 &&
           finding_num(f, "bytes") == 0;
}

static void say_unset(struct text *t, struct text *advice, const json_t *f,
                      const struct arrays *a)
{
    said_place(t, f, a);
    said_who(t, f);
    text_add(t, "\n  %s\n  (the variable is uninitialised)\n",
             finding_str(f, "detail"));
    said_source(t, f, a);
    text_add(advice, "Give the variable its first value where it is declared: "
                     "a sum starts from 0, and a fragment of sums with "
                     "wmma::fill_fragment.");
}

/* Of a value that was followed to where it counts, if that is another line. */
static void say_use(struct text *t, const json_t *f, const struct arrays *a)
{
    static const char words[] = "the value is used at ";
    const char *at = strstr(finding_str(f, "detail"), words);
    const char *line = at ? strrchr(at, ':') : NULL;

    if (!line || atoll(line + 1) == finding_num(f, "line"))
        return;
    at += strlen(words);
    text_add(t, "  its value is used at %s\n", at);
    if (strncmp(at, said_base(a->source), (size_t)(line - at)) == 0)
        said_line(t, a->source, a->source, atoll(line + 1));
}

static bool is_in_part(const json_t *f)
{
    return strstr(finding_str(f, "detail"), "bytes written") != NULL;
}

static bool sets_memory(const char *path)
{
    struct text source = {0};
    bool sets = path && file_read(path, &source) &&
                strstr(text_get(&source), "cudaMemset");

    text_free(&source);
    return sets;
}

static void advise_unwritten(struct text *advice, const json_t *f,
                             const struct arrays *a)
{
    if (is_in_part(f))
        text_add(advice, "What wrote it stopped in the middle of an element. "
                         "cudaMemset and cudaMemcpy count bytes: is a factor "
                         "sizeof(float) missing?");
    else
        text_add(advice, "Write it first: copied in, or stored by a kernel; "
                         "memory has no value, not even 0, before.");
    if (!is_in_part(f) && sets_memory(a->source))
        text_add(advice, " Does cudaMemset reach it? It counts bytes, and not "
                         "elements.");
    else if (target_workspace(f, a))
        text_add(advice, " Is the kernel that does so launched before this "
                         "one?");
}

void access_uninitialised(struct text *t, struct text *advice,
                          const json_t *f, const struct arrays *a)
{
    char after[160];

    if (access_is_unset(f)) {
        say_unset(t, advice, f, a);
        return;
    }
    if (is_in_part(f))
        snprintf(after, sizeof after, ",\n  which is uninitialised: %s",
                 finding_str(f, "detail"));
    say_access(t, f, a, is_in_part(f)
                            ? after
                            : ",\n  which is uninitialised: never written");
    say_use(t, f, a);
    if (strcmp(finding_str(f, "space"), "local") == 0) {
        text_add(advice, "This array belongs to one thread alone, which has to "
                         "fill it. If the block is to share it, __shared__ is "
                         "missing in its declaration.");
        return;
    }
    if (!target_on_chip(f)) {
        advise_unwritten(advice, f, a);
        return;
    }
    access_say_launch(t, a->launch);
    if (!unawaited_advise(advice, a->source, false))
        unfilled_advise(advice, f, a);
}

/* The file of both accesses; NULL: they are in two. */
static const char *path_of_both(const json_t *f, const json_t *other,
                                const struct arrays *a)
{
    const char *file = finding_str(f, "file");

    return *file && strcmp(file, finding_str(other, "file")) == 0
               ? said_file(a, file) : NULL;
}

/* One store that the compiler made of several lines has the number of none. */
static void say_merged(struct text *t, const json_t *site, const json_t *f,
                       const struct arrays *a)
{
    enum { MOST = 3 };
    const char *name = target_on_chip(f) ? finding_str(f, "array")
                                         : target_array(f, a);
    int lines[MOST], n;

    if (finding_num(site, "line") > 0 || !a->source || !name ||
        !json_is_true(json_object_get(site, "write")))
        return;
    n = indexed_stores(a->source, name, lines, MOST);
    if (n > 1)
        text_add(t, "  (the compiler made one store of several lines of "
                    "yours)\n");
    for (int i = 0; i < n; i++)
        said_line(t, a->source, a->source, lines[i]);
}

/* Two accesses; how: what lies between them. */
static void say_two(struct text *t, const json_t *f, const struct arrays *a,
                    const char *how)
{
    const json_t *other = json_object_get(f, "other");
    bool write = json_is_true(json_object_get(f, "write"));
    bool other_write = json_is_true(json_object_get(other, "write"));

    said_place(t, f, a);
    said_who(t, f);
    text_add(t, "\n  %s %lld bytes ", write ? "writes" : "reads",
             finding_num(f, "bytes"));
    target_say(t, f, a);
    text_add(t, "\n");
    said_source(t, f, a);
    say_merged(t, f, f, a);
    text_add(t, "  and ");
    said_place(t, other, a);
    text_add(t, "thread ");
    said_triple(t, json_object_get(other, "thread"));
    text_add(t, "\n  %s it%s%s\n", other_write ? "writes" : "reads",
             *how == ',' ? "" : ": ", how);
    said_source(t, other, a);
    say_merged(t, other, f, a);
}

static void advise_race(struct text *advice, const json_t *f,
                        const json_t *other, const struct arrays *a)
{
    const char *detail = finding_str(f, "detail");
    const char *path = path_of_both(f, other, a);

    if (strcmp(finding_str(f, "space"), "shared") != 0 &&
        dims_advise(advice, a->launch, a->source))
        return;
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
    else if (!races_advise_parted(advice, a->launch, path)) {
        races_advise(advice, f, other, path);
        rounds_advise(advice, path, ROUNDS_BARRIER);
    }
}

void access_race(struct text *t, struct text *advice, const json_t *f,
                 const struct arrays *a)
{
    const json_t *other = json_object_get(f, "other");
    const char *detail = finding_str(f, "detail");
    struct text engine = {0};
    bool by_engine = target_on_chip(f) && !*detail &&
                     races_advise_engine(&engine, f, a->source);

    say_two(t, f, a, *detail ? detail
                     : !target_on_chip(f)
                         ? ", with nothing between that orders them"
                     : by_engine ? ", with no barrier between"
                                 : ", with no __syncthreads() between");
    if (by_engine)
        text_add(advice, "%s", text_get(&engine));
    else
        advise_race(advice, f, other, a);
    text_free(&engine);
}

void access_unfenced(struct text *t, struct text *advice, const json_t *f,
                     const struct arrays *a)
{
    say_two(t, f, a, finding_str(f, "detail"));
    text_add(advice, "volatile and atomic accesses do not wait for each other. "
                     "Who writes a message writes it, then fences "
                     "(__threadfence()), then raises the flag; who reads it "
                     "finds the flag raised, then fences, then reads.");
}

void access_proxy(struct text *t, struct text *advice, const json_t *f,
                  const struct arrays *a)
{
    const json_t *other = json_object_get(f, "other");

    said_place(t, f, a);
    said_who(t, f);
    text_add(t, "\n  %s %lld bytes ",
             json_is_true(json_object_get(f, "write")) ? "writes" : "reads",
             finding_num(f, "bytes"));
    target_say(t, f, a);
    text_add(t, " by the async proxy\n");
    said_source(t, f, a);
    text_add(t, "  and ");
    said_place(t, other, a);
    text_add(t, "thread ");
    said_triple(t, json_object_get(other, "thread"));
    text_add(t, "\n  wrote it as threads do, with no proxy fence between\n");
    said_source(t, other, a);
    text_add(advice, "%s", finding_str(f, "detail"));
}
