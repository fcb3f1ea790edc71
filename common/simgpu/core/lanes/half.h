// SPDX-License-Identifier: MIT
/*
 * half.h: the 16-bit formats, exactly.
 *
 *   half_to_double, bfloat_to_double   widening: exact
 *   half_round, bfloat_round     narrowing, in any rounding mode
 */
#ifndef SIMGPU_HALF_H
#define SIMGPU_HALF_H

#include "scalar.h"

double half_to_double(uint64_t bits);
double bfloat_to_double(uint64_t bits);
uint16_t half_round(double x, enum rounding mode);
uint16_t bfloat_round(double x, enum rounding mode);

#endif
