// SPDX-License-Identifier: MIT
/*
 * late.c: asynchronous copies to pinned memory, which land when waited for.
 *
 *   rt_late   takes what a copy read; until it lands, its target holds NaN
 *   rt_land   all of it lands, in the order of the copies
 *   rt_is_late
 *
 * On a device such a copy ends some time before the next wait for it, so a
 * program that reads the target earlier may see anything. Here it always sees
 * bytes 0xff, and is found out on the first run. Whatever waits for the device
 * lands everything; so does whatever reads host memory on the device's behalf,
 * a kernel that is handed a pointer into it included.
 */
#include "runtime.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct late {
    struct late *next;
    void *to;
    size_t bytes;
    void *from;  /* owned */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct late *first, **end = &first;

bool rt_late(void *to, void *from, size_t bytes)
{
    struct late *late = malloc(sizeof *late);
    if (!late)
        return false;
    *late = (struct late){.to = to, .bytes = bytes, .from = from};
    memset(to, 0xff, bytes);
    pthread_mutex_lock(&lock);
    *end = late;
    end = &late->next;
    pthread_mutex_unlock(&lock);
    return true;
}

void rt_land(void)
{
    pthread_mutex_lock(&lock);
    while (first) {
        struct late *late = first;
        memcpy(late->to, late->from, late->bytes);
        first = late->next;
        free(late->from);
        free(late);
    }
    end = &first;
    pthread_mutex_unlock(&lock);
}

bool rt_is_late(void)
{
    pthread_mutex_lock(&lock);
    bool any = first != NULL;
    pthread_mutex_unlock(&lock);
    return any;
}
