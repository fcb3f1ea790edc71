// SPDX-License-Identifier: MIT
/*
 * runner_spawn.c: see runner_spawn.h. Between fork and exec only calls that
 * are safe in a child of a threaded program; all else is prepared before.
 */
#include "runner_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "check/base/seal.h"
#include "wire.h"

enum {
    MAX_ENV = 12,
    ENV_BYTES = 8192,
    FILE_BYTES = 64 << 20, /* of output; more is lost */
    MORE_TASKS = 256,      /* beyond those that run already */
    LAST_FD = 65536,       /* closed up to here where close_range is missing */
};

struct environment {
    char *list[MAX_ENV + 1];
    char text[ENV_BYTES];
    size_t used;
    int n;
};

static void set(struct environment *e, const char *name, const char *value)
{
    size_t left = sizeof e->text - e->used;
    int n = snprintf(e->text + e->used, left, "%s=%s", name, value);

    if (n < 0 || (size_t)n >= left || e->n == MAX_ENV)
        abort(); /* longer than any path that got us here */
    e->list[e->n++] = e->text + e->used;
    e->used += (size_t)n + 1;
}

/* On a GPU the driver may be found by the caller's library path alone, and
 * the caller's choice of a card holds. */
static void fill_environment(struct environment *e,
                             const struct runner_config *config)
{
    static const char *const kept[] = {"CUDA_VISIBLE_DEVICES",
                                       "CUDA_DEVICE_ORDER",
                                       "CUDA_MPS_PIPE_DIRECTORY"};
    const char *path = getenv("LD_LIBRARY_PATH");
    char both[ENV_BYTES / 2];

    if (config->simulated || !path || !*path)
        snprintf(both, sizeof both, "%s", config->cuda_lib);
    else
        snprintf(both, sizeof both, "%s:%s", config->cuda_lib, path);
    set(e, "LD_LIBRARY_PATH", both);
    set(e, "LC_ALL", "C");
    if (config->device_fd >= 0 && config->simulated) {
        char number[16];
        snprintf(number, sizeof number, "%d", WIRE_FD_DEVICE);
        set(e, "SIMGPU_FD", number);
    }
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (!config->simulated && getenv(kept[i]))
            set(e, kept[i], getenv(kept[i]));
}

static void limit(int which, rlim_t value)
{
    struct rlimit l;

    if (getrlimit((__rlimit_resource_t)which, &l) != 0)
        return;
    if (value > l.rlim_max)
        value = l.rlim_max;
    l = (struct rlimit){value, value};
    setrlimit((__rlimit_resource_t)which, &l);
}

static void close_from(int first)
{
    if (close_range((unsigned)first, ~0u, 0) == 0)
        return;
    for (int fd = first; fd < LAST_FD; fd++)
        close(fd);
}

/* Moves descriptors to their places; copies first, above all of the places,
 * so that none overwrites another. */
static bool place_descriptors(const int from[], const int to[], int n)
{
    int high[8];

    for (int i = 0; i < n; i++) {
        high[i] = from[i] < 0 ? -1 : fcntl(from[i], F_DUPFD, 16);
        if (from[i] >= 0 && high[i] < 0)
            return false;
    }
    for (int i = 0; i < n; i++)
        if (high[i] >= 0 && dup2(high[i], to[i]) < 0)
            return false;
    return true;
}

static void child(const struct runner_config *config, const int from[],
                  char *const env[], rlim_t tasks)
{
    static const int to[] = {0, 1, 2, WIRE_FD_CHANNEL, WIRE_FD_MEMORY,
                             WIRE_FD_DEVICE};
    char *argv[] = {(char *)"runner", NULL};
    sigset_t none;

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* Not even root's stage may open the memory of check or of the device,
     * which are not dumpable. */
    prctl(PR_CAPBSET_DROP, CAP_SYS_PTRACE);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_DFL);
    if (!place_descriptors(from, to, 6))
        _exit(127);
    close_from(from[5] < 0 ? WIRE_FD_DEVICE : WIRE_FD_DEVICE + 1);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, FILE_BYTES);
    limit(RLIMIT_NPROC, tasks);
    if (config->memory_bytes)
        limit(RLIMIT_AS, config->memory_bytes);
    if (config->simulated) /* what NVIDIA's driver needs is its own affair */
        seal_process();
    execve(config->program, argv, env);
    _exit(127);
}

static int open_output(const char *path)
{
    return open(path ? path : "/dev/null",
                O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
}

pid_t runner_spawn(const struct runner_config *config, int memory,
                   int *channel)
{
    struct environment env = {.n = 0};
    struct sysinfo info = {0};
    int pair[2] = {-1, -1}, error;
    pid_t pid = -1;
    int output = open_output(config->output_path);
    int input = open("/dev/null", O_RDONLY | O_CLOEXEC);

    fill_environment(&env, config);
    sysinfo(&info);
    if (output >= 0 && input >= 0 &&
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0) {
        const int from[] = {input,   output, output,
                            pair[1], memory, config->device_fd};
        pid = fork();
        if (pid == 0)
            child(config, from, env.list, (rlim_t)info.procs + MORE_TASKS);
    }
    error = errno;
    for (int i = 0; i < 3; i++) {
        const int mine[] = {output, input, pair[1]};
        if (mine[i] >= 0)
            close(mine[i]);
    }
    if (pid < 0 && pair[0] >= 0)
        close(pair[0]);
    else
        *channel = pair[0];
    errno = error;
    return pid;
}
