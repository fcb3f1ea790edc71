// SPDX-License-Identifier: MIT
/*
 * suspect.c: what comes of values that nobody gave. Interface: suspect.h.
 *
 * nvcc loads a whole vector where the program reads, under a guard, only a part
 * of it, and then selects. So an element that nobody wrote, beside one that
 * somebody did, is no fault before it is used. A vector store of such an
 * element beside others copies padding: the copy counts as never written, too.
 *
 * PTX leaves undefined what a shuffle reads from a lane that has exited, that
 * never was, or that the mask does not name. Honest kernels read such lanes and
 * discard the value, so the read alone is no fault. It is one if memory, a
 * branch or a vote depends on the value.
 *
 * The hard idea: a warp that holds such a value is rare, so it may be slow.
 * From the shuffle on, each instruction hands on what its operands hold: lane
 * by lane, to the registers that it writes. selp hands on the operand it
 * chooses, and a predicate that decides `and` or `or` alone hides the other.
 * The first use that matters is reported, at the shuffle.
 */
#include "suspect.h"

#include <stdlib.h>
#include <string.h>

#include "addresses.h"
#include "simgpu/core/access/place.h"
#include "simgpu/core/state/finding.h"
#include "simgpu/core/state/observe.h"

enum { HELD_MOST = 24 }; /* registers; with more the warp is let go */

/* Where a value comes from: a shuffle, or the load of a vector. */
struct origin {
    const struct inst *inst;
    const struct function *in;
    bool loaded;
    uint8_t lane, from;   /* shuffle */
    uint32_t members;
    uint8_t space;        /* load */
    uint64_t address[LANES];
};

struct suspect {
    uint32_t n;
    uint32_t copied;          /* lanes of the store under way that copies
                                 padding, */
    uint8_t unset[LANES];     /* and which of its elements */
    struct held {
        const uint8_t *at;    /* a register */
        uint32_t lanes;
        struct origin origin;
    } held[HELD_MOST];
};

void suspect_forget(struct warp *w)
{
    w->follower = NULL;
    if (w->suspect)
        w->suspect->n = 0;
}

static struct held *find(const struct warp *w, uint32_t at)
{
    struct suspect *s = w->suspect;
    for (uint32_t k = 0; s && k < s->n; k++)
        if (s->held[k].at == w->regs + at)
            return &s->held[k];
    return NULL;
}

static uint32_t held_by(const struct warp *w, uint32_t at)
{
    const struct held *h = find(w, at);
    return h ? h->lanes : 0;
}

/* The lanes of mask have new values in the register: suspect ones in lanes. */
static void hold(struct warp *w, uint32_t at, uint32_t mask, uint32_t lanes,
                 const struct origin *origin)
{
    struct suspect *s = w->suspect;
    struct held *h = find(w, at);
    if (!h && !lanes)
        return;
    if (!h && s->n == HELD_MOST) {
        suspect_forget(w);
        return;
    }
    if (!h) {
        h = &s->held[s->n++];
        *h = (struct held){.at = w->regs + at};
    }
    h->lanes = (h->lanes & ~mask) | lanes;
    if (lanes)
        h->origin = *origin;
    else if (!h->lanes)
        *h = s->held[--s->n];
}

/* Who has read a lane that gave nothing. */
static uint32_t without_giver(uint32_t mask, const uint8_t from[LANES],
                              uint32_t givers)
{
    uint32_t lanes = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        lanes |= ~(givers >> from[first_lane(rest)]) << first_lane(rest) &
                 (rest & -rest);
    return lanes;
}

static const struct observer suspect_observer;

static void begin(struct warp *w)
{
    if (!w->suspect && !(w->suspect = calloc(1, sizeof *w->suspect)))
        abort();
}

