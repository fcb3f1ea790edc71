// SPDX-License-Identifier: MIT
/*
 * perhaps_test.c: loads whose value may be thrown away (decode/perhaps.c), and
 * those about which a selection decides (decode/choices.c). Of each load that
 * nvcc may move the kernels below give a letter: c, a selection decides; p,
 * perhaps it is not used; u, it is used. Then what a launch finds.
 */
#include "engine_kernel.h"
#include "simgpu/core/state/program.h"

#define HEAD "setp.eq.u32 %p1, %r2, 0; setp.lt.u32 %p2, %r2, 7;\n"
#define LOAD HEAD "ld.shared.u32 %r5, [tile];\n"

static void letters(const struct function *f, char *text)
{
    for (size_t i = 0; i < f->n_insts; i++) {
        const struct detail *t = f->insts[i].detail;
        bool loads = t && t->access.site && t->access.kind == ACCESS_LOAD &&
                     !t->access.write && t->space == PTX_SPACE_SHARED;
        if (loads)
            *text++ = t->access.chosen ? 'c' : t->access.perhaps ? 'p' : 'u';
    }
    *text = 0;
}

static void are(const char *body, const char *expected)
{
    struct sample s = sample_open(kernel(TILE, body), 0);
    char text[64];
    letters(s.module->kernels->function, text);
    if (strcmp(text, expected) != 0)
        fail_msg("\"%s\", not \"%s\", of: %s", text, expected, body);
    sample_close(&s);
}

static void test_used(void **state)
{
    (void)state;
    are(LOAD "st.global.u32 [%rd4], %r5;", "u");
    are(LOAD "add.u32 %r6, %r5, 1; st.global.u32 [%rd4], %r6;", "u");
    are(LOAD "setp.eq.u32 %p3, %r5, 0; @%p3 bra L; mov.u32 %r6, 1; L:", "u");
    are(LOAD "cvt.u64.u32 %rd6, %r5; add.s64 %rd6, %rd4, %rd6;\n"
             "ld.global.u32 %r6, [%rd6];", "u");
    are(LOAD "@%p1 bra L; st.global.u32 [%rd4], %r5; ret;\n"
             "L: st.global.u32 [%rd4], %r5;", "u");
    are(LOAD "shfl.sync.bfly.b32 %r6, %r5, 1, 31, -1;", "u");
    are(LOAD, "u"); /* nobody reads it: nvcc makes no such load */
    are(HEAD "ld.volatile.shared.u32 %r5, [tile];\n"
             "@%p1 st.global.u32 [%rd4], %r5;", "u");
    /* A sum, which only some threads store. */
    are(HEAD "mov.u32 %r6, 0; mov.u32 %r7, 0;\n"
             "L: ld.shared.u32 %r5, [tile]; add.u32 %r7, %r7, %r5;\n"
             "add.u32 %r6, %r6, 1; setp.lt.u32 %p3, %r6, 9; @%p3 bra L;\n"
             "@%p1 st.global.u32 [%rd4], %r7;", "u");
}

static void test_perhaps(void **state)
{
    (void)state;
    are(LOAD "@%p1 st.global.u32 [%rd4], %r5;", "p");
    are(LOAD "@%p1 bra L; st.global.u32 [%rd4], %r5; L:", "p");
    are(LOAD "mul.lo.u32 %r6, %r5, 3; @%p1 bra L;\n"
             "st.global.u32 [%rd4], %r6; L:", "p");
    /* Selected, but not here alone, or not before others may write. */
    are(LOAD "selp.u32 %r6, %r5, 1, %p1; selp.u32 %r7, 1, %r5, %p2;\n"
             "add.u32 %r6, %r6, %r7; st.global.u32 [%rd4], %r6;", "p");
    are(LOAD "bar.sync 0; selp.u32 %r6, %r5, 1, %p1;\n"
             "st.global.u32 [%rd4], %r6;", "p");
    are(LOAD "st.shared.u32 [tile], %r2; selp.u32 %r6, %r5, 1, %p1;\n"
             "st.global.u32 [%rd4], %r6;", "p");
}

