// SPDX-License-Identifier: MIT
/*
 * ceiling.c: see ceiling.h.
 */
#include "ceiling.h"

#include <sys/resource.h>

bool ceiling_say(struct text *t)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return false;
    text_add(t, "this shell allows a process %llu MiB of memory (ulimit -v), "
             "which is too little: `ulimit -v unlimited` lifts that\n",
             (unsigned long long)limit.rlim_cur >> 20);
    return true;
}
