// SPDX-License-Identifier: MIT
/*
 * race_words.c: races, by what orders two accesses and never by which came
 * first; an access word by word.
 *
 *   race_access            an access of some lanes; of what is issued and
 *                          lands later, the one half or the other
 *   race_conflict, race_stored, race_end, race_bytes_in
 *
 * Two accesses to a byte by different threads race when one of them is a
 * plain write, or one is a write and the other plain, and nothing orders
 * them: race_order.c. Plain writes of one value to one place are told apart
 * (FIND_EQUAL_WRITES).
 *
 * A word keeps the tags of its last plain writer and of two others, of two
 * warps where it can: whoever writes next races with one of them if with any.
 * What is forgotten can hide a race, never make one up. A word that is accessed
 * in part gets a record per byte. Records of shared memory and, where blocks
 * cannot be ordered, of global memory belong to the worker.
 */
#include "race.h"
#include "race_known.h"

/* Two kinds of access of one block, one of them a write, that need an
 * order. */
bool race_conflict(const struct access *a, uint64_t before, uint64_t now)
{
    unsigned x = before >> TAG_CLASS & 3, y = now >> TAG_CLASS & 3;
    if (!((x | y) & RACE_WRITE))
        return false;
    return !(x & y & RACE_STRONG_READ) ||
           race_strong_conflict(a, before, now);
}

/* Byte of what lane l stores, counted from its address. */
static uint32_t stored_byte(const struct access *a, int l, uint64_t at)
{
    const struct detail *t = a->inst->detail;
    if (a->form->kind >= ACCESS_ATOMIC)
        return 0;
    const void *from = slot(a->warp, t->slot[at / t->size]);
    uint64_t v = t->reg == 8 ? ((const uint64_t *)from)[l]
                             : ((const uint32_t *)from)[l];
    return v >> 8 * (at % t->size) & 0xff;
}

uint32_t race_stored(const struct access *a, int l, uint64_t word,
                     uint8_t bytes)
{
    uint32_t value = 0;
    const struct detail *t = a->inst->detail;
    uint64_t address = a->addr[l];
    if (a->form->kind == ACCESS_COPY || a->form->kind == ACCESS_BULK ||
        a->form->matrix) {
        if (a->stored)
            __builtin_memcpy(&value, (const void *)(a->stored + word),
                             RACE_WORD);
        return value;
    }
    if (t->size == RACE_WORD && t->reg == RACE_WORD &&
        a->form->kind != ACCESS_ATOMIC)
        return ((const uint32_t *)slot(
            a->warp, t->slot[(word - address) / RACE_WORD]))[l];
    for (unsigned k = 0; k < RACE_WORD; k++)
        if (bytes >> k & 1)
            value |= stored_byte(a, l, word + k - address) << 8 * k;
    return value;
}

uint64_t race_end(const struct access *a, int l)
{
    if (!a->lane_bytes)
        return a->addr[l] + a->bytes;
    return a->addr[l] + a->lane_bytes[l] / RACE_WORD * RACE_WORD;
}

uint8_t race_bytes_in(uint64_t address, uint64_t end, uint64_t word)
{
    uint64_t from = address > word ? address - word : 0;
    uint64_t to = end < word + RACE_WORD ? end - word : RACE_WORD;
    return (uint8_t)((1u << to) - (1u << from));
}

/* One lane's access to one record. */
struct touch {
    const struct access *a;
    struct warp *w;
    struct shadow *s;
    size_t unit;
    int lane;
    struct worker *owner; /* whose records; another block's: foreign */
    bool shared, look, keep, foreign;
    bool written; /* this launch may have written there */
    uint64_t tag, address;
    uint32_t value;
    struct race_told *told; /* of this lane's access */
};

/* Accesses of two blocks, or of another one to its own memory. */
static bool involves_two(const struct touch *t, uint64_t before)
{
    return t->foreign ||
           (before >= TAG_FOREIGN && t->owner->race->visited);
}

/* A block on its way: old tags are not of this one. */
static bool fresh(const struct touch *t, uint64_t before)
{
    bool old = involves_two(t, before)
                   ? race_foreign_old(t->owner, before)
                   : before < stamp_tag(t->w->block->floor);
    return old || in_program_order(before, t->tag);
}

static bool is_ordered(const struct touch *t, uint64_t before)
{
    return involves_two(t, before)
               ? race_foreign_ordered(t->w, t->lane, t->owner, before)
               : race_ordered(t->w, t->lane, before);
}

