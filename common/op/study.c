// SPDX-License-Identifier: MIT
/*
 * study.c: rows of the operator table for the steps of a study.
 *
 *   op_family_study
 *
 * A step computes no array: its "shape" is the trial it is put to. Who draws
 * the trials and judges the answers is checker/check/phase/studyphase.c.
 */
#include "op/op.h"

#include <math.h>

enum { TRIAL, TRIALS_MOST = 8 };

static const struct op_shape trials[TRIALS_MOST] = {
    {.dim = {1}}, {.dim = {2}}, {.dim = {3}}, {.dim = {4}},
    {.dim = {5}}, {.dim = {6}}, {.dim = {7}}, {.dim = {8}},
};
static const enum op_family families[] = {OP_SIGNED}; /* it has no inputs */

static const char *shape_error(const struct op_shape *shape)
{
    return shape->dim[TRIAL] >= 1 && shape->dim[TRIAL] <= TRIALS_MOST
               ? NULL
               : "no such trial";
}

/* check judges an answer as a whole: no comparison with this one passes. */
static void reference(const struct op *op, const struct op_problem *problem,
                      int buffer, const void *const *arrays, size_t first,
                      size_t n, struct op_cell *cells)
{
    (void)op, (void)problem, (void)buffer, (void)arrays, (void)first;
    for (size_t i = 0; i < n; i++)
        cells[i] = (struct op_cell){NAN, NAN, 0};
}

static double no_bytes(const struct op *op, const struct op_shape *shape)
{
    (void)op, (void)shape;
    return 0;
}

static double no_flops(const struct op_shape *shape)
{
    (void)shape;
    return 0;
}

#define STEP(symbol, declared, n)                                              \
    {                                                                          \
        .name = #symbol, .launcher = #symbol, .signature = declared,           \
        .n_dims = 1, .dim_names = {"TRIAL"}, .n_buffers = 1,                   \
        .buffers = {{"answer", OP_OUTPUT, 0, {NULL}, {0}, TYPE_FP32, false}},  \
        .precision = {.sum = OP_SUM_FP32}, .shape_error = shape_error,         \
        .awkward = trials, .n_awkward = n, .families = families,               \
        .n_families = 1, .reference = reference, .bytes = no_bytes,            \
        .flops = no_flops,                                                     \
    }

static const struct op ops[] = {
    STEP(study_map,
         "void study_map(const struct study_point *points, int down, int "
         "across, const struct study_gpu *gpu, struct study_cell *cells)", 3),
    STEP(study_cause,
         "enum study_cause study_cause(const struct study_run *good, const "
         "struct study_run *bad, const struct study_gpu *gpu)", 7),
    STEP(study_tune, "int study_tune(struct study_tuner *tuner)", 5),
    STEP(study_rules,
         "int study_rules(struct study_shape shape, const struct study_kernel "
         "*kernels, int n, const struct study_gpu *gpu)", 1),
    STEP(study_tree,
         "int study_tree(const struct study_example *examples, int n, int "
         "n_kernels, int depth, struct study_node *nodes)", 3),
};

const struct op_family_table op_family_study = {
    ops, sizeof ops / sizeof *ops};
