// SPDX-License-Identifier: MIT
/*
 * threads.c: one thread and ISO C's clock, for hosts without an operating
 * system. Interface: host/threads.h.
 *
 * A lock can never be contended, so it only has to be a distinct object.
 */
#include "simgpu/host/threads.h"

#include <stdlib.h>
#include <time.h>

int threads_count(int wanted)
{
    (void)wanted;
    return 1;
}

void threads_run(int n, threads_work *work, void *argument, bool need_all)
{
    if (n != 1 && need_all)
        abort();
    work(argument, 0);
}

void threads_yield(void)
{
}

struct lock {
    bool taken;
};

struct lock *lock_new(void)
{
    struct lock *lock = calloc(1, sizeof *lock);
    if (!lock)
        abort();
    return lock;
}

void lock_free(struct lock *lock)
{
    free(lock);
}

/* Nobody else could ever leave it. */
void lock_take(struct lock *lock)
{
    if (lock->taken)
        abort();
    lock->taken = true;
}

void lock_leave(struct lock *lock)
{
    lock->taken = false;
}

uint64_t host_nanoseconds(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
