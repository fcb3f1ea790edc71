// SPDX-License-Identifier: MIT
/*
 * fair_test.c: who worked, or slept of its own will, had its chance; who stood
 * in the queue for a processor had not, and no time counts in which the machine
 * stood still.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check/base/clock.h"
#include "check/base/fair.h"
#include "check/base/proc.h"

static void pause_for(double seconds)
{
    struct timespec t = {(time_t)seconds,
                         (long)(1e9 * (seconds - (double)(time_t)seconds))};

    nanosleep(&t, NULL);
}

static pid_t child(bool works)
{
    pid_t pid = fork();

    if (pid == 0) {
        alarm(30);
        while (works)
            ;
        for (;;)
            pause();
    }
    return pid;
}

static void end_child(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

/* All of them, and this process, on one processor. */
static void share_one_processor(void)
{
    cpu_set_t one;

    assert_int_equal(sched_getaffinity(0, sizeof one, &one), 0);
    for (int i = 0, found = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &one) && found++)
            CPU_CLR(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
}

static void a_loop_had_its_chance(void **state)
{
    struct fair f;
    pid_t pid;

    (void)state;
    fair_begin(&f);
    pid = child(true);
    for (int i = 0; i < 250 && !fair_was(&f, 0.4); i++)
        pause_for(0.1); /* others may use this machine, too */
    assert_true(fair_was(&f, 0.4));
    end_child(pid);
}

static void a_sleeper_had_its_chance(void **state)
{
    struct fair f;
    pid_t pid;

    (void)state;
    pid = child(false);
    pause_for(0.5);
    fair_begin(&f);
    pause_for(0.5);
    assert_true(fair_was(&f, 0.5));
    end_child(pid);
}

/* In a group of its own, which ends with it: exit code 0 if thirteen loops on
 * one processor had no chance to work for a quarter of eight seconds. */
static void thirteen_loops(void)
{
    struct fair f;
    bool fair;

    setpgid(0, 0);
    share_one_processor();
    fair_begin(&f);
    for (int i = 0; i < 13; i++)
        child(true);
    pause_for(1.0);
    fair = fair_was(&f, 8.0); /* two seconds of work: they had one */
    signal(SIGTERM, SIG_IGN);
    kill(0, SIGTERM);
    _exit(fair);
}

static void who_stood_in_the_queue_had_none(void **state)
{
    pid_t pid = fork();
    int status;

    (void)state;
    if (pid == 0)
        thirteen_loops();
    waitpid(pid, &status, 0);
    kill(-pid, SIGKILL);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void time_that_stood_still_does_not_count(void **state)
{
    struct fair f;

    (void)state;
    fair_begin(&f);
    pause_for(0.1);
    assert_true(fair_gap(&f) == 0.0);
    f.last = clock_seconds() - 30.0; /* as after a suspension */
    assert_true(fair_gap(&f) >= 30.0);
    assert_true(fair_gap(&f) == 0.0);
}

/* Ended by the clock, but with nothing against it: proc.h says so. */
static void a_wait_says_whether_it_was_fair(void **state)
{
    const char *argv[] = {"sleep", "60", NULL};
    struct proc_config config = {.argv = argv};
    struct proc_result end = proc_wait(proc_start(&config), 3.0, NULL);

    (void)state;
    assert_int_equal(end.end, PROC_TIMED_OUT);
    assert_false(end.unfair);
}

/* Nobody ran out of memory, so a signal is the process's own affair. */
static void memory_is_there(void **state)
{
    const char *argv[] = {"sh", "-c", "kill -9 $$", NULL};
    struct proc_config config = {.argv = argv};
    struct proc_result end;

    (void)state;
    fair_memory_begin();
    assert_true(fair_memory_was());
    end = proc_wait(proc_start(&config), 10.0, NULL);
    assert_int_equal(end.end, PROC_SIGNALLED);
    assert_false(end.unfair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_had_its_chance),
        cmocka_unit_test(a_sleeper_had_its_chance),
        cmocka_unit_test(who_stood_in_the_queue_had_none),
        cmocka_unit_test(time_that_stood_still_does_not_count),
        cmocka_unit_test(a_wait_says_whether_it_was_fair),
        cmocka_unit_test(memory_is_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