void suspect_exchange(struct warp *w, const struct inst *i, uint32_t mask,
                      const uint8_t from[LANES], uint32_t members)
{
    struct run *r = run_of(w);
    if (r->traffic || !(r->checks & CHECK_MEMORY))
        return;
    uint32_t alone = without_giver(mask, from, members & ~w->dead);
    uint32_t passed = without_giver(mask, from, ~held_by(w, i->a));
    const struct held *before = find(w, i->a);
    struct origin origin = {.inst = i, .in = w->leaf->frame->function,
                            .members = members};
    if (alone) {
        origin.lane = (uint8_t)first_lane(alone);
        origin.from = from[origin.lane];
    } else if (before) {
        origin = before->origin;
    }
    begin(w);
    hold(w, i->d, mask, alone | passed, &origin);
    w->follower = w->suspect->n ? &suspect_observer : NULL;
}

void suspect_vector(const struct access *a, uint32_t lanes,
                    const uint8_t unset[LANES])
{
    struct warp *w = a->warp;
    const struct detail *t = a->inst->detail;
    struct origin origin = {.inst = a->inst, .loaded = true,
                            .in = w->leaf->frame->function};
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        origin.address[l] = a->addr[l];
        origin.space = place_space(a->form, &origin.address[l]);
    }
    begin(w);
    for (unsigned e = 0; e < t->n; e++) {
        uint32_t held = 0;
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            held |= unset[first_lane(rest)] >> e & 1 ? rest & -rest : 0;
        if (t->slot[e] != NO_SLOT)
            hold(w, t->slot[e], a->mask, held, &origin);
    }
    w->follower = w->suspect->n ? &suspect_observer : NULL;
}

static bool is_called(const struct source *s, const char *op)
{
    return s->op && strncmp(s->op, op, strlen(op)) == 0;
}

/* What makes a value visible, or decides by it. */
static bool is_use(const struct inst *i, const struct source *s)
{
    const struct detail *t = i->detail;
    if (s->form->flags & (FORM_LOADS | FORM_STORES))
        return t && t->space != PTX_SPACE_LOCAL && t->space != PTX_SPACE_PARAM;
    return s->form->flags & (FORM_JUMPS | FORM_BARRIER) ||
           s->class == ISSUE_EXCHANGE || s->class == ISSUE_ATOMIC ||
           s->class == ISSUE_TENSOR;
}

static const char *why_absent(const struct warp *w, const struct origin *o)
{
    uint32_t left = w->block->n_threads - w->index * LANES;
    if (o->from >= left)
        return "which the block does not have";
    return o->members >> o->from & 1 ? "which has exited"
                                     : "which the mask does not name";
}

/* lanes: which use it. */
static void accuse(struct warp *w, const struct inst *i,
                   const struct source *s, const struct origin *o,
                   uint32_t lanes)
{
    struct finding x = {0};
    bool here = o->in == w->leaf->frame->function;
    const char *name = s->file ? strrchr(s->file, '/') : NULL;
    int n = 0, lane = o->loaded ? first_lane(lanes) : o->lane;
    if (o->loaded) {
        x.space = o->space;
        x.address = o->address[lane];
        x.bytes = o->inst->detail->size * o->inst->detail->n;
        place_about(w, x.space, x.address, &x);
    } else {
        n = snprintf(x.detail, sizeof x.detail,
                     "lane %d reads lane %d, %s (mask 0x%08x); ", o->lane,
                     o->from, why_absent(w, o), o->members);
    }
    snprintf(x.detail + n, sizeof x.detail - (size_t)n,
             "the value is used at %s:%d",
             name ? name + 1 : s->file ? s->file : "?", s->line);
    finding_add(w, here ? o->inst : i, lane,
                o->loaded ? FIND_UNINITIALISED : FIND_SHUFFLE, &x);
    suspect_forget(w);
}

/* A vector store of elements that nobody wrote beside others: which of them, by
 * lane. false: it is no such store. */
