// SPDX-License-Identifier: MIT
/*
 * sigmoid.h: what the references of operators with a sigmoid share.
 *
 *   sigmoid_value   1 / (1 + exp(-x))
 *   swish_value     x / (1 + exp(-x)), also called SiLU
 *   sigmoid_error   how far off a right fp32 kernel may be
 *   swish_error     the same
 *   sigmoid_input   a value that tries all of their range
 *   sigmoid_cell    a cell whose tolerance is a given error
 *
 * The error, in units u = 2^-24, for a kernel that takes the fast intrinsics
 * (NVIDIA, CUDA C++ Programming Guide, "Intrinsic Functions"; an ulp is at most
 * 2u): __expf is off by 2 + 1.173 |x| ulp of exp(-x), which is the part 1 - s
 * of the denominator; the sum 1 + exp(-x) rounds once; the division is off by 2
 * ulp. So the relative error is at most (4 + 2.35 |x|) (1 - s) + 1 + 4 units.
 * A sigmoid below fp32's smallest normal number may come out as 0: exp(-x)
 * overflows there. Swish multiplies all of this by x, and rounds once more.
 */
#ifndef WB_SIGMOID_H
#define WB_SIGMOID_H

#include <math.h>

#include "op/fill.h"
#include "op/op.h"

static const double sigmoid_u = 0x1p-24, sigmoid_flushed = 0x1p-126;

static inline double sigmoid_value(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

/* -infinity gives NaN, as -infinity times 0 does. */
static inline double swish_value(double x)
{
    return isinf(x) && x < 0 ? NAN : x * sigmoid_value(x);
}

static inline double sigmoid_error(double x)
{
    double s = sigmoid_value(x);
    double exponential = (4.0 + 2.35 * fabs(x)) * (1.0 - s);

    if (!isfinite(x))
        return 0.0;
    return (exponential + 5.0) * sigmoid_u * s + sigmoid_flushed;
}

static inline double swish_error(double x)
{
    if (!isfinite(x))
        return 0.0;
    return fabs(x) * sigmoid_error(x) + sigmoid_u * fabs(swish_value(x)) +
           sigmoid_flushed;
}

/* Of a family, before it is rounded to the type. Half of the wide ones lie
 * where a sigmoid changes, or where exp overflows; some of the special ones
 * are subnormal. */
static inline double sigmoid_input(enum op_family family, enum type type,
                                   uint64_t seed, size_t cell)
{
    if (family == OP_WIDE && cell % 2 == 1)
        return 160.0 * fill_value(OP_POSITIVE, type, seed, cell) - 120.0;
    if (family == OP_SPECIAL && cell % 7 == 3)
        return 0x1p-130 * fill_value(OP_SIGNED, type, seed, cell);
    return fill_value(family, type, seed, cell);
}

/* With one term and a serial fp32 sum, op_tolerance is 3 u magnitude. */
static inline struct op_cell sigmoid_cell(double value, double error)
{
    return (struct op_cell){value, error / (3.0 * sigmoid_u), 1};
}

#endif
