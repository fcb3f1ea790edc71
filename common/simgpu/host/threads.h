// SPDX-License-Identifier: MIT
/*
 * threads.h: threads, locks and the time of the host.
 *
 *   threads_count, threads_run, threads_yield
 *   lock_new, lock_free, lock_take, lock_leave
 *   host_nanoseconds
 *
 * linux/threads.c uses POSIX threads; plain/threads.c runs everything on the
 * caller's one thread.
 */
#ifndef SIMGPU_THREADS_H
#define SIMGPU_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/* How many threads to use where the user wants so many; 0: one per core. At
 * least 1. */
int threads_count(int wanted);

/* Calls work(argument, k) for k in [0, n), n <= threads_count(n): number 0 on
 * this thread, the others on threads of their own, and returns when all have
 * returned. If the host refuses a thread, its call is left out; with need_all
 * the process aborts instead. */
typedef void threads_work(void *argument, int k);
void threads_run(int n, threads_work *work, void *argument, bool need_all);

/* Lets other threads run while this one waits for them. */
void threads_yield(void);

struct lock;
struct lock *lock_new(void); /* aborts without memory */
void lock_free(struct lock *lock);
void lock_take(struct lock *lock);
void lock_leave(struct lock *lock);

/* Since some fixed moment; never goes back. */
uint64_t host_nanoseconds(void);

#endif
