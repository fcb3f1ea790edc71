// SPDX-License-Identifier: MIT
/*
 * race_blocks.c: races in global memory between the blocks of a launch that
 * nothing can order, as its kernel has no fence.
 *
 *   race_note           a block's access to a word
 *   race_note_reader    who is in read[0], which that access takes over
 *   race_blocks_report  what they add up to
 *   race_blocks_groups, race_blocks_touched, race_blocks_unit
 *                       the same for who asks before it is cleared
 *   race_blocks_clear   a group's records; race_alone.c clears most of them
 *   race_last_reader    whose tag is in read[0]
 *   race_block_at       a block's coordinates
 *
 * What is left needs no order at all: a word races when one block writes it
 * and another touches it, both of them by an atomic (or volatile) access
 * excepted. So a word keeps, a class of access, the least and the greatest
 * tag of who did: whichever comes first they come out the same, and so does
 * the report. Each worker keeps its own, and the last step puts them
 * together. Blocks that write one value agree: a note. Of reads, a worker
 * whose blocks come in order need only note the first: the last one is in
 * read[0], until an access of another class takes its place.
 */
#include <string.h>

#include "simgpu/core/access/place.h"
#include "simgpu/core/state/finding.h"
#include "race.h"

static void keep_newer(uint64_t *best, uint64_t tag)
{
    if (tag > *best)
        *best = tag;
}

/* To another block, an atomic of this one's scope is a plain write. So that no
 * value agrees with a free, it passes as one, too. */
void race_note(struct worker *k, struct shadow *s, size_t unit, uint64_t tag,
               uint32_t value, bool block_scope)
{
    unsigned class = block_scope ? RACE_WRITE : tag >> TAG_CLASS & 3;
    uint64_t mine = block_tag(&k->block, tag);
    if (block_scope) {
        s->many[unit] = 1;
    } else if (class == RACE_WRITE) {
        if (s->last[class][unit] && s->value[unit] != value)
            s->many[unit] = 1;
    } else if (s->last[class][unit] >> TAG_STAMP == mine >> TAG_STAMP) {
        return;
    }
    s->touched[unit / RACE_GROUP] |= (uint8_t)(1u << class);
    keep_newer(&s->last[class][unit], mine);
    keep_newer(&s->first[class][unit], ~mine);
}

/* Report ------------------------------------------------------------------ */

/* A word, or a byte, over all workers. */
struct sum {
    uint64_t first[RACE_CLASSES], last[RACE_CLASSES]; /* 0: nobody */
    uint32_t value;
    bool many;
};

static uint64_t block_of(uint64_t tag)
{
    return (tag >> TAG_STAMP) - 1;
}

void race_block_at(const uint32_t grid[3], uint64_t index, uint32_t id[3])
{
    id[0] = (uint32_t)(index % grid[0]);
    id[1] = (uint32_t)(index / grid[0] % grid[1]);
    id[2] = (uint32_t)(index / grid[0] / grid[1]);
}

/* The hit before this one, at the word or byte before. */
struct hit_before {
    uint64_t address, tag, before;
};

/* Of the same two accesses? Each begins at a multiple of its bytes. */
static bool goes_on(const struct run *r, const struct hit_before *last,
                    uint64_t address, uint64_t tag, uint64_t before)
{
    if (last->tag != tag || last->before != before)
        return false;
    uint64_t a = race_width(r, tag), b = race_width(r, before);
    uint64_t width = a && (a < b || !b) ? a : b;
    return !width || last->address / width == address / width;
}

static void accuse(struct worker *k, uint64_t address, uint64_t tag,
                   uint64_t before, enum finding_kind kind,
                   struct hit_before *last)
{
    const struct run *r = k->run;
    bool same = goes_on(r, last, address, tag, before);
    *last = (struct hit_before){address, tag, before};
    if (same)
        return;
    uint32_t other[3];
    struct hit hit = {hit_pair(kind, tag & SITE_MASK, before & SITE_MASK),
                      address,
                      block_of(tag), tag_thread(tag), 0};
    if (found_again(k, &hit))
        return;
    struct finding x = {.kind = kind, .kernel = r->kernel->info.name,
                        .at = race_site_of(r, tag),
                        .other = race_site_of(r, before),
                        .space = PTX_SPACE_GLOBAL, .count = 1,
                        .address = address};
    race_block_at(r->launch->grid, block_of(tag), x.block);
    race_block_at(r->launch->grid, block_of(before), other);
    place_about_global(r->engine, x.address, &x);
    race_bytes(&x);
    snprintf(x.detail, sizeof x.detail,
             "that one in block (%u,%u,%u), and %s", other[0], other[1],
             other[2],
             kind == FIND_EQUAL_WRITES ? race_equal_words(r, tag, before)
                                       : "blocks run in any order");
    found_add(k, &x, 0);
    found_remember(k, &hit);
}

