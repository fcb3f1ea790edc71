// SPDX-License-Identifier: MIT
/*
 * activation_slip.h: beginners' mistakes (op.h) in a sigmoid or Swish, for the
 * references of operators that have one.
 *
 *   activation_slip         what is made of z
 *   activation_slip_error   how far off a kernel that makes it may be
 *   ACTIVATION_*            in words
 */
#ifndef WB_ACTIVATION_SLIP_H
#define WB_ACTIVATION_SLIP_H

#include "op/sigmoid.h"

enum activation {
    ACTIVATION_SIGMOID,         /* 1 / (1 + exp(-z)) */
    ACTIVATION_SWISH,           /* z / (1 + exp(-z)) */
    ACTIVATION_SIGMOID_OF_MINUS, /* exp(z) in their places */
    ACTIVATION_SWISH_BY_MINUS,
    ACTIVATION_RELU,            /* max(z, 0) */
    ACTIVATION_NOT_RELU,        /* min(z, 0) */
    ACTIVATION_NONE,            /* z */
    ACTIVATION_SIGMOID_LESS,    /* 1 / (1 - exp(-z)) */
    ACTIVATION_SWISH_LESS       /* z / (1 - exp(-z)) */
};

static inline double activation_slip(enum activation slip, double z)
{
    return slip == ACTIVATION_SIGMOID            ? sigmoid_value(z)
           : slip == ACTIVATION_SWISH            ? swish_value(z)
           : slip == ACTIVATION_SIGMOID_OF_MINUS ? sigmoid_value(-z)
           : slip == ACTIVATION_SWISH_BY_MINUS   ? -swish_value(-z)
           : slip == ACTIVATION_RELU && z < 0.0  ? 0.0
           : slip == ACTIVATION_NOT_RELU && z > 0.0 ? 0.0
           : slip == ACTIVATION_SIGMOID_LESS     ? -1.0 / expm1(-z)
           : slip == ACTIVATION_SWISH_LESS       ? -z / expm1(-z)
                                                 : z;
}

/* 1 - exp(-z) loses digits where z is near 0. */
static inline double activation_less_error(double value, double z)
{
    double share = (6.0 + 2.35 * fabs(z)) / -expm1(-fabs(z)) + 5.0;

    return isfinite(value) && z != 0.0 ? fabs(value) * share * sigmoid_u : 0.0;
}

static inline double activation_slip_error(enum activation slip, double z)
{
    return slip == ACTIVATION_SIGMOID            ? sigmoid_error(z)
           : slip == ACTIVATION_SWISH            ? swish_error(z)
           : slip == ACTIVATION_SIGMOID_OF_MINUS ? sigmoid_error(-z)
           : slip == ACTIVATION_SWISH_BY_MINUS   ? swish_error(-z)
           : slip == ACTIVATION_SIGMOID_LESS ||
                     slip == ACTIVATION_SWISH_LESS
               ? activation_less_error(activation_slip(slip, z), z)
           : isfinite(z)                         ? 0.25 * sigmoid_u * fabs(z)
                                                 : 0.0;
}

#define ACTIVATION_WITH_MINUS                                                  \
    {"the exponential were of the number itself, and not of minus the number", \
     "A sigmoid is 1 / (1 + exp(-z)): which sign has the exponent?"}
#define ACTIVATION_WITH_LESS                                                   \
    {"the exponential were subtracted from 1, and not added to it",            \
     "A sigmoid is 1 / (1 + exp(-z)): which sign stands behind the 1?"}
#define ACTIVATION_WITHOUT_FACTOR                                              \
    {"the sigmoid itself were the result",                                     \
     "Swish is its argument times a sigmoid of it: z / (1 + exp(-z)). Where "  \
     "is it multiplied?"}
#define ACTIVATION_WITH_FACTOR                                                 \
    {"the sigmoid were multiplied by its argument, as Swish is",               \
     "A sigmoid is 1 / (1 + exp(-x)), and has no x above the line."}
#define ACTIVATION_AS_RELU                                                     \
    {"ReLU stood in the place of Swish",                                       \
     "Below 0 Swish is not 0: it is z / (1 + exp(-z))."}
#define ACTIVATION_LEFT_OUT                                                    \
    {"the activation were left out",                                           \
     "Is the value that is stored the one that was worked out, or its "        \
     "argument?"}

#endif
