// SPDX-License-Identifier: MIT
/*
 * verdict_test.c: the table, the order of precedence, and that evidence stays
 * with the verdict it belongs to.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "check/compile/nvcc_words.h"
#include "check/judge/result.h"

static void exit_codes_follow_the_order(void **state)
{
    static const char *const order[] = {
        "BUILD", "UNSUPPORTED", "LAUNCH", "CRASH", "TIMEOUT", "MEMORY", "RACE",
        "WRONG", "NONDETERMINISTIC", "TECHNIQUE", "SLOW", "REFUSED",
    };
    enum { N = sizeof order / sizeof *order };

    (void)state;
    assert_int_equal(VERDICTS, N + 1);
    assert_int_equal(verdict_table[VERDICT_PASS].exit_code, 0);
    for (int i = 0; i < N; i++) {
        int v = verdict_find(order[i]);

        assert_true(v > 0);
        assert_int_equal(verdict_table[v].exit_code, 10 + i);
        assert_true(strlen(verdict_table[v].meaning) > 0);
        assert_true(strlen(verdict_table[v].advice) > 0);
    }
    assert_int_equal(verdict_find("FINE"), -1);
}

static void the_first_in_order_wins(void **state)
{
    (void)state;
    assert_int_equal(verdict_first(VERDICT_PASS, VERDICT_SLOW), VERDICT_SLOW);
    assert_int_equal(verdict_first(VERDICT_WRONG, VERDICT_PASS),
                     VERDICT_WRONG);
    assert_int_equal(verdict_first(VERDICT_WRONG, VERDICT_RACE), VERDICT_RACE);
    assert_int_equal(verdict_first(VERDICT_PASS, VERDICT_PASS), VERDICT_PASS);
}

static void blame_keeps_the_earliest(void **state)
{
    struct kernel_result r = {0};
    struct text *t = result_blame(&r, VERDICT_WRONG, OWNER_YOU, 7);

    (void)state;
    assert_non_null(t);
    text_add(t, "wrong");
    assert_null(result_blame(&r, VERDICT_WRONG, OWNER_YOU, 8));
    assert_null(result_blame(&r, VERDICT_TECHNIQUE, OWNER_YOU, 9));
    assert_int_equal(r.blamed_case, 7);
    assert_string_equal(r.evidence.s, "wrong");
    t = result_blame(&r, VERDICT_MEMORY, OWNER_YOU, 10);
    assert_non_null(t);
    assert_string_equal(text_get(t), "");
    assert_int_equal(r.verdict, VERDICT_MEMORY);
    assert_int_equal(r.blamed_case, 10);
    result_free(&r);
}

static void a_copy_is_the_floor(void **state)
{
    struct speed s = {.timed = true, .has_previous = true,
                      .this_ms = {1.05, 1.04, 1.06}, .copy_ms = 1.0,
                      .verdict = TIMING_FASTER};

    (void)state;
    assert_true(speed_at_floor(&s, 0.0));
    s.verdict = TIMING_SLOWER;
    assert_false(speed_at_floor(&s, 0.0));
    s.verdict = TIMING_SAME;
    assert_true(speed_at_floor(&s, 0.0));
    assert_true(speed_at_floor(&s, 0.9));
    assert_false(speed_at_floor(&s, 0.6)); /* a copy that was held up */
    s.this_ms.high = 1.11;
    assert_false(speed_at_floor(&s, 0.0));
    s.copy_ms = 0.0;
    assert_false(speed_at_floor(&s, 0.0));
}

