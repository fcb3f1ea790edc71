// SPDX-License-Identifier: MIT
/*
 * race_lanes_test.c: races in shared memory that whole warps' vector code
 * (race/race_lanes.h) has to leave to others: what it notes of some words says
 * nothing of the words beside them. How much it leaves: race_work_test.c.
 */
#include "engine_kernel.h"

enum { THREADS = 64 };

/* Each thread writes its word of the tile, and all read word 16. Then warp 0
 * reads the words before that, in some way, and word 16 in line 20; in line 30
 * a thread of warp 1 writes it. %r5: the tile; %r6: an index for warp 0. */
#define BEFORE                                                                 \
    "mov.u32 %r5, tile; shl.b32 %r6, %r2, 2; add.u32 %r6, %r6, %r5;\n"         \
    "st.shared.u32 [%r6], %r2; bar.sync 0; ld.shared.u32 %r7, [%r5+64];\n"     \
    "bar.sync 0; setp.gt.u32 %p1, %r2, 31; @%p1 bra OTHER;\n"
#define BEHIND                                                                 \
    "shl.b32 %r6, %r6, 2; add.u32 %r6, %r6, %r5; ld.shared.u32 %r8, [%r6];\n"  \
    ".loc 1 20 0\n ld.shared.u32 %r7, [%r5+64]; bra END;\nOTHER:\n"            \
    "setp.eq.u32 %p2, %r2, 40;\n"                                              \
    ".loc 1 30 0\n @%p2 st.shared.u32 [%r5+64], %r2;\nEND:\n"

static void word_beside(const char *index)
{
    struct buffers b;
    char body[2048];
    snprintf(body, sizeof body, "%s%s%s", BEFORE, index, BEHIND);
    prepare(&b, ".shared .align 16 .b8 tile[512];\n", body, MANY);
    const struct launch_report *r = sample_run(&b.s, 1, THREADS, b.params);
    assert_int_equal(r->fault, FAULT_NONE);
    assert_int_equal(r->n_findings, 1);
    assert_int_equal(r->findings[0].kind, FIND_RACE);
    assert_int_equal(r->findings[0].at.line + r->findings[0].other.line, 50);
    sample_close(&b.s);
}

/* Several lanes read a word: each word or each second one, or all the same; and
 * in the other direction. */
static void test_word_beside(void **state)
{
    (void)state;
    word_beside("shr.u32 %r6, %r2, 1;\n");
    word_beside("and.b32 %r6, %r2, 14;\n");
    word_beside("mov.u32 %r6, 15;\n");
    word_beside("sub.u32 %r6, 31, %r2; shr.u32 %r6, %r6, 1;\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_word_beside)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
