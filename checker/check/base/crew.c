// SPDX-License-Identifier: MIT
/*
 * crew.c: see crew.h.
 */
#include "crew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

enum { MOST = 16 }; /* threads: more wait for memory, not for a core */

struct job {
    size_t n;
    atomic_size_t next; /* the first piece that nobody took */
    void (*do_one)(void *context, size_t i);
    void *context;
};

static void *take_pieces(void *argument)
{
    struct job *job = argument;
    size_t i;

    while ((i = atomic_fetch_add(&job->next, 1)) < job->n)
        job->do_one(job->context, i);
    return NULL;
}

/* Besides the caller. */
static size_t helpers_for(size_t pieces)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t n = cores < 1 ? 1 : cores < MOST ? (size_t)cores : MOST;

    return pieces == 0 ? 0 : (pieces < n ? pieces : n) - 1;
}

void crew_work(size_t n, void (*do_one)(void *context, size_t i),
               void *context)
{
    struct job job = {.n = n, .do_one = do_one, .context = context};
    size_t helpers = helpers_for(n);
    pthread_t thread[MOST];
    bool started[MOST];

    for (size_t i = 0; i < helpers; i++)
        started[i] = pthread_create(&thread[i], NULL, take_pieces, &job) == 0;
    take_pieces(&job);
    for (size_t i = 0; i < helpers; i++)
        if (started[i])
            pthread_join(thread[i], NULL);
}
