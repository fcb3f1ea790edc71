// SPDX-License-Identifier: MIT
/*
 * accept.c: how exact an answer must be.
 *
 *   op_tolerance, op_accepts; op.h holds the formula
 *   op_cell_defect
 *
 * Serial sums: Higham, "Accuracy and Stability of Numerical Algorithms", 2nd
 * edition, section 3.1; pairwise and blocked ones: section 4.2.
 */
#include "op/op.h"

#include <math.h>

enum { SERIAL = 64 }; /* terms up to which any order of summation passes */

static const struct {
    double u;
    double exact; /* integers up to here are exact, and so are their sums */
} sums[] = {
    [OP_SUM_FP32] = {0x1p-24, 0x1p24},
    [OP_SUM_FP32_TENSOR] = {0x1p-23, 0x1p23}, /* cut off, not rounded */
    [OP_SUM_FP64] = {0x1p-53, 0x1p53},
    [OP_SUM_INT32] = {0.0, 2147483647.0},
};

/* tf32 keeps 10 bits. A kernel may round to them or leave the rest to the
 * tensor core, which ignores it: the error is up to a whole unit. */
static const double u_tf32 = 0x1p-10;

static double growth(const struct op_precision *p, long terms)
{
    double n = (double)terms;

    if (terms == 0)
        return 0.0; /* a copy, without arithmetic */
    return terms <= SERIAL || p->serial ? n + 2.0 : 10.0 + 2.0 * log2(n);
}

/* The reference sums in double, one term after the other: next to nothing
 * beside a sum in fp32, but as much as the kernel's own error in fp64. */
static double error_of_reference(const struct op *op,
                                 const struct op_cell *cell)
{
    if (op->precision.sum != OP_SUM_FP64 || cell->terms == 0)
        return 0.0;
    return ((double)cell->terms + 2.0) * sums[OP_SUM_FP64].u;
}

static double error_of_sum(const struct op *op,
                           const struct op_problem *problem,
                           const struct op_cell *cell)
{
    const struct op_precision *p = &op->precision;

    if (op_family_row[problem->family].exact &&
        cell->magnitude <= sums[p->sum].exact &&
        cell->magnitude == rint(cell->magnitude))
        return 0.0;
    return (growth(p, cell->terms) * sums[p->sum].u +
            p->tf32_factors * u_tf32 + error_of_reference(op, cell)) *
           cell->magnitude;
}

static bool holds(enum type type, double value)
{
    return type_decode(type, type_encode(type, value)) == value;
}

/* Does the store round what the sum left? Without terms nothing was summed:
 * the cell is a copy, and may still be one to a coarser type. */
static bool store_rounds(const struct op *op, enum type type,
                         const struct op_cell *cell)
{
    const struct type_row *out = &type_row[type];

    if (cell->terms == 0)
        return true;
    return out->floating ? out->u > sums[op->precision.sum].u
                         : op->precision.sum != OP_SUM_INT32;
}

double op_tolerance(const struct op *op, const struct op_problem *problem,
                    int buffer, const struct op_cell *cell)
{
    enum type type = op->buffers[buffer].type;
    const struct type_row *out = &type_row[type];
    double error = error_of_sum(op, problem, cell);

    if (!store_rounds(op, type, cell) ||
        (error == 0.0 && holds(type, cell->value)))
        return error;
    return error + out->u * (fabs(cell->value) + error) + out->smallest / 2;
}

/* A result that the type cannot hold, or that may round to such a one. */
static bool accepts_overflow(const struct type_row *out, double want,
                             double got)
{
    if (isnan(got))
        return !out->infinite;
    if (signbit(got) != signbit(want))
        return false;
    return isinf(got) ||
           ((out->saturates || !out->infinite) && fabs(got) >= out->largest);
}

bool op_accepts(const struct op *op, const struct op_problem *problem,
                int buffer, const struct op_cell *cell, uint64_t bits)
{
    enum type type = op->buffers[buffer].type;
    const struct type_row *out = &type_row[type];
    double got = type_decode(type, bits), tolerance;

    if (out->floating && type_is_poison(type, bits))
        return false;
    if (isnan(cell->value))
        return isnan(got);
    tolerance = op_tolerance(op, problem, buffer, cell);
    if (isinf(cell->value) ||
        fabs(cell->value) + tolerance > out->largest * (1.0 + out->u))
        if (accepts_overflow(out, cell->value, got))
            return true;
    return !isinf(cell->value) && fabs(got - cell->value) <= tolerance;
}

const char *op_cell_defect(const struct op_problem *problem,
                           const struct op_cell *cell)
{
    if (cell->terms < 0)
        return "its reference counts fewer than 0 terms";
    if (!isfinite(cell->value))
        return problem->family == OP_SPECIAL
                   ? NULL
                   : "its reference is no finite number, of inputs that are";
    return isfinite(cell->magnitude) && cell->magnitude >= 0.0
               ? NULL
               : "its reference has a magnitude that is no finite number, or "
                 "is below 0";
}
