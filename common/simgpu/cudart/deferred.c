// SPDX-License-Identifier: MIT
/*
 * deferred.c: asynchronous copies to pinned memory, completed at the next wait.
 *
 *   rt_defer_copy      queues a copy; until it completes, its target holds NaN
 *   rt_finish_copies   completes all of them, in order
 *   rt_has_deferred    is any pending?
 *
 * On a device such a copy completes at some time before the program's next
 * wait for it, so a program that reads the target earlier may see anything.
 * Here it always sees bytes 0xff, so the bug shows on the first run. Every
 * call that waits for the device completes all copies; so does every call that
 * reads host memory for the device, and a launch with a pointer to mapped
 * memory among its arguments.
 */
#include "runtime.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct deferred {
    struct deferred *next;
    void *to;
    size_t bytes;
    void *from; /* owned */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct deferred *first, **end = &first;

bool rt_defer_copy(void *to, void *from, size_t bytes)
{
    struct deferred *copy = malloc(sizeof *copy);
    if (!copy)
        return false;
    *copy = (struct deferred){.to = to, .bytes = bytes, .from = from};
    memset(to, 0xff, bytes);
    pthread_mutex_lock(&lock);
    *end = copy;
    end = &copy->next;
    pthread_mutex_unlock(&lock);
    return true;
}

void rt_finish_copies(void)
{
    pthread_mutex_lock(&lock);
    while (first) {
        struct deferred *copy = first;
        memcpy(copy->to, copy->from, copy->bytes);
        first = copy->next;
        free(copy->from);
        free(copy);
    }
    end = &first;
    pthread_mutex_unlock(&lock);
}

bool rt_has_deferred(void)
{
    pthread_mutex_lock(&lock);
    bool any = first != NULL;
    pthread_mutex_unlock(&lock);
    return any;
}
