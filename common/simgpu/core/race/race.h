// SPDX-License-Identifier: MIT
/*
 * race.h: what the race detector's files share.
 *
 *   race.c         a launch's and a worker's records
 *   race_words.c   a block's accesses, word by word
 *   race_order.c   what orders two accesses: barriers and .sync
 *   race_flags.c   the same: fences and flags
 *   race_graph.c   the releases that flags pass on
 *   race_objects.c the same: mbarriers and the cluster's barrier
 *   race_unfenced.c messages without fences
 *   race_rules.c   what strong accesses and reads of constants may not do;
 *                  hits of one access that are one
 *   race_waits.c   what single lanes of a warp have waited for
 *   race_cluster.c the same between blocks of a cluster, and their accesses to
 *                  each other's shared memory
 *   race_blocks.c  blocks of a launch that nothing can order
 *   race_alone.c   words that such blocks left to each other
 *   race_proxy.c   fences between proxies
 *   race_fenced.c  global memory of launches whose kernel has fences
 *   race_constant.c arrays that no store of a launch can reach
 *   race_streams.c what is left of a launch for those of other streams
 *   race_lanes.h   the same for whole warps, in vector code
 *   race_known.c, race_known_lanes.h   hits that are no news
 *
 * A tag says who touched a word, when and how:
 *
 *   63        32 31      22 21   20 19    18      0
 *   stamp        thread     class   early site
 *
 * early: of a launch that began beside its stream's last one, and has not
 * waited for that (griddepcontrol.wait).
 *
 * Stamps grow with each barrier, .sync and fence of a worker's blocks, and
 * no two warps share one, so that a tag below the block's last barrier is
 * ordered before everything that follows: one comparison, 32 lanes at once.
 *
 * In the records of a block's shared memory a tag may be another block's, of
 * its cluster. Then bit 63 is set, so that it is above every stamp of the block
 * itself and no comparison lets it pass:
 *
 *   63   62    59 58     32 31      22 21   20 19    18      0
 *   1    rank     stamp     thread     class   early site
 */
#ifndef SIMGPU_RACE_H
#define SIMGPU_RACE_H

#include "detect.h"
#include "simgpu/core/state/observe.h"
#include "simgpu/core/memory/memory.h"

enum {
    RACE_WORD = 4,
    TAG_SITE_BITS = 19,
    TAG_CLASS = 20,  /* shifts */
    TAG_THREAD = 22,
    TAG_STAMP = 32,
    RACE_GROUP = 1024, /* words that share a "touched" mark */
};
#define SITE_MASK ((1ull << TAG_SITE_BITS) - 1)
#define TAG_EARLY (1ull << TAG_SITE_BITS)
#define THREAD_MASK (1023ull << TAG_THREAD)
#define WARP_MASK (31ull << (TAG_THREAD + 5))
#define TAG_FOREIGN (1ull << 63)
enum { TAG_RANK = 59, FOREIGN_STAMP = 27 }; /* shift; bits */
/* In place of a word's tags: its bytes have records of their own. */
#define TAG_NARROW UINT64_MAX
#define STAMP_MOST (1u << 31) /* then records begin anew at the next launch */
#define STAMP_FOREIGN (1u << (FOREIGN_STAMP - 1)) /* the same, with clusters */

/* Volatile, relaxed and stronger accesses, and atomics, are strong. A
 * compare-and-swap counts as a read: what it may meet is a plain write, and
 * not the plain read that a lock-free update begins with. */
enum race_class {
    RACE_READ, RACE_WRITE, RACE_STRONG_READ, RACE_STRONG_WRITE, RACE_CLASSES,
};

