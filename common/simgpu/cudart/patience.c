// SPDX-License-Identifier: MIT
/*
 * patience.c: a call that has to wait for a kernel.
 *
 *   rt_be_patient   see runtime.h
 *
 * The device never makes the program wait for long, since another thread of it
 * may have to tell the kernel something. It is asked again, after times that
 * grow with the time that has passed, and it is told who waits: a kernel that
 * polls memory waits in vain if the program's one thread waits for the kernel.
 */
#include "runtime.h"

#include <dirent.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LEAST_US = 500, MOST_US = 100 * 1000, PART = 16 }; /* of the time */

static uint64_t now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}

static bool has_one_thread(void)
{
    DIR *tasks = opendir("/proc/self/task");
    const struct dirent *task;
    int n = 0;
    while (tasks && (task = readdir(tasks)))
        n += task->d_name[0] != '.';
    if (tasks)
        closedir(tasks);
    return n == 1;
}

/* A handler could write to memory that a kernel polls. */
static bool handles_signals(void)
{
    char line[256];
    unsigned long long caught = 1;
    FILE *status = fopen("/proc/self/status", "re");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "SigCgt: %llx", &caught) == 1)
            break;
    if (status)
        fclose(status);
    if (rt_early_handles())
        caught &= ~(1ull << (SIGSEGV - 1));
    return caught != 0;
}

/* The name of the public call that this thread is in. */
static const char *public_call(void)
{
    enum { DEEP = 32 };
    void *frames[DEEP];
    Dl_info here, at;
    const char *name = "a CUDA call";
    int n = backtrace(frames, DEEP);
    if (!dladdr(__extension__(void *)public_call, &here))
        return name;
    for (int k = 0; k < n; k++)
        if (dladdr(frames[k], &at) && at.dli_fbase == here.dli_fbase &&
            at.dli_sname && strstr(at.dli_sname, "cuda"))
            name = strstr(at.dli_sname, "cuda");
    return name;
}

bool rt_be_patient(struct rt_patience *p)
{
    uint64_t now = now_us(), passed;
    if (!p->since) {
        p->since = now;
        p->call = public_call();
    }
    passed = now - p->since;
    rt_note_wait(p->call, passed / 1000,
                 has_one_thread() && !handles_signals());
    passed /= PART;
    usleep((useconds_t)(passed < LEAST_US  ? LEAST_US
                        : passed > MOST_US ? MOST_US : passed));
    return true;
}
