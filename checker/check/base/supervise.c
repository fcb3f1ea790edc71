// SPDX-License-Identifier: MIT
/*
 * supervise.c: the process above the check; see supervise.h.
 *
 * The supervisor does nothing but wait, so that it can always answer a
 * signal. As a subreaper it inherits every orphan of its descendants, and
 * ends them; a stage cannot leave a process behind by forking twice.
 */
#include "supervise.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "text.h"

/* Shared with the child, which may not live to tell. */
enum { NOTE_BYTES = 96 };
static char *note;

void supervise_note(const char *words)
{
    if (note)
        snprintf(note, NOTE_BYTES, "%s", words);
}

static void open_note(void)
{
    note = mmap(NULL, NOTE_BYTES, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (note == MAP_FAILED)
        note = NULL;
}

static void say_crash(int signal_number)
{
    fprintf(stderr, "check: ended by signal %d: a defect of the workbook, or "
            "no memory left\n", signal_number);
    if (note && note[0])
        fprintf(stderr, "check: what it did last, or at once: %s\n", note);
}

static int remove_one(const char *path, const struct stat *info, int type,
                      struct FTW *where)
{
    (void)info;
    (void)type;
    (void)where;
    return remove(path);
}

static void make_scratch(char path[PATH_BYTES])
{
    const char *tmp = getenv("TMPDIR");

    path_set(path, "%s/warpbook-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(path))
        give_up("cannot make a private folder %s: %s; set TMPDIR to a folder "
             "with space", path, strerror(errno));
}

/* Kills every child there is. Returns false when there was none. */
static bool end_children(void)
{
    char path[64];
    FILE *list;
    long pid;

    snprintf(path, sizeof path, "/proc/self/task/%ld/children",
             (long)getpid());
    list = fopen(path, "r");
    while (list && fscanf(list, "%ld", &pid) == 1)
        kill((pid_t)pid, SIGKILL);
    if (list)
        fclose(list);
    return waitpid(-1, NULL, 0) > 0 || errno == EINTR;
}

static void block(sigset_t *set)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};

    sigemptyset(set);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(set, signals[i]);
    sigprocmask(SIG_BLOCK, set, NULL);
}

/* `| head` has seen enough; the verdict is wanted all the same. */
static void go_on(int number)
{
    (void)number;
}

/* In the child: the work, in a process group of its own, so that a key press
 * reaches the supervisor alone. */
static void work_as_child(int (*work)(const struct options *, const char *),
                          const struct options *options, const char *scratch,
                          const sigset_t *blocked)
{
    int code;

    setpgid(0, 0);
    signal(SIGTTOU, SIG_IGN); /* the report may be written to the terminal */
    signal(SIGPIPE, go_on); /* and what this executes, as by default */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigprocmask(SIG_UNBLOCK, blocked, NULL);
    code = work(options, scratch);
    if (fflush(stdout) != 0 && errno != EPIPE) {
        perror("check: the report cannot be written");
        code = 1;
    }
    _exit(code);
}

static int wait_for(pid_t child, const sigset_t *set)
{
    int status, signal_number = 0;

    for (;;) {
        sigwait(set, &signal_number);
        if (signal_number != SIGCHLD) {
            kill(-child, SIGKILL);
            fprintf(stderr, "\ncheck: interrupted; nothing is left behind\n");
            return signal_number == SIGINT ? 130 : 128 + signal_number;
        }
        if (waitpid(child, &status, WNOHANG | WUNTRACED) != child)
            continue;
        if (!WIFSTOPPED(status))
            break;
        kill(child, SIGCONT); /* a stage stopped it, to wait out its limits */
    }
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    say_crash(WTERMSIG(status));
    return 1;
}

int supervise_run(int (*work)(const struct options *options,
                              const char *scratch),
                  const struct options *options)
{
    char scratch[PATH_BYTES];
    sigset_t set;
    pid_t child;
    int code;

    make_scratch(scratch);
    open_note();
    signal(SIGPIPE, SIG_IGN); /* the folder must go, read or not */
    block(&set);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_DUMPABLE, 0); /* a stage may not open check's memory */
    fflush(stdout);
    child = fork();
    if (child == 0)
        work_as_child(work, options, scratch, &set);
    code = child < 0 ? 1 : wait_for(child, &set);
    if (child < 0)
        fprintf(stderr, "check: no process can be started\n");
    while (end_children())
        ;
    nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return code;
}