/* A record per word, or per byte. */
struct shadow {
    size_t units;
    uint64_t *write, *read[2]; /* tags: the last plain write; two of all other
                                  accesses */
    uint32_t *value;           /* that the last plain write put there */
    uint32_t *done;            /* a stamp: reads of that phase of a warp, or
                                  since that barrier, add nothing */
    /* Global memory: who of this launch's blocks; see race_blocks.c. */
    uint64_t *first[RACE_CLASSES], *last[RACE_CLASSES];
    uint8_t *many;             /* plain writes of different values */
    uint8_t *touched;          /* a group: classes, a bit each */
};

/* A worker's; the engine keeps it for the next launch. */
struct race {
    struct race *next;
    uint32_t clock;          /* the last stamp given out */
    uint32_t launch;         /* stamps of this launch are above */
    struct shadow shared[2]; /* words, bytes */
    struct shadow global[2];
    struct begun { uint32_t stamp, block; } *begun; /* of this launch */
    size_t n_begun, room;
    bool visited;            /* there are tags of other blocks */
    bool in_order;           /* blocks come as they are numbered */
    struct race_work {       /* lanes, since the engine began: left to
                                race_access; looked at word by word */
        uint64_t given, slow;
    } work;
};

enum race_mode {
    RACES_OFF,
    RACES_APART,  /* nothing orders blocks: the kernel has no fence */
    RACES_FENCED,
};

enum { HEARD_ALONE = 4 };

/* A warp whose lanes are not always in step, or that fences. */
struct warp_order {
    uint32_t joint[LANES][LANES]; /* lane a's accesses below joint[b][a] are
                                     ordered before lane b's */
    uint32_t last[LANES];         /* a lane's last .sync of some lanes */
    struct fence {
        uint32_t own, warp, block; /* stamps: what it covers of the thread,
                                      its warp, its block */
        uint8_t scope;             /* enum access_scope */
    } fence[LANES];
    const struct release *known[LANES]; /* what answered last, by the block
                                           that was asked for */
    /* Flags that lanes have read and not fenced since, by the narrowest scope
     * that reaches from who raised them. A fence of that scope counts. */
    struct heard { const struct release *by; uint32_t lanes; } heard[SCOPES];
    /* What some lanes alone know of flags, since no .sync of the warp came. */
    struct heard alone[HEARD_ALONE];
    /* race_unfenced.c: what each lane has awaited, and heard of last. */
    const struct release *awaited[LANES], *heard_last[LANES];
    const struct release *too_narrow; /* a flag read whose scopes do not reach
                                         from the one to the other */
    uint32_t fenced;           /* lanes that fenced since the last barrier */
    bool fenced_apart;         /* some have, and the warp has not met since */
    struct fence by_all;       /* what all lanes have fenced, and met */
    bool partial;
    uint32_t inits;            /* a stamp: mbarrier.init below it are fenced */
};

/* What lies below these stamps of a block is ordered before something: all of
 * its accesses, a warp's, a warp's mbarrier.init, a thread's. */
struct seen_block {
    bool any, threads, copies; /* false: zeros; thread[], landed[] are zeros */
    uint32_t floor, warp[MAX_WARPS], inits[MAX_WARPS];
    uint32_t thread[MAX_WARPS * LANES];
    uint32_t landed[MAX_WARPS * LANES]; /* what a thread's copies wrote */
};

static inline enum race_class race_class(const struct access_form *f)
{
    return (enum race_class)((f->strong ? RACE_STRONG_READ : RACE_READ) +
                             (f->write && !f->swaps ? RACE_WRITE : RACE_READ));
}

/* The low end of a tag. */
static inline uint64_t race_site(const struct access_form *f)
{
    uint64_t site = f->site < SITE_MASK ? f->site : SITE_MASK;
    return (uint64_t)race_class(f) << TAG_CLASS | site;
}

static inline uint64_t stamp_tag(uint32_t stamp)
{
    return (uint64_t)stamp << TAG_STAMP;
}

/* The tag of lane l's access. */
static inline uint64_t race_tag(const struct access *a, int l)
{
    uint64_t tag = a->warp->tags[l] | race_site(a->form);
    if (!a->stamps || !a->stamps[l])
        return tag;
    return stamp_tag(a->stamps[l]) | (tag & UINT32_MAX);
}

