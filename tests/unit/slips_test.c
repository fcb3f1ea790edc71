// SPDX-License-Identifier: MIT
/*
 * slips_test.c: slips are found where they are, and in no solution.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/judge/slips.h"

#define KERNEL                                                                 \
    "static __global__ void add(const float *a, const float *b, float *c,\n"   \
    "                           int n)\n"                                      \
    "{\n"
#define INDEX "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"

/* What is said of a source; "" for nothing. */
static const char *said(const char *source)
{
    static char words[512];
    char path[] = "/tmp/slips-XXXXXX";
    int fd = mkstemp(path);
    struct text advice = {0};
    bool found;

    assert_true(fd >= 0);
    assert_true(write(fd, source, strlen(source)) == (ssize_t)strlen(source));
    close(fd);
    found = slips_advise(&advice, path);
    assert_int_equal(found, advice.n > 0);
    snprintf(words, sizeof words, "%s", text_get(&advice));
    text_free(&advice);
    unlink(path);
    return words;
}

static void exchanged_arguments(void **state)
{
    (void)state;
    assert_non_null(strstr(
        said(KERNEL "}\n    add<<<blocks, 256, 0, stream>>>(b, a, c, n);\n"),
        "Line 5 passes b where the kernel's parameter is a, and a where"));
    assert_string_equal(
        said(KERNEL "}\n    add<<<f(1, 2), 256>>>(a, b, c, (int)n);\n"), "");
    assert_string_equal( /* other names: nothing is known */
        said(KERNEL "}\n    add<<<blocks, 256>>>(y, x, out, count);\n"), "");
}

static void bytes_for_elements(void **state)
{
    (void)state;
    assert_non_null(strstr(
        said(KERNEL "}\n    add<<<blocks, 256>>>(a, b, c, n * sizeof *c);\n"),
        "Line 5 passes a number of bytes"));
    assert_string_equal(
        said(KERNEL "}\n    add<<<1, 2, 8 * sizeof *c>>>(a, b, c, n);\n"), "");
}

static void elements_for_elements(void **state)
{
    static const char *const right[] = {
        "n / (sizeof(int4) / sizeof(int))",
        "n / sizeof(float4)",
        "n * sizeof(int) / sizeof(int4)",
        "sizeof table / sizeof *table",
        "n /* bytes: n * sizeof *c */",
    };
    char source[512];

    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        snprintf(source, sizeof source,
                 KERNEL "}\n    add<<<g, b>>>(a, b, c, %s);\n", right[i]);
        assert_string_equal(said(source), "");
    }
    assert_non_null(strstr( /* the exchange is seen all the same */
        said(KERNEL "}\n    add<<<1, 2>>>(b, a, c, n / sizeof(float4));\n"),
        "Line 5 passes b where"));
}

static void early_return(void **state)
{
    (void)state;
    assert_non_null(strstr(
        said(KERNEL INDEX "    if (i < n) // spare threads\n"
             "        return;\n}\n"),
        "Line 5 returns if `i < n`"));
    assert_non_null(strstr(
        said(KERNEL INDEX "    if (i < s.N && j < m) {\n return;\n}\n}\n"),
        "Line 5 returns if `i < s.N && j < m`"));
    assert_string_equal(
        said(KERNEL INDEX "    if (i >= n)\n        return;\n"), "");
    assert_string_equal(
        said(KERNEL INDEX "    if (i < n)\n        c[i] = 0;\n"), "");
    assert_string_equal(
        said(KERNEL INDEX "    if (i < 0 || i >= n)\n        return;\n"), "");
    assert_string_equal(
        said(KERNEL INDEX "    if (i < 0)\n        return;\n"), "");
}

