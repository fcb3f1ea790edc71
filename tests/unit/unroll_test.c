// SPDX-License-Identifier: MIT
/*
 * unroll_test.c: which loops ptxas unrolls (decode/unroll.c). Each loop here
 * was given to ptxas 13.0 for compute capability 9.0, and its machine code has
 * four loads (or stores), or one, in the loop.
 */
#include "engine_kernel.h"
#include "simgpu/core/decode/rows.h"
#include "simgpu/core/state/program.h"

/* x[i], from which %f1 is made; i rises. */
#define LOAD                                                                   \
    "mul.wide.u32 %rd8, %r5, 4; add.s64 %rd9, %rd1, %rd8;\n"                   \
    "ld.global.f32 %f2, [%rd9]; add.f32 %f1, %f1, %f2;\n"
#define RISE "add.s32 %r5, %r5, 256;\n"
#define LESS "setp.lt.u32 %p1, %r5, %r1;\n"
#define AGAIN "@%p1 bra L;\n"
#define TAKE "cvt.rn.f32.u32 %f3, %r6; add.f32 %f1, %f1, %f3;\n"
#define FMA "fma.rn.f32 %f1, %f1, %f1, %f2;\n"
#define FMA_7 FMA FMA FMA FMA FMA FMA FMA

static bool unrolled_in(const char *before, const char *body)
{
    struct sample s = sample_open(kernel(before, body), 0);
    bool any = false;
    for (size_t f = 0; f < s.module->n_functions; f++)
        for (size_t i = 0; i < s.module->functions[f].n_sources; i++)
            any |= s.module->functions[f].sources[i].unrolled;
    sample_close(&s);
    return any;
}

static void is(bool expected, const char *body)
{
    if (unrolled_in(TILE, body) != expected)
        fail_msg("%sunrolled: %s", expected ? "not " : "", body);
}

static void test_counters(void **state)
{
    (void)state;
    is(true, "L: " LOAD RISE LESS AGAIN);
    is(true, "L: " LOAD RISE "setp.ne.s32 %p1, %r5, 0;" AGAIN);
    is(true, "L: " LOAD "add.s32 %r6, %r5, 256; setp.lt.u32 %p1, %r6, %r1;"
             "mov.u32 %r5, %r6;" AGAIN);
    is(true, "L: setp.ge.u32 %p1, %r5, %r1; @%p1 bra E;" LOAD RISE
             "bra.uni L; E:");
    is(true, "L: " LOAD "add.s32 %r5, %r5, %r5; sub.s32 %r1, %r1, 1;"
             "setp.gt.s32 %p1, %r1, 0;" AGAIN);
    is(false, "L: " LOAD LESS RISE AGAIN); /* compared before it rises */
    is(false, "L: " LOAD "add.s32 %r5, %r5, %r2;" LESS AGAIN);
    is(false, "L: " LOAD "shl.b32 %r5, %r5, 1;" LESS AGAIN);
    is(false, "L: " LOAD RISE "setp.ge.u32 %p1, %r5, %r1; @!%p1 bra L;");
    is(false, "L: " LOAD RISE "setp.lt.and.u32 %p1, %r5, %r1, %p2;" AGAIN);
    is(false, "L: " LOAD RISE "setp.gt.f32 %p1, %f1, 0f3f800000;" AGAIN);
    is(false, "L: .pragma \"nounroll\";\n" LOAD RISE LESS AGAIN);
}

static void test_lengths(void **state)
{
    (void)state;
    is(true, "L: " LOAD FMA_7 FMA_7 FMA_7 FMA_7 FMA_7 FMA_7 RISE LESS AGAIN);
    is(false, "L: " LOAD FMA_7 FMA_7 FMA_7 FMA_7 FMA_7 FMA_7 FMA RISE LESS
              AGAIN);
    is(true, "L: div.u32 %r6, %r5, %r1;" TAKE LOAD RISE LESS AGAIN);
    is(false, "L: div.u32 %r6, %r5, %r1; div.u32 %r6, %r6, %r2;" TAKE LOAD
              RISE LESS AGAIN);
    is(false, "L: div.u64 %rd6, %rd5, %rd2;" LOAD RISE LESS AGAIN);
    is(false, "L: div.rn.f32 %f1, %f1, %f2;" LOAD RISE LESS AGAIN);
    is(true, "L: div.approx.f32 %f1, %f1, %f2;" LOAD RISE LESS AGAIN);
}

static void test_what_stands_in_it(void **state)
{
    (void)state;
    is(true, "L: " LOAD "st.shared.f32 [tile], %f2;" RISE LESS AGAIN);
    is(true, "L: mul.wide.u32 %rd8, %r5, 4; add.s64 %rd9, %rd2, %rd8;"
             "st.global.f32 [%rd9], %f2;" RISE LESS AGAIN);
    is(false, "L: " LOAD "st.global.f32 [%rd4], %f2;" RISE LESS AGAIN);
    is(false, "L: " LOAD "red.global.add.f32 [%rd4], %f2;" RISE LESS AGAIN);
    is(false, "L: " LOAD "bar.sync 0;" RISE LESS AGAIN);
    is(false, "L: " LOAD "membar.gl;" RISE LESS AGAIN);
    is(false, "L: " LOAD "shfl.sync.bfly.b32 %r6, %r5, 1, 31, -1;" RISE LESS
              AGAIN);
    /* A short branch becomes predicates; one out of the loop does not. */
    is(true, "L: setp.eq.s32 %p2, %r5, 3; @%p2 bra IN;" LOAD "IN:" RISE LESS
             AGAIN);
    is(false, "L: " LOAD "setp.lt.f32 %p2, %f2, 0f00000000; @%p2 bra OUT;"
              RISE LESS AGAIN "OUT:");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_what_stands_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
