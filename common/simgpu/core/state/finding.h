// SPDX-License-Identifier: MIT
/* finding.h: a worker's findings, and how they become the report's. */
#ifndef SIMGPU_FINDING_H
#define SIMGPU_FINDING_H

#include "state.h"

enum {
    MAX_FOUND = 256,          /* different findings kept per launch, */
    MAX_NOTES = MAX_FOUND / 4 /* and how many of them may be notes */
};

/* A race of two instructions on one array, or a read of what nobody wrote, is
 * often found a million times: by the instructions and a range of addresses its
 * finding is found again. */
enum { MEMOS = 256, MEMO_WAYS = 4 }; /* a pair has so many places */
struct memo {
    uint64_t pair;   /* of the two sites; 0: none */
    uint64_t lo, hi; /* the array */
    uint64_t block, thread, address; /* of the finding, or later ones */
    size_t at;       /* into the list */
};

struct found {
    size_t n, last;  /* last: where the latest one went; MAX_FOUND: nowhere */
    size_t notes;    /* of the n */
    uint64_t unlisted; /* equal writes that had no place */
    struct finding list[MAX_FOUND];
    uint64_t order[MAX_FOUND]; /* of the first block that each was seen in */
    struct memo memo[MEMOS];
};

/* A page of the book has no room for the code that counts hits quickly. */
#ifdef __wasm__
enum { COUNTS_QUICKLY = false };
#else
enum { COUNTS_QUICKLY = true };
#endif

/* A race as the detector knows it: block and thread of the access that is
 * accused, counted along the grid and the block. */
struct hit {
    uint64_t pair, address, block, thread;
    uint64_t order;  /* as in found_add */
};
/* Sites have less than 28 bits. other: of FIND_UNINITIALISED, the space. */
static inline uint64_t hit_pair(enum finding_kind kind, uint64_t site,
                                uint64_t other)
{
    return 1ull << 63 | (uint64_t)(kind == FIND_EQUAL_WRITES) << 62 |
           (uint64_t)(kind == FIND_UNINITIALISED) << 61 |
           (uint64_t)(kind == FIND_UNFENCED) << 60 |
           site << 32 | other;
}
/* Its finding stands already, for a block, thread and address that come
 * first. */
static inline bool found_stands(const struct memo *m, const struct hit *h)
{
    return m->pair == h->pair && h->address >= m->lo && h->address < m->hi &&
           (h->block > m->block ||
            (h->block == m->block &&
             (h->thread > m->thread ||
              (h->thread == m->thread && h->address >= m->address))));
}

/* Where a standing finding of the hit is known; NULL: nowhere. */
const struct memo *found_memo(const struct worker *k, const struct hit *h);
/* So many hits more of a memo's finding; order: as in found_add. */
void found_count(struct worker *k, size_t at, uint64_t order, uint64_t hits);
/* Counts the hit if its finding stands already; else the caller makes a finding
 * of it, and found_remember. */
bool found_again(struct worker *k, const struct hit *h);
void found_remember(struct worker *k, const struct hit *h);

/* Like finding_add, but without a warp; order: number of the block. */
void found_add(struct worker *k, const struct finding *f, uint64_t order);
/* Like found_add, for findings outside a kernel launch. */
void found_put(struct found *f, const struct finding *x);
void found_merge(const struct worker *workers, int n, size_t max,
                 struct launch_report *report);

void finding_add(struct warp *w, const struct inst *i, int lane,
                 enum finding_kind kind, struct finding *f);
/* The same at another place: the warp may be elsewhere by now. */
void finding_add_at(struct warp *w, const struct source *place,
                    const struct inst *i, int lane, enum finding_kind kind,
                    struct finding *f);
/* Like finding_add, for an access. */
void access_finding(const struct access *a, int lane, enum finding_kind kind,
                    struct finding *f);
const struct inst *fault_raise(struct warp *w, enum engine_fault fault);
void finding_thread(const struct warp *w, int lane, uint32_t thread[3]);
/* A site without a thread. */
struct site finding_site(const struct source *s);
const struct source *finding_source(const struct function *f,
                                    const struct inst *i);
/* Of an instruction that the warp executes; in a function of the toolkit's
 * headers, the line that called it. */
const struct source *finding_place(const struct warp *w, const struct inst *i);

#endif