/* The reader in read[0], as a block's tag; 0: none of this launch. */
uint64_t race_last_reader(const struct race *r, uint64_t read)
{
    uint32_t stamp = read >> TAG_STAMP;
    size_t lo = 0, hi = r->n_begun;
    if (stamp <= r->launch || read == TAG_NARROW ||
        (read >> TAG_CLASS & 3) != RACE_READ)
        return 0;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (r->begun[mid].stamp <= stamp)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo == 0 ? 0 : (r->begun[lo - 1].block + 1ull) << TAG_STAMP |
                             (read & UINT32_MAX);
}

void race_note_reader(struct worker *k, struct shadow *s, size_t unit,
                      uint64_t tag)
{
    uint64_t reader;
    if ((tag >> TAG_CLASS & 3) == RACE_READ)
        return;
    reader = race_last_reader(k->race, s->read[0][unit]);
    if (!reader)
        return;
    s->touched[unit / RACE_GROUP] |= 1u << RACE_READ;
    keep_newer(&s->last[RACE_READ][unit], reader);
    keep_newer(&s->first[RACE_READ][unit], ~reader);
}

/* A class that no block of this worker touched left no tags in the group. To
 * look there would cost a page of memory, which nothing has asked for yet. */
static bool has_class(const struct shadow *s, size_t unit, unsigned class)
{
    return s->touched[unit / RACE_GROUP] >> class & 1;
}

/* A plain write's value; of a byte of a word, its 8 bits from shift. */
static void add_write(struct sum *to, const struct shadow *s, size_t unit,
                      bool byte, unsigned shift)
{
    uint32_t value = s->value[unit];
    if (byte)
        value = value >> shift & 0xff;
    to->many |= s->many[unit] || (s->last[RACE_WRITE][unit] &&
                                  to->last[RACE_WRITE] && to->value != value);
    if (s->last[RACE_WRITE][unit])
        to->value = value;
}

static void add(struct sum *to, const struct race *r,
                const struct shadow *s, size_t unit, bool byte, unsigned shift)
{
    uint64_t reader = race_last_reader(r, s->read[0][unit]);
    if (reader) {
        keep_newer(&to->last[RACE_READ], reader);
        keep_newer(&to->first[RACE_READ], ~reader);
    }
    if (has_class(s, unit, RACE_WRITE))
        add_write(to, s, unit, byte, shift);
    for (unsigned c = 0; c < RACE_CLASSES; c++) {
        if (!has_class(s, unit, c))
            continue;
        keep_newer(&to->last[c], s->last[c][unit]);
        keep_newer(&to->first[c], s->first[c][unit]);
    }
}

/* Of a byte, what was done to its word counts, too. */
static struct sum sum_of(const struct worker *workers, int n, int narrow,
                              size_t unit)
{
    struct sum x = {.many = false};
    for (int k = 0; k < n; k++) {
        const struct race *r = workers[k].race;
        const struct shadow *s = r->global;
        size_t word = narrow ? unit / RACE_WORD : unit;
        if (narrow)
            add(&x, r, &s[1], unit, false, 0);
        add(&x, r, &s[0], word, narrow, 8 * (unit % RACE_WORD));
    }
    return x;
}

/* One of another block than who wrote; 0: none. *writer: that one. */
static uint64_t another(const struct sum *x, int class, int writers,
                        uint64_t *writer)
{
    const uint64_t who[2] = {~x->first[class], x->last[class]};
    const uint64_t wrote[2] = {~x->first[writers], x->last[writers]};
    for (int n = 0; n < 2 && x->last[class] && x->last[writers]; n++)
        for (int m = 0; m < 2; m++)
            if (block_of(who[n]) != block_of(wrote[m])) {
                *writer = wrote[m];
                return who[n];
            }
    return 0;
}

/* Atomics of two blocks, of different sizes. */
static uint64_t another_size(const struct run *r, const struct sum *x,
                             uint64_t *writer)
{
    uint64_t tag = another(x, RACE_STRONG_WRITE, RACE_STRONG_WRITE, writer);
    const struct access_form *a = tag ? race_form(r, tag) : NULL;
    const struct access_form *b = tag ? race_form(r, *writer) : NULL;
    return a && b && race_sizes_differ(a, b) ? tag : 0;
}

