// SPDX-License-Identifier: MIT
/*
 * target.c: an address becomes an element; see target.h.
 *
 * The engine names the allocation it takes an access for, which is a guess
 * where the access is outside of all. An address inside one of the operator's
 * arrays needs none.
 */
#include "target.h"

#include <string.h>

#include "compare.h"

const char *finding_str(const json_t *object, const char *key)
{
    const char *s = json_string_value(json_object_get(object, key));

    return s ? s : "";
}

long long finding_num(const json_t *object, const char *key)
{
    return (long long)json_integer_value(json_object_get(object, key));
}

static uint64_t address_of(const json_t *f)
{
    return (uint64_t)finding_num(f, "address");
}

bool target_on_chip(const json_t *f)
{
    return strcmp(finding_str(f, "space"), "shared") == 0 ||
           strcmp(finding_str(f, "space"), "local") == 0;
}

bool target_is_null(const json_t *f)
{
    return !target_on_chip(f) && address_of(f) < 65536;
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

/* How many bytes from the address on are asked about. Where two accesses meet,
 * it may lie within them. */
static long long bytes_from(const json_t *f)
{
    return json_is_object(json_object_get(f, "other"))
               ? 1 : finding_num(f, "bytes");
}

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
    } else if (at + (uint64_t)bytes_from(f) > start + bytes) {
        t.side = SIDE_PAST;
        t.bytes = (long long)(at - start) - (long long)bytes;
    }
    return t;
}

/* An array may begin an element behind its allocation. */
enum { BEHIND = 16 };

static struct target find_target(const struct arrays *a, const json_t *f)
{
    uint64_t start = address_of(f) - (uint64_t)finding_num(f, "offset");
    struct target t = {SIDE_FAR, 0, -1, false};

    for (int near = 0; near < 2; near++)
        for (int i = 0; i <= a->op->n_buffers; i++) {
            bool work = i == a->op->n_buffers;
            uint64_t at = work ? a->workspace : a->address[i];
            size_t bytes = work ? a->workspace_bytes : a->bytes[i];

            if (near ? !at || at - start >= BEHIND ||
                           finding_num(f, "allocation") <= 0
                     : !holds(at, bytes, address_of(f)))
                continue;
            t = relate(at, bytes, f);
            t.buffer = work ? -1 : i;
            t.workspace = work;
            return t;
        }
    return t;
}

/* Elements that the array has; the one that an access past its end means. */
static size_t count_of(const struct target *at, const struct arrays *a)
{
    return a->bytes[at->buffer] /
           type_row[a->op->buffers[at->buffer].type].bytes;
}

static long long element_past(const struct target *at, const struct arrays *a)
{
    return (long long)count_of(at, a) +
           at->bytes /
               (long long)type_row[a->op->buffers[at->buffer].type].bytes;
}

bool target_past(const json_t *f, const struct arrays *a, int *buffer,
                 long long *element)
{
    struct target at = find_target(a, f);

    if (target_on_chip(f) || at.buffer < 0 || at.side != SIDE_PAST)
        return false;
    *buffer = at.buffer;
    *element = element_past(&at, a);
    return true;
}

/* "x[b=0, h=1, t=3]"; outside: "12 bytes past the end of x: x[558], and x has
 * 555 elements"; or "from x[0] on", if it begins inside. */
static void say_element(struct text *t, const struct target *at,
                        const struct arrays *a)
{
    const char *name = a->op->buffers[at->buffer].name;
    long long bytes =
        (long long)type_row[a->op->buffers[at->buffer].type].bytes;
    size_t count = count_of(at, a);

    if (at->side == SIDE_PAST && at->bytes < 0) {
        text_add(t, "from %s[%lld] on, past the end of %s, which has %zu "
                 "element%s", name, element_past(at, a), name, count,
                 count == 1 ? "" : "s");
    } else if (at->side == SIDE_PAST) {
        text_add(t, "past the end of %s: %s[%lld], and %s has %zu element%s",
                 name, name, element_past(at, a), name, count,
                 count == 1 ? "" : "s");
    } else {
        text_add(t, "before the start of %s: %s[-%lld]", name, name,
                 (at->bytes + bytes - 1) / bytes);
    }
}

static void say_inside(struct text *t, const struct target *at, const json_t *f,
                       const struct arrays *a)
{
    const struct op_buffer *b = &a->op->buffers[at->buffer];
    size_t element = (address_of(f) - a->address[at->buffer]) /
                     type_row[b->type].bytes;
    size_t cell;

    if (op_cell_at(a->op, at->buffer, a->shape, element, &cell)) {
        text_add(t, "of ");
        cell_name(t, a->op, at->buffer, a->shape, cell);
    } else {
        text_add(t, "in the padding between the rows of %s", b->name);
    }
}

