// SPDX-License-Identifier: MIT
/*
 * races.c: see races.h.
 */
#include "races.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "rounds.h"
#include "target.h"

/* Threads of one warp, as far as a row of threads tells: blocks with more
 * than one row need their width, which a finding does not have. */
static bool same_warp(const json_t *f, const json_t *other)
{
    const json_t *a = json_object_get(f, "thread");
    const json_t *b = json_object_get(other, "thread");
    long long warp[2] = {json_integer_value(json_array_get(a, 0)) / 32,
                         json_integer_value(json_array_get(b, 0)) / 32};

    for (size_t i = 1; i < 3; i++)
        if (json_integer_value(json_array_get(a, i)) ||
            json_integer_value(json_array_get(b, i)))
            return false;
    return warp[0] == warp[1];
}

enum waits { WAITS_NOT, WAITS_FOR_WARP, WAITS_FOR_ALL };

/* Does a line between those two, neither of them included, wait for others? */
static enum waits waits_between(const char *path, long long from, long long to)
{
    static const struct {
        const char *call;
        enum waits waits;
    } calls[] = {{"__syncwarp", WAITS_FOR_WARP},
                 {"__syncthreads", WAITS_FOR_ALL},
                 {".sync(", WAITS_FOR_ALL}};
    struct text source = {0};
    enum waits found = WAITS_NOT;
    long long at = 0;
    char *rest;

    file_read(path, &source);
    rest = source.s;
    for (char *s; rest && (s = strsep(&rest, "\n"));)
        if (++at > from && at < to)
            for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
                if (calls[i].waits > found && strstr(s, calls[i].call))
                    found = calls[i].waits;
    text_free(&source);
    return found;
}

/* If a barrier stands between the two lines, whichever of them ran later, one
 * of the accesses belongs to the next round of a loop, or to the next call. */
static enum waits what_waits(const json_t *f, const json_t *other,
                             const char *path)
{
    long long now = finding_num(f, "line"), before = finding_num(other, "line");

    if (!path)
        return WAITS_NOT;
    return waits_between(path, now < before ? now : before,
                         now < before ? before : now);
}

/* The one part of threadIdx in which the two differ, which their index may
 * lack. */
static void say_apart(struct text *advice, const json_t *f, const json_t *other)
{
    const json_t *a = json_object_get(f, "thread");
    const json_t *b = json_object_get(other, "thread");
    int differ = 0, part = 0;

    for (int i = 0; i < 3; i++)
        if (json_integer_value(json_array_get(a, (size_t)i)) !=
            json_integer_value(json_array_get(b, (size_t)i))) {
            differ++;
            part = i;
        }
    if (differ == 1 && part > 0)
        text_add(advice, " These two differ in threadIdx.%c alone: is it left "
                         "out of the index?", "xyz"[part]);
}

void races_advise(struct text *advice, const json_t *f, const json_t *other,
                  const char *path)
{
    bool one_warp = same_warp(f, other);
    enum waits waits = what_waits(f, other, path);

    if (json_is_true(json_object_get(f, "write")) &&
        json_is_true(json_object_get(other, "write")) &&
        finding_num(f, "line") == finding_num(other, "line")) {
        text_add(advice, "Two threads write one element on the same line: give "
                         "each element one writer, or use an atomic.");
        say_apart(advice, f, other);
        return;
    }
    if (finding_num(f, "line") == finding_num(other, "line"))
        text_add(advice, "Put a __syncthreads() before that line, in each "
                         "round of its loop, where every thread of the block "
                         "reaches it.");
    else if (waits == WAITS_FOR_WARP && !one_warp)
        text_add(advice, "The __syncwarp() between the two lines orders only "
                         "threads of one warp: put a __syncthreads() there.");
    else if (waits != WAITS_NOT)
        text_add(advice, "A barrier stands between the two lines, so one of "
                         "the accesses is of the loop's next round, or of the "
                         "function's next call: put a __syncthreads() at the "
                         "end of the loop, or of the function, so that nobody "
                         "overwrites what others still read.");
    else
        text_add(advice, "Put a __syncthreads() between the two lines, where "
                         "every thread of the block reaches it. If they are "
                         "in a loop, its next round may need one more.");
    if (one_warp)
        text_add(advice, " These two are of one warp. Only if all that ever "
                         "share the element are, is a __syncwarp() enough.");
}

