// SPDX-License-Identifier: MIT
/*
 * assembly.c: see assembly.h.
 *
 * A thread that predicts may wait for ptxas while another finds the stage to be
 * wrong and drops it. The one who waits holds the lock, so the other does not
 * take it: it signals the process through a descriptor, which can never name
 * another process.
 */
#include "assembly.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Where the machine is busy; ptxas is limited by its processor time. */
static const double patience = 300.0;

struct assembly {
    char program[PATH_BYTES], ptx[PATH_BYTES], log[PATH_BYTES];
    char cubin[PATH_BYTES], arch[32];
    struct proc_config config;
    char env[PATH_BYTES];

    pthread_mutex_t lock;  /* guards what follows */
    pid_t pid;             /* 0: not started, or over */
    bool over;
    int process;           /* descriptor of it; -1: none */
    bool dropped;
    struct proc_result end;
    struct text words;
};

/* Beside nvcc, where every toolkit has it; else in PATH. */
static void find_ptxas(struct assembly *a, const struct toolkit *toolkit)
{
    const char *slash = strrchr(toolkit->nvcc, '/');

    path_set(a->program, "ptxas");
    if (slash)
        path_set(a->program, "%.*s/ptxas", (int)(slash - toolkit->nvcc),
                 toolkit->nvcc);
    if (access(a->program, X_OK) != 0)
        path_set(a->program, "ptxas");
}

struct assembly *assembly_new(const struct toolkit *toolkit, const char *ptx,
                              const char *sm, const char *log,
                              const struct proc_config *config)
{
    struct assembly *a = check_alloc(1, sizeof *a);

    find_ptxas(a, toolkit);
    path_set(a->ptx, "%s", ptx);
    path_set(a->log, "%s", log);
    path_set(a->cubin, "%s.cubin", log);
    snprintf(a->arch, sizeof a->arch, "-arch=%s", sm);
    a->config = *config;
    if (config->env[0]) {
        path_set(a->env, "%s", config->env[0]);
        a->config.env[0] = a->env;
    }
    a->process = -1;
    pthread_mutex_init(&a->lock, NULL);
    return a;
}

/* With the lock held. */
static void start(struct assembly *a)
{
    const char *argv[] = {a->program, a->arch, "-m64", "-v",
                          "--generate-line-info", a->ptx, "-o", a->cubin,
                          NULL};

    if (a->pid > 0 || a->over)
        return;
    a->config.argv = argv;
    a->config.output = a->log;
    a->pid = proc_start(&a->config);
    a->config.argv = NULL;
    if (a->pid > 0) {
        a->process = (int)syscall(SYS_pidfd_open, a->pid, 0);
        return;
    }
    text_add(&a->words, "cannot start ptxas: %s\n", strerror(errno));
    a->end = (struct proc_result){.end = PROC_SIGNALLED};
    a->over = true;
}

/* With the lock held. */
static void finish(struct assembly *a)
{
    if (a->over)
        return;
    a->end = proc_wait(a->pid, patience, NULL);
    a->over = true;
    if (!file_read(a->log, &a->words))
        text_add(&a->words, "ptxas's words are lost: %s: %s\n", a->log,
                 strerror(errno));
    unlink(a->log);
    unlink(a->cubin);
}

void assembly_start(struct assembly *a)
{
    pthread_mutex_lock(&a->lock);
    start(a);
    pthread_mutex_unlock(&a->lock);
}

const char *assembly_await(struct assembly *a, struct proc_result *end)
{
    pthread_mutex_lock(&a->lock);
    start(a);
    finish(a);
    *end = a->end;
    pthread_mutex_unlock(&a->lock);
    return text_get(&a->words);
}

void assembly_drop(struct assembly *a)
{
    if (a->process < 0)
        return;
    a->dropped = true;
    syscall(SYS_pidfd_send_signal, a->process, SIGKILL, NULL, 0);
}

/* With the lock held: as if it had never started. */
static void forget(struct assembly *a)
{
    close(a->process);
    a->process = -1;
    a->pid = 0;
    a->over = false;
    text_free(&a->words);
}

void assembly_want(struct assembly *a)
{
    pthread_mutex_lock(&a->lock);
    if (a->dropped) {
        finish(a);
        if (a->end.end == PROC_SIGNALLED)
            forget(a);
        a->dropped = false;
    }
    pthread_mutex_unlock(&a->lock);
}

void assembly_free(struct assembly *a)
{
    if (!a)
        return;
    assembly_drop(a);
    pthread_mutex_lock(&a->lock);
    if (a->pid > 0)
        finish(a);
    pthread_mutex_unlock(&a->lock);
    if (a->process >= 0)
        close(a->process);
    pthread_mutex_destroy(&a->lock);
    text_free(&a->words);
    free(a);
}