/* Shared and local arrays: the device knows their names and sizes. */
static void say_on_chip(struct text *t, const json_t *f)
{
    const char *array = finding_str(f, "array");
    long long offset = finding_num(f, "offset"),
              bytes = finding_num(f, "array_bytes");

    if (bytes > 0 && offset + bytes_from(f) > bytes)
        text_add(t, "past the end of ");
    else if (offset < 0)
        text_add(t, "before the start of ");
    else
        text_add(t, "of ");
    if (strncmp(array, "__local_depot", strlen("__local_depot")) == 0)
        text_add(t, "a thread's own array (local memory)");
    else if (*array)
        text_add(t, "%s (%s memory)", array, finding_str(f, "space"));
    else
        text_add(t, "%s memory", finding_str(f, "space"));
    if (bytes > 0)
        text_add(t, " at byte %lld of its %lld", offset, bytes);
}

/* A whole program's own allocations have no names, but an order. */
static bool say_allocation(struct text *t, const json_t *f,
                           const struct arrays *a)
{
    json_t *allocation;
    size_t i;

    json_array_foreach(a->allocations, i, allocation)
    {
        uint64_t start = (uint64_t)finding_num(allocation, "address");
        long long bytes = finding_num(allocation, "bytes");
        bool inside = holds(start, (size_t)bytes, address_of(f));
        bool near =
            finding_num(allocation, "id") == finding_num(f, "allocation") &&
            address_of(f) >= start;
        long long at = (long long)(address_of(f) - start);

        if (!inside && !near)
            continue;
        if (at + bytes_from(f) > bytes)
            text_add(t, "past the end of ");
        else
            text_add(t, "at byte %lld of ", at);
        text_add(t, "your cudaMalloc number %zu, which has %lld byte%s", i + 1,
                 bytes, bytes == 1 ? "" : "s");
        return true;
    }
    return false;
}

/* An index of 32 bits leads no farther than this from its array, and the host's
 * memory lies elsewhere. */
static const uint64_t far_most = (uint64_t)1 << 36;

/* How far the access is from the array; *before: which side. */
static uint64_t distance(uint64_t start, size_t bytes, uint64_t at,
                         bool *before)
{
    *before = at < start;
    return !start ? UINT64_MAX : *before ? start - at : at - start - bytes;
}

/* The operator's array that is nearest; -1: none is near at all. */
static int nearest(const json_t *f, const struct arrays *a, uint64_t *away,
                   bool *before)
{
    int found = -1;

    *away = far_most;
    for (int i = 0; i < a->op->n_buffers; i++) {
        bool side;
        uint64_t d = distance(a->address[i], a->bytes[i], address_of(f), &side);

        if (d >= *away)
            continue;
        found = i;
        *away = d;
        *before = side;
    }
    return found;
}

bool target_is_far(const json_t *f, const struct arrays *a)
{
    struct target at = find_target(a, f);
    uint64_t away;
    bool before;

    return !target_on_chip(f) && !target_is_null(f) && at.buffer < 0 &&
           !at.workspace && finding_num(f, "allocation") <= 0 &&
           nearest(f, a, &away, &before) >= 0;
}

static void say_far(struct text *t, const json_t *f, const struct arrays *a)
{
    uint64_t away;
    bool before;
    int i = nearest(f, a, &away, &before);
    uint64_t elements = away / type_row[a->op->buffers[i].type].bytes;

    text_add(t, "in no array: %llu elements %s %s,\n  which is the nearest "
             "one", (unsigned long long)elements, before ? "before" : "behind",
             a->op->buffers[i].name);
}

bool target_wraps(const json_t *f, const struct arrays *a)
{
    static const uint64_t wrapped = (uint64_t)1 << 32, most = 1 << 28;
    uint64_t away, elements;
    bool before;
    int i = nearest(f, a, &away, &before);

    if (i < 0 || before)
        return false;
    elements = away / type_row[a->op->buffers[i].type].bytes;
    return elements > wrapped - most && elements < wrapped + most;
}

void target_say(struct text *t, const json_t *f, const struct arrays *a)
{
    struct target at = find_target(a, f);

    if (target_on_chip(f))
        say_on_chip(t, f);
    else if (at.buffer >= 0 && at.side == SIDE_INSIDE)
        say_inside(t, &at, f, a);
    else if (at.buffer >= 0)
        say_element(t, &at, a);
    else if (at.workspace)
        text_add(t, "%s the workspace, which has %zu byte%s",
                 at.side == SIDE_PAST     ? "past the end of"
                 : at.side == SIDE_BEFORE ? "before the start of"
                                          : "of",
                 a->workspace_bytes, a->workspace_bytes == 1 ? "" : "s");
    else if (target_is_null(f))
        text_add(t, "at address %lld: a null pointer",
                 finding_num(f, "address"));
    else if (target_is_far(f, a))
        say_far(t, f, a);
    else if (!say_allocation(t, f, a))
        text_add(t,
                 "at address %#llx, which is in no array of the device: a "
                 "host pointer?",
                 (unsigned long long)address_of(f));
}

bool target_workspace(const json_t *f, const struct arrays *a)
{
    return !target_on_chip(f) && find_target(a, f).workspace;
}

const char *target_array(const json_t *f, const struct arrays *a)
{
    struct target at = find_target(a, f);

    return at.buffer < 0 ? NULL : a->op->buffers[at.buffer].name;
}
