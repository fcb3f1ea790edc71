// SPDX-License-Identifier: MIT
/*
 * race.c: races in shared memory, by what orders two accesses.
 *
 *   race_bytes, race_open    memory for the records of a worker
 *   race_reset               a new block begins
 *   race_access              an access of some lanes
 *   race_look, race_keep     its halves, for what is issued and lands later
 *
 * Two accesses to a byte by different threads, one of them a plain write,
 * must be ordered: by a barrier; within a warp by any .sync operation; or by
 * a fence after the first and an atomic or volatile access before the second
 * (a lock, a flag). Writes of one value to one place are no race. A word keeps
 * its last write and the last reads of two threads; what it forgets can hide a
 * race, never make one up. A warp that reads a word again in the same epoch is
 * not even looked at: race_seen says so.
 */
#include "race.h"

enum { WORD = 4 };

struct access {
    const struct inst *at;
    uint32_t epoch;      /* barriers of the worker until then; 0: none */
    uint32_t sync;       /* .sync operations of the warp until then */
    uint32_t clock;      /* of the block */
    uint32_t value;      /* what a plain write put into those bytes */
    uint16_t thread;
    uint8_t bytes;       /* of the word */
    uint8_t atomic;
};

struct race_word {
    struct access write, read[2];
};

static size_t words_of(uint32_t shared_end)
{
    return (size_t)shared_end / WORD + MAX_VECTOR;
}

size_t race_bytes(uint32_t shared_end)
{
    return words_of(shared_end) * (sizeof(struct race_word) + sizeof(uint32_t));
}

void race_open(struct worker *k, void *memory)
{
    k->race = memory;
    k->race_seen = (uint32_t *)(k->race + words_of(k->run->shared_end));
}

/* Old records stay, as those of an earlier epoch. */
void race_reset(struct worker *k)
{
    k->race_epoch += k->block.epoch + 1;
}

static bool ordered(const struct warp *w, const struct access *before,
                    const struct access *now)
{
    const struct block *b = w->block;
    if (before->epoch != now->epoch || before->thread == now->thread)
        return true;
    const struct warp *other = &b->warps[before->thread / LANES];
    if (other == w && before->sync != now->sync)
        return true;
    return other->last_fence > before->clock &&
           w->last_acquire > before->clock;
}

static void accuse(struct warp *w, const struct inst *i, uint64_t address,
                   const struct access *before, const struct access *now)
{
    const struct kernel *k = run_of(w)->kernel;
    struct warp *other = &w->block->warps[before->thread / LANES];
    struct node *leaf = w->leaf;
    struct finding x = {.space = PTX_SPACE_SHARED, .address = address,
                        .bytes = (uint32_t)i->detail->size * i->detail->n};
    for (size_t n = 0; n < k->n_shared; n++)
        if (address >= k->shared[n].address &&
            (!x.array || k->shared[n].address + x.offset <= address)) {
            x.array = k->shared[n].name;
            x.offset = (int64_t)(address - k->shared[n].address);
            x.array_bytes = k->shared[n].dynamic
                                ? run_of(w)->shared_end - k->shared[n].address
                                : k->shared[n].bytes;
        }
    const struct source *s = source_of(leaf->frame->function, before->at);
    x.other = (struct site){.file = s->file, .line = s->line,
                            .write = before->at->detail->write,
                            .atomic = before->atomic};
    thread_of(other, before->thread % LANES, x.other.thread);
    find(w, i, now->thread % LANES, FIND_RACE, &x);
}

static bool conflict(const struct warp *w, const struct access *before,
                     const struct access *now)
{
    return before->epoch && (before->bytes & now->bytes) &&
           !(before->atomic && now->atomic) && !ordered(w, before, now);
}

/* Byte of what lane l stores, counted from its address. */
static uint32_t stored_byte(const struct warp *w, const struct inst *i, int l,
                            uint64_t at)
{
    const struct detail *t = i->detail;
    const void *from = slot(w, t->slot[at / t->size]);
    uint64_t v = t->reg == 8 ? ((const uint64_t *)from)[l]
                             : ((const uint32_t *)from)[l];
    return v >> 8 * (at % t->size) & 0xff;
}

uint32_t race_stored_word(const struct warp *w, const struct inst *i, int l,
                          uint64_t address, uint64_t word, uint8_t bytes)
{
    uint32_t value = 0;
    for (unsigned k = 0; k < WORD; k++)
        if (bytes >> k & 1)
            value |= stored_byte(w, i, l, word + k - address) << 8 * k;
    return value;
}

/* Two plain writes of one value agree, whoever comes last: a flag that many
 * threads raise. */
static bool same_value(const struct access *before, const struct access *now)
{
    if (before->atomic || now->atomic || now->at->detail->async)
        return false;
    uint32_t differ = before->value ^ now->value;
    for (unsigned k = 0; k < WORD; k++)
        if (before->bytes & now->bytes & 1u << k && differ >> 8 * k & 0xff)
            return false;
    return true;
}