/* To another block, an atomic of this one's scope is a plain access. */
static bool conflicts(const struct touch *t, uint64_t before)
{
    const struct access_form *f = t->a->form;
    bool writes = (before | t->tag) >> TAG_CLASS & RACE_WRITE;
    return race_conflict(t->a, before, t->tag) ||
           (writes && involves_two(t, before) && f->scope == SCOPE_BLOCK &&
            f->strong && f->kind != ACCESS_OBJECT);
}

enum meeting { NO_HIT, HIT_EQUAL, HIT_RACE };

static enum meeting look_at(const struct touch *t, uint64_t before)
{
    const struct access_form *f = t->a->form;
    if (fresh(t, before) || !conflicts(t, before) || is_ordered(t, before))
        return NO_HIT;
    bool both_plain = (before >> TAG_CLASS & 3) == RACE_WRITE && f->write &&
                      !f->strong && f->kind != ACCESS_COPY &&
                      f->kind != ACCESS_BULK;
    bool equal = both_plain && t->s->value[t->unit] == t->value &&
                 f->kind != ACCESS_FREE &&
                 !race_is_free(run_of(t->w), before);
    enum finding_kind kind = equal ? FIND_EQUAL_WRITES : FIND_RACE;
    if (!race_told(run_of(t->w), t->told, before, 0, t->address, kind))
        (involves_two(t, before) ? race_foreign_accuse : race_accuse)(
            t->a, t->lane, t->address, before, kind);
    return equal ? HIT_EQUAL : HIT_RACE;
}

/* An asynchronous operation and a write, which is ordered before it: no order
 * of threads makes the operation see the write. */
static void look_proxy(const struct touch *t, uint64_t before)
{
    bool two = involves_two(t, before);
    uint64_t tag = before;
    const struct worker *by = two ? race_whose(t->owner, &tag) : t->w->worker;
    if (tag < stamp_tag(by->block.start) ||
        !(fresh(t, before) || is_ordered(t, before)) ||
        race_proxy_fenced(t->w, t->lane, by, tag, t->shared))
        return;
    if (!race_told(run_of(t->w), t->told, before, 0, t->address, FIND_PROXY))
        race_proxy_accuse(t->a, t->lane, t->address, tag);
}

/* Of this launch, by whomever: what a read of constants may not meet. */
static void look_stale(const struct touch *t, uint64_t before)
{
    if (before >= stamp_tag(t->w->worker->race->launch) &&
        before >> TAG_CLASS & RACE_WRITE &&
        !race_told(run_of(t->w), t->told, before, 0, t->address, FIND_RACE))
        race_stale_accuse(t->a, t->lane, t->address, before);
}

/* One reader is enough for a race. Of equal writes by one instruction the last
 * one is: the others are kept for those who write something else. */
static void look_at_both(const struct touch *t, const uint64_t before[3])
{
    enum meeting with = look_at(t, before[0]);
    for (int n = 1; n < 3; n++) {
        if (with == HIT_EQUAL && race_writes_alike(before[n], before[0]))
            continue;
        if (n == 2 && race_writes_alike(before[2], before[1]))
            continue;
        if (look_at(t, before[n]) == HIT_RACE)
            return;
    }
}

static void look(const struct touch *t)
{
    const struct shadow *s = t->s;
    if (t->a->form->constant) {
        look_stale(t, s->write[t->unit]);
        for (int n = 0; n < 2; n++)
            look_stale(t, s->read[n][t->unit]);
    }
    if (t->a->form->proxy == PROXY_ASYNC) {
        look_proxy(t, s->write[t->unit]);
        for (int n = 0; n < 2; n++)
            look_proxy(t, s->read[n][t->unit]);
    }
    look_at_both(t, (uint64_t[]){s->write[t->unit], s->read[0][t->unit],
                                 s->read[1][t->unit]});
}

/* read[0] is where the vector code looks first. */
static void keep_visitor(const struct touch *t)
{
    uint64_t *a = &t->s->read[0][t->unit], *b = &t->s->read[1][t->unit];
    if (!same_thread(*a, t->tag))
        *b = *a;
    *a = t->tag;
}

/* Whoever follows this write follows the readers of other blocks, too. */
static void forget_visitors(const struct touch *t)
{
    for (int n = 0; n < 2; n++)
        if (t->s->read[n][t->unit] >= TAG_FOREIGN)
            t->s->read[n][t->unit] = 0;
}

