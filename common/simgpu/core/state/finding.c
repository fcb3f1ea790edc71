// SPDX-License-Identifier: MIT
/*
 * finding.c: findings of a launch.
 *
 *   find            records an accusation; equal ones are merged
 *   fail            ends the launch with a fault
 *   found_again     counts what was found before
 *   found_merge     every worker's findings into the report, in order
 *
 * Each worker keeps its own list, so that nothing is shared while kernels
 * run. Two are equal when kind and source line are; the one of the lowest
 * block and thread is kept, so the report does not depend on the schedule.
 */
#include "finding.h"

#include "simgpu/host/threads.h"

#include <stdlib.h>
#include <string.h>

void finding_thread(const struct warp *w, int lane, uint32_t thread[3])
{
    const uint32_t *n = run_of(w)->launch->block;
    uint32_t t = w->index * LANES + (uint32_t)lane;
    thread[0] = t % n[0];
    thread[1] = t / n[0] % n[1];
    thread[2] = t / n[0] / n[1];
}

const struct source *finding_source(const struct function *f,
                                    const struct inst *i)
{
    static const struct source nowhere = {.op = "?"};
    return i->source < f->n_sources ? &f->sources[i->source] : &nowhere;
}

struct site finding_site(const struct source *s)
{
    return (struct site){.file = s->file, .line = s->line,
                         .call_file = s->call_file,
                         .call_line = s->call_line};
}

/* The toolkit's headers are not where the learner looks (decode.c); some of
 * their functions have no lines. */
static bool is_toolkit(const struct source *s)
{
    return !s->file || (!s->call_file && strstr(s->file, "/include/"));
}

/* Out of functions of the toolkit that were not inlined, to who called them; if
 * nobody else did, the place itself. */
static const struct source *called_from(const struct node *leaf,
                                        const struct source *at)
{
    const struct source *from = at;
    while (is_toolkit(from)) {
        while (leaf && !leaf->is_call)
            leaf = leaf->parent;
        if (!leaf || !leaf->parent)
            return at;
        from = finding_source(leaf->parent->frame->function, leaf->call);
        leaf = leaf->parent;
    }
    return from;
}

const struct source *finding_place(const struct warp *w, const struct inst *i)
{
    return called_from(w->leaf, finding_source(w->leaf->frame->function, i));
}