static inline uint32_t tag_thread(uint64_t tag)
{
    return tag >> TAG_THREAD & 1023;
}

static inline bool same_thread(uint64_t a, uint64_t b)
{
    uint64_t differ = a ^ b;
    return !(differ & THREAD_MASK) &&
           !((a | b) >= TAG_FOREIGN && differ >> TAG_RANK);
}

static inline bool is_under_way(uint64_t tag)
{
    return tag >> TAG_STAMP == STAMP_UNDER_WAY;
}

/* The same thread did both, one after the other. */
static inline bool in_program_order(uint64_t before, uint64_t now)
{
    return same_thread(before, now) && !is_under_way(before);
}

/* As a block of the launch says it: block + 1 in place of the stamp. */
static inline uint64_t block_tag(const struct block *b, uint64_t tag)
{
    return (b->index + 1) << TAG_STAMP | (tag & UINT32_MAX);
}

/* race.c */
/* What left the tag; NULL: unknown. */
const struct access_form *race_form(const struct run *r, uint64_t tag);
/* The site of a tag, but for line and thread: what it did, to how many
 * bytes. */
void race_site_form(const struct module *m, uint64_t tag, struct site *at);
/* How many bytes of the place that x names the access x->at touches. */
void race_bytes(struct finding *x);
/* Was it a free in a kernel? */
static inline bool race_is_free(const struct run *r, uint64_t tag)
{
    const struct access_form *f = race_form(r, tag);
    return f && f->kind == ACCESS_FREE;
}
const struct inst *race_inst(const struct run *r, uint64_t tag,
                             const struct function **function);
/* kind: FIND_RACE, or FIND_EQUAL_WRITES. */
void race_accuse(const struct access *a, int lane, uint64_t address,
                 uint64_t before, enum finding_kind kind);
/* Words for the two writes of FIND_EQUAL_WRITES. */
const char *race_equal_words(const struct run *r, uint64_t now,
                             uint64_t before);
struct site race_site_of(const struct run *r, uint64_t tag);
/* The array that a shared address is in. */
void race_name_shared(const struct run *r, uint64_t address,
                      struct finding *x);
/* Where in a module's source a tag's site lies; NULL: unknown. */
const struct source *race_source(const struct module *m, uint64_t tag);

/* race_words.c */
void race_access(const struct access *a);
bool race_conflict(const struct access *a, uint64_t before, uint64_t now);
/* What lane l stores into the bytes (a bit each) of a word; of the others
 * anything. */
uint32_t race_stored(const struct access *a, int l, uint64_t word,
                     uint8_t bytes);
/* Past the last whole word of lane l's access, which is the last byte unless
 * a copy's source ends within a word. */
uint64_t race_end(const struct access *a, int l);
uint8_t race_bytes_in(uint64_t address, uint64_t end, uint64_t word);

/* May this launch have written near the words that a read of constants
 * reads? */
static inline bool race_written(const struct access *b,
                                const struct shadow *s)
{
    uint8_t any = 0;
    for (int l = 0; l < LANES; l++)
        any |= s->touched[(b->addr[l] - DEVICE_BASE) / RACE_WORD / RACE_GROUP];
    return any & (1u << RACE_WRITE | 1u << RACE_STRONG_WRITE);
}

/* race_rules.c */
/* Two strong accesses of one block, one of them a write. */
bool race_strong_conflict(const struct access *a, uint64_t before,
                          uint64_t now);
/* Atomics of different sizes do not see each other's halves. */
bool race_sizes_differ(const struct access_form *a,
                       const struct access_form *b);
/* A hit is a pair of accesses, in however many words or bytes they overlap. Of
 * one access, which begins without any (n = 0): its latest hits. */
