// SPDX-License-Identifier: MIT
/*
 * awaited_test.c: which strong reads are awaited, and which take data
 * (decode/awaited.c), as text: a letter for each of them. L: awaited in a loop;
 * o: awaited once; t: taken; -: neither.
 */
#include "engine_kernel.h"
#include "simgpu/core/state/program.h"

enum { TEXT = 512 };

/* A flag and a message. */
#define FLAG "ld.volatile.global.u32 %r8, [%rd1];\n"
#define DATA "ld.volatile.global.u32 %r9, [%rd2]; st.global.u32 [%rd4], %r9;\n"
#define UNTIL_RAISED "setp.eq.u32 %p1, %r8, 0; @%p1 bra L;\n"
#define WAIT "L: " FLAG UNTIL_RAISED

static char letter(const struct access_form *f)
{
    return f->awaited == AWAITED_IN_LOOP ? 'L'
           : f->awaited                  ? 'o'
           : f->taken                    ? 't' : '-';
}

static void says_before(const char *before, const char *body,
                        const char *expected)
{
    struct sample s = sample_open(kernel(before, body), 0);
    char text[TEXT] = "";
    size_t n = 0;
    for (size_t f = 0; f < s.module->n_functions; f++)
        for (size_t i = 0; i < s.module->functions[f].n_insts; i++) {
            const struct detail *t = s.module->functions[f].insts[i].detail;
            if (t && t->access.site && t->access.strong && n < TEXT - 1 &&
                t->access.kind != ACCESS_STORE)
                text[n++] = letter(&t->access);
        }
    if (strcmp(text, expected) != 0)
        fail_msg("\"%s\", not \"%s\", of: %s", text, expected, body);
    sample_close(&s);
}

static void says(const char *body, const char *expected)
{
    says_before("", body, expected);
}

static void test_loops(void **state)
{
    (void)state;
    says(WAIT DATA, "Lt");
    says(FLAG "setp.eq.u32 %p1, %r8, 0; @%p1 bra L; L: " DATA, "-t");
    /* nvcc takes the first look out of the loop. */
    says(FLAG "setp.ne.u32 %p1, %r8, 0; @%p1 bra M;\n"
         "L: nanosleep.u32 9;\n" FLAG UNTIL_RAISED "M: " DATA, "oLt");
    /* Tries may be counted, and lanes may wait for each other. */
    says("L: " FLAG "setp.eq.u32 %p1, %r8, 0; add.s32 %r7, %r7, 1;\n"
         "setp.lt.u32 %p2, %r7, 9; and.pred %p1, %p1, %p2; @%p1 bra L;\n" DATA,
         "Lt");
    says("L: " FLAG "setp.eq.u32 %p1, %r8, 0; mov.u32 %r5, -1;\n"
         "vote.sync.any.pred %p2, %p1, %r5; @%p2 bra L;\n" DATA, "Lt");
    /* A loop that counts does not wait, nor does one that stores. */
    says("L: " FLAG "add.s32 %r7, %r7, %r8; add.s32 %r6, %r6, 1;\n"
         "setp.lt.u32 %p1, %r6, 9; @%p1 bra L; st.global.u32 [%rd4], %r7;\n"
         DATA, "tt");
    says("L: " FLAG "st.global.u32 [%rd4], 1;\n" UNTIL_RAISED DATA, "-t");
    /* Nor one that looks somewhere else each time. */
    says("L: " FLAG "add.s64 %rd1, %rd1, 4;\n" UNTIL_RAISED DATA, "-t");
}

static void test_outer_loops(void **state)
{
    (void)state;
    /* A look-back: what is taken lies elsewhere each time. */
    says("K: add.s64 %rd1, %rd1, -4; add.s64 %rd2, %rd2, -4;\n" WAIT
         "setp.eq.u32 %p2, %r8, 2;\n"
         "ld.volatile.global.u32 %r9, [%rd2]; add.s32 %r7, %r7, %r9;\n"
         "@!%p2 bra K; st.global.u32 [%rd4], %r7;", "Lt");
    /* Taken again and again while the flag is awaited. */
    says("L: ld.volatile.global.u32 %r9, [%rd2];\n" FLAG UNTIL_RAISED
         "st.global.u32 [%rd4], %r9;", "-L");
}

