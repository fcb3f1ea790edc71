// SPDX-License-Identifier: MIT
/*
 * leash PID COMMAND...: runs the command, and leaves none of its processes
 * behind, nor any that they began, whoever else is killed and when. They end
 * when the command ends; when process PID, for which it works, or the caller is
 * gone; and at a signal that asks for an end. Exit code: the command's, or 128
 * and the number of the signal that ended it; 2 if it could not be started. If
 * the leash itself is killed, so is the command, but not what that has begun.
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
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct timespec tick = {.tv_nsec = 200000000};
static const int ends[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2,
                           SIGALRM, SIGXCPU};
enum { ENDS = sizeof ends / sizeof *ends };

static pid_t command;          // 0: it has ended, and status says how
static int status = SIGKILL;

/* Linux lists the children of a process itself, whatever else /proc hides.
 * false: this one does not, and the command alone was killed. */
static bool kill_children(void)
{
    char path[64];
    int child;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *f = fopen(path, "r");
    while (f && fscanf(f, "%d", &child) == 1)
        kill(child, SIGKILL);
    if (f)
        fclose(f);
    else if (command)
        kill(command, SIGKILL);
    return f;
}

/* Takes note of all that have ended; false: there are no children left. */
static bool reap(void)
{
    int s;
    pid_t pid;
    while ((pid = waitpid(-1, &s, WNOHANG)) > 0)
        if (pid == command) {
            status = s;
            command = 0;
        }
    return pid == 0;
}

/* A zombie is gone, though nobody has waited for it yet. */
static bool is_alive(pid_t pid)
{
    char path[64], line[512], state;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *f = fopen(path, "r");
    if (!f) // perhaps another user's, and hidden
        return kill(pid, 0) == 0 || errno == EPERM;
    size_t n = fread(line, 1, sizeof line - 1, f);
    fclose(f);
    line[n] = '\0';
    const char *after_name = strrchr(line, ')'); // a name may hold anything
    return n && (!after_name || sscanf(after_name + 1, " %c", &state) != 1 ||
                 (state != 'Z' && state != 'X'));
}

static bool asks_for_an_end(int sig)
{
    for (int i = 0; i < ENDS; i++)
        if (sig == ends[i])
            return true;
    return false;
}

static void become_command(char **argv, const sigset_t *mask, pid_t leash)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != leash)
        _exit(2);
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(*argv, argv);
    fprintf(stderr, "leash: %s: %s\n", *argv, strerror(errno));
    _exit(2);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: leash PID COMMAND...\n");
        return 2;
    }
    pid_t master = atoi(argv[1]), caller = getppid(), self = getpid();
    sigset_t ours, theirs;
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    signal(SIGCHLD, SIG_DFL); // ignored, nobody could be waited for
    sigemptyset(&ours);
    sigaddset(&ours, SIGCHLD);
    for (int i = 0; i < ENDS; i++)
        sigaddset(&ours, ends[i]);
    sigprocmask(SIG_BLOCK, &ours, &theirs);
    command = fork();
    if (command == 0)
        become_command(argv + 2, &theirs, self);
    if (command < 0) {
        perror("leash");
        return 2;
    }
    int sig = 0;
    while (command && !asks_for_an_end(sig) && getppid() == caller &&
           is_alive(master)) {
        sig = sigtimedwait(&ours, NULL, &tick);
        reap();
    }
    for (;;) {
        bool sees_all = kill_children();
        if (!reap() || (!sees_all && !command))
            break;
        sigtimedwait(&ours, NULL, &tick);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