/* A write of the same value, which nothing orders before this one, may race
 * with whoever comes later: it stays as one of the two others. */
static void keep_equal(const struct touch *t)
{
    uint64_t write = t->s->write[t->unit];
    if (t->a->form->kind != ACCESS_STORE || write == TAG_NARROW ||
        t->s->value[t->unit] != t->value || fresh(t, write) ||
        is_ordered(t, write))
        return;
    for (int n = 0; n < 2; n++)
        if (fresh(t, t->s->read[n][t->unit])) {
            t->s->read[n][t->unit] = write;
            return;
        }
}

/* A copy has landed, and reads its source no more: one tag goes. Another may be
 * that of the thread's next copy. */
static void forget_copy(const struct touch *t)
{
    uint64_t *read[] = {&t->s->read[0][t->unit], &t->s->read[1][t->unit]};
    for (int any_site = 0; any_site < 2; any_site++)
        for (int n = 0; n < 2; n++)
            if (is_under_way(*read[n]) && same_thread(*read[n], t->tag) &&
                (any_site || !((*read[n] ^ t->tag) & SITE_MASK))) {
                *read[n] = 0;
                return;
            }
}

static void keep(const struct touch *t)
{
    struct worker *k = t->w->worker;
    if (!t->shared) {
        race_note_reader(k, t->s, t->unit, t->tag);
        race_note(k, t->s, t->unit, t->tag, t->value,
                  t->a->form->kind == ACCESS_FREE ||
                      (t->a->form->kind == ACCESS_ATOMIC &&
                       t->a->form->scope == SCOPE_BLOCK));
    }
    if (t->a->form->write)
        t->s->done[t->unit] = 0;
    if (!t->look)
        forget_copy(t);
    if ((t->tag >> TAG_CLASS & 3) != RACE_WRITE) {
        if (t->foreign)
            keep_visitor(t);
        else
            race_keep_reader(t->s, t->unit, t->w, t->tag);
        return;
    }
    forget_visitors(t);
    keep_equal(t);
    t->s->write[t->unit] = t->tag;
    t->s->value[t->unit] = t->value;
}

static void touch_unit(const struct touch *t)
{
    if (t->look)
        look(t);
    if (t->keep)
        keep(t);
}

/* From now on the word's bytes have records of their own. */
static void split(struct shadow s[2], size_t word)
{
    for (size_t n = word * RACE_WORD; n < (word + 1) * RACE_WORD; n++) {
        s[1].write[n] = s[0].write[word];
        s[1].read[0][n] = s[0].read[0][word];
        s[1].read[1][n] = s[0].read[1][word];
        s[1].value[n] = s[0].value[word] >> 8 * (n % RACE_WORD) & 0xff;
        s[1].done[n] = 0;
    }
    s[0].write[word] = TAG_NARROW;
    s[0].done[word] = 0;
}

/* All of a split word, none of whose bytes this launch has touched. */
static bool join(const struct race *r, struct shadow s[2], size_t word)
{
    for (size_t n = word * RACE_WORD; n < (word + 1) * RACE_WORD; n++)
        if (s[1].write[n] >= stamp_tag(r->launch) ||
            s[1].read[0][n] >= stamp_tag(r->launch))
            return false;
    s[0].write[word] = s[0].read[0][word] = s[0].read[1][word] = 0;
    return true;
}

static void touch_word(struct touch *t, struct shadow s[2], size_t word,
                       uint8_t bytes)
{
    bool whole = bytes == (1u << RACE_WORD) - 1;
    if (!t->shared && t->a->form->write)
        race_own(&s[0], word);
    if (whole && s[0].write[word] == TAG_NARROW)
        whole = join(t->owner->race, s, word);
    else if (!whole && s[0].write[word] != TAG_NARROW)
        split(s, word);
    if (whole) {
        t->s = &s[0];
        t->unit = word;
        touch_unit(t);
        return;
    }
    struct touch one = *t;
    one.s = &s[1];
    for (unsigned b = 0; b < RACE_WORD; b++) {
        if (!(bytes >> b & 1))
            continue;
        one.unit = word * RACE_WORD + b;
        one.address = t->address + b;
        one.value = t->value >> 8 * b & 0xff;
        touch_unit(&one);
    }
}

/* Ordered before without a question: by a barrier, by a .sync of the whole
 * warp, or as the thread's own. */
