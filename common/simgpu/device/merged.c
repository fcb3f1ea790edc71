// SPDX-License-Identifier: MIT
/*
 * merged.c: a log without its repetitions, for people to read.
 *
 *   dev_merge        what the log says, each thing once
 *   dev_merge_free
 *
 * A program that launches one kernel ten thousand times makes one mistake, not
 * ten thousand. Two findings are one thing if their kernel, kind, lines and
 * array are; two refused launches, if kernel, error and shape are; two failed
 * calls, if call, error and text are, or, where one place of the program calls,
 * the text but for its numbers; two mistakes without an error, if the call is.
 * The first stands for all. A table of hashes finds it, so that merging takes
 * no time to speak of.
 */
#include "device.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct table {
    size_t *at, room;          /* index into the things, plus 1; 0: free */
    struct dev_merged *to;
};

static uint64_t hash_text(uint64_t h, const char *text)
{
    for (; text && *text; text++)
        h = (h ^ (uint8_t)*text) * 0x100000001b3ull;
    return h * 0x9e3779b97f4a7c15ull + 1;
}

/* Details of failed calls are alike if they differ in numbers alone. */
static const char *behind_number(const char *text)
{
    return text + strspn(text, "0123456789abcdefx");
}

static bool alike(const char *a, const char *b)
{
    while (*a && *b) {
        bool number = isdigit((uint8_t)*a) && isdigit((uint8_t)*b);
        if (!number && *a != *b)
            return false;
        a = number ? behind_number(a) : a + 1;
        b = number ? behind_number(b) : b + 1;
    }
    return *a == *b;
}

static uint64_t hash_alike(uint64_t h, const char *text)
{
    while (*text) {
        bool number = isdigit((uint8_t)*text);
        h = (h ^ (number ? '0' : (uint8_t)*text)) * 0x100000001b3ull;
        text = number ? behind_number(text) : text + 1;
    }
    return h * 0x9e3779b97f4a7c15ull + 1;
}

static uint64_t hash(const struct dev_thing *x)
{
    uint64_t h = 0xcbf29ce484222325ull;
    if (x->call)
        return hash_alike(hash_text(h, x->call->call),
                          x->call->error ? x->call->detail : "");
    h = hash_text(h, x->launch ? x->launch->kernel : x->finding->kernel);
    if (!x->finding)
        return h;
    h ^= (uint64_t)x->finding->kind << 50 ^
         (uint64_t)(unsigned)x->finding->at.line << 24 ^
         (uint64_t)(unsigned)x->finding->other.line;
    return hash_text(h, x->finding->at.file);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_finding(const struct finding *a, const struct finding *b)
{
    return a->kind == b->kind && a->at.line == b->at.line &&
           a->other.line == b->other.line && a->space == b->space &&
           same_text(a->at.file, b->at.file) &&
           same_text(a->other.file, b->other.file) &&
           same_text(a->array, b->array) && same_text(a->kernel, b->kernel) &&
           same_text(a->other_kernel, b->other_kernel) &&
           (a->at.file || a->allocation == b->allocation);
}

static bool same_shape(const struct dev_launch *a, const struct dev_launch *b)
{
    return !memcmp(a->grid, b->grid, sizeof a->grid) &&
           !memcmp(a->block, b->block, sizeof a->block) &&
           a->dynamic_shared == b->dynamic_shared;
}

static bool same_call(const struct dev_api_error *a,
                      const struct dev_api_error *b)
{
    return a->error == b->error && same_text(a->call, b->call) &&
           (!a->error ? a->from == b->from
                      : same_text(a->detail, b->detail) ||
            (a->from && a->from == b->from && alike(a->detail, b->detail)));
}

static bool same(const struct dev_thing *a, const struct dev_thing *b)
{
    if (a->call || b->call)
        return a->call && b->call && same_call(a->call, b->call);
    if (a->finding && b->finding)
        return !a->launch == !b->launch &&
               same_finding(a->finding, b->finding);
    return !a->finding && !b->finding &&
           a->launch->error == b->launch->error &&
           same_shape(a->launch, b->launch) &&
           same_text(a->launch->kernel, b->launch->kernel);
}

/* The place of x in the table: free, or of the thing that it repeats. */
static size_t *place_of(const struct table *t, const struct dev_thing *x)
{
    size_t k = hash(x) & (t->room - 1);
    while (t->at[k] && !same(&t->to->thing[t->at[k] - 1], x))
        k = (k + 1) & (t->room - 1);
    return &t->at[k];
}

static void *not_null(void *p)
{
    if (!p) {
        fputs("simgpu-device: this machine is out of memory\n", stderr);
        abort();
    }
    return p;
}

/* Twice as large; also at the start. */
static void enlarge(struct table *t)
{
    t->room = t->room ? 2 * t->room : 64;
    free(t->at);
    t->at = not_null(calloc(t->room, sizeof *t->at));
    t->to->thing = not_null(
        realloc(t->to->thing, t->room * sizeof *t->to->thing));
    for (size_t n = 0; n < t->to->n; n++)
        *place_of(t, &t->to->thing[n]) = n + 1;
}

/* Nodes of a graph that is launched once are one launch. */
static bool same_launch(const struct dev_launch *a, const struct dev_launch *b)
{
    return a && b && (a == b || (a->graph && a->graph == b->graph));
}

static void add(struct table *t, const struct dev_thing *x)
{
    if (2 * t->to->n >= t->room)
        enlarge(t);
    size_t *at = place_of(t, x);
    if (!*at) {
        t->to->thing[t->to->n] = *x;
        t->to->thing[t->to->n++].latest = x->launch;
        *at = t->to->n;
        return;
    }
    struct dev_thing *first = &t->to->thing[*at - 1];
    first->count += x->count;
    first->differs |= x->call && !same_text(first->call->detail,
                                            x->call->detail);
    first->launches += !same_launch(first->latest, x->launch);
    first->latest = x->launch;
}

static void add_finding(struct table *t, const struct dev_launch *l,
                        const struct finding *f)
{
    add(t, &(struct dev_thing){.launch = l, .finding = f, .count = f->count,
                               .launches = 1});
}

struct dev_merged dev_merge(const struct device *dev)
{
    struct dev_merged merged = {0};
    struct table t = {.to = &merged};
    const struct finding *work;
    for (size_t i = 0; i < dev->log.n_launches; i++) {
        const struct dev_launch *l = &dev->log.launches[i];
        if (l->error)
            add(&t, &(struct dev_thing){.launch = l, .count = 1,
                                        .launches = 1});
        for (size_t j = 0; l->ran && j < l->report.n_findings; j++)
            add_finding(&t, l, &l->report.findings[j]);
    }
    size_t n_work = engine_findings(dev->engine, &work);
    for (size_t i = 0; i < n_work; i++)
        add_finding(&t, NULL, &work[i]);
    for (size_t i = 0; i < dev->log.n_api_errors; i++)
        add(&t, &(struct dev_thing){.call = &dev->log.api_errors[i],
                                    .count = 1, .launches = 1});
    free(t.at);
    for (size_t k = 0; k < merged.n && dev->suppressions; k++)
        merged.thing[k].suppressed =
            merged.thing[k].finding &&
            dev_suppressed(dev->suppressions, merged.thing[k].finding);
    return merged;
}

void dev_merge_free(struct dev_merged *merged)
{
    free(merged->thing);
    *merged = (struct dev_merged){0};
}