static void guards(void **state)
{
    (void)state;
    assert_non_null(strstr(
        said(KERNEL INDEX "    if (i <= n)\n        c[i] = 0;\n"),
        "Line 5 lets a thread in if `i <= n`, and so where the two are equal"));
    assert_non_null(strstr(
        said(KERNEL INDEX "    if(i>n) c[i] = 0;\n"),
        "Line 5 lets a thread in if `i>n`: is that test the wrong way round?"));
    assert_non_null(strstr(
        said(KERNEL INDEX "    int j = i + 2;\n    if (j <= n) c[j] = 0;\n"),
        "Line 6 lets a thread in if `j <= n`"));
    assert_non_null(strstr(
        said(KERNEL INDEX "    if (i > n)\n        return;\n"),
        "Line 5 returns if `i > n`, and goes on where the two are equal"));
    assert_non_null(strstr(
        said(KERNEL INDEX "    int j = threadIdx.y;\n"
             "    if (i >= n && j >= m)\n        return;\n"),
        "Line 6 returns if `i >= n && j >= m`: is || meant there?"));
    assert_non_null(strstr(
        said(KERNEL INDEX "    int j = threadIdx.y;\n"
             "    if (i < n || j < m)\n        c[i] = 0;\n"),
        "Line 6 lets a thread in if `i < n || j < m`: is && meant there?"));
    assert_non_null(strstr(
        said(KERNEL INDEX "    if (i < n); // all\n        c[i] = 0;\n"),
        "The ; on line 5, right behind `if (i < n)`, ends it"));
}

static void right_guards(void **state)
{
    static const char *const right[] = {
        INDEX "    if (i <= n - 1) c[i] = 0;\n",
        INDEX "    if (i > 0) c[i] = c[i - 1];\n",
        INDEX "    if (i >= n) return;\n",
        INDEX "    if (i >= n || j >= m) return;\n",
        INDEX "    if (i < n && j < m) c[i] = 0;\n",
        INDEX "    if (i < n || last) c[i] = 0;\n",
        INDEX "    if (i < n && i <= n) c[i] = 0;\n",
        INDEX "    for (int k = 0; k < n; k++) if (k <= i) c[k] = 0;\n",
        INDEX "    float v = a[i];\n    if (v > most) most = v;\n",
        INDEX "    diff(i > n);\n",
    };
    char source[512];

    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        snprintf(source, sizeof source, KERNEL "%s}\n", right[i]);
        assert_string_equal(said(source), "");
    }
}

static void right_returns(void **state)
{
    static const char *const right[] = {
        KERNEL INDEX "    int last = n - 1;\n    if (last < i) return;\n",
        KERNEL "    int t = threadIdx.x;\n    if (s.L < t) return;\n",
        KERNEL INDEX "    float v = a[threadIdx.x];\n"
                     "    if (v < least) return;\n",
        KERNEL INDEX "    float v = a[i];\n    if (v < least) return;\n",
        KERNEL INDEX "    if (c[i] < least) return;\n",
        KERNEL INDEX "    if (n - i < vector) return;\n",
        KERNEL INDEX "    int first = i / 32 * 32 + skip;\n"
                     "    if (i < first) return;\n",
        KERNEL INDEX "    if (i < blockIdx.y) return;\n",
        KERNEL INDEX "    // if (i < n) return;\n",
        KERNEL INDEX "    /* if (i < n)\n        return; */\n",
        KERNEL INDEX "    puts(\"*/ /*\"); // \"\n"
                     "    /* \" */ if (i >= n) return;\n",
        /* the index of another function */
        KERNEL "    int lane = threadIdx.x;\n}\n"
               "static void help(int lane, int first)\n"
               "{\n    if (lane < first) return;\n}\n",
        "// add<<<1, 2>>>(n * sizeof *c);\n",
        "/*",
        "if (",
        "=",
        "\"",
        "",
    };

    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        assert_string_equal(said(right[i]), "");
}

static void a_helper_before_the_slip(void **state)
{
    (void)state;
    assert_non_null(strstr(
        said("static void help(int lane, int first)\n"
             "{\n    if (lane < first) return;\n}\n"
             KERNEL INDEX "    if (i < n) return;\n}\n"),
        "Line 9 returns if `i < n`"));
}

static void no_solution_has_one(void **state)
{
    struct text advice = {0};
    glob_t all;

    (void)state;
    assert_int_equal(glob("solutions/*/*.cu", 0, NULL, &all), 0);
    assert_true(all.gl_pathc > 50);
    for (size_t i = 0; i < all.gl_pathc; i++)
        if (slips_advise(&advice, all.gl_pathv[i]))
            fail_msg("%s: %s", all.gl_pathv[i], text_get(&advice));
    globfree(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exchanged_arguments),
        cmocka_unit_test(bytes_for_elements),
        cmocka_unit_test(elements_for_elements),
        cmocka_unit_test(early_return),
        cmocka_unit_test(right_returns),
        cmocka_unit_test(guards),
        cmocka_unit_test(right_guards),
        cmocka_unit_test(a_helper_before_the_slip),
        cmocka_unit_test(no_solution_has_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
