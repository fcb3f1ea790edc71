// SPDX-License-Identifier: MIT
/*
 * programs_cluster.c: clusters of four blocks: their barrier, addresses in each
 * other's shared memory, mbarriers that others arrive at.
 */
#include "conformance.h"

enum { THREADS_EACH = 64, BLOCKS_EACH = 4 };

/* What the same thread of the cluster's next block has. */
static uint32_t neighbour(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)x;
    uint32_t block = i / THREADS_EACH, rank = block % BLOCKS_EACH;
    uint32_t other = block - rank + (rank + 1) % BLOCKS_EACH;
    return all[other * THREADS_EACH + i % THREADS_EACH];
}

static uint32_t ranks(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)x, (void)all;
    uint32_t rank = i / THREADS_EACH % BLOCKS_EACH;
    uint32_t next = (rank + 1) % BLOCKS_EACH;
    return rank + 10 * next + 100 * next + 1000 * rank + 10000 * BLOCKS_EACH;
}

static uint32_t one_window(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)x, (void)all;
    return 1 + 2 + 8;
}

/* Eleven additions of 1, an exchange and comparisons that leave 1 more. */
static uint32_t counted(uint32_t i, uint32_t x, const uint32_t *all)
{
    return neighbour(i, x, all) + 12;
}

#define CELLS ".shared .align 8 .b8 cells[512]; .shared .align 8 .b64 full;"
/* %r3: this thread's cell; %r4: the next block's rank; %r5: its cell there. */
#define SETUP                                                                  \
    "mov.u32 %r2, cells; shl.b32 %r3, %t, 3; add.s32 %r3, %r2, %r3;\n"         \
    "mov.u32 %r6, %cluster_ctarank; add.s32 %r4, %r6, 1;\n"                    \
    "and.b32 %r4, %r4, 3; mapa.shared::cluster.u32 %r5, %r3, %r4;\n"
#define MEET "barrier.cluster.arrive; barrier.cluster.wait;\n"
#define FILL "st.shared.u32 [%r3], %x;\n" MEET

#define THROUGH(words_st, words_ld)                                            \
    {"clusters: " words_st ", " words_ld, 8, THREADS_EACH, CELLS,              \
     SETUP FILL "ld" words_ld ".u32 %d, [%r5];\n" MEET                         \
     "st" words_st ".u32 [%r5+4], %d;\n" MEET                                  \
     "ld.shared.u32 %r7, [%r3+4]; setp.ne.u32 %p1, %r7, %x;\n"                 \
     "@%p1 mov.u32 %d, 77777;\n", neighbour, 0, 0}

/* An arrival of every thread at the next block's mbarrier. */
#define SIGNAL(how)                                                            \
    {"clusters: mbarrier" how, 8, THREADS_EACH, CELLS,                         \
     SETUP "mov.u32 %r8, full; setp.eq.u32 %p4, %t, 0;\n"                      \
     "@%p4 mbarrier.init.shared.b64 [%r8], 64;\n"                              \
     "fence.mbarrier_init.release.cluster;\n"                                  \
     "barrier.cluster.arrive.relaxed; barrier.cluster.wait.acquire;\n"         \
     "mapa.shared::cluster.u32 %r9, %r8, %r4;\n"                               \
     "add.s32 %r10, %r6, 3; and.b32 %r10, %r10, 3;\n"                          \
     "mapa.shared::cluster.u32 %r11, %r3, %r10;\n"                             \
     "mapa.shared::cluster.u32 %r12, %r8, %r10;\n"                             \
     "st.shared::cluster.u32 [%r11], %x;\n"                                    \
     "fence.acq_rel.cluster;\n" how                                           \
     "W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, "       \
     "[%r8], 0;\n@!%p3 bra W;\nld.shared.u32 %d, [%r3];\n" MEET,               \
     neighbour, 0, 0}

