// SPDX-License-Identifier: MIT
/*
 * leash PID COMMAND...: runs the command, and leaves none of its processes
 * behind, nor any that they began, whoever is killed and when. They end when
 * the command ends; when process PID, for which it works, or the caller is
 * gone; and at SIGTERM, SIGINT or SIGHUP. Exit code: the command's, or 128 and
 * the number of the signal that ended it; 2 if it could not be started.
 *
 * bwrap's --die-with-parent alone does not see to this: a sandbox whose bwrap
 * is killed while it is being made never hears of it.
 *
 * The hard idea: who inherits orphans. Their kernel gives them to the nearest
 * ancestor that asks for them, so every process that is begun below here stays
 * below here. A process dies before its parent can wait for it, and its orphans
 * have come here by then: to kill all children and to wait for one, until there
 * are none, reaches all. A session of its own, since what kills the caller's
 * whole process group must not kill this one.
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define TICK_NS 200000000 // between two looks at who is still there

static pid_t command;
static int status;

/* True if PID's parent is this process. */
static int is_child(const char *pid)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return 0;
    size_t n = fread(line, 1, sizeof line - 1, f);
    fclose(f);
    line[n] = 0;
    const char *after_name = strrchr(line, ')'); // a name may hold anything
    int parent;
    return after_name && sscanf(after_name + 1, " %*c %d", &parent) == 1 &&
           parent == getpid();
}

static void kill_children(void)
{
    DIR *all = opendir("/proc");
    for (struct dirent *e; all && (e = readdir(all));)
        if (*e->d_name >= '1' && *e->d_name <= '9' && is_child(e->d_name))
            kill(atoi(e->d_name), SIGKILL);
    if (all)
        closedir(all);
}

/* Waits for one child, or looks for one (WNOHANG); false if none has ended. */
static int reap(int options)
{
    int s;
    pid_t pid = waitpid(-1, &s, options);
    if (pid == command)
        status = s, command = 0;
    return pid > 0;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: leash PID COMMAND...\n");
        return 2;
    }
    pid_t master = atoi(argv[1]), caller = getppid();
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigset_t ours, theirs;
    sigemptyset(&ours);
    sigaddset(&ours, SIGCHLD);
    sigaddset(&ours, SIGTERM);
    sigaddset(&ours, SIGINT);
    sigaddset(&ours, SIGHUP);
    sigprocmask(SIG_BLOCK, &ours, &theirs);
    command = fork();
    if (command == 0) {
        sigprocmask(SIG_SETMASK, &theirs, NULL);
        execvp(argv[2], argv + 2);
        fprintf(stderr, "leash: %s: %s\n", argv[2], strerror(errno));
        _exit(2);
    }
    if (command < 0) {
        perror("leash");
        return 2;
    }
    const struct timespec tick = {0, TICK_NS};
    int sig = 0;
    while (command && sig != SIGTERM && sig != SIGINT && sig != SIGHUP &&
           getppid() == caller && (kill(master, 0) == 0 || errno == EPERM)) {
        sig = sigtimedwait(&ours, NULL, &tick);
        while (reap(WNOHANG))
            ;
    }
    do
        kill_children();
    while (reap(0));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