static void errors_of_all_compilers(void **state)
{
    static const struct {
        const char *words, *file;
        int line;
        const char *message;
    } rows[] = {
        {"a/forward.cu(12): warning #177-D: x\n"
         "a/forward.cu(15): error: identifier \"f\" is undefined\n",
         "a/forward.cu", 15, "identifier \"f\" is undefined"},
        {"a/b.cu:7:3: error: expected ';'\n", "a/b.cu", 7, "expected ';'"},
        {"a/b.cu:9:10: fatal error: x.h: No such file\n", "a/b.cu", 9,
         "x.h: No such file"},
        {"a/b.cu(3): catastrophic error: cannot open\n", "a/b.cu", 3,
         "cannot open"},
    };
    char file[64], message[128];
    const char *next;
    int line;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(nvcc_first_error(rows[i].words, file, sizeof file, &line,
                                     message, sizeof message));
        assert_string_equal(file, rows[i].file);
        assert_int_equal(line, rows[i].line);
        assert_string_equal(message, rows[i].message);
    }
    next = nvcc_warning("a.cu(12): warning #1-D: x\na.cu(13): warning: y\n",
                        file, sizeof file, &line, message, sizeof message);
    assert_int_equal(line, 12);
    assert_string_equal(message, "x");
    next = nvcc_warning(next, file, sizeof file, &line, message,
                        sizeof message);
    assert_int_equal(line, 13);
    assert_string_equal(message, "y");
    assert_null(nvcc_warning(next, file, sizeof file, &line, message,
                             sizeof message));
    assert_false(nvcc_first_error("all is well\n", file, sizeof file, &line,
                                  message, sizeof message));
}

static void wgmma_is_remarked_on(void **state)
{
    static const char injected[] =
        "ptxas info    : Used 40 registers\n"
        "ptxas info    : (C7519) warpgroup.arrive is injected in around line "
        "392 by compiler to allow use of registers in GMMA in function "
        "'_Z4gemm'\n";
    static const char serial[] =
        "ptxas info    : (C7514) Potential Performance Loss: wgmma.mma_async "
        "instructions are serialized due to non wgmma instructions reading "
        "accumulator registers of  a wgmma between start and end of the "
        "pipeline stage in the function '_Z4gemm'\n";
    char message[256];

    (void)state;
    assert_int_equal(nvcc_wgmma(injected, message, sizeof message), 7519);
    assert_string_equal(message, "warpgroup.arrive is injected in around line "
                        "392 by compiler to allow use of registers in GMMA");
    assert_int_equal(nvcc_wgmma(serial, message, sizeof message), 7514);
    assert_non_null(strstr(message, "serialized"));
    assert_null(strstr(message, "_Z4gemm"));
    assert_int_equal(nvcc_wgmma("a.cu(3): (C7514) x\n", message,
                                sizeof message), 0);
    assert_int_equal(nvcc_wgmma("", message, sizeof message), 0);
}

static void registers_and_spills(void **state)
{
    static const char words[] =
        "ptxas info    : Compiling entry function 'a' for 'sm_90'\n"
        "    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill "
        "loads\n"
        "ptxas info    : Used 40 registers, used 1 barriers\n"
        "    16 bytes stack frame, 0 bytes spill stores, 0 bytes spill "
        "loads\n"
        "ptxas info    : Compiling entry function 'b' for 'sm_90'\n"
        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 12 registers\n";
    int registers, spills;
    const char *next;
    struct nvcc_kernel k;

    (void)state;
    nvcc_resources(words, &registers, &spills);
    assert_int_equal(registers, 40);
    assert_int_equal(spills, 4); /* stored once, loaded three times */
    nvcc_resources("    16 bytes stack frame, 24 bytes spill stores, 32 bytes "
                   "spill loads\n    24 bytes stack frame, 24 bytes spill "
                   "stores, 24 bytes spill loads\n", &registers, &spills);
    assert_int_equal(spills, 24); /* the most of two kernels, not all */
    nvcc_resources("", &registers, &spills);
    assert_int_equal(registers, -1);
    assert_int_equal(spills, -1);
    next = nvcc_kernel(words, &k);
    assert_non_null(next);
    assert_string_equal(k.name, "a");
    assert_int_equal(k.registers, 40);
    assert_int_equal(k.frame, 8);
    assert_int_equal(k.stores, 4);
    assert_int_equal(k.loads, 12);
    next = nvcc_kernel(next, &k); /* what lies between is a function's */
    assert_non_null(next);
    assert_string_equal(k.name, "b");
    assert_int_equal(k.registers, 12);
    assert_int_equal(k.frame + k.stores + k.loads, 0);
    assert_null(nvcc_kernel(next, &k));
    assert_true(nvcc_blames_disk("fatal: No space left on device\n"));
    assert_false(nvcc_blames_disk(words));
}

