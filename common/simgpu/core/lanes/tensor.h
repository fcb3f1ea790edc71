// SPDX-License-Identifier: MIT
/*
 * tensor.h: what a tensor core makes of a row, a column and a sum.
 *
 *   tensor_model_of  how products of a type are added up
 *   tensor_place     where a step wants an element of a row
 *   tensor_dot       one element of D
 *   tensor_product   D of a warp's registers, element by element; of
 *                    floating-point types
 *
 * PTX defines neither the order of the additions nor how much of them is kept.
 * The model is that of compute capability 9.0. It was fitted to six trials of
 * tests/hardware/matrix.cu on an H200, some 0.15 million values, and gives all
 * of them bit for bit (one trial: tests/hardware/matrix-h200.txt):
 *
 * Products are exact. A step adds `terms` of them and the sum at once: every
 * addend is aligned to the largest exponent among them and cut off (toward
 * zero) `fraction` bits below it; what is left is added up exactly, and the
 * total cut off to `kept` bits of fraction. A product's exponent is the sum of
 * its factors' exponents, whether or not their fractions multiply to 2 or more.
 * With fp16 accumulators the total is rounded to nearest instead.
 *
 * mma on fp8 is made of two steps on fp16, of the lower and of the upper
 * two bytes of each register, and an addition of C in fp32, rounded to nearest.
 */
#ifndef SIMGPU_TENSOR_H
#define SIMGPU_TENSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "simgpu/core/state/matrix.h"

struct tensor_model {
    uint8_t terms;    /* products per step */
    uint8_t fraction; /* bits below the largest exponent */
    uint8_t kept;     /* bits of fraction of an fp32 sum */
    bool by_halves;   /* of registers; and C comes last */
};

/* type: of A; op: enum tensor_op. */
const struct tensor_model *tensor_model_of(uint8_t type, uint8_t op);

/* The place, from 0, of a row's k-th element in the order of the steps. */
static inline int tensor_place(const struct tensor_model *m, int k)
{
    return m->by_halves ? (k & 2) / 2 * 16 + k / 4 * 2 + (k & 1) : k;
}

/* One element of D: a, b: x->k elements' bits; c: bits of x->c_type. Not of
 * types that go by halves. */
uint32_t tensor_dot(const struct matrix *x, const uint32_t *a,
                    const uint32_t *b, uint32_t c);

/* Registers as state/matrix.h lays them out, [register][lane]. */
void tensor_product(const struct matrix *x, const uint32_t (*a)[32],
                    const uint32_t (*b)[32], const uint32_t (*c)[32],
                    uint32_t (*d)[32]);

#endif