/* Warps of the block do different things, by the words of its source. */
static bool has_roles(const char *source)
{
    static const char *const signs[] = {"setmaxnreg", "registers_down",
                                        "bar.sync", "group_sync(", NULL};
    struct text words = {0};
    bool found = false;

    file_read(source ? source : "", &words);
    for (const char *const *s = signs; *s; s++)
        found |= strstr(text_get(&words), *s) != NULL;
    text_free(&words);
    return found;
}

static const char overwritten[] =
    "A copy brings new bytes to where others still work. Whoever reads the old "
    "ones has to give the place back first, at the mbarrier that the copying "
    "thread waits for, or at a barrier that both come to. Does the copy wait "
    "for that, with the parity of its round? And is the place given back only "
    "when its last reader has finished: of wgmma, behind wgmma.wait_group?";

static const char not_yet_filled[] =
    "The threads that write these bytes and the one that starts the copy or "
    "the product have to meet between the two lines: a barrier behind the "
    "writes.";

static const char by_roles[] =
    " The warps of this block have roles, so that a __syncthreads() waits for "
    "warps that never come: take a barrier of those that share the bytes "
    "(`bar.sync NUMBER, THREADS`; group_sync in chapter 17), or an mbarrier.";

static const char roles_meet[] =
    "Nothing orders these two accesses: the reader has to wait for the writer, "
    "or the next writer for the reader.";

bool races_advise_engine(struct text *advice, const json_t *f,
                         const char *source)
{
    enum { VECTOR_MOST = 16 }; /* bytes that a thread moves at once */
    bool by_engine = finding_num(f, "bytes") > VECTOR_MOST;
    bool roles = has_roles(source);

    if (!by_engine && !roles)
        return false;
    if (by_engine && json_is_true(json_object_get(f, "write"))) {
        text_add(advice, "%s", overwritten);
        return true;
    }
    text_add(advice, "%s%s", by_engine ? not_yet_filled : roles_meet,
             roles ? by_roles : "");
    return true;
}

/* The device's note about the launch; NULL: there is none. */
static const json_t *parted_of(const json_t *launch)
{
    const json_t *finding;
    size_t i;

    json_array_foreach(json_object_get(launch, "findings"), i, finding)
        if (strcmp(finding_str(finding, "kind"), "parted_warps") == 0)
            return finding;
    return NULL;
}

/* An `if` that stands there as a word of its own. */
static bool has_if(const char *line)
{
    for (const char *at = line; (at = strstr(at, "if")); at += 2)
        if ((at == line || !(isalnum(at[-1]) || at[-1] == '_')) &&
            (at[2] == ' ' || at[2] == '('))
            return true;
    return false;
}

/* Does the line, or the one before it, begin what only some threads do? */
static bool is_conditional(const char *path, long long line)
{
    struct text source = {0};
    long long at = 0;
    bool found = false;
    char *rest;

    file_read(path, &source);
    rest = source.s;
    for (char *s; rest && (s = strsep(&rest, "\n"));)
        if (++at == line || at + 1 == line)
            found |= has_if(s);
    text_free(&source);
    return found;
}

bool races_advise_parted(struct text *advice, const json_t *launch,
                         const char *path)
{
    const json_t *parted = parted_of(launch);
    const char *at = strstr(finding_str(parted, "detail"), "at line ");
    long long here = finding_num(parted, "line");
    long long there = at ? atoll(at + strlen("at line ")) : 0;
    bool one, other;

    if (!parted || here < 1 || there < 1)
        return false;
    one = path && is_conditional(path, here);
    other = path && is_conditional(path, there);
    if (one != other)
        text_add(advice, "Only some warps reach the barrier at line %lld: the "
                 "others wait at line %lld meanwhile, and both go on together. "
                 "Take it out of its `if`, so that every thread of the block "
                 "comes to it.", one ? here : there, one ? there : here);
    else
        text_add(advice, "Only some warps reach the barrier at line %lld: "
                 "others wait at the one at line %lld meanwhile, and both go "
                 "on together. Every thread of the block has to come to each "
                 "of the two: which `if`, or which number of rounds, parts "
                 "them?", here < there ? here : there,
                 here < there ? there : here);
    if (one == other)
        rounds_advise(advice, path, ROUNDS_BARRIER);
    return true;
}