static void judge(struct worker *k, const struct sum *x, uint64_t address,
                  struct hit_before *last)
{
    static const struct { uint8_t class, writers; } pairs[] = {
        {RACE_READ, RACE_WRITE}, {RACE_STRONG_WRITE, RACE_WRITE},
        {RACE_STRONG_READ, RACE_WRITE}, {RACE_READ, RACE_STRONG_WRITE}};
    uint64_t writer, tag;
    bool two = block_of(~x->first[RACE_WRITE]) !=
               block_of(x->last[RACE_WRITE]);
    if (two && x->last[RACE_WRITE])
        accuse(k, address, x->last[RACE_WRITE], ~x->first[RACE_WRITE],
               x->many ? FIND_RACE : FIND_EQUAL_WRITES, last);
    if (two && x->many)
        return;
    for (size_t n = 0; n < sizeof pairs / sizeof *pairs; n++) {
        tag = another(x, pairs[n].class, pairs[n].writers, &writer);
        if (tag) {
            accuse(k, address, tag, writer, FIND_RACE, last);
            return;
        }
    }
    tag = another_size(k->run, x, &writer);
    if (tag)
        accuse(k, address, tag, writer, FIND_RACE, last);
}

unsigned race_blocks_touched(const struct worker *workers, int n, int narrow,
                             size_t group)
{
    unsigned classes = 0;
    for (int k = 0; k < n; k++)
        classes |= workers[k].race->global[narrow].touched[group];
    return classes;
}

/* Nobody wrote it; or of the only worker, one block did, and there were plain
 * writes alone: any other access is in read[0]. */
static bool harmless(const struct worker *workers, int n, size_t unit)
{
    const struct race *r = workers->race;
    const struct shadow *s = &r->global[0];
    uint64_t last = 0;
    for (int k = 0; k < n; k++) {
        const struct shadow *of = &workers[k].race->global[0];
        last |= of->last[RACE_WRITE][unit] | of->last[RACE_STRONG_WRITE][unit];
    }
    if (!last || n > 1)
        return !last;
    return block_of(last) == block_of(~s->first[RACE_WRITE][unit]) &&
           s->read[0][unit] <= stamp_tag(r->launch);
}

/* Has a worker records of the word's bytes? Then these are judged, and what was
 * done to the word counts for each. */
static bool is_split(const struct worker *workers, int n, size_t word)
{
    uint64_t any = 0;
    for (int k = 0; k < n; k++) {
        const struct shadow *s = &workers[k].race->global[1];
        size_t at = word * RACE_WORD;
        for (unsigned c = 0; c < RACE_CLASSES; c++)
            for (size_t b = at; has_class(s, at, c) && b < at + RACE_WORD; b++)
                any |= s->last[c][b];
    }
    return any;
}

static void judge_words(struct worker *workers, int n, size_t group)
{
    bool narrow = workers->run->narrow;
    struct hit_before last = {0};
    for (size_t at = group * RACE_GROUP; at < (group + 1) * RACE_GROUP; at++) {
        if (harmless(workers, n, at) || (narrow && is_split(workers, n, at)))
            continue;
        struct sum x = sum_of(workers, n, 0, at);
        judge(workers, &x, DEVICE_BASE + at * RACE_WORD, &last);
    }
}

/* Bytes, where any worker has split a word. */
static void judge_bytes(struct worker *workers, int n, size_t group,
                        unsigned classes)
{
    struct hit_before last = {0};
    (void)classes;
    for (size_t at = group * RACE_GROUP; at < (group + 1) * RACE_GROUP; at++) {
        if (!is_split(workers, n, at / RACE_WORD))
            continue;
        struct sum x = sum_of(workers, n, 1, at);
        judge(workers, &x, DEVICE_BASE + at, &last);
    }
}

void race_blocks_clear(struct worker *workers, int n, int narrow,
                       size_t group)
{
    size_t at = group * RACE_GROUP;
    for (int k = 0; k < n; k++) {
        struct shadow *s = &workers[k].race->global[narrow];
        for (unsigned c = 0; c < RACE_CLASSES; c++)
            if (has_class(s, at, c)) {
                memset(s->first[c] + at, 0, RACE_GROUP * sizeof *s->first[c]);
                memset(s->last[c] + at, 0, RACE_GROUP * sizeof *s->last[c]);
            }
        if (has_class(s, at, RACE_WRITE))
            memset(s->many + at, 0, RACE_GROUP);
        s->touched[group] = 0;
    }
}

size_t race_blocks_groups(const struct worker *workers, int n, int narrow)
{
    size_t units = workers->race->global[narrow].units;
    for (int k = 1; k < n; k++)
        if (workers[k].race->global[narrow].units < units)
            units = workers[k].race->global[narrow].units;
    return units / RACE_GROUP;
}

