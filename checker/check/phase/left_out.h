// SPDX-License-Identifier: MIT
/*
 * left_out.h: outputs that nobody writes at the shape that is timed.
 *
 *   left_out_bytes   bytes that a whole launch stores and copies, at the most
 *   left_out_blame   WRONG, if these are fewer than the outputs have
 *
 * Sampled blocks that move less than their share may do less than others. But
 * a stage that leaves work out has little to do, so all of its blocks can be
 * run, as long as these are within a budget of instructions.
 */
#ifndef CHECK_LEFT_OUT_H
#define CHECK_LEFT_OUT_H

#include <jansson.h>

#include "phase.h"

/* report: the device's, of all blocks. NAN: a launch did not run to its end, or
 * in part. */
double left_out_bytes(const json_t *report);
/* False: all may be written, or it is not known. */
bool left_out_blame(const struct phase *phase);

#endif
