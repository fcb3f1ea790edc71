// SPDX-License-Identifier: MIT
/*
 * crew.h: pieces of one job, on all cores.
 *
 *   crew_work   do_one(context, i) for all i below n, in any order, by several
 *               threads; returns when all are done
 *
 * For large arrays: one core takes longer to copy or compare them than a GPU
 * for what it does with them. One piece is done by the caller alone.
 */
#ifndef CHECK_CREW_H
#define CHECK_CREW_H

#include <stddef.h>

void crew_work(size_t n, void (*do_one)(void *context, size_t i),
               void *context);

#endif