static struct site site_at(const struct warp *w, const struct source *place,
                           const struct inst *i, int lane)
{
    struct site at = finding_site(place);
    finding_thread(w, lane, at.thread);
    if (i->detail) {
        at.write = i->detail->access.write;
        at.atomic = i->detail->access.kind == ACCESS_ATOMIC;
        at.frees = i->detail->access.kind == ACCESS_FREE;
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
           compare_text(a->kernel, b->kernel) == 0 &&
           compare_text(a->other_kernel, b->other_kernel) == 0 &&
           a->allocation == b->allocation;
}

/* Notes last, so that they take no accusation's place in a report; then by
 * block, thread, line and address. */
static int order(const void *pa, const void *pb)
{
    const struct finding *a = pa, *b = pb;
    int c = finding_is_note(a->kind) - finding_is_note(b->kind);
    if (c == 0)
        c = compare_u32(a->block, b->block);
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

static bool ends_launch(const struct finding *x)
{
    return x->kind != FIND_UNINITIALISED && x->kind != FIND_RACE &&
           x->kind != FIND_PROXY && x->kind != FIND_UNFENCED &&
           x->kind != FIND_EXITED &&
           x->kind != FIND_WATCHED && !finding_is_note(x->kind);
}

/* Of what ends the launch, only the first block's count: whether a later one
 * came so far is a matter of timing. */
static uint64_t count_of(const struct finding *x, uint64_t x_at,
                         const struct finding *y, uint64_t y_at)
{
    if (!ends_launch(x) || x_at == y_at)
        return x->count + y->count;
    return x_at < y_at ? x->count : y->count;
}

/* Merges x, seen in the order-th block, into f. Returns the new length. Notes
 * have fewer places, so that they never keep an accusation out. */
static size_t merge(struct found *f, const struct finding *x, uint64_t at)
{
    for (size_t k = 0; k < f->n; k++) {
        struct finding *y = &f->list[k];
        if (!equal(y, x))
            continue;
        uint64_t count = count_of(x, at, y, f->order[k]);
        if (order(x, y) < 0)
            *y = *x;
        y->count = count;
        if (at < f->order[k])
            f->order[k] = at;
        f->last = k;
        return f->n;
    }
    bool note = finding_is_note(x->kind);
    if (f->n == MAX_FOUND || (note && f->notes == MAX_NOTES)) {
        f->last = MAX_FOUND;
        f->unlisted += x->kind == FIND_EQUAL_WRITES ? x->count : 0;
        return f->n;
    }
    f->notes += note;
    f->last = f->n;
    f->order[f->n] = at;
    f->list[f->n] = *x;
    return f->n + 1;
}

static uint64_t along(const uint32_t at[3], const uint32_t size[3])
{
    return at[0] + (uint64_t)size[0] * (at[1] + (uint64_t)size[1] * at[2]);
}

/* The first of the pair's places. Its kind is in its highest bits, which a
 * product moves nowhere. */
static size_t place_of(uint64_t pair)
{
    uint64_t mixed = (pair ^ pair >> 29) * 0x9e3779b97f4a7c15ull;
    return (size_t)(mixed >> 32) % (MEMOS / MEMO_WAYS) * MEMO_WAYS;
}

const struct memo *found_memo(const struct worker *k, const struct hit *h)
{
    const struct found *f = k->found;
    const struct memo *m = f ? &f->memo[place_of(h->pair)] : NULL;
    for (int n = 0; m && n < MEMO_WAYS; n++)
        if (found_stands(&m[n], h))
            return &m[n];
    return NULL;
}

void found_count(struct worker *k, size_t at, uint64_t order_of, uint64_t hits)
{
    struct found *f = k->found;
    f->list[at].count += hits;
    if (order_of < f->order[at])
        f->order[at] = order_of;
}

bool found_again(struct worker *k, const struct hit *h)
{
    const struct memo *m = found_memo(k, h);
    if (m)
        found_count(k, m->at, h->order, 1);
    return m;
}

/* An array that the finding does not name has no range. */
void found_remember(struct worker *k, const struct hit *h)
{
    struct found *f = k->found;
    if (f->last == MAX_FOUND)
        return;
    const struct finding *y = &f->list[f->last];
    uint64_t lo = y->address - (uint64_t)y->offset;
    const struct launch *l = k->run->launch;
    if (h->address < lo || h->address - lo >= y->array_bytes)
        return;
    struct memo *m = &f->memo[place_of(h->pair)];
    int old = 0; /* of the pair and the array; else the last place */
    while (old < MEMO_WAYS - 1 && (m[old].pair != h->pair || m[old].lo != lo))
        old++;
    memmove(m + 1, m, (size_t)old * sizeof *m);
    *m = (struct memo){h->pair, lo, lo + y->array_bytes,
                       along(y->block, l->grid), along(y->at.thread, l->block),
                       y->address, f->last};
}

static void name_kernel(const struct warp *w, struct finding *f)
{
    f->kernel = run_of(w)->kernel->info.name;
    memcpy(f->block, w->block->id, sizeof f->block);
    f->count = 1;
}

void found_add(struct worker *k, const struct finding *f, uint64_t at)
{
    if (!k->found)
        k->found = calloc(1, sizeof *k->found);
    if (!k->found)
        abort();
    k->found->n = merge(k->found, f, at);
}

void found_put(struct found *f, const struct finding *x)
{
    f->n = merge(f, x, 0);
}

void finding_add_at(struct warp *w, const struct source *place,
                    const struct inst *i, int lane, enum finding_kind kind,
                    struct finding *f)
{
    struct worker *k = w->worker;
    f->kind = kind;
    f->at = site_at(w, place, i, lane);
    name_kernel(w, f);
    found_add(k, f, k->order);
}

void finding_add(struct warp *w, const struct inst *i, int lane,
                 enum finding_kind kind, struct finding *f)
{
    finding_add_at(w, finding_place(w, i), i, lane, kind, f);
}

void access_finding(const struct access *a, int lane, enum finding_kind kind,
                    struct finding *f)
{
    struct warp *w = a->warp;
    f->kind = kind;
    f->at = site_at(w, a->function ? finding_source(a->function, a->inst)
                                   : finding_place(w, a->inst), a->inst, lane);
    f->at.write = a->form->write;
    f->at.atomic = a->form->kind == ACCESS_ATOMIC;
    name_kernel(w, f);
    found_add(w->worker, f, w->worker->order);
}

const struct inst *fault_raise(struct warp *w, enum engine_fault fault)
{
    struct run *r = run_of(w);
    lock_take(r->out);
    if (w->worker->order < atomic_load(&r->fault_order)) {
        atomic_store(&r->fault_order, w->worker->order);
        r->fault = fault;
    }
    lock_leave(r->out);
    return NULL;
}

/* The same two lines, and the same array. */
static bool same_place(const struct finding *a, const struct finding *b)
{
    return a->at.line == b->at.line && a->other.line == b->other.line &&
           compare_text(a->at.file, b->at.file) == 0 &&
           compare_text(a->array, b->array) == 0 &&
           a->allocation == b->allocation;
}

/* Where values also differ, that they are equal now and then says nothing. Nor
 * do barriers of some warps, but of a race. */
static bool says_nothing(const struct found *all, const struct finding *note)
{
    bool race = false, same = false;
    for (size_t j = 0; j < all->n; j++) {
        bool is_race = all->list[j].kind == FIND_RACE;
        race |= is_race;
        same |= is_race && same_place(&all->list[j], note);
    }
    return note->kind == FIND_PARTED ? !race
                                     : note->kind == FIND_EQUAL_WRITES && same;
}

static void drop_notes(struct found *all)
{
    size_t kept = 0;
    for (size_t k = 0; k < all->n; k++) {
        if (says_nothing(all, &all->list[k]))
            all->notes--;
        else
            all->list[kept++] = all->list[k];
    }
    all->n = kept;
}

static void total(struct launch_report *report)
{
    for (size_t k = 0; k < report->n_findings; k++) {
        const struct finding *x = &report->findings[k];
        if (x->kind == FIND_RACE || x->kind == FIND_PROXY ||
            x->kind == FIND_UNFENCED)
            report->races += x->count;
        else if (x->kind == FIND_EQUAL_WRITES)
            report->equal_writes += x->count;
        else if (x->kind <= FIND_SHUFFLE || x->kind == FIND_EXITED)
            report->memory_errors += x->count;
    }
}

/* What came after the first faulty block is dropped: with other timing it
 * would not have run. */
void found_merge(const struct worker *workers, int n, size_t max,
                 struct launch_report *report)
{
    struct found *all = calloc(1, sizeof *all);
    if (!all)
        abort();
    uint64_t last = atomic_load(&workers->run->fault_order);
    for (int k = 0; k < n; k++) {
        const struct found *f = workers[k].found;
        all->unlisted += f ? f->unlisted : 0;
        for (size_t j = 0; f && j < f->n; j++)
            if (f->order[j] <= last)
                all->n = merge(all, &f->list[j], f->order[j]);
    }
    qsort(all->list, all->n, sizeof *all->list, order); /* notes last */
    drop_notes(all);
    report->findings = malloc((all->n + 1) * sizeof *report->findings);
    if (!report->findings)
        abort();
    memcpy(report->findings, all->list, all->n * sizeof *all->list);
    report->n_findings = all->n;
    report->equal_writes = report->unlisted = all->unlisted;
    free(all);
    total(report);
    if (report->n_findings > max)
        report->n_findings = max;
}