static void an_error_in_a_header_has_its_line(void **state)
{
    static const char words[] =
        "/cuda/tuple.h(60): error: out of range\n    static_assert(...)\n"
        "   detected during:\n"
        "     instantiation of class \"a\" at line 37\n"
        "     instantiation of type \"b\" at line 121 of /cuda/fn.h\n"
        "     instantiation of class \"c\" at line 29 of my/add.cu\n\n"
        "/cuda/list.h(82): error: too few\n"
        "     instantiation of class \"d\" at line 31 of other.cu\n";
    struct text cut = {0};
    int line = 0;

    (void)state;
    assert_true(nvcc_origin(words, "my/add.cu", &line));
    assert_int_equal(line, 29);
    assert_false(nvcc_origin(words, "add.cu", &line));
    assert_false(nvcc_origin(words, "other.cu", &line));
    nvcc_cut(words, "my/add.cu", &cut);
    assert_null(strstr(cut.s, "line 37"));
    assert_non_null(strstr(cut.s, "line 29 of my/add.cu"));
    assert_non_null(strstr(cut.s, "too few"));
    text_free(&cut);
}

static void a_crash_is_the_compilers_alone(void **state)
{
    (void)state;
    assert_true(nvcc_crashed("ptxas info    : 0 bytes gmem\nnvcc error   : "
                             "'ptxas' died due to signal 11 (Invalid memory "
                             "reference)\n"));
    assert_true(nvcc_crashed("nvcc error   : 'cicc' died due to signal 8 "));
    assert_false(nvcc_crashed("nvcc error   : 'cicc' died due to signal 9 "
                              "(Kill signal)\n"));
    assert_false(nvcc_crashed("nvcc error   : 'cudafe++' died due to signal 11 "
                              "(Invalid memory reference)\n"));
    assert_false(nvcc_crashed("a.cu:1:2: error: #error nvcc error : 'ptxas' "
                              "died due to signal 11 \n    1 | #error nvcc "
                              "error : 'ptxas' died due to signal 11 \n"));
    assert_false(nvcc_crashed("a.cu(36): error: static assertion failed with "
                              "\"a\nnvcc error   : 'ptxas' died due to signal "
                              "11 \n\"\n"));
}

static void a_full_disk_is_not_the_sources_words(void **state)
{
    (void)state;
    assert_true(nvcc_blames_disk("a.cu: fatal: when writing output to a.ii: "
                                 "No space left on device\n"));
    assert_false(nvcc_blames_disk("a.cu(3): error: \"q\" is undefined\n"
                                  "  int a = q + \"No space left on device\";"
                                  "\n"));
    assert_false(nvcc_blames_disk("cc1plus: fatal error: /proc/1/environ: "
                                  "Permission denied\n"
                                  "compilation terminated.\n"));
    assert_false(nvcc_blames_disk("nvcc fatal \nx(7): error: expected a "
                                  "\";\"\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exit_codes_follow_the_order),
        cmocka_unit_test(a_full_disk_is_not_the_sources_words),
        cmocka_unit_test(the_first_in_order_wins),
        cmocka_unit_test(blame_keeps_the_earliest),
        cmocka_unit_test(a_copy_is_the_floor),
        cmocka_unit_test(errors_of_all_compilers),
        cmocka_unit_test(registers_and_spills),
        cmocka_unit_test(wgmma_is_remarked_on),
        cmocka_unit_test(an_error_in_a_header_has_its_line),
        cmocka_unit_test(a_crash_is_the_compilers_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
