// SPDX-License-Identifier: MIT
/*
 * finding.c: tells a learner what the simulated GPU saw; see finding.h.
 *
 * Every sentence is "FILE:LINE: who does what to which element", then the
 * line of source itself. A global address becomes an array's name and an
 * element; one past an array becomes the element it would have been.
 */
#include "finding.h"

#include <stdlib.h>
#include <string.h>

static const char *str(const json_t *object, const char *key)
{
    const char *s = json_string_value(json_object_get(object, key));

    return s ? s : "";
}

static long long num(const json_t *object, const char *key)
{
    return (long long)json_integer_value(json_object_get(object, key));
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* The compiler's path of the learner's file is shown as the report's. */
static const char *shown_file(const struct arrays *a, const char *file)
{
    return strcmp(base_of(file), base_of(a->source)) == 0 ? a->source : file;
}

static void say_place(struct text *t, const json_t *site,
                      const struct arrays *a)
{
    const char *file = str(site, "file");

    if (*file)
        text_add(t, "%s:%lld: ", shown_file(a, file), num(site, "line"));
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

/* The line of source that the sentence is about. */
static void say_source(struct text *t, const json_t *site,
                       const struct arrays *a)
{
    struct text source = {0};
    char *rest;
    long long line = num(site, "line");

    if (!*str(site, "file") || line < 1 ||
        !file_read(shown_file(a, str(site, "file")), &source))
        return;
    rest = source.s;
    for (char *s; rest && (s = strsep(&rest, "\n"));)
        if (--line == 0) {
            s += strspn(s, " \t");
            text_add(t, "  %5lld | %.66s\n", num(site, "line"), s);
            break;
        }
    text_free(&source);
}

static uint64_t address_of(const json_t *f)
{
    return (uint64_t)num(f, "address");
}

static bool is_on_chip(const json_t *f)
{
    return strcmp(str(f, "space"), "shared") == 0 ||
           strcmp(str(f, "space"), "local") == 0;
}

static bool is_null(const json_t *f)
{
    return !is_on_chip(f) && address_of(f) < 65536;
}

/* How an access lies to an array: inside; just past its end, or before its
 * start, by this many bytes; or nowhere near. */
enum side { SIDE_INSIDE, SIDE_PAST, SIDE_BEFORE, SIDE_FAR };

struct target {
    enum side side;
    long long bytes; /* from the nearer end */
    int buffer;      /* of the operator's; -1: the workspace, or nothing */
    bool workspace;
};

/* The engine names the allocation it takes the access for; an address inside
 * one of our arrays needs no such guess. */
static bool holds(uint64_t start, size_t bytes, uint64_t at)
{
    return start && at >= start && at < start + bytes;
}

static struct target relate(uint64_t start, size_t bytes, const json_t *f)
{
    uint64_t at = address_of(f);
    struct target t = {SIDE_INSIDE, 0, -1, false};

    if (at < start) {
        t.side = SIDE_BEFORE;
        t.bytes = (long long)(start - at);
    } else if (at + (uint64_t)num(f, "bytes") > start + bytes) {
        t.side = SIDE_PAST;
        t.bytes = (long long)(at - start) - (long long)bytes;
    }
    return t;
}

static struct target find_target(const struct arrays *a, const json_t *f)
{
    uint64_t start = address_of(f) - (uint64_t)num(f, "offset");
    struct target t = {SIDE_FAR, 0, -1, false};

    for (int near = 0; near < 2; near++)
        for (int i = 0; i <= a->op->n_buffers; i++) {
            bool work = i == a->op->n_buffers;
            uint64_t at = work ? a->workspace : a->address[i];
            size_t bytes = work ? a->workspace_bytes : a->bytes[i];

            if (near ? !at || num(f, "allocation") <= 0 || at != start
                     : !holds(at, bytes, address_of(f)))
                continue;
            t = relate(at, bytes, f);
            t.buffer = work ? -1 : i;
            t.workspace = work;
            return t;
        }
    return t;
}

/* "x[b=0, h=1, t=3]"; outside: "12 bytes past the end of x: x[558], and x has
 * 555 elements". */
static void say_element(struct text *t, const struct target *at,
                        const struct arrays *a)
{
    const char *name = a->op->buffers[at->buffer].name;
    size_t count = op_count(a->op, at->buffer, a->shape);
    long long element;

    if (at->side == SIDE_PAST) {
        element = (long long)count + at->bytes / (long long)sizeof(float);
        text_add(t, "past the end of %s: %s[%lld], and %s has %zu element%s",
                 name, name, element, name, count, count == 1 ? "" : "s");
    } else {
        text_add(t, "%lld before the start of %s", at->bytes, name);
    }
}

static void say_inside(struct text *t, const struct target *at,
                       const json_t *f, const struct arrays *a)
{
    size_t element = (address_of(f) - a->address[at->buffer]) / sizeof(float);

    text_add(t, "of ");
    cell_name(t, a->op, at->buffer, a->shape, element);
}

/* Shared and local arrays: the device knows their names and sizes. */
static void say_on_chip(struct text *t, const json_t *f)
{
    const char *array = str(f, "array");
    long long offset = num(f, "offset"), bytes = num(f, "array_bytes");

    if (bytes > 0 && offset + num(f, "bytes") > bytes)
        text_add(t, "past the end of ");
    else if (offset < 0)
        text_add(t, "before the start of ");
    else
        text_add(t, "of ");
    if (*array)
        text_add(t, "%s (%s memory)", array, str(f, "space"));
    else
        text_add(t, "%s memory", str(f, "space"));
    if (bytes > 0)
        text_add(t, " at byte %lld of its %lld", offset, bytes);
}

/* A whole program's own allocations have no names, but an order. */
static bool say_allocation(struct text *t, const json_t *f,
                           const struct arrays *a)
{
    json_t *allocation;
    size_t i;

    json_array_foreach(a->allocations, i, allocation) {
        uint64_t start = (uint64_t)num(allocation, "address");
        long long bytes = num(allocation, "bytes");
        bool inside = holds(start, (size_t)bytes, address_of(f));
        bool near = num(allocation, "id") == num(f, "allocation") &&
                    address_of(f) >= start;
        long long at = (long long)(address_of(f) - start);

        if (!inside && !near)
            continue;
        if (at + num(f, "bytes") > bytes)
            text_add(t, "past the end of ");
        else
            text_add(t, "at byte %lld of ", at);
        text_add(t, "your cudaMalloc number %zu, which has %lld byte%s", i + 1,
                 bytes, bytes == 1 ? "" : "s");
        return true;
    }
    return false;
}

static void say_target(struct text *t, const json_t *f,
                       const struct arrays *a)
{
    struct target at = find_target(a, f);

    if (is_on_chip(f))
        say_on_chip(t, f);
    else if (at.buffer >= 0 && at.side == SIDE_INSIDE)
        say_inside(t, &at, f, a);
    else if (at.buffer >= 0)
        say_element(t, &at, a);
    else if (at.workspace)
        text_add(t, "%s the workspace, which has %zu bytes",
                 at.side == SIDE_PAST ? "past the end of"
                 : at.side == SIDE_BEFORE ? "before the start of" : "of",
                 a->workspace_bytes);
    else if (is_null(f))
        text_add(t, "at address %lld: a null pointer", num(f, "address"));
    else if (!say_allocation(t, f, a))
        text_add(t, "at address %#llx, which is in no array of the device: a "
                 "host pointer?", (unsigned long long)address_of(f));
}

static void say_access(struct text *t, const json_t *f,
                       const struct arrays *a, const char *after)
{
    say_place(t, f, a);
    say_who(t, f);
    text_add(t, "\n  %s %lld bytes ",
             json_is_true(json_object_get(f, "write")) ? "writes" : "reads",
             num(f, "bytes"));
    say_target(t, f, a);
    text_add(t, "%s\n", after);
    say_source(t, f, a);
}

static void say_bounds(struct text *t, struct text *advice, const json_t *f,
                       const struct arrays *a)
{
    say_access(t, f, a, "");
    if (is_null(f) || (!is_on_chip(f) && num(f, "allocation") <= 0))
        text_add(advice, "Is the pointer you pass a device pointer, and the "
                 "right one?");
    else
        text_add(advice, "Guard that access: only threads whose index is "
                 "inside may make it.");
}

static void say_freed(struct text *t, struct text *advice, const json_t *f,
                      const struct arrays *a)
{
    say_access(t, f, a, ",\n  which was freed before (cudaFree)");
    text_add(advice, "Free an array only when no kernel needs it any more.");
}

static void say_misaligned(struct text *t, struct text *advice,
                           const json_t *f, const struct arrays *a)
{
    char after[96];

    snprintf(after, sizeof after, "\n  as %lld bytes at once, from an address "
             "that is no multiple of %lld", num(f, "bytes"), num(f, "bytes"));
    say_access(t, f, a, after);
    text_add(advice, "A float4 may only start at every fourth float: check "
             "the row's start, not just its length.");
}

static void say_uninitialised(struct text *t, struct text *advice,
                              const json_t *f, const struct arrays *a)
{
    say_access(t, f, a, ",\n  which is uninitialised: never written");
    text_add(advice, is_on_chip(f)
                 ? "Does every element get its value before a thread reads "
                   "it? Is a __syncthreads() missing between?"
                 : "Write it first: copied in, or stored by a kernel; memory "
                   "has no value, not even 0, before.");
}

static void say_race(struct text *t, struct text *advice, const json_t *f,
                     const struct arrays *a)
{
    const json_t *other = json_object_get(f, "other");
    bool write = json_is_true(json_object_get(f, "write"));
    bool other_write = json_is_true(json_object_get(other, "write"));

    say_place(t, f, a);
    say_who(t, f);
    text_add(t, "\n  %s %lld bytes ", write ? "writes" : "reads",
             num(f, "bytes"));
    say_target(t, f, a);
    text_add(t, "\n");
    say_source(t, f, a);
    text_add(t, "  which ");
    say_place(t, other, a);
    text_add(t, "thread ");
    say_triple(t, json_object_get(other, "thread"));
    text_add(t, " %s,\n  with no __syncthreads() between\n",
             other_write ? "writes" : "reads");
    say_source(t, other, a);
    if (strcmp(str(f, "space"), "shared") == 0)
        text_add(advice, "Put a __syncthreads() between the two lines, where "
                 "every thread of the block reaches it.");
    else
        text_add(advice, "Give the element one owner, or use an atomic.");
}

static void say_plain(struct text *t, const json_t *f, const struct arrays *a,
                      const char *what)
{
    say_place(t, f, a);
    text_add(t, "%s", what);
    if (*str(f, "detail"))
        text_add(t, ": %s", str(f, "detail"));
    text_add(t, "\n");
    say_source(t, f, a);
}

static void say_deadlock(struct text *t, struct text *advice, const json_t *f,
                         const struct arrays *a)
{
    say_plain(t, f, a, "a barrier that some threads never reach");
    text_add(advice, "__syncthreads() must be reached by every thread of the "
             "block: take it out of the `if`, or the early `return`.");
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
    say_plain(t, f, a, "the kernel stopped itself (__trap)");
    text_add(advice, "Find what leads to that line.");
}

static void say_budget(struct text *t, struct text *advice, const json_t *f,
                       const struct arrays *a)
{
    say_plain(t, f, a, "the kernel was still running after many times the "
              "instructions this case needs");
    text_add(advice, "Look for a loop around that line whose condition never "
             "turns false.");
}

static void say_stack(struct text *t, struct text *advice, const json_t *f,
                      const struct arrays *a)
{
    say_plain(t, f, a, "the stack of a thread is full");
    text_add(advice, "Does a device function call itself without end?");
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
    {"race", VERDICT_RACE, say_race},
    {"deadlock", VERDICT_TIMEOUT, say_deadlock},
    {"assert", VERDICT_CRASH, say_assert},
    {"trap", VERDICT_CRASH, say_trap},
    {"budget", VERDICT_TIMEOUT, say_budget},
    {"stack", VERDICT_MEMORY, say_stack},
    {"unsupported", VERDICT_UNSUPPORTED, say_unsupported},
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

static int kind_of(const json_t *finding)
{
    for (int i = 0; i < N_KINDS; i++)
        if (strcmp(kinds[i].kind, str(finding, "kind")) == 0)
            return i;
    return -1;
}

enum verdict finding_verdict(const json_t *finding)
{
    int kind = kind_of(finding);

    return kind < 0 ? VERDICT_UNSUPPORTED : kinds[kind].verdict;
}

void finding_say(struct text *text, struct text *advice,
                 const json_t *finding, const struct arrays *arrays)
{
    int kind = kind_of(finding);

    if (kind < 0)
        text_add(text, "the simulated GPU reports \"%s\", which check does "
                 "not know (a defect of the workbook)\n", str(finding, "kind"));
    else
        kinds[kind].say(text, advice, finding, arrays);
}
