// SPDX-License-Identifier: MIT
/*
 * find.c: findings of a launch.
 *
 *   find            records an accusation; equal ones are merged
 *   fail            ends the launch with a fault
 *   found_merge     every worker's findings into the report, in order
 *
 * Each worker keeps its own list, so that nothing is shared while kernels
 * run. Two are equal when kind and source line are; the one of the lowest
 * block and thread is kept, so the report does not depend on the schedule.
 */
#include "find.h"

#include <stdlib.h>
#include <string.h>

void thread_of(const struct warp *w, int lane, uint32_t thread[3])
{
    const uint32_t *n = run_of(w)->launch->block;
    uint32_t t = w->index * LANES + (uint32_t)lane;
    thread[0] = t % n[0];
    thread[1] = t / n[0] % n[1];
    thread[2] = t / n[0] / n[1];
}

const struct source *source_of(const struct function *f, const struct inst *i)
{
    static const struct source nowhere = {.op = "?"};
    return i->source < f->n_sources ? &f->sources[i->source] : &nowhere;
}

struct site site_of(const struct warp *w, const struct inst *i, int lane)
{
    const struct source *s = source_of(w->leaf->frame->function, i);
    struct site at = {.file = s->file, .line = s->line};
    thread_of(w, lane, at.thread);
    if (i->detail) {
        at.write = i->detail->write;
        at.atomic = i->detail->atomic;
    }
    return at;
}

static int compare_u32(const uint32_t *a, const uint32_t *b)
{
    for (int k = 2; k >= 0; k--)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

static int compare_text(const char *a, const char *b)
{
    return !a || !b ? (a != NULL) - (b != NULL) : strcmp(a, b);
}

static bool equal(const struct finding *a, const struct finding *b)
{
    return a->kind == b->kind && a->at.line == b->at.line &&
           a->other.line == b->other.line &&
           compare_text(a->at.file, b->at.file) == 0 &&
           compare_text(a->array, b->array) == 0 &&
           a->allocation == b->allocation;
}

/* By block, then thread, then line, then address. */
static int order(const void *pa, const void *pb)
{
    const struct finding *a = pa, *b = pb;
    int c = compare_u32(a->block, b->block);
    if (c == 0)
        c = compare_u32(a->at.thread, b->at.thread);
    if (c == 0)
        c = (a->at.line > b->at.line) - (a->at.line < b->at.line);
    if (c == 0)
        c = (a->kind > b->kind) - (a->kind < b->kind);
    if (c == 0)
        c = (a->address > b->address) - (a->address < b->address);
    return c;
}

/* Merges x into list; room for max. Returns the new length. */
static size_t merge(struct finding *list, size_t n, size_t max,
                    const struct finding *x)
{
    for (size_t k = 0; k < n; k++) {
        if (!equal(&list[k], x))
            continue;
        uint64_t count = list[k].count + x->count;
        if (order(x, &list[k]) < 0)
            list[k] = *x;
        list[k].count = count;
        return n;
    }
    if (n < max)
        list[n++] = *x;
    return n;
}

static void name_kernel(const struct warp *w, struct finding *f)
{
    f->kernel = run_of(w)->kernel->info.name;
    memcpy(f->block, w->block->id, sizeof f->block);
    f->count = 1;
}

void find(struct warp *w, const struct inst *i, int lane,
          enum finding_kind kind, struct finding *f)
{
    struct worker *k = w->worker;
    f->kind = kind;
    f->at = site_of(w, i, lane);
    name_kernel(w, f);
    if (kind == FIND_RACE)
        k->races++;
    else if (kind <= FIND_UNINITIALISED)
        k->memory_errors++;
    if (!k->found)
        k->found = calloc(1, sizeof *k->found);
    if (!k->found)
        abort();
    k->found->n = merge(k->found->list, k->found->n, MAX_FOUND, f);
}

const struct inst *fail(struct warp *w, enum engine_fault fault)
{
    int none = FAULT_NONE;
    atomic_compare_exchange_strong(&run_of(w)->fault, &none, (int)fault);
    return NULL;
}

void found_merge(const struct worker *workers, int n, size_t max,
                 struct launch_report *report)
{
    struct finding *all = malloc(MAX_FOUND * sizeof *all);
    size_t kept = 0;
    for (int k = 0; all && k < n; k++) {
        const struct found *f = workers[k].found;
        report->memory_errors += workers[k].memory_errors;
        report->races += workers[k].races;
        for (size_t j = 0; f && j < f->n; j++)
            kept = merge(all, kept, MAX_FOUND, &f->list[j]);
    }
    qsort(all, kept, sizeof *all, order);
    report->findings = all;
    report->n_findings = kept < max ? kept : max;
}
