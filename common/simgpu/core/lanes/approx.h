// SPDX-License-Identifier: MIT
/*
 * approx.h: the functions that PTX has only as approximations.
 *
 *   approx_exp2, approx_log2, approx_sin, approx_cos, approx_tanh
 *
 * The argument is a float's or a half's value, exactly. The relative error is
 * below 2^-45, so that rounding to float gives the nearest float for all but
 * about one argument in a million, and there its neighbour. Only +, -, * and /
 * of doubles are used: the bits are the same on every host, which those of its
 * C library are not.
 */
#ifndef SIMGPU_APPROX_H
#define SIMGPU_APPROX_H

double approx_exp2(double x);
double approx_log2(double x);
double approx_sin(double x);
double approx_cos(double x);
double approx_tanh(double x);

#endif