static bool copies_padding(const struct warp *w, const struct inst *i,
                           uint32_t lanes, uint8_t unset[LANES])
{
    const struct detail *t = i->detail;
    uint32_t all = lanes;
    if (!t || t->n < 2 || t->access.kind != ACCESS_STORE ||
        held_by(w, i->a) & lanes)
        return false;
    memset(unset, 0, LANES);
    for (unsigned e = 0; e < t->n; e++) {
        const struct held *h = find(w, t->slot[e]);
        if (h && h->lanes & lanes && !h->origin.loaded)
            return false;
        all &= h ? h->lanes : 0;
        for (uint32_t rest = h ? h->lanes & lanes : 0; rest; rest &= rest - 1)
            unset[first_lane(rest)] |= (uint8_t)(1u << e);
    }
    return !all;
}

/* Of selp, and of logic whose other operand decides alone. */
static uint32_t chosen(const struct warp *w, const struct inst *i,
                       const struct source *s, uint32_t any)
{
    uint32_t a = held_by(w, i->a), b = held_by(w, i->b);
    if (is_called(s, "selp.")) {
        uint32_t p = *(uint32_t *)slot(w, i->c);
        return (a & p) | (b & ~p) | held_by(w, i->c);
    }
    bool is_and = is_called(s, "and.pred");
    if (!is_and && !is_called(s, "or.pred"))
        return any;
    uint32_t x = *(uint32_t *)slot(w, i->a) ^ (i->p0 ? UINT32_MAX : 0);
    uint32_t y = *(uint32_t *)slot(w, i->b) ^ (i->p1 ? UINT32_MAX : 0);
    if (!is_and) {
        x = ~x;
        y = ~y;
    }
    return (a & (b | y)) | (b & (a | x));
}

static void issue(struct warp *w, const struct inst *i, uint32_t mask)
{
    const struct source *s =
        finding_source(w->leaf->frame->function, i);
    struct origin origin = {0};
    uint32_t lanes = 0;
    if (!s->form || is_called(s, "shfl"))
        return;
    for (unsigned k = 0; k < s->n_read; k++) {
        const struct held *h = find(w, s->slot[k]);
        if (h && h->lanes & mask) {
            origin = h->origin;
            lanes |= h->lanes & mask;
        }
    }
    struct suspect *x = w->suspect;
    x->copied = 0;
    if (lanes && copies_padding(w, i, lanes, x->unset)) {
        x->copied = lanes;
        return;
    }
    if (lanes && is_use(i, s)) {
        accuse(w, i, s, &origin, lanes);
        return;
    }
    if (lanes)
        lanes &= chosen(w, i, s, lanes);
    for (unsigned k = 0; k < s->n_written && w->follower; k++)
        hold(w, s->slot[s->n_read + k], mask, lanes, &origin);
}

/* After a store of a vector: these elements count as never written. */
static void discard(struct warp *w, const struct inst *i,
                    const uint8_t unset[LANES], uint32_t lanes)
{
    const struct detail *t = i->detail;
    struct access a;
    struct place places[LANES];
    access_begin(&a, w, i, lanes);
    if (!access_places(&a, places))
        return;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const struct place *p = &places[first_lane(rest)];
        for (uint32_t e = unset[first_lane(rest)]; p->init && e; e &= e - 1) {
            uint64_t first = p->first + __builtin_ctz(e) * t->size;
            if (p->atomic_bits)
                bits_clear_atomic(p->init, first, t->size);
            else
                bits_clear(p->init, first, t->size);
        }
    }
}

static void issued(struct warp *w, const struct inst *i)
{
    struct suspect *x = w->suspect;
    if (x->copied && run_of(w)->fault == FAULT_NONE)
        discard(w, i, x->unset, x->copied);
    x->copied = 0;
    if (x->n == 0)
        suspect_forget(w);
}

static void resume(struct warp *w)
{
    (void)w;
}

/* Nothing is left to follow: the fast loop goes on. */
static bool pauses(struct warp *w)
{
    return !w->follower;
}

static const struct observer suspect_observer = {
    .resume = resume, .pauses = pauses, .issue = issue, .issued = issued};
