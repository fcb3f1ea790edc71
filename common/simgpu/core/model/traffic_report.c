// SPDX-License-Identifier: MIT
/*
 * traffic_report.c: what the traffic observer saw, for people: by line of the
 * source, and access by access. Interface: traffic.h, engine.h.
 *
 *   traffic_finish, traffic_trace
 *   traffic_free
 */
#include <stdlib.h>
#include <string.h>

#include "simgpu/core/state/finding.h"
#include "traffic.h"

static int by_place(const void *pa, const void *pb)
{
    const struct traffic_line *a = pa, *b = pb;
    int c = !a->file || !b->file ? (a->file != NULL) - (b->file != NULL)
                                 : strcmp(a->file, b->file);
    return c ? c : (a->line > b->line) - (a->line < b->line);
}

static void add(struct traffic_line *to, const struct traffic_line *from)
{
    to->issued += from->issued;
    to->lanes += from->lanes;
    to->global_requests += from->global_requests;
    to->global_sectors += from->global_sectors;
    to->l1_missed += from->l1_missed;
    to->shared_requests += from->shared_requests;
    to->shared_wavefronts += from->shared_wavefronts;
    to->shared_conflicts += from->shared_conflicts;
#define X(name) to->name += from->name;
    TRAFFIC_LINE_KINDS(X)
#undef X
}

/* An instruction does one thing, so its counts go to one kind. A generic
 * address has no space in its opcode; where its requests went tells. */
static void add_kinds(struct traffic_line *to, const struct source *s)
{
    unsigned flags = s->form ? s->form->flags : 0;
    bool load = flags & FORM_LOADS || strncmp(s->op, "ldmatrix", 8) == 0;
    bool store = flags & FORM_STORES || strncmp(s->op, "stmatrix", 8) == 0;
    to->atomics = s->class == ISSUE_ATOMIC ? to->issued : 0;
    to->local_requests = s->class == ISSUE_LOCAL ? to->issued : 0;
    to->barriers = flags & FORM_BARRIER ? to->issued : 0;
    to->async_waits = flags & FORM_WAITS ? to->issued : 0;
    to->loads = load ? to->global_requests : 0;
    to->load_sectors = load ? to->global_sectors : 0;
    to->stores = store ? to->global_requests : 0;
    to->store_sectors = store ? to->global_sectors : 0;
    to->shared_loads = load ? to->shared_requests : 0;
    to->shared_load_conflicts = load ? to->shared_conflicts : 0;
    to->shared_store_conflicts = store ? to->shared_conflicts : 0;
}

static bool is_stage(const char *file)
{
    const char *end = file ? strrchr(file, '.') : NULL;

    return end && strcmp(end, ".cu") == 0;
}

/* An access of a header's function counts where a stage calls that. */
static bool is_called(const struct source *s)
{
    return is_stage(s->call_file) && !is_stage(s->file);
}

static const char *file_of(const struct source *s)
{
    return is_called(s) ? s->call_file : s->file;
}

static int line_number(const struct source *s)
{
    return is_called(s) ? s->call_line : s->line;
}

static struct traffic_line line_of(const struct function *f, size_t n,
                                   const struct tally *x)
{
    const struct source *s = finding_source(f, &f->insts[n]);
    struct traffic_line line = {
        .file = file_of(s), .line = line_number(s), .issued = x->issued,
        .lanes = x->lanes, .global_requests = x->requests,
        .global_sectors = x->sectors, .l1_missed = x->missed,
        .shared_requests = x->shared, .shared_wavefronts = x->wavefronts,
        .shared_conflicts = x->conflicts, .constant_replays = x->replays};
    add_kinds(&line, s);
    return line;
}

/* Sorts, and makes one of those with the same file and line. */
static void merge(struct traffic *t)
{
    size_t kept = 0;
    qsort(t->lines, t->n_lines, sizeof *t->lines, by_place);
    for (size_t k = 0; k < t->n_lines; k++) {
        if (kept > 0 && by_place(&t->lines[kept - 1], &t->lines[k]) == 0)
            add(&t->lines[kept - 1], &t->lines[k]);
        else
            t->lines[kept++] = t->lines[k];
    }
    t->n_lines = kept;
}

void traffic_finish(struct traffic_probe *t)
{
    const struct module *m = t->run->kernel->module;
    struct traffic *to = t->traffic;
    struct contention_sum atomics = contention_sum(t->contention);
    size_t most = 0;
    to->contended_clocks = atomics.shared;
    to->contended_own = atomics.own;
    for (size_t f = 0; f < m->n_functions; f++)
        most += t->functions[f].tally ? m->functions[f].n_insts : 0;
    to->lines = malloc((most ? most : 1) * sizeof *to->lines);
    if (!to->lines)
        abort();
    for (size_t f = 0; f < m->n_functions; f++) {
        const struct tally *x = t->functions[f].tally;
        for (size_t n = 0; x && n < m->functions[f].n_insts; n++)
            if (x[n].issued)
                to->lines[to->n_lines++] =
                    line_of(&m->functions[f], n, &x[n]);
    }
    merge(to);
}

void traffic_trace(struct traffic_probe *t, const struct access *a)
{
    const struct worker *k = a->warp->worker;
    const struct launch *l = k->run->launch;
    struct traffic *to = t->traffic;
    bool block = l->sample ? k->order == t->warm
                           : k->block.index == k->run->n_blocks / 2;
    bool mine = block && t->warp == l->trace_warp;
    bool seen = a->space == PTX_SPACE_GLOBAL || a->space == PTX_SPACE_SHARED;
    if (!mine || !seen || to->n_events == l->trace_events)
        return;
    struct traffic_event *e = &to->events[to->n_events++];
    *e = (struct traffic_event){
        .file = file_of(t->source), .op = t->source->op,
        .line = line_number(t->source),
        .space = a->space, .write = a->form->write,
        .atomic = a->form->kind == ACCESS_ATOMIC, .mask = a->mask,
        .bytes = a->bytes};
    uint64_t base = a->space == PTX_SPACE_SHARED ? SHARED_START : 0;
    for (uint32_t rest = a->mask; rest; rest &= rest - 1)
        e->address[first_lane(rest)] = a->addr[first_lane(rest)] - base;
}

void traffic_free(struct traffic *t)
{
    if (!t)
        return;
    free(t->by_class);
    free(t->arrays);
    free(t->lines);
    free(t->events);
    free(t);
}
