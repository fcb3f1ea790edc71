// SPDX-License-Identifier: MIT
/*
 * observe.h: who looks on while a launch executes.
 *
 *   observer         what one may want to be told
 *   observe_sync, observe_arrive, observe_barrier, observe_fence,
 *   observe_release, observe_acquire      what orders accesses
 *   (an access itself: access/raise.h)
 *
 * The engine knows observers by this table only: launch.c puts each into the
 * run if it is asked for, and one that is not costs a comparison. They never
 * change what a program computes. run.races has all members down to fence;
 * run.traffic has block, access and those from resume on, and may have arrive,
 * barrier and now.
 */
#ifndef SIMGPU_OBSERVE_H
#define SIMGPU_OBSERVE_H

#include "state.h"

/* How an arrival or a wait orders accesses. */
enum {
    ORDER_ACQ_REL = 0,
    ORDER_RELAXED = 1,  /* only what the thread has fenced, or will fence */
    ORDER_OUTSIDE = 2,  /* an arrival: from another block of the cluster */
    ORDER_OF_BLOCK = 4, /* a wait: sees no arrival from outside */
};

struct observer {
    /* A worker's own records. */
    void (*open)(struct worker *k);
    void (*close)(struct worker *k);
    /* A worker begins a block; it has ended it. */
    void (*block)(struct worker *k);
    void (*block_end)(struct worker *k);
    /* Once per memory instruction and address space, before a write is to be
     * seen by others. */
    void (*access)(const struct access *a);
    /* Before a strong write, and after a strong read, of these addresses. */
    void (*release)(const struct access *a);
    void (*acquire)(const struct access *a);
    /* All living lanes of members have met at a .sync. */
    void (*sync)(struct warp *w, uint32_t members);
    /* Lanes come to a barrier of the block; it lets the warps of waiting go. */
    void (*arrive)(struct warp *w, uint32_t mask, struct barrier *x);
    void (*barrier)(struct block *b, struct barrier *x, uint32_t waiting);
    /* At an mbarrier, or the cluster's barrier: lanes arrive; their copies
     * under way will arrive once they have landed (returns the stamp of those
     * writes); its phase ends; lanes have waited for that. how: ORDER_... */
    void (*arrives_at)(struct warp *w, uint32_t mask, struct object_order *x,
                       unsigned how);
    uint32_t (*lands)(struct warp *w, uint32_t mask, struct object_order *x);
    void (*complete)(struct warp *w, struct object_order *x);
    void (*wait)(struct warp *w, uint32_t lanes, struct object_order *x,
                 unsigned how);
    void (*fence)(struct warp *w, uint32_t mask, enum access_scope scope,
                  enum fence_kind kind);
    /* A block of a cluster has ended. */
    void (*ended)(struct worker *k);
    /* For observers that follow single instructions: the scheduler resumes a
     * warp; must it pause before its next instruction; an instruction is
     * issued for the lanes of mask, and has executed. */
    void (*resume)(struct warp *w);
    bool (*pauses)(struct warp *w);
    void (*issue)(struct warp *w, const struct inst *i, uint32_t mask);
    void (*issued)(struct warp *w, const struct inst *i);
    /* What a clock says, in its own time; NULL: the host's. */
    uint64_t (*now)(struct warp *w, bool nanoseconds);
};

#define OBSERVE(r, what, ...)                                                  \
    do {                                                                       \
        if ((r)->races)                                                        \
            (r)->races->what(__VA_ARGS__);                                     \
    } while (0)

static inline void observe_sync(struct warp *w, uint32_t members)
{
    OBSERVE(run_of(w), sync, w, members);
}

static inline void observe_arrive(struct warp *w, uint32_t mask,
                                  struct barrier *x)
{
    const struct observer *traffic = run_of(w)->traffic;
    OBSERVE(run_of(w), arrive, w, mask, x);
    if (traffic && traffic->arrive)
        traffic->arrive(w, mask, x);
}

static inline void observe_barrier(struct block *b, struct barrier *x,
                                   uint32_t waiting)
{
    const struct observer *traffic = run_of(&b->warps[0])->traffic;
    OBSERVE(run_of(&b->warps[0]), barrier, b, x, waiting);
    if (traffic && traffic->barrier)
        traffic->barrier(b, x, waiting);
}

static inline void observe_fence(struct warp *w, uint32_t mask,
                                 enum access_scope scope,
                                 enum fence_kind kind)
{
    OBSERVE(run_of(w), fence, w, mask, scope, kind);
}

static inline void observe_arrives_at(struct warp *w, uint32_t mask,
                                      struct object_order *x, unsigned how)
{
    OBSERVE(run_of(w), arrives_at, w, mask, x, how);
}

static inline uint32_t observe_lands(struct warp *w, uint32_t mask,
                                     struct object_order *x)
{
    return run_of(w)->races ? run_of(w)->races->lands(w, mask, x) : 0;
}

static inline void observe_complete(struct warp *w, struct object_order *x)
{
    OBSERVE(run_of(w), complete, w, x);
}

static inline void observe_wait(struct warp *w, uint32_t lanes,
                                struct object_order *x, unsigned how)
{
    OBSERVE(run_of(w), wait, w, lanes, x, how);
}

static inline void observe_release(const struct access *a)
{
    OBSERVE(run_of(a->warp), release, a);
}

static inline void observe_ended(struct worker *k)
{
    OBSERVE(k->run, ended, k);
}

static inline void observe_acquire(const struct access *a)
{
    OBSERVE(run_of(a->warp), acquire, a);
}
#undef OBSERVE

#endif
