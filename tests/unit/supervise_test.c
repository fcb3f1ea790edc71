// SPDX-License-Identifier: MIT
/*
 * supervise_test.c: who crashes leaves its last note to the supervisor.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/base/supervise.h"
#include "check/base/text.h"

static int crash(const struct options *options, const char *scratch)
{
    (void)options;
    (void)scratch;
    supervise_note("operator first, its reference");
    supervise_note("operator second, its reference");
    signal(SIGSEGV, SIG_DFL); /* a sanitizer's is louder */
    raise(SIGSEGV);
    return 0;
}

static int succeed(const struct options *options, const char *scratch)
{
    (void)options;
    (void)scratch;
    supervise_note("operator first, its reference");
    return 7;
}

/* What the supervisor says on stderr. */
static int run(int (*work)(const struct options *, const char *),
               struct text *said)
{
    char path[] = "/tmp/supervise_test.XXXXXX";
    int file = mkstemp(path), old = dup(STDERR_FILENO), code;

    assert_true(file >= 0 && old >= 0);
    dup2(file, STDERR_FILENO);
    code = supervise_run(work, NULL);
    dup2(old, STDERR_FILENO);
    close(old);
    close(file);
    assert_true(file_read(path, said));
    unlink(path);
    return code;
}

static void the_last_note_is_said(void **state)
{
    struct text said = {0};

    (void)state;
    supervise_note("nobody supervises yet");
    assert_int_equal(run(crash, &said), 1);
    assert_non_null(strstr(text_get(&said), "ended by signal 11"));
    assert_non_null(strstr(text_get(&said), "operator second"));
    assert_null(strstr(text_get(&said), "first"));
    text_free(&said);
    assert_int_equal(run(succeed, &said), 7);
    assert_int_equal(said.n, 0);
    text_free(&said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_note_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