enum { TOLD_MOST = 48 }; /* of 16 bytes, each with three records */
struct race_told {
    unsigned n; /* so far */
    struct { uint64_t tag, place; uint32_t block, kind; } hit[TOLD_MOST];
};
/* Has the access had this hit already? From now on it has. address: of the
 * word or byte; block: before's, where tags do not say it. */
bool race_told(const struct run *r, struct race_told *x, uint64_t before,
               uint32_t block, uint64_t address, enum finding_kind kind);
/* Bytes of the access that left the tag, which begin at a multiple of that; 0:
 * unknown, or of any length. */
uint32_t race_width(const struct run *r, uint64_t tag);
/* Two plain writes by one instruction. */
static inline bool race_writes_alike(uint64_t a, uint64_t b)
{
    return (a >> TAG_CLASS & b >> TAG_CLASS & 3) == RACE_WRITE &&
           !((a ^ b) & SITE_MASK);
}
/* A read through the path for constants of what this launch wrote. */
void race_stale_accuse(const struct access *a, int lane, uint64_t address,
                       uint64_t before);

/* race_constant.c */
void race_reaches(struct run *r);
bool race_passes_over(const struct access *a);

/* race_order.c */
void race_block_begins(struct worker *k);
void race_sync(struct warp *w, uint32_t members);
/* The launch before has ended for this warp. */
void race_not_early(struct warp *w);
void race_arrives(struct warp *w, uint32_t mask, struct barrier *x);
void race_barrier(struct block *b, struct barrier *x, uint32_t waiting);
/* Is the access of this block that left the tag ordered before what this lane
 * does now? */
bool race_ordered(struct warp *w, int lane, uint64_t before);
void race_set_stamp(struct warp *w, uint32_t mask, uint32_t stamp);
uint32_t (*race_met(struct block *b))[MAX_WARPS];
struct warp_order *race_warp_order(struct warp *w);

/* race_flags.c */
void race_order_open(struct run *r);
void race_order_close(struct run *r);
void race_fence(struct warp *w, uint32_t mask, enum access_scope scope,
                enum fence_kind kind);
/* Before a strong write, and after a strong read, of these addresses. */
void race_release(const struct access *a);
void race_acquire(const struct access *a);
/* At a barrier each of these warps has seen what any of them has. */
void race_flags_meet(struct block *b, uint32_t warps);
/* The same of what lanes have read and not fenced, at a .sync of members. */
void race_flags_sync(struct warp *w, uint32_t members);
/* Why not race_released? Words for a finding, or none. */
void race_why(struct warp *w, uint64_t block, uint64_t before, char *text,
              size_t size);
/* *to has seen what from has, too; from: NULL, or a release. */
void race_see_flags(struct warp *w, const struct release **to,
                    const struct release *from);
/* The same of these lanes of w. */
void race_learn(struct warp *w, uint32_t lanes, const struct release *r);
/* The same of all that w has seen, or these lanes alone. */
void race_see_known(struct warp *w, uint32_t lanes, const struct release **to);
/* Ordered before what one of the lanes does now, as flags say? By block, by
 * index. */
bool race_released(struct warp *w, uint32_t lanes, uint64_t block,
                   uint64_t before);
/* The same, or false if that takes long to say. */
bool race_released_soon(struct warp *w, uint32_t lanes, uint64_t block,
                        uint64_t before);

/* What a fence of this lane covers now. */
struct fence race_fence_now(struct warp *w, int lane, enum access_scope scope);

/* race_unfenced.c: of a run that has run.unfenced */
void race_unfenced_open(struct run *r);
void race_unfenced_close(struct run *r);
void race_unfenced_write(const struct access *a);
void race_unfenced_read(const struct access *a);
void race_unfenced_sync(struct warp *w, uint32_t members);
void race_unfenced_meet(struct block *b, uint32_t warps);
/* A page of the book has no room for it. */
#ifdef __wasm__
enum { SEES_UNFENCED = false };
#else
enum { SEES_UNFENCED = true };
#endif
static inline bool race_sees_unfenced(const struct run *r)
{
    return SEES_UNFENCED && r->unfenced;
}

