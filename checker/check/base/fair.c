// SPDX-License-Identifier: MIT
/*
 * fair.c: see fair.h.
 *
 * Linux counts, for each thread, how long it ran and how long it was ready to
 * run and did not (/proc/PID/schedstat). The sum over all descendants is taken
 * twice, so those that ended in between are missed, but for what their parents
 * know of them.
 */
#include "fair.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"

enum {
    DEPTH = 32, /* of descendants; a stage may fork on and on */
    MORE = 2    /* times as long again, where the machine has much to do */
};

/* Shares of a wait, and the shortest gap: a sleeper wakes late on a machine
 * with much to do, but not by seconds. */
static const double work_share = 0.25, queue_share = 0.1, least_gap = 2.0;

static long long oom_kills = -1;

struct sum {
    double worked, queued;
    bool known; /* some thread's queue */
};

/* Fields 14 to 17 of PID/stat: own time, and that of children it waited for.
 * They stand behind the name, which may hold anything. */
static double worked_by(long pid)
{
    unsigned long own, own_system;
    long children, children_system;
    char path[64], line[1024] = "";
    const char *fields;
    FILE *f;

    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    f = fopen(path, "r");
    if (!f)
        return 0.0;
    if (!fgets(line, sizeof line, f))
        line[0] = '\0';
    fclose(f);
    fields = strrchr(line, ')');
    if (!fields || sscanf(fields, ") %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                          "%*s %lu %lu %ld %ld", &own, &own_system, &children,
                          &children_system) != 4)
        return 0.0;
    return ((double)own + (double)own_system + (double)children +
            (double)children_system) / (double)sysconf(_SC_CLK_TCK);
}

static void add_queue(struct sum *sum, long pid, const char *task)
{
    unsigned long long ran, queued;
    char path[320];
    FILE *f;

    snprintf(path, sizeof path, "/proc/%ld/task/%s/schedstat", pid, task);
    f = fopen(path, "r");
    if (f && fscanf(f, "%llu %llu", &ran, &queued) == 2) {
        sum->queued += 1e-9 * (double)queued;
        sum->known = true;
    }
    if (f)
        fclose(f);
}

static void add_below(struct sum *sum, long pid, bool itself, int depth);

static void add_children(struct sum *sum, long pid, const char *task,
                         int depth)
{
    char path[320];
    long child;
    FILE *f;

    snprintf(path, sizeof path, "/proc/%ld/task/%s/children", pid, task);
    f = fopen(path, "r");
    while (f && fscanf(f, "%ld", &child) == 1)
        add_below(sum, child, true, depth + 1);
    if (f)
        fclose(f);
}

static void add_below(struct sum *sum, long pid, bool itself, int depth)
{
    struct dirent *task;
    char path[64];
    DIR *tasks;

    if (depth > DEPTH)
        return;
    snprintf(path, sizeof path, "/proc/%ld/task", pid);
    tasks = opendir(path);
    if (itself)
        sum->worked += worked_by(pid);
    while (tasks && (task = readdir(tasks)))
        if (task->d_name[0] != '.') {
            if (itself)
                add_queue(sum, pid, task->d_name);
            add_children(sum, pid, task->d_name, depth);
        }
    if (tasks)
        closedir(tasks);
}

static struct sum sum_below(void)
{
    struct sum sum = {0};

    add_below(&sum, (long)getpid(), false, 0);
    return sum;
}

double fair_worked(pid_t pid)
{
    struct sum sum = {0};

    add_below(&sum, (long)pid, true, 0);
    return sum.worked;
}

void fair_begin(struct fair *f)
{
    struct sum sum = sum_below();

    *f = (struct fair){.worked = sum.worked, .queued = sum.queued,
                       .last = clock_seconds()};
}

double fair_gap(struct fair *f)
{
    double now = clock_seconds(), slept = now - f->last;

    f->last = now;
    return slept > least_gap ? slept : 0.0;
}

bool fair_was(const struct fair *f, double seconds)
{
    struct sum sum = sum_below();

    return sum.worked - f->worked >= work_share * seconds ||
           (sum.known && sum.queued - f->queued <= queue_share * seconds);
}

bool fair_more(struct fair *f, double seconds)
{
    return f->more < MORE && !fair_was(f, seconds) && ++f->more;
}

/* -1: this system does not say. */
static long long count_oom_kills(void)
{
    FILE *f = fopen("/proc/vmstat", "r");
    long long n = -1, value;
    char name[64];

    while (f && n < 0 && fscanf(f, "%63s %lld", name, &value) == 2)
        if (strcmp(name, "oom_kill") == 0)
            n = value;
    if (f)
        fclose(f);
    return n;
}

void fair_memory_begin(void)
{
    oom_kills = count_oom_kills();
}

bool fair_memory_was(void)
{
    return count_oom_kills() == oom_kills;
}
