// SPDX-License-Identifier: MIT
/*
 * excess.h: of a kernel that moves too many bytes, what moves them.
 *
 *   excess_of     the name of what is too much; NULL: nothing is, of all bytes
 *   excess_value  by how much, as a factor
 *
 * global_bytes_over_compulsory is too high where lanes do not share sectors,
 * where results are stored that nobody asked for, and where inputs are loaded
 * again. Each asks for a different repair.
 */
#ifndef CHECK_EXCESS_H
#define CHECK_EXCESS_H

#include "check/judge/result.h"

/* Counters of gate.h, and four of our own: loads over the inputs' bytes, stores
 * and atomics over the results', and what the launcher's calls move over both.
 */
#define EXCESS_LOADS "loaded_over_inputs"
#define EXCESS_STORES "stored_over_results"
#define EXCESS_ATOMICS "atomics_over_results"
#define EXCESS_CALLS "called_over_both"

const char *excess_of(const struct kernel_result *result);
/* NaN: `name` is neither of our own. */
double excess_value(const char *name, const struct kernel_result *result);

#endif
