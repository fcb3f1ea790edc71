// SPDX-License-Identifier: MIT
/* threads.c: threads, locks and time by POSIX. Interface: host/threads.h. */
#include "simgpu/host/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int threads_count(int wanted)
{
    if (wanted > 0)
        return wanted;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (int)cores : 1;
}

struct thread {
    threads_work *work;
    void *argument;
    int k;
    pthread_t id;
    bool started;
};

static void *thread_main(void *argument)
{
    const struct thread *t = argument;
    t->work(t->argument, t->k);
    return NULL;
}

void threads_run(int n, threads_work *work, void *argument, bool need_all)
{
    struct thread *threads = n > 1 ? calloc((size_t)n, sizeof *threads) : NULL;
    if (n > 1 && !threads)
        abort();
    for (int k = 1; k < n; k++) {
        struct thread *t = &threads[k];
        *t = (struct thread){.work = work, .argument = argument, .k = k};
        t->started = pthread_create(&t->id, NULL, thread_main, t) == 0;
        if (!t->started && need_all)
            abort();
    }
    work(argument, 0);
    for (int k = 1; k < n; k++)
        if (threads[k].started)
            pthread_join(threads[k].id, NULL);
    free(threads);
}

void threads_yield(void)
{
    sched_yield();
}

struct lock {
    pthread_mutex_t mutex;
};

struct lock *lock_new(void)
{
    struct lock *lock = malloc(sizeof *lock);
    if (!lock || pthread_mutex_init(&lock->mutex, NULL))
        abort();
    return lock;
}

void lock_free(struct lock *lock)
{
    if (lock)
        pthread_mutex_destroy(&lock->mutex);
    free(lock);
}

void lock_take(struct lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
}

void lock_leave(struct lock *lock)
{
    pthread_mutex_unlock(&lock->mutex);
}

uint64_t host_nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
