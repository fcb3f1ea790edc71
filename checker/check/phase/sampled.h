// SPDX-License-Identifier: MIT
/*
 * sampled.h: whether a kernel keeps its gates at the shape that is timed.
 *
 *   sampled_blame   SLOW, if by the blocks that were sampled there it does not
 *   sampled_keeps   whether it keeps one there that it misses at the gates' own
 *                   shape: then other lines do the work there
 *   sampled_computes  whether it does its flops there, if it did them at the
 *                   gates' own shape; what is not known may be
 *
 * Gates are measured at a small shape. A launcher can tell it from the large
 * one and compute in another way there, which a GPU finds out by its time.
 */
#ifndef CHECK_SAMPLED_H
#define CHECK_SAMPLED_H

#include <jansson.h>

#include "check/judge/judge.h"

/* report: the device's, of the launches at the timed shape. */
void sampled_blame(const struct phase *phase, const json_t *report);
bool sampled_computes(const struct kernel_result *r, const json_t *report);
bool sampled_keeps(const struct kernel_result *r, const json_t *report);

#endif