static inline bool plainly_before(const struct warp *w, uint64_t before,
                                  uint64_t now)
{
    return before < stamp_tag(w->block->floor) ||
           (before != TAG_NARROW &&
            (in_program_order(before, now) ||
             (!((before ^ now) & WARP_MASK) && before < stamp_tag(w->full))));
}

/* Has the block read it in this way before? */
static inline bool is_noted(const struct warp *w, uint64_t read, uint64_t now)
{
    return read >= stamp_tag(w->block->start) &&
           !((read ^ now) >> TAG_CLASS & 3);
}

/* Whole words that a lane reads, and that nobody wrote since, or in a way that
 * is known: most accesses that the vector code leaves. */
static uint64_t read_plainly(struct touch *t, struct shadow *s,
                             uint64_t address, uint64_t end)
{
    const struct warp *w = t->w;
    uint32_t floor = w->block->floor;
    t->s = s;
    for (; address < end; address += RACE_WORD) {
        t->unit = (address - (t->shared ? 0 : DEVICE_BASE)) / RACE_WORD;
        if (t->a->form->constant && t->written)
            break;
        uint32_t done = s->done[t->unit];
        if (done == floor || (done && done == w->stamp))
            continue;
        if (!plainly_before(w, s->write[t->unit], t->tag) ||
            race_is_write(s->read[0][t->unit] | s->read[1][t->unit]))
            break;
        if (!t->shared && !is_noted(w, s->read[0][t->unit], t->tag)) {
            race_note_reader(w->worker, s, t->unit, t->tag);
            race_note(w->worker, s, t->unit, t->tag, 0, false);
        }
        race_keep_reader(s, t->unit, w, t->tag);
    }
    return address;
}

static void touch_lane(struct touch *t, struct shadow s[2])
{
    const struct access *a = t->a;
    uint64_t base = t->shared ? 0 : DEVICE_BASE;
    uint64_t address = a->addr[t->lane], end = race_end(a, t->lane);
    t->told->n = 0;
    t->tag = t->foreign ? race_foreign_tag(a, t->lane) : race_tag(a, t->lane);
    if (!t->tag)
        return;
    uint64_t word = address & ~(uint64_t)(RACE_WORD - 1);
    if (!a->form->write && a->bytes >= RACE_WORD && !t->foreign &&
        a->form->proxy == PROXY_GENERIC && !a->stamps)
        word = read_plainly(t, &s[0], word, end);
    for (; word < end; word += RACE_WORD) {
        uint8_t bytes = race_bytes_in(address, end, word);
        t->address = word;
        if (a->form->write)
            t->value = race_stored(a, t->lane, word, bytes);
        touch_word(t, s, (word - base) / RACE_WORD, bytes);
    }
}

/* In the system's part of shared memory, cooperative groups of more than a warp
 * keep what their collectives exchange. Their code lets shuffles order it,
 * which PTX does not promise: that is between NVIDIA and its compiler. */
static bool of_the_system(const struct access *a)
{
    return a->space == PTX_SPACE_SHARED && !a->form->strong &&
           a->addr[0] < SHARED_START;
}

void race_access(const struct access *a)
{
    bool shared = a->space == PTX_SPACE_SHARED;
    struct worker *owner = a->peer ? a->peer : a->warp->worker;
    struct race_told told;
    struct touch t = {.a = a, .w = a->warp, .shared = shared, .told = &told,
                      .owner = owner, .foreign = a->peer != NULL,
                      .look = a->part != PART_LANDED,
                      .keep = a->part != PART_ISSUED};
    struct race *r = owner->race;
    if (a->space == PTX_SPACE_LOCAL || of_the_system(a))
        return;
    if (a->peer)
        race_visit(a);
    if (!shared && race_passes_over(a))
        return;
    if (!shared && run_of(a->warp)->race_mode == RACES_FENCED) {
        race_fenced_access(a);
        return;
    }
    t.written = !shared && a->form->constant && race_written(a, r->global);
    r->work.given += (uint32_t)__builtin_popcount(a->mask);
    struct known known;
    bool quick = shared && !a->peer && race_known_begin(&known, a);
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        if (quick && !(rest = race_known(&known, rest)))
            break;
        t.lane = first_lane(rest);
        r->work.slow++;
        touch_lane(&t, shared ? r->shared : r->global);
    }
    if (quick)
        race_known_end(&known);
}
