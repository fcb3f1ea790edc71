// SPDX-License-Identifier: MIT
/*
 * assembly_test.c: ptxas that is dropped, and asked for after all.
 *
 * Its stand-in says a word, and takes its time if a file "slow" lies beside it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/compile/assembly.h"

static const char script[] = "#!/bin/sh\n"
                             "[ ! -e \"${0%/*}/slow\" ] || exec sleep 60\n"
                             "echo 'Used 7 registers'\n";

static char folder[64], slow[PATH_BYTES], ptxas[PATH_BYTES];

static void write_file(const char *path, const char *text, mode_t mode)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    chmod(path, mode);
}

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/assembly_test_XXXXXX");
    assert_non_null(mkdtemp(folder));
    path_set(slow, "%s/slow", folder);
    path_set(ptxas, "%s/ptxas", folder);
    write_file(ptxas, script, 0700);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(slow);
    unlink(ptxas);
    return rmdir(folder);
}

static struct assembly *started(void)
{
    struct toolkit toolkit = {.found = true};
    struct proc_config config = {0};
    char ptx[PATH_BYTES], log[PATH_BYTES];
    struct assembly *a;

    path_set(toolkit.nvcc, "%s/nvcc", folder);
    path_set(ptx, "%s/k.ptx", folder);
    path_set(log, "%s/log", folder);
    a = assembly_new(&toolkit, ptx, "sm_90", log, &config);
    assembly_start(a);
    return a;
}

static void assert_says_registers(struct assembly *a)
{
    struct proc_result end;

    assert_string_equal(assembly_await(a, &end), "Used 7 registers\n");
    assert_int_equal(end.end, PROC_EXITED);
    assert_int_equal(end.code, 0);
}

static void says_what_ptxas_says(void **state)
{
    struct assembly *a = started();

    (void)state;
    assert_says_registers(a);
    assembly_free(a);
}

/* Whoever waits for it learns that it was killed. */
static void dropped_ends_at_once(void **state)
{
    struct proc_result end;
    struct assembly *a;

    (void)state;
    write_file(slow, "", 0600);
    a = started();
    assembly_drop(a);
    assembly_await(a, &end);
    assert_int_equal(end.end, PROC_SIGNALLED);
    assert_int_equal(end.code, SIGKILL);
    assembly_free(a);
}

static void wanted_after_all_begins_anew(void **state)
{
    struct assembly *a;

    (void)state;
    write_file(slow, "", 0600);
    a = started();
    assembly_drop(a);
    unlink(slow);
    assembly_want(a);
    assert_says_registers(a);
    assembly_free(a);
}

/* Nothing is lost if it had ended before it was dropped. */
static void wanted_after_its_end(void **state)
{
    struct assembly *a = started();

    (void)state;
    assert_says_registers(a);
    assembly_drop(a);
    assembly_want(a);
    assert_says_registers(a);
    assembly_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_ptxas_says),
        cmocka_unit_test(dropped_ends_at_once),
        cmocka_unit_test(wanted_after_all_begins_anew),
        cmocka_unit_test(wanted_after_its_end),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
