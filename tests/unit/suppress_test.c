// SPDX-License-Identifier: MIT
/*
 * suppress_test.c: which findings a line of a file of known ones stands for,
 * and which files are refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "simgpu/device/device.h"

/* Static, as in the program: nothing frees what was read. */
static struct dev_suppressions known[16];
static int n_known;
static char error[400];

static bool read_known(const char *text, struct dev_suppressions **s)
{
    char path[] = "/tmp/suppress_test.XXXXXX";
    int fd = mkstemp(path);
    bool ok;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    *s = &known[n_known++];
    ok = dev_suppress_read(*s, path, error, sizeof error);
    unlink(path);
    return ok;
}

static bool suppresses(const char *text, const char *file, int line)
{
    struct finding f = {.kind = FIND_RACE, .kernel = "_Z3sumPf",
                        .at = {.file = file, .line = line}};
    struct dev_suppressions *s;

    assert_true(read_known(text, &s));
    return dev_suppressed(s, &f);
}

static void a_place_is_the_end_of_a_path(void **state)
{
    (void)state;
    assert_true(suppresses("race b/sum.cu:31 # known\n", "/a/b/sum.cu", 31));
    assert_false(suppresses("race um.cu:31 # known\n", "/a/b/sum.cu", 31));
    assert_false(suppresses("race b/sum.cu:31 # known\n", "/a/b/sum.cu", 32));
    assert_false(suppresses("race /a/b/sum.cu:31 # known\n", "sum.cu", 31));
}

static void a_place_may_be_a_kernel(void **state)
{
    (void)state;
    assert_true(suppresses("race sum # known\n", NULL, 0));
    assert_false(suppresses("race su # known\n", NULL, 0));
    assert_false(suppresses("uninitialised sum # known\n", NULL, 0));
}

static void what_cannot_be_read_is_refused(void **state)
{
    struct dev_suppressions *s;

    (void)state;
    assert_false(read_known("race sum\n", &s));
    assert_false(read_known("rice sum # known\n", &s));
    assert_false(dev_suppress_read(&known[n_known++], "/tmp", error,
                                   sizeof error));
    assert_non_null(strstr(error, "irectory"));
    assert_false(dev_suppress_read(&known[n_known++], "/no/such", error,
                                   sizeof error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_is_the_end_of_a_path),
        cmocka_unit_test(a_place_may_be_a_kernel),
        cmocka_unit_test(what_cannot_be_read_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