static const struct program programs[] = {
    {"clusters: mapa, generic", 8, THREADS_EACH, CELLS,
     SETUP FILL "cvt.u64.u32 %l0, %r3; cvta.shared.u64 %l0, %l0;\n"
     "mapa.u64 %l1, %l0, %r4; ld.u32 %d, [%l1];\n" MEET, neighbour, 0, 0},
    {"clusters: mapa of a variable", 8, THREADS_EACH, CELLS,
     SETUP FILL "mapa.u64 %l1, cells, %r4; mul.wide.u32 %l2, %t, 8;\n"
     "add.s64 %l1, %l1, %l2; ld.u32 %d, [%l1];\n"
     "cvt.u64.u32 %l3, %r3; mapa.shared::cluster.u64 %l3, %l3, %r4;\n"
     "ld.shared::cluster.u32 %r7, [%l3]; setp.ne.u32 %p1, %r7, %d;\n"
     "@%p1 mov.u32 %d, 77777;\n" MEET, neighbour, 0, 0},
    {"clusters: getctarank", 8, THREADS_EACH, CELLS,
     SETUP "getctarank.shared::cluster.u32 %r7, %r5;\n"
     "cvt.u64.u32 %l0, %r5; getctarank.shared::cluster.u64 %r8, %l0;\n"
     "cvta.shared::cluster.u64 %l1, %l0; getctarank.u64 %r9, %l1;\n"
     "getctarank.shared::cluster.u32 %r10, %r3;\n"
     "mov.u32 %r11, %cluster_nctarank;\n"
     "mov.u32 %d, %r6; mad.lo.u32 %d, %r8, 10, %d;\n"
     "mad.lo.u32 %d, %r9, 100, %d; mad.lo.u32 %d, %r10, 1000, %d;\n"
     "mad.lo.u32 %d, %r11, 10000, %d;\n", ranks, 0, 0},
    {"clusters: isspacep and cvta.to", 8, THREADS_EACH, CELLS,
     SETUP "cvt.u64.u32 %l0, %r5; cvta.shared::cluster.u64 %l1, %l0;\n"
     "isspacep.shared::cluster %p1, %l1; @%p1 add.u32 %d, %d, 1;\n"
     "cvta.to.shared::cluster.u64 %l2, %l1; setp.eq.u64 %p1, %l2, %l0;\n"
     "@%p1 add.u32 %d, %d, 2;\n"
     "isspacep.shared::cta %p1, %l1; @%p1 add.u32 %d, %d, 4;\n"
     "cvt.u64.u32 %l0, %r3; cvta.shared.u64 %l1, %l0;\n"
     "isspacep.shared::cluster %p1, %l1; isspacep.shared %p2, %l1;\n"
     "and.pred %p1, %p1, %p2; @%p1 add.u32 %d, %d, 8;\n", one_window, 0, 0},
    {"clusters: aligned barriers, arrivals and waits apart", 8, THREADS_EACH,
     CELLS,
     SETUP "st.shared.u32 [%r3], %x;\n"
     "fence.release.cluster; fence.acquire.cluster;\n"
     "barrier.cluster.arrive.release.aligned; add.s32 %r7, %t, 1;\n"
     "barrier.cluster.wait.acquire.aligned;\n"
     "ld.shared::cluster.u32 %d, [%r5];\n"
     "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n",
     neighbour, 0, 0},
    THROUGH(".shared::cluster", ".shared::cluster"),
    THROUGH(".weak.shared::cluster", ".weak.shared::cluster"),
    THROUGH(".relaxed.cluster.shared::cluster",
            ".relaxed.cluster.shared::cluster"),
    THROUGH(".release.cluster.shared::cluster",
            ".acquire.cluster.shared::cluster"),
    {"clusters: atomics", 8, THREADS_EACH, CELLS,
     SETUP FILL
     "ld.shared::cluster.u32 %d, [%r5];\n" MEET
     "atom.relaxed.cluster.shared::cluster.add.u32 %r7, [%r5], 1;\n"
     "atom.shared::cluster.cluster.add.u32 %r7, [%r5], 1;\n"
     "atom.shared::cluster.add.acq_rel.cluster.u32 %r7, [%r5], 1;\n"
     "red.relaxed.cluster.shared::cluster.add.u32 [%r5], 1;\n"
     "red.shared::cluster.cluster.add.u32 [%r5], 1;\n"
     "red.shared::cluster.add.relaxed.cluster.u32 [%r5], 1;\n"
     "atom.relaxed.cluster.shared::cluster.exch.b32 %r8, [%r5+4], %d;\n"
     "atom.shared::cluster.cluster.exch.b32 %r8, [%r5+4], %d;\n"
     "atom.shared::cluster.exch.relaxed.cluster.b32 %r8, [%r5+4], 6;\n"
     "atom.relaxed.cluster.shared::cluster.cas.b32 %r8, [%r5+4], 6, 7;\n"
     "atom.shared::cluster.cluster.cas.b32 %r8, [%r5+4], 7, 8;\n"
     "atom.shared::cluster.cas.relaxed.cluster.b32 %r8, [%r5+4], 8, 6;\n"
     MEET "ld.shared::cluster.u32 %d, [%r5];\n"
     "ld.shared::cluster.u32 %r8, [%r5+4]; add.u32 %d, %d, %r8;\n" MEET,
     counted, 0, 0},
    SIGNAL("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r12];\n"),
    SIGNAL("mbarrier.arrive.shared::cluster.b64 _, [%r12];\n"),
    SIGNAL("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%r12];\n"),
    SIGNAL("mbarrier.arrive_drop.release.cluster.shared::cluster.b64 _, "
           "[%r12];\n"),
    SIGNAL("mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, "
           "[%r12], 8;\nmbarrier.complete_tx.relaxed.cluster.shared::cluster"
           ".b64 [%r12], 4;\nmbarrier.complete_tx.shared::cluster.relaxed"
           ".cluster.b64 [%r12], 4;\n"),
    SIGNAL("mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%r12], 8;\n"
           "mbarrier.complete_tx.shared::cluster.b64 [%r12], 8;\n"
           "mbarrier.arrive.release.cluster.shared::cluster.b64 _, "
           "[%r12], 1;\n"),
    SIGNAL("mbarrier.expect_tx.shared.relaxed.cta.b64 [%r8], 8;\n"
           "mbarrier.complete_tx.shared::cta.relaxed.cta.b64 [%r8], 8;\n"
           "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r12];\n"
           "T: mbarrier.test_wait.parity.relaxed.cluster.shared::cta.b64 %p3, "
           "[%r8], 0;\n@!%p3 bra T;\n"),
};

void programs_cluster(void)
{
    program_limits(".explicitcluster\n.reqnctapercluster 4, 1, 1\n");
    programs_run(programs, sizeof programs / sizeof *programs);
    program_limits("");
}
