// SPDX-License-Identifier: MIT
/*
 * proc.c: child processes; see proc.h.
 *
 * A time limit is kept by polling a pidfd: no signal handler, no thread.
 */
#include "proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "fair.h"
#include "progress.h"
#include "seal.h"

static void limit(int what, size_t bytes)
{
    struct rlimit r = {bytes, bytes};

    setrlimit(what, &r);
}

/* In the child: never returns. */
static void become(const struct proc_config *c)
{
    int null = open("/dev/null", O_RDONLY);
    int out = c->output ? open(c->output, O_WRONLY | O_CREAT | O_TRUNC, 0666)
                        : -1;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (c->group)
        setpgid(0, 0);
    if (null >= 0)
        dup2(null, STDIN_FILENO);
    if (c->output) {
        if (out < 0)
            _exit(126);
        dup2(out, STDOUT_FILENO);
        dup2(out, STDERR_FILENO);
    }
    for (int i = 0; i < 2; i++)
        if (c->keep_fd[i] > 0)
            fcntl(c->keep_fd[i], F_SETFD, 0);
    for (int i = 0; i < PROC_ENV && c->env[i]; i++)
        putenv((char *)c->env[i]);
    limit(RLIMIT_CORE, 0);
    if (c->memory_bytes)
        limit(RLIMIT_AS, c->memory_bytes);
    if (c->file_bytes)
        limit(RLIMIT_FSIZE, c->file_bytes);
    if (c->cpu_seconds)
        limit(RLIMIT_CPU, c->cpu_seconds);
    if (c->folder && chdir(c->folder) != 0)
        _exit(126);
    if (c->seal)
        seal_process();
    execvp(c->argv[0], (char *const *)c->argv);
    _exit(127);
}

pid_t proc_start(const struct proc_config *config)
{
    pid_t pid = fork();

    if (pid == 0)
        become(config);
    return pid;
}

/* What a wait ends with. */
struct limits {
    double seconds, work;
    bool overworked; /* told: it was the second */
};

static bool is_overworked(pid_t pid, struct limits *limits)
{
    limits->overworked = limits->work > 0.0 && fair_worked(pid) > limits->work;
    return limits->overworked;
}

/* Returns false when a limit passed first. */
static bool wait_until(pid_t pid, struct limits *limits, const char *awaited,
                       struct fair *fair)
{
    struct pollfd p = {.fd = (int)syscall(SYS_pidfd_open, pid, 0),
                       .events = POLLIN};
    double seconds = limits->seconds;
    double begun = clock_seconds(), end = begun + seconds;
    int ready = 0;

    fair_begin(fair);
    if (p.fd < 0) /* an old kernel: the limit is lost, not the run */
        return true;
    while (ready == 0 && clock_seconds() < end &&
           !is_overworked(pid, limits)) {
        ready = poll(&p, 1, FAIR_SLICE_MS);
        end += fair_gap(fair);
        if (ready == 0 && clock_seconds() >= end && fair_more(fair, seconds))
            end += seconds;
        if (ready < 0 && errno == EINTR)
            ready = 0;
        if (awaited && ready == 0 &&
            clock_seconds() - begun >= PROGRESS_PATIENCE) {
            progress_await(awaited, seconds);
            awaited = NULL;
        }
    }
    close(p.fd);
    return ready != 0;
}

static double seconds_of(const struct rusage *usage)
{
    return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
           1e-6 * (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
}

static struct proc_result wait_within(pid_t pid, struct limits limits,
                                      const char *awaited)
{
    struct proc_result result = {.end = PROC_EXITED};
    struct rusage usage = {0};
    struct fair fair;
    int status = 0;

    if (limits.seconds > 0.0 && !wait_until(pid, &limits, awaited, &fair)) {
        result.unfair = !limits.overworked && !fair_was(&fair, limits.seconds);
        kill(getpgid(pid) == pid ? -pid : pid, SIGKILL);
        result.end = PROC_TIMED_OUT;
    }
    while (wait4(pid, &status, 0, &usage) < 0 && errno == EINTR)
        ;
    result.worked = seconds_of(&usage);
    if (result.end == PROC_TIMED_OUT)
        return result;
    result.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) {
        result.end = PROC_SIGNALLED;
        result.code = WTERMSIG(status);
        result.unfair = result.code == SIGKILL && !fair_memory_was();
    }
    return result;
}

struct proc_result proc_wait(pid_t pid, double seconds, const char *awaited)
{
    return wait_within(pid, (struct limits){.seconds = seconds}, awaited);
}

struct proc_result proc_wait_work(pid_t pid, double seconds, double work)
{
    return wait_within(pid, (struct limits){.seconds = seconds, .work = work},
                       NULL);
}

bool proc_capture(const char *const *argv, struct text *out)
{
    struct proc_result result;
    int pipes[2];
    char block[4096];
    ssize_t n;
    pid_t pid;

    if (pipe2(pipes, O_CLOEXEC) != 0)
        return false;
    pid = fork();
    if (pid == 0) {
        dup2(pipes[1], STDOUT_FILENO);
        dup2(pipes[1], STDERR_FILENO);
        become(&(struct proc_config){.argv = argv});
    }
    close(pipes[1]);
    while (pid > 0 && (n = read(pipes[0], block, sizeof block)) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            break;
        text_add(out, "%.*s", (int)n, block);
    }
    close(pipes[0]);
    if (pid < 0)
        return false;
    result = proc_wait(pid, 0.0, NULL);
    return result.end == PROC_EXITED && result.code == 0;
}
