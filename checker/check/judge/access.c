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

#include "bounds.h"
#include "dims.h"
#include "indexed.h"
#include "races.h"
#include "rounds.h"
#include "said.h"
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

void access_bounds(struct text *t, struct text *advice, const json_t *f,
                   const struct arrays *a)
{
    say_access(t, f, a, "");
    bounds_advise(t, advice, f, a);
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
                         "cudaMemset and cudaMemcpy count bytes: is the size "
                         "of an element left out?");
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
                         "part of it is left out, or a factor? Give each "
                         "element one owner. Only what several threads are to "
                         "add up takes an atomic.");
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