static void test_data(void **state)
{
    (void)state;
    /* What decides something is not taken: */
    says(WAIT "ld.volatile.global.u32 %r9, [%rd2]; setp.lt.u32 %p2, %r9, 5;\n"
         "@%p2 bra M; st.global.u32 [%rd4], %r9; M:", "L-");
    says(WAIT "ld.volatile.global.u32 %r9, [%rd2]; add.s32 %r10, %r9, 1;\n"
         "atom.global.cas.b32 %r11, [%rd2], %r9, %r10;", "L--");
    /* Flag and value in one: */
    says("L: ld.volatile.global.v2.u32 {%r8, %r9}, [%rd1];\n" UNTIL_RAISED
         "st.global.u32 [%rd4], %r9;\n" DATA, "Lt");
    /* What nobody needs: */
    says(WAIT "ld.volatile.global.u32 %r9, [%rd2];", "L-");
    /* What goes where it cannot be followed: */
    says_before(".func f(.param .b32 a) { ret; }\n",
                WAIT "{ .param .b32 p; ld.volatile.global.u32 %r9, [%rd2];\n"
                "st.param.b32 [p], %r9; call f, (p); }", "L-");
    says(".local .align 4 .b8 l[4];\n" WAIT
         "ld.volatile.global.u32 %r9, [%rd2]; st.local.u32 [l], %r9;", "L-");
    /* Through registers, an index may be followed further. */
    says(WAIT "ld.volatile.global.u32 %r9, [%rd2]; cvt.u64.u32 %rd8, %r9;\n"
         "add.s64 %rd8, %rd8, %rd2; st.global.u32 [%rd8], 1;", "Lt");
}

static void test_atomics(void **state)
{
    (void)state;
    says("L: atom.global.cas.b32 %r8, [%rd1], 0, 1; setp.ne.u32 %p1, %r8, 0;\n"
         "@%p1 bra L;\n" DATA, "Lt");
    says("L: atom.global.add.u32 %r8, [%rd1], 0;\n" UNTIL_RAISED DATA, "Lt");
    /* The last one to come, */
    says("atom.global.add.u32 %r8, [%rd1], 1; add.s32 %r7, %r3, -1;\n"
         "setp.eq.u32 %p1, %r8, %r7; selp.b32 %r6, 1, 0, %p1;\n"
         "st.global.u32 [%rd3], %r6;\n" DATA, "ot");
    says("atom.global.or.b32 %r8, [%rd1], 4; or.b32 %r8, %r8, 4;\n"
         "setp.ne.u32 %p1, %r8, 7; @%p1 bra M;\n" DATA "M:", "ot");
    /* and not the first, or one of many. */
    says("atom.global.add.u32 %r8, [%rd1], 1; setp.eq.u32 %p1, %r8, 0;\n"
         "@%p1 bra M;\n" DATA "M:", "-t");
    says("atom.global.add.u32 %r8, [%rd1], 1; setp.lt.u32 %p1, %r8, %r3;\n"
         "@%p1 bra M;\n" DATA "M:", "-t");
    /* What is claimed, or the word of a bit that was not set. */
    says("atom.global.exch.b32 %r8, [%rd1], 1; setp.eq.u32 %p1, %r8, 1;\n"
         "@%p1 bra M;\n" DATA "M:", "-t");
    says("atom.global.cas.b32 %r8, [%rd1], 3, 4; setp.ne.u32 %p1, %r8, 3;\n"
         "@%p1 bra M;\n" DATA "M:", "-t");
    says("atom.global.or.b32 %r8, [%rd1], 4; and.b32 %r8, %r8, 4;\n"
         "setp.ne.u32 %p1, %r8, 0; @%p1 bra M;\n" DATA "M:", "-t");
    /* An atomic that does not wait keeps a loop from waiting. */
    says("L: " FLAG "red.global.add.u32 [%rd3], 1;\n" UNTIL_RAISED DATA,
         "--t");
}

/* More than are followed at once. */
static void test_many(void **state)
{
    static char body[8192];
    char expected[TEXT] = "L";
    (void)state;
    strcpy(body, WAIT);
    for (int n = 0; n < 100; n++) {
        strcat(body, "ld.volatile.global.u32 %r9, [%rd2];\n");
        strcat(expected, "t");
    }
    strcat(body, "st.global.u32 [%rd4], %r9; L2: ld.volatile.global.u32 %r8, "
                 "[%rd3]; setp.ne.u32 %p2, %r8, 0; @%p2 bra L2;");
    strcat(expected, "L");
    says(body, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops), cmocka_unit_test(test_outer_loops),
        cmocka_unit_test(test_data),  cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
