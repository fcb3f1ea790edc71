// SPDX-License-Identifier: MIT
/*
 * holes_test.c: holes are found, and only comments and blanks make one empty.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/conf/holes.h"

static struct hole holes[HOLES_MAX];

static void put(char *path, const char *text)
{
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

static int find(const char *text, struct hole *empty, bool *any)
{
    char path[] = "/tmp/holes_test.XXXXXX";
    int n;

    put(path, text);
    n = holes_find(path, holes);
    *any = holes_first_empty(path, empty);
    unlink(path);
    return n;
}

static void names_and_lines(void **state)
{
    struct hole empty;
    bool any;
    int n = find("int a;\n"
                 "    //> todo index (about 2 lines)\n"
                 "    int t = 0;\n"
                 "    //< todo\n"
                 "    //> todo launch (about 3 lines)\n"
                 "\n"
                 "    // Launch the kernel,\n"
                 "    // one thread per output.\n"
                 "    //< todo\n",
                 &empty, &any);

    (void)state;
    assert_int_equal(n, 2);
    assert_string_equal(holes[0].name, "index");
    assert_int_equal(holes[0].line, 2);
    assert_false(holes[0].empty);
    assert_true(any);
    assert_string_equal(empty.name, "launch");
    assert_int_equal(empty.line, 5);
    assert_string_equal(empty.comment,
                        "Launch the kernel, one thread per output.");
}

static void what_is_empty(void **state)
{
    static const struct {
        const char *body;
        bool empty;
        const char *comment;
    } rows[] = {
        {"", true, ""},
        {"  \t\n\n", true, ""},
        {"// only words\n", true, "only words"},
        {"/* a block\n * of words */\n", true, "a block of words"},
        {"// First. \n// second\n", true, "First."},
        {"// one\n//\n//   code(here)\n", true, "one"},
        {"/*\n * later words\n */\n", true, "later words"},
        {"/* words */ x = 1;\n", false, "words"},
        {"/* two\n lines */ x = 1;\n", false, "two lines"},
        {"x = 1; // words\n", false, ""},
        {"// words\n    x = 1;\n", false, "words"},
        {"/\n", false, ""},
    };
    struct hole empty;
    char text[256];
    bool any;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(text, sizeof text, "//> todo k (about 1 line)\n%s//< todo\n"
                 "code();\n", rows[i].body);
        assert_int_equal(find(text, &empty, &any), 1);
        if (any != rows[i].empty)
            fail_msg("row %zu", i);
        assert_string_equal(holes[0].comment, rows[i].comment);
    }
}

static void lines_within(void **state)
{
    static const char text[] = "given();\n"
                               "//> todo a (about 1 line)\n"
                               "mine();\n"
                               "//< todo\n"
                               "given();\n"
                               "//> todo b (about 1 line)\n"
                               "mine();\n";
    char path[] = "/tmp/holes_test.XXXXXX", none[] = "/tmp/holes_test.XXXXXX";

    (void)state;
    put(path, text);
    for (int line = 1; line <= 7; line++)
        assert_int_equal(holes_around(path, line), line == 3 || line == 7);
    unlink(path);
    put(none, "mine();\n");
    assert_true(holes_around(none, 1));
    unlink(none);
}

static void no_holes(void **state)
{
    struct hole empty;
    bool any;

    (void)state;
    assert_int_equal(find("int main;\n", &empty, &any), 0);
    assert_false(any);
    assert_int_equal(holes_find("/nonexistent.cu", holes), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_lines),
        cmocka_unit_test(what_is_empty),
        cmocka_unit_test(lines_within),
        cmocka_unit_test(no_holes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
