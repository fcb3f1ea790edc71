// SPDX-License-Identifier: MIT
/*
 * suspect.c: what comes of values that nobody gave. Interface: suspect.h.
 *
 * nvcc loads a whole vector where the program reads, under a guard, only a part
 * of it, and a single word in front of its guard; and then selects. So an
 * element that nobody wrote, beside one that somebody did, or in a load that
 * may be thrown away (decode/perhaps.c), is no fault before it is used. A
 * vector store of such an element beside others copies padding: the copy counts
 * as never written, too. Without optimisation (nvcc -G) so does any copy within
 * local memory; but what logic alone has changed, and comes back to where it
 * was, is a bit-field that is set.
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
 * The first use that matters is reported, at the shuffle or the load.
 */
#include "suspect.h"

#include <stdlib.h>
#include <string.h>

#include "addresses.h"
#include "simgpu/core/access/place.h"
#include "simgpu/core/state/finding.h"
#include "simgpu/core/state/observe.h"

/* A page of the book runs no code without optimisation. */
#ifdef __wasm__
enum { FOLLOWS_LOCALS = false };
#else
enum { FOLLOWS_LOCALS = true };
#endif

/* Where a value comes from: a shuffle, or a load. */
struct origin {
    const struct inst *inst;
    const struct function *in;
    bool loaded;
    uint8_t lane, from;   /* shuffle */
    uint32_t members;
    uint8_t space;        /* load */
    uint64_t address[LANES]; /* of its latest one */
};

/* A register, and for each lane the number of its value's origin, times LANES,
 * plus the lane that loaded it. */
struct held {
    const uint8_t *at;
    uint32_t lanes;
    uint32_t computed;    /* of these, more was done than logic */
    uint32_t origin[LANES];
};

struct suspect {
    uint32_t n, room;
    struct held *held;
    uint32_t n_origins, origins_room;
    struct origin *origins;
    uint32_t copied;          /* lanes of the store under way that copies
                                 padding, */
    uint8_t unset[LANES];     /* and which of its elements */
};

void suspect_forget(struct warp *w)
{
    w->follower = NULL;
    if (w->suspect)
        w->suspect->n = w->suspect->n_origins = 0;
}

void suspect_close(struct warp *w)
{
    if (!w->suspect)
        return;
    free(w->suspect->held);
    free(w->suspect->origins);
    free(w->suspect);
}

