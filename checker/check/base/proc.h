// SPDX-License-Identifier: MIT
/*
 * proc.h: child processes of check: nvcc, a learner's program, the device.
 *
 *   proc_start      fork and exec, output to a file
 *   proc_wait       until the end, or until a time limit kills it
 *   proc_wait_work  the same, or until it and what it started have worked for
 *                   so long
 *   proc_capture    run to the end and keep what it printed
 *
 * Children die with check (PR_SET_PDEATHSIG), so that Ctrl-C leaves nothing
 * behind, however it reaches check.
 */
#ifndef CHECK_PROC_H
#define CHECK_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "text.h"

enum { PROC_ENV = 8 };

struct proc_config {
    const char *const *argv;  /* argv[0] is looked up in PATH */
    const char *output;       /* stdout and stderr; NULL: inherited */
    const char *folder;       /* working folder; NULL: this one */
    const char *env[PROC_ENV]; /* "NAME=VALUE", ended by NULL */
    int keep_fd[2];           /* open in the child too; 0: none */
    size_t memory_bytes;      /* address space; 0: no limit */
    size_t file_bytes;        /* largest file it may write; 0: no limit */
    unsigned cpu_seconds;     /* of each process; 0: no limit */
    bool seal;                /* a learner's: see seal.h */
    bool group;               /* what it starts ends with it at its limit */
};

enum proc_end { PROC_EXITED, PROC_SIGNALLED, PROC_TIMED_OUT };

struct proc_result {
    enum proc_end end;
    int code; /* exit status, or the signal's number */
    bool unfair; /* it had no processor, or the system no memory: fair.h */
    double worked; /* seconds of processors, with what it waited for */
};

/* -1 with errno when fork fails; a failed exec is exit status 127. */
pid_t proc_start(const struct proc_config *config);
/* seconds 0: no limit. awaited: what to name where it takes long; or NULL. */
struct proc_result proc_wait(pid_t pid, double seconds, const char *awaited);
/* work: seconds of processors; 0: no limit. Past it the end is
 * PROC_TIMED_OUT. */
struct proc_result proc_wait_work(pid_t pid, double seconds, double work);
/* True when it exited with 0; out gets stdout and stderr. */
bool proc_capture(const char *const *argv, struct text *out);

#endif
