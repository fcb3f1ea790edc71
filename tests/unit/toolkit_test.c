// SPDX-License-Identifier: MIT
/*
 * toolkit_test.c: machine code is made for a GPU that nvcc knows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/compile/toolkit.h"

/* A toolkit whose nvcc prints TEXT. */
static struct toolkit toolkit_that_says(const char *text)
{
    struct toolkit t = {.found = true};
    int fd;
    FILE *f;

    path_set(t.nvcc, "/tmp/toolkit_test_XXXXXX");
    fd = mkstemp(t.nvcc);
    assert_true(fd >= 0);
    f = fdopen(fd, "w");
    fprintf(f, "#!/bin/sh\ncat <<END\n%sEND\n", text);
    fchmod(fd, 0700);
    fclose(f);
    return t;
}

static void newest_that_is_not_above_the_card(void **state)
{
    static const struct { int card, wanted; } rows[] = {
        {75, 75}, {80, 80}, {86, 80}, {90, 90}, {120, 103}, {103, 103},
        {70, 70}, /* older than all: nvcc says what is wrong */
    };
    struct toolkit t =
        toolkit_that_says("sm_75\nsm_80\nsm_90\nsm_90a\nsm_103\nsm_100\n");

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(toolkit_sm(&t, rows[i].card), rows[i].wanted);
    unlink(t.nvcc);
}

static void card_where_nvcc_does_not_say(void **state)
{
    struct toolkit t = toolkit_that_says("nvcc fatal: unknown option\n");

    (void)state;
    assert_int_equal(toolkit_sm(&t, 120), 120);
    unlink(t.nvcc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newest_that_is_not_above_the_card),
        cmocka_unit_test(card_where_nvcc_does_not_say),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
