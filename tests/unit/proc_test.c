// SPDX-License-Identifier: MIT
/*
 * proc_test.c: who waits for a child that hangs is told so, long before the
 * limit ends it.
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

#include "check/base/proc.h"
#include "check/base/progress.h"

static char said[] = "/tmp/proc_test.XXXXXX";

/* proc_wait with stderr in the file `said`. */
static struct proc_result wait_for(const char *seconds, double limit,
                                   const char *awaited)
{
    const char *argv[] = {"sleep", seconds, NULL};
    struct proc_config config = {.argv = argv};
    struct proc_result end;
    int old = dup(STDERR_FILENO);
    int file = open(said, O_WRONLY | O_TRUNC);

    assert_true(old >= 0 && file >= 0);
    dup2(file, STDERR_FILENO);
    end = proc_wait(proc_start(&config), limit, awaited);
    dup2(old, STDERR_FILENO);
    close(old);
    close(file);
    return end;
}

static void a_hang_is_announced(void **state)
{
    struct text words = {0};

    (void)state;
    progress_begin("program");
    progress_step("case %d of %d", 1, 3);
    assert_int_equal(wait_for("60", PROGRESS_PATIENCE + 0.3,
                              "your program to end").end, PROC_TIMED_OUT);
    assert_true(file_read(said, &words));
    assert_string_equal(text_get(&words),
                        "  program: still waiting for your program to end\n"
                        "  (case 1 of 3; stops at 5 s; Ctrl-C ends it)\n");
    text_free(&words);
}

static void a_short_wait_is_silent(void **state)
{
    struct proc_result end = wait_for("0.2", 60.0, "your program to end");
    struct text words = {0};

    (void)state;
    assert_int_equal(end.end, PROC_EXITED);
    assert_true(file_read(said, &words));
    assert_string_equal(text_get(&words), "");
    text_free(&words);
}

/* A compiler with an endless loop, below a shell: both end, by the limit of
 * the processor's time or by that of the clock. */
static void limits_hold_for_all_of_a_group(void **state)
{
    const char *busy[] = {"sh", "-c", "while :; do :; done", NULL};
    const char *waits[] = {"sh", "-c", "sleep 60 & echo $!; wait", NULL};
    struct proc_config config = {.argv = busy, .cpu_seconds = 1};
    struct proc_result end = proc_wait(proc_start(&config), 60.0, NULL);
    struct text words = {0};

    (void)state;
    assert_int_equal(end.end, PROC_SIGNALLED);
    config = (struct proc_config){.argv = waits, .output = said,
                                  .group = true};
    end = proc_wait(proc_start(&config), 1.0, NULL);
    assert_int_equal(end.end, PROC_TIMED_OUT);
    assert_true(file_read(said, &words));
    assert_true(atoi(text_get(&words)) > 0);
    for (int i = 0; i < 50 && kill(atoi(text_get(&words)), 0) == 0; i++)
        usleep(100000); /* until init has taken note of it */
    assert_int_equal(kill(atoi(text_get(&words)), 0), -1);
    text_free(&words);
}

/* Parts of a compiler, one after the other, of which none passes its limit: all
 * together they do. */
static void work_counts_for_all_parts(void **state)
{
    const char *parts[] = {"sh", "-c", "for part in 1 2; do (ulimit -t 1; "
                           "while :; do :; done); done; exit 0", NULL};
    struct proc_config config = {.argv = parts, .output = said, .group = true};
    struct proc_result end = proc_wait_work(proc_start(&config), 60.0, 1.0);

    (void)state;
    assert_int_equal(end.end, PROC_TIMED_OUT);
    assert_false(end.unfair);
    end = proc_wait_work(proc_start(&config), 60.0, 60.0);
    assert_int_equal(end.end, PROC_EXITED);
    assert_true(end.worked >= 1.5 && end.worked < 10.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hang_is_announced),
        cmocka_unit_test(a_short_wait_is_silent),
        cmocka_unit_test(limits_hold_for_all_of_a_group),
        cmocka_unit_test(work_counts_for_all_parts),
    };
    int file = mkstemp(said);
    int failed;

    if (file < 0)
        return 99;
    close(file);
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(said);
    return failed;
}