/* race_objects.c: mbarriers, and the cluster's barrier */
void race_arrives_at(struct warp *w, uint32_t mask, struct object_order *x,
                     unsigned how);
uint32_t race_lands(struct warp *w, uint32_t mask, struct object_order *x);
/* What has been gathered of a rank's block; NULL: nothing. */
const struct seen_block *race_gathered(const struct object_order *x,
                                       uint32_t rank);
void race_complete(struct warp *w, struct object_order *x);
void race_wait(struct warp *w, uint32_t lanes, struct object_order *x,
               unsigned how);
/* race_waits.c */
/* Lanes know what p says of the block of that rank; relaxed: once they have
 * fenced it. */
void race_hear(struct warp *w, uint32_t lanes, bool relaxed, uint32_t rank,
               const struct seen_block *p);
void race_hear_flags(struct warp *w, uint32_t lanes, bool relaxed,
                     const struct release *r);
void race_notes_sync(struct warp *w, uint32_t members);
void race_notes_arrive(struct warp *w);
void race_notes_meet(struct block *b, uint32_t from, uint32_t to);
void race_notes_fence(struct warp *w, uint32_t lanes);
/* Does one of the lanes know that the access of rank's block is over? */
bool race_notes_cover(const struct warp *w, uint32_t lanes, uint32_t rank,
                      uint64_t before);
void race_notes_join(const struct warp *w, uint32_t lanes, uint32_t rank,
                     struct seen_block *to);
/* The stamp below which a lane knows accesses of its block to be over. */
uint32_t race_notes_block(const struct warp *w, int lane);
void race_notes_begin(struct warp *w);
void race_notes_close(struct warp *w);
/* race_cluster.c */
void race_cluster_begins(struct block *b);
void race_cluster_close(struct block *b);
/* What warp w has seen of the block of that rank, which is another one. */
struct seen_block *race_seen(struct warp *w, uint32_t rank);
/* Stamps by warp of w's own block: mbarrier.init below is ordered before w. */
void race_inits_seen(struct warp *w, const uint32_t inits[MAX_WARPS]);
bool race_init_ordered(const struct warp *w, uint64_t before);
void race_seen_join(struct seen_block *to, const struct seen_block *from);
/* to: n stamps, each raised to from's if that is higher. */
void race_join(uint32_t *to, const uint32_t *from, size_t n);
void race_raise(uint32_t *to, uint32_t stamp);
/* At a barrier of the block: what these warps have seen, those have. */
void race_cluster_meet(struct block *b, uint32_t from, uint32_t to);
/* The worker of a block of w's cluster, by the block's index; NULL: it is of
 * another cluster. */
struct worker *race_peer(const struct warp *w, uint64_t block);
/* Ordered before what one of the lanes does now? before: what that block's
 * records have. */
bool race_peer_ordered(struct warp *w, uint32_t lanes, uint32_t rank,
                       uint64_t before);
/* A tag in the records of owner's shared memory, seen from lane of w: is it
 * ordered before; is it of a block that has ended? */
bool race_foreign_ordered(struct warp *w, int lane, const struct worker *owner,
                          uint64_t before);
bool race_foreign_old(const struct worker *owner, uint64_t before);
/* The tag that lane l of a leaves in a->peer's records; 0: none fits. */
uint64_t race_foreign_tag(const struct access *a, int l);
/* Like race_accuse, of two blocks. */
void race_foreign_accuse(const struct access *a, int lane, uint64_t address,
                         uint64_t before, enum finding_kind kind);
/* An access to another block's shared memory: who must not have ended. */
void race_visit(const struct access *a);
void race_ended(struct worker *k);

/* Does p say that what left the tag is ordered before? */
bool race_seen_covers(const struct run *r, const struct seen_block *p,
                      uint64_t tag);
