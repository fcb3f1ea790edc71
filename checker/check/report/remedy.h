// SPDX-License-Identifier: MIT
/*
 * remedy.h: what a learner can do about a gate that is missed.
 *
 *   remedy_of           what helps against a counter that is too high, or low
 *   remedy_of_tensors   the same, where tensor cores are to do the work
 *   remedy_idea         the idea of a step, as the head of its file says it
 */
#ifndef CHECK_REMEDY_H
#define CHECK_REMEDY_H

#include <stdbool.h>

#include "check/base/text.h"
#include "check/conf/conf.h"

/* A static sentence; NULL: none is known. */
const char *remedy_of(const char *counter, bool too_low);
/* It has a gate on what tensor cores do. */
bool remedy_is_of_tensors(const struct kernel_conf *conf);
/* NULL: what helps other kernels helps this one, too. Of counters too high. */
const char *remedy_of_tensors(const char *counter);
/* Adds what stands behind "// New: " at the head of that file, as one line.
 * False: it has no such head. */
bool remedy_idea(struct text *t, const char *path);

#endif