static void test_chosen(void **state)
{
    (void)state;
    are(LOAD "selp.u32 %r6, %r5, 1, %p1; st.global.u32 [%rd4], %r6;", "c");
    are(LOAD "selp.u32 %r6, 1, %r5, %p1; st.global.u32 [%rd4], %r6;", "c");
    are(LOAD "add.u32 %r6, %r5, 9; selp.u32 %r7, %r6, 1, %p1;\n"
             "st.global.u32 [%rd4], %r7;", "c");
    are(LOAD "setp.ne.u32 %p3, %r5, 0; and.pred %p4, %p1, %p3;\n"
             "@%p4 st.global.u32 [%rd4], %r1;", "c");
    are(LOAD "setp.ne.u32 %p3, %r5, 0; or.pred %p4, %p3, !%p1;\n"
             "@%p4 st.global.u32 [%rd4], %r1;", "c");
}

/* Thread 0 writes the word, and nothing orders the others' loads. */
#define NOTE "@!%p1 bra N; st.shared.u32 [tile], 5; N:\n"

/* Lines of races, or hits. */
static size_t found(const char *body, enum finding_kind kind)
{
    struct buffers b;
    prepare(&b, TILE, body, 32);
    const struct launch_report *r = run(&b, 1, 32);
    size_t n = r->n_findings;
    for (size_t k = 0; k < n; k++)
        assert_int_equal(r->findings[k].kind, kind);
    if (kind == FIND_UNINITIALISED)
        n = r->memory_errors;
    sample_close(&b.s);
    return n;
}

static void test_races(void **state)
{
    (void)state;
    const char *start = HEAD NOTE "ld.shared.u32 %r5, [tile];\n";
    const char *end = "st.global.u32 [%rd4], %r6;";
    static const struct { const char *body; size_t n; } cases[] = {
        {"selp.u32 %r6, %r5, 1, %p1;", 0},
        {"selp.u32 %r6, 1, %r5, %p1;", 1},
        {"selp.u32 %r6, %r5, 1, %p2;", 1},
        {"setp.ne.u32 %p3, %r5, 0; and.pred %p4, %p1, %p3;\n"
         "selp.u32 %r6, 1, 0, %p4;", 0},
        {"setp.ne.u32 %p3, %r5, 0; and.pred %p4, %p3, !%p1;\n"
         "selp.u32 %r6, 1, 0, %p4;", 1},
        {"setp.ne.u32 %p3, %r5, 0; or.pred %p4, !%p1, %p3;\n"
         "selp.u32 %r6, 1, 0, %p4;", 0},
        {"setp.ne.u32 %p3, %r5, 0; or.pred %p4, %p3, %p1;\n"
         "selp.u32 %r6, 1, 0, %p4;", 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char body[1024];
        snprintf(body, sizeof body, "%s%s%s", start, cases[k].body, end);
        if (found(body, FIND_RACE) != cases[k].n)
            fail_msg("not %zu races: %s", cases[k].n, body);
    }
}

static void test_unset(void **state)
{
    (void)state;
    static const struct { const char *body; size_t n; } cases[] = {
        {LOAD "selp.u32 %r6, %r2, %r5, %p2; @%p1 st.global.u32 [%rd4], %r6;",
         0},
        {LOAD "selp.u32 %r6, %r5, %r2, %p2; @%p1 st.global.u32 [%rd4], %r6;",
         1},
        {LOAD "shl.b32 %r6, %r5, 2; @%p1 bra L; ret;\n"
              "L: st.global.u32 [%rd4], %r6;", 1},
        {LOAD "setp.ne.u32 %p3, %r5, 0; setp.gt.u32 %p4, %r2, 99;\n"
              "and.pred %p3, %p3, %p4; @%p3 st.global.u32 [%rd4], %r1;", 0},
        {LOAD "selp.u32 %r6, %r5, %r2, %p2;\n"
              "shfl.sync.bfly.b32 %r7, %r6, 1, 31, -1;\n"
              "@%p1 st.global.u32 [%rd4], %r7;", 1},
        /* Two words, both reported. */
        {LOAD "ld.shared.u32 %r6, [tile+4]; add.u32 %r7, %r5, 1;\n"
              "@%p1 st.global.u32 [%rd4], %r7;\n"
              "@%p1 st.global.u32 [%rd4], %r6;", 2},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (found(cases[k].body, FIND_UNINITIALISED) != cases[k].n)
            fail_msg("not %zu findings: %s", cases[k].n, cases[k].body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_used),   cmocka_unit_test(test_perhaps),
        cmocka_unit_test(test_chosen), cmocka_unit_test(test_races),
        cmocka_unit_test(test_unset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