/* Was it an asynchronous copy that wrote? */
bool race_is_copy(const struct run *r, uint64_t tag);
/* Whose a tag in the records of owner's shared memory is; *tag: as in that
 * block's own. */
const struct worker *race_whose(const struct worker *owner, uint64_t *tag);

/* race_proxy.c */
void race_proxy_begins(struct warp *w);
void race_proxy_fence(struct warp *w, uint32_t mask, enum fence_kind kind);
/* Is a write by by's block, ordered before, fenced for an asynchronous
 * operation of this lane? */
bool race_proxy_fenced(struct warp *w, int lane, const struct worker *by,
                       uint64_t tag, bool shared);
void race_proxy_accuse(const struct access *a, int lane, uint64_t address,
                       uint64_t tag);

/* race_blocks.c */
/* Before this launch's first store to a group of global memory: makes the pages
 * of its records a worker's own. Records are read before they are written, and
 * a fresh page that is read first is mapped twice, the second time with an
 * interrupt of every other thread. */
void race_own_pages(struct shadow *s, size_t group);
static inline void race_own(struct shadow *s, size_t unit)
{
    if (!(s->touched[unit / RACE_GROUP] & 1u << RACE_WRITE))
        race_own_pages(s, unit / RACE_GROUP);
}

void race_note(struct worker *k, struct shadow *s, size_t unit, uint64_t tag,
               uint32_t value, bool block_scope);
/* Before an access leaves its tag: a plain read that is in read[0] alone is
 * noted if the access is none. */
void race_note_reader(struct worker *k, struct shadow *s, size_t unit,
                      uint64_t tag);
void race_blocks_report(struct worker *workers, int n);
/* What the launch did to a word, or (narrow) a byte: of each class the last
 * block's tag, 0: none. many: plain writes of different values. */
struct race_unit {
    uint64_t tag[RACE_CLASSES];
    uint32_t value;
    bool many;
};
/* classes: those to be looked at, a bit each. */
void race_blocks_unit(const struct worker *workers, int n, int narrow,
                      size_t unit, unsigned classes, struct race_unit *x);
/* Of RACE_GROUP words or bytes: which classes of access, a bit each. */
unsigned race_blocks_touched(const struct worker *workers, int n, int narrow,
                             size_t group);
size_t race_blocks_groups(const struct worker *workers, int n, int narrow);
/* Goes through the groups of so many bytes that live memory reaches: no launch
 * touches others. of: the memory; the rest begins as zeros. */
struct reach {
    const struct memory *of;
    size_t next;             /* allocation */
    size_t from, end;        /* groups */
};
bool race_reach(struct reach *x, size_t bytes);
/* The next group that was touched, from this one on; end: none before. */
size_t race_blocks_next(const struct worker *workers, int n, int narrow,
                        size_t group, size_t end);
void race_block_at(const uint32_t grid[3], uint64_t index, uint32_t id[3]);
/* As a block's tag, of this launch; 0: none. */
uint64_t race_last_reader(const struct race *r, uint64_t read);
void race_blocks_clear(struct worker *workers, int n, int narrow,
                       size_t group);

/* race_alone.c */
void race_alone_clear(struct worker *workers, int n);

/* race_streams.c */
/* Does the launch begin while its stream's last kernel may still run? */
bool race_overlaps(const struct run *r);

/* race_fenced.c */
void race_fenced_open(struct run *r);
/* There may be more memory than when it was opened. */
void race_fenced_grow(struct run *r);
void race_fenced_close(struct run *r);
void race_fenced_unit(const struct run *r, int narrow, size_t unit,
                      struct race_unit *x);
size_t race_fenced_groups(const struct run *r);
/* Bit 0: words of it were touched; bit 1: bytes. */
unsigned race_fenced_touched(const struct run *r, size_t group);
void race_fenced_access(const struct access *a);

#endif
