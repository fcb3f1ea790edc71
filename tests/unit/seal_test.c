// SPDX-License-Identifier: MIT
/*
 * seal_test.c: a sealed process cannot signal another one of its user, who may
 * be root or not: only root may filter system calls and still gain rights.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_are_out_of_reach),
        cmocka_unit_test(without_a_seal_they_are_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