/* Room for one more. */
static void *grow(void *list, uint32_t n, uint32_t *room, size_t size)
{
    if (n < *room)
        return list;
    *room = *room ? 2 * *room : 8;
    void *more = realloc(list, *room * size);
    if (!more)
        abort();
    return more;
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

/* The origin's number; one per instruction. */
static uint32_t origin_of(struct warp *w, const struct inst *i)
{
    struct suspect *s = w->suspect;
    uint32_t k = 0;
    while (k < s->n_origins && s->origins[k].inst != i)
        k++;
    if (k < s->n_origins)
        return k;
    s->origins = grow(s->origins, s->n_origins, &s->origins_room,
                      sizeof *s->origins);
    s->origins[s->n_origins++] = (struct origin){
        .inst = i, .in = w->leaf->frame->function};
    return k;
}

/* The lanes of mask have new values in the register: suspect ones in lanes. */
static void hold(struct warp *w, uint32_t at, uint32_t mask, uint32_t lanes,
                 const uint32_t origin[LANES])
{
    struct suspect *s = w->suspect;
    struct held *h = find(w, at);
    if (!h && !lanes)
        return;
    if (!h) {
        s->held = grow(s->held, s->n, &s->room, sizeof *s->held);
        h = &s->held[s->n++];
        *h = (struct held){.at = w->regs + at};
    }
    h->computed &= ~mask;
    h->lanes = (h->lanes & ~mask) | lanes;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        h->origin[first_lane(rest)] = origin[first_lane(rest)];
    if (!h->lanes)
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
    uint32_t passed = without_giver(mask, from, ~held_by(w, i->a)) & ~alone;
    uint32_t origin[LANES] = {0};
    begin(w);
    for (uint32_t rest = passed; rest; rest &= rest - 1)
        origin[first_lane(rest)] =
            find(w, i->a)->origin[from[first_lane(rest)]];
    uint32_t own = alone ? origin_of(w, i) : 0;
    for (uint32_t rest = alone; rest; rest &= rest - 1)
        origin[first_lane(rest)] = own * LANES;
    if (alone) {
        struct origin *o = &w->suspect->origins[own];
        o->members = members;
        o->lane = (uint8_t)first_lane(alone);
        o->from = from[o->lane];
    }
    hold(w, i->d, mask, alone | passed, origin);
    w->follower = w->suspect->n ? &suspect_observer : NULL;
}

void suspect_load(const struct access *a, uint32_t lanes,
                  const uint8_t unset[LANES])
{
    struct warp *w = a->warp;
    const struct detail *t = a->inst->detail;
    uint32_t origin[LANES];
    if (run_of(w)->traffic)
        return;
    begin(w);
    uint32_t own = origin_of(w, a->inst);
    struct origin *o = &w->suspect->origins[own];
    o->loaded = true;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        o->address[l] = a->addr[l];
        o->space = place_space(a->form, &o->address[l]);
    }
    for (uint32_t l = 0; l < LANES; l++)
        origin[l] = own * LANES + l;
    for (unsigned e = 0; e < t->n; e++) {
        uint32_t held = 0;
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            held |= unset[first_lane(rest)] >> e & 1 ? rest & -rest : 0;
        if (t->slot[e] != NO_SLOT)
            hold(w, t->slot[e], a->mask, held, origin);
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

/* One accusation per origin: what else it gave is known by then. */
static void settle(struct warp *w, uint32_t origin)
{
    struct suspect *s = w->suspect;
    for (uint32_t k = s->n; k-- > 0;) {
        struct held *h = &s->held[k];
        for (uint32_t rest = h->lanes; rest; rest &= rest - 1)
            if (h->origin[first_lane(rest)] / LANES == origin)
                h->lanes &= ~(rest & -rest);
        if (!h->lanes)
            *h = s->held[--s->n];
    }
}

static void accuse(struct warp *w, const struct inst *i,
                   const struct source *s, uint32_t origin)
{
    const struct origin *o = &w->suspect->origins[origin / LANES];
    struct finding x = {0};
    bool here = o->in == w->leaf->frame->function;
    const char *name = s->file ? strrchr(s->file, '/') : NULL;
    int n = 0, lane = o->loaded ? (int)(origin % LANES) : o->lane;
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
    settle(w, origin / LANES);
}

/* The lanes of mask use the suspect values of the registers that i reads. */
static void accuse_all(struct warp *w, const struct inst *i,
                       const struct source *s, uint32_t mask)
{
    for (unsigned k = 0; k < s->n_read; k++)
        for (const struct held *h; (h = find(w, s->slot[k])) &&
                                   h->lanes & mask;)
            accuse(w, i, s, h->origin[first_lane(h->lanes & mask)]);
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
        all &= h ? h->lanes : 0;
        for (uint32_t rest = h ? h->lanes & lanes : 0; rest; rest &= rest - 1) {
            int l = first_lane(rest);
            if (!w->suspect->origins[h->origin[l] / LANES].loaded)
                return false;
            unset[l] |= (uint8_t)(1u << e);
        }
    }
    return !all;
}

/* Without optimisation: a store to local memory of what was loaded there, and
 * that nobody wrote. unset: by lane, whether it is a copy; else bits of it were
 * set. false: it is something else. */
static bool stays_local(struct warp *w, const struct inst *i,
                        uint32_t lanes, uint8_t unset[LANES])
{
    const struct detail *t = i->detail;
    if (!t || t->n != 1 || t->access.kind != ACCESS_STORE ||
        held_by(w, i->a) & lanes)
        return false;
    const struct held *h = find(w, t->slot[0]);
    struct access a;
    if (!h || h->computed & lanes)
        return false;
    access_begin(&a, w, i, lanes);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        const struct origin *o = &w->suspect->origins[h->origin[l] / LANES];
        uint64_t at = a.addr[l];
        if (!o->loaded || !o->inst->detail->access.perhaps_local ||
            place_space(&t->access, &at) != PTX_SPACE_LOCAL)
            return false;
        unset[l] = at != o->address[h->origin[l] % LANES];
    }
    return true;
}

/* What leaves a part of the bits as they were, or moves them. */
static bool is_logic(const struct source *s)
{
    static const char *const ops[] = {"mov", "cvt", "and", "or", "xor", "lop3",
                                      "bfi", "bfe", "shl", "shr", "prmt"};
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
        if (is_called(s, ops[k]))
            return true;
    return false;
}

static void note_computed(struct warp *w, const struct source *s,
                          uint32_t lanes)
{
    uint32_t computed = is_logic(s) ? 0 : lanes;
    for (unsigned k = 0; k < s->n_read; k++) {
        const struct held *h = find(w, s->slot[k]);
        computed |= h ? h->computed & lanes : 0;
    }
    for (unsigned k = 0; computed && k < s->n_written; k++) {
        struct held *h = find(w, s->slot[s->n_read + k]);
        if (h)
            h->computed |= computed;
    }
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
    uint32_t origin[LANES] = {0};
    uint32_t lanes = 0;
    if (!s->form || is_called(s, "shfl"))
        return;
    for (unsigned k = 0; k < s->n_read; k++) {
        const struct held *h = find(w, s->slot[k]);
        uint32_t more = h ? h->lanes & mask : 0;
        lanes |= more;
        for (; more; more &= more - 1)
            origin[first_lane(more)] = h->origin[first_lane(more)];
    }
    struct suspect *x = w->suspect;
    x->copied = 0;
    if (lanes && (copies_padding(w, i, lanes, x->unset) ||
                  (FOLLOWS_LOCALS && stays_local(w, i, lanes, x->unset)))) {
        x->copied = lanes;
        return;
    }
    if (lanes && is_use(i, s)) {
        accuse_all(w, i, s, mask);
        lanes = 0;
    }
    if (lanes)
        lanes &= chosen(w, i, s, lanes);
    for (unsigned k = 0; k < s->n_written; k++)
        hold(w, s->slot[s->n_read + k], mask, lanes, origin);
    if (FOLLOWS_LOCALS && lanes)
        note_computed(w, s, lanes);
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