/* What a worker's blocks wrote plainly there. */
static void add_value(struct race_unit *x, const struct race *r, int narrow,
                      size_t unit, bool any)
{
    const struct shadow *s = r->global;
    size_t word = narrow ? unit / RACE_WORD : unit;
    bool of_word = s[0].last[RACE_WRITE][word] != 0;
    bool of_byte = narrow && s[1].last[RACE_WRITE][unit];
    uint32_t value = s[0].value[word];
    if (narrow)
        value = of_byte ? s[1].value[unit]
                        : value >> 8 * (unit % RACE_WORD) & 0xff;
    x->many |= (of_word && s[0].many[word]) ||
               (of_byte && s[1].many[unit]) || (of_word && of_byte) ||
               (any && x->value != value);
    x->value = value;
}

void race_blocks_unit(const struct worker *workers, int n, int narrow,
                      size_t unit, unsigned classes, struct race_unit *x)
{
    *x = (struct race_unit){.many = false};
    for (int k = 0; k < n; k++) {
        const struct shadow *s = workers[k].race->global;
        bool any = x->tag[RACE_WRITE];
        for (unsigned c = 0; c < RACE_CLASSES; c++) {
            uint64_t tag = 0;
            if (classes >> c & 1)
                keep_newer(&tag, s[narrow].last[c][unit]);
            if (classes >> c & 1 && narrow)
                keep_newer(&tag, s[0].last[c][unit / RACE_WORD]);
            keep_newer(&x->tag[c], tag);
            if (c == RACE_WRITE && tag)
                add_value(x, workers[k].race, narrow, unit, any);
        }
    }
}

#define WRITES (1u << RACE_WRITE | 1u << RACE_STRONG_WRITE)

static void judge_and_clear(struct worker *workers, int n, size_t group,
                            unsigned classes)
{
    if (classes & WRITES)
        judge_words(workers, n, group);
    race_blocks_clear(workers, n, 0, group);
}

static void clear_words(struct worker *workers, int n, size_t group,
                        unsigned classes)
{
    (void)classes;
    race_blocks_clear(workers, n, 0, group);
}

static void clear_bytes(struct worker *workers, int n, size_t group,
                        unsigned classes)
{
    (void)classes;
    race_blocks_clear(workers, n, 1, group);
}

/* Of much memory little is touched: eight groups at once. */
size_t race_blocks_next(const struct worker *workers, int n, int narrow,
                        size_t group, size_t end)
{
    uint64_t eight, any;
    while (group < end && !race_blocks_touched(workers, n, narrow, group)) {
        any = group % sizeof any || end - group < sizeof any;
        for (int k = 0; k < n && !any; k++) {
            memcpy(&eight, workers[k].race->global[narrow].touched + group,
                   sizeof eight);
            any |= eight;
        }
        group += any ? 1 : sizeof any;
    }
    return group < end ? group : end;
}

bool race_reach(struct reach *x, size_t bytes)
{
    const struct memory *m = x->of;
    while (x->next < m->n && !m->list[x->next].live)
        x->next++;
    if (x->next == m->n)
        return false;
    const struct allocation *a = &m->list[x->next++];
    x->from = (size_t)(a->address - DEVICE_BASE) / bytes;
    x->end = (size_t)(a->address - DEVICE_BASE + a->bytes - 1) / bytes + 1;
    return true;
}

/* Calls what with each group that was touched, and the classes of access. */
static void each_group(struct worker *workers, int n, int narrow,
                       void (*what)(struct worker *, int, size_t, unsigned))
{
    size_t groups = race_blocks_groups(workers, n, narrow);
    struct reach x = {.of = &workers->run->engine->memory};
    while (race_reach(&x, narrow ? RACE_GROUP : RACE_GROUP * RACE_WORD))
        for (size_t g = x.from, end = x.end < groups ? x.end : groups;
             (g = race_blocks_next(workers, n, narrow, g, end)) < end; g++)
            what(workers, n, g, race_blocks_touched(workers, n, narrow, g));
}

void race_blocks_report(struct worker *workers, int n)
{
    bool looks = workers->run->fault == FAULT_NONE;
    if (looks)
        race_alone_clear(workers, n);
    if (looks && workers->run->narrow)
        each_group(workers, n, 1, judge_bytes);
    each_group(workers, n, 0, looks ? judge_and_clear : clear_words);
    if (workers->run->narrow)
        each_group(workers, n, 1, clear_bytes);
}
