// SPDX-License-Identifier: MIT
/*
 * locks.c: around the engine's locks (the linker's --wrap). Who takes one that
 * it has, or leaves one that it has not, ends the test: by themselves such
 * mutants wait for ever, or are noticed by nobody.
 */
#include <stdlib.h>

struct lock;
void __real_lock_take(struct lock *lock);
void __real_lock_leave(struct lock *lock);
void __real_lock_free(struct lock *lock);

enum { HELD_MOST = 8 };
static _Thread_local struct lock *held[HELD_MOST];

static struct lock **find(struct lock *lock)
{
    for (int k = 0; k < HELD_MOST; k++)
        if (held[k] == lock)
            return &held[k];
    return NULL;
}

void __wrap_lock_take(struct lock *lock)
{
    struct lock **free_place = find(NULL);
    if (find(lock) || !free_place)
        abort();
    __real_lock_take(lock);
    *free_place = lock;
}

void __wrap_lock_leave(struct lock *lock)
{
    struct lock **at = find(lock);
    if (!at)
        abort();
    *at = NULL;
    __real_lock_leave(lock);
}

void __wrap_lock_free(struct lock *lock)
{
    if (lock && find(lock))
        abort();
    __real_lock_free(lock);
}
