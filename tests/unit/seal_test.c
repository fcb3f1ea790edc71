// SPDX-License-Identifier: MIT
/*
 * seal_test.c: a sealed process cannot signal another one of its user, who may
 * be root or not: only root may filter system calls and still gain rights. Nor
 * can it end itself in a way that looks like the system's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check/base/seal.h"

enum { NOBODY = 65534 };
enum { REFUSED, REACHED, NOT_EVEN_ITSELF, NO_TEST }; /* exit codes */

static int code_of(pid_t pid)
{
    int status;

    return waitpid(pid, &status, 0) == pid && WIFEXITED(status)
               ? WEXITSTATUS(status) : NO_TEST;
}

static int signal_other(bool sealed, pid_t other)
{
    if (sealed)
        seal_process();
    if (kill(getpid(), 0) != 0)
        return NOT_EVEN_ITSELF;
    if (kill(other, 0) == 0)
        return REACHED;
    return errno == EPERM ? REFUSED : NO_TEST;
}

/* Two children of one user, one of which tries to reach the other. */
static int of_two_children(bool sealed)
{
    pid_t other = fork(), pid;
    int code;

    if (other == 0)
        for (;;)
            pause();
    pid = fork();
    if (pid == 0)
        _exit(signal_other(sealed, other));
    code = code_of(pid);
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    return code;
}

static int as_user(bool nobody, bool sealed)
{
    pid_t pid = fork();

    if (pid == 0) {
        if (nobody && geteuid() == 0 && setuid(NOBODY) != 0)
            _exit(NO_TEST);
        _exit(of_two_children(sealed));
    }
    return code_of(pid);
}

static void others_are_out_of_reach(void **state)
{
    (void)state;
    assert_int_equal(as_user(true, true), REFUSED);
    assert_int_equal(as_user(false, true), REFUSED);
}

static void without_a_seal_they_are_not(void **state)
{
    (void)state;
    assert_int_equal(as_user(true, false), REACHED);
}

enum way { KILL, TGKILL, TKILL, GROUP };

/* The signal that a sealed process dies of; 0: it lives. */
static int ends_by(enum way way, int signal)
{
    pid_t pid = fork();
    int status;

    if (pid == 0) {
        pid_t me = getpid();

        setpgid(0, 0);
        seal_process();
        if (way == KILL)
            kill(me, signal);
        else if (way == TGKILL)
            syscall(SYS_tgkill, me, me, signal);
        else if (way == TKILL)
            syscall(SYS_tkill, me, signal);
        else
            kill(-me, signal);
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void sigkill_to_itself_is_told_apart(void **state)
{
    (void)state;
    for (enum way way = KILL; way <= GROUP; way++) {
        assert_int_equal(ends_by(way, SIGKILL), SIGSYS);
        assert_int_equal(ends_by(way, SIGTERM), SIGTERM);
        assert_int_equal(ends_by(way, 0), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_are_out_of_reach),
        cmocka_unit_test(without_a_seal_they_are_not),
        cmocka_unit_test(sigkill_to_itself_is_told_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