static void note_read(struct race_word *r, const struct access *now)
{
    int k = r->read[0].thread == now->thread || !r->read[0].epoch ||
            r->read[0].epoch != now->epoch ? 0 : 1;
    r->read[k] = *now;
}

static void look(struct warp *w, const struct race_word *r, uint64_t address,
                 const struct access *now)
{
    const struct inst *i = now->at;
    bool write = i->detail->write;
    if (conflict(w, &r->write, now) &&
        !(write && same_value(&r->write, now)))
        accuse(w, i, address, &r->write, now);
    for (int k = 0; write && k < 2; k++)
        if (conflict(w, &r->read[k], now)) {
            accuse(w, i, address, &r->read[k], now);
            break;
        }
}

static void keep(struct race_word *r, const struct access *now)
{
    if (!now->at->detail->write) {
        note_read(r, now);
        return;
    }
    bool adds = r->write.epoch == now->epoch &&
                r->write.thread == now->thread &&
                r->write.sync == now->sync;
    struct access old = r->write;
    r->write = *now;
    for (unsigned k = 0; adds && k < WORD; k++)
        if (old.bytes & ~now->bytes & 1u << k) { /* it keeps its bytes */
            r->write.bytes |= 1u << k;
            r->write.value |= old.value & 0xffu << 8 * k;
        }
}

static uint8_t bytes_in(uint64_t address, uint64_t end, uint64_t word)
{
    uint64_t from = address > word ? address - word : 0;
    uint64_t to = end < word + WORD ? end - word : WORD;
    return (uint8_t)((1u << to) - (1u << from));
}

/* Names an epoch of this warp, within the worker. */
static uint32_t stamp_of(struct warp *w, uint32_t epoch)
{
    if (w->race_epoch != epoch || w->race_sync != w->sync_epoch) {
        w->race_epoch = epoch;
        w->race_sync = w->sync_epoch;
        w->race_stamp = ++w->worker->race_stamps;
    }
    return w->race_stamp;
}

/* Lanes that read a word which their warp has not read since its last .sync
 * or barrier, or which was written since. */
static uint32_t unseen(const struct worker *k, const struct detail *t,
                       uint32_t mask, const uint64_t *addr, uint32_t stamp)
{
    uint32_t bytes = (uint32_t)t->size * t->n, left = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        uint32_t other = 0;
        const uint32_t *seen = k->race_seen + addr[l] / WORD;
        for (uint32_t word = 0; word * WORD < bytes; word++)
            other |= seen[word] ^ stamp;
        left |= (uint32_t)(other || bytes < WORD) << l;
    }
    return left;
}

static void see(struct worker *k, const struct detail *t, uint32_t mask,
                const uint64_t *addr, uint32_t stamp)
{
    uint32_t bytes = (uint32_t)t->size * t->n;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t *seen = k->race_seen + addr[first_lane(rest)] / WORD;
        for (uint32_t word = 0; word * WORD < bytes; word++)
            seen[word] = bytes < WORD ? 0 : stamp;
    }
}

enum { LOOK = 1, KEEP = 2 };

static void each_word(struct warp *w, const struct inst *i, uint32_t mask,
                      const uint64_t *addr, struct access now, int what)
{
    const struct detail *t = i->detail;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        uint64_t end = addr[l] + (uint64_t)t->size * t->n;
        now.thread = (uint16_t)(w->index * LANES + (uint32_t)l);
        for (uint64_t word = addr[l] / WORD * WORD; word < end; word += WORD) {
            struct race_word *r = &w->worker->race[word / WORD];
            now.bytes = bytes_in(addr[l], end, word);
            if (t->async)
                __builtin_memcpy(&now.value, w->worker->shared + word, WORD);
            else if (t->write && !t->atomic)
                now.value =
                    race_stored_word(w, i, l, addr[l], word, now.bytes);
            if (what & LOOK)
                look(w, r, word, &now);
            if (what & KEEP)
                keep(r, &now);
        }
    }
}

static struct access access_now(const struct warp *w, const struct inst *i)
{
    return (struct access){.at = i,
                           .epoch = w->worker->race_epoch + w->block->epoch,
                           .sync = w->sync_epoch, .clock = w->block->clock,
                           .atomic = i->detail->atomic};
}

void race_access(struct warp *w, const struct inst *i, uint32_t mask,
                 const uint64_t *addr)
{
    const struct detail *t = i->detail;
    struct access now = access_now(w, i);
    uint32_t seen = stamp_of(w, now.epoch);
    if (!t->write)
        mask = unseen(w->worker, t, mask, addr, seen);
    each_word(w, i, mask, addr, now, LOOK | KEEP);
    see(w->worker, t, mask, addr, t->write ? 0 : seen);
}

void race_look(struct warp *w, const struct inst *i, uint32_t mask,
               const uint64_t *addr)
{
    each_word(w, i, mask, addr, access_now(w, i), LOOK);
}

void race_keep(struct warp *w, const struct inst *i, uint32_t mask,
               const uint64_t *addr)
{
    each_word(w, i, mask, addr, access_now(w, i), KEEP);
    see(w->worker, i->detail, mask, addr, 0);
}
