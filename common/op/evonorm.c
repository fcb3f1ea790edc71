// SPDX-License-Identifier: MIT
/*
 * evonorm.c: EvoNorm-B0 as rows of the operator table; evonorm.h holds the
 * formulas and what the tolerances follow from.
 *
 *   op_family_evonorm    evonorm_b0, evonorm_b0_eval, evonorm_b0_backward
 *
 * Channels of one problem differ in kind, which a hash decides: constant ones,
 * far from 0 (which breaks a variance from the mean of squares), or with
 * variances of the size of eps. The images of a channel have means of their
 * own, so that the two variances differ.
 */
#include "op/op.h"

#include <limits.h>
#include <math.h>

#include "op/evonorm.h"
#include "op/evonorm_parts.h"
#include "op/fill.h"

/* B C S: ones, odd, around warps and vectors, many images, many channels, and
 * more positions than a block holds. */
static const struct op_shape awkward[] = {
    {.dim = {1, 1, 1}},  {.dim = {1, 1, 37}},  {.dim = {5, 1, 1}},
    {.dim = {2, 3, 4}},  {.dim = {3, 2, 31}},  {.dim = {4, 5, 49}},
    {.dim = {2, 7, 64}}, {.dim = {17, 3, 33}}, {.dim = {1, 33, 128}},
    {.dim = {33, 2, 5}}, {.dim = {2, 2, 784}}, {.dim = {1, 2, 4099}},
    {.dim = {70, 1, 29}},
};

static const enum op_family families[] = {OP_SIGNED, OP_POSITIVE, OP_WIDE,
                                          OP_SPECIAL};

static const char *shape_error(const struct op_shape *shape)
{
    const int *d = shape->dim;

    if (d[B] < 1 || d[C] < 1 || d[S] < 1)
        return "every extent must be at least 1";
    return d[C] <= INT_MAX / d[B] && d[S] <= INT_MAX / (d[B] * d[C])
               ? NULL
               : "B*C*S must be below 2^31";
}

static double x_value(const struct op_problem *problem, uint64_t seed,
                      size_t cell)
{
    const int *d = problem->shape.dim;
    size_t image = cell / (size_t)d[S], channel = image % (size_t)d[C];
    double plain = fill_value(OP_SIGNED, TYPE_FP32, seed, cell);
    double shift = fill_value(OP_SIGNED, TYPE_FP32, ~seed, image);

    if (problem->family == OP_SIGNED)
        return plain + shift;
    if (problem->family != OP_POSITIVE)
        return fill_value(problem->family, TYPE_FP32, seed, cell);
    switch (fill_seed(seed + channel, 0) % 5) {
    case 0:
        return 3 * shift;
    case 1:
        return 1000 + plain;
    case 2:
        return plain * 0x1p-9; /* a variance of a millionth */
    case 3: /* the first of each image is far from the others */
        return cell % (size_t)d[S] == 0 ? 300 + shift : plain + shift;
    default:
        return fabs(plain) + shift;
    }
}

static double parameter(const struct op_problem *problem, int buffer,
                        size_t cell)
{
    return fill_value(OP_SIGNED, TYPE_FP32, fill_seed(problem->seed, buffer),
                      cell);
}

static double value(const struct op_problem *problem, int buffer, size_t cell)
{
    if (buffer == BUF_X)
        return x_value(problem, fill_seed(problem->seed, buffer), cell);
    return buffer == BUF_MOVING ? fabs(parameter(problem, buffer, cell))
                                : parameter(problem, buffer, cell);
}

/* No infinite gradient: what it makes of a channel depends on the order of
 * terms. */
static double backward_value(const struct op_problem *problem, int buffer,
                             size_t cell)
{
    uint64_t seed = fill_seed(problem->seed, buffer);
    double v;

    if (buffer == BACK_X)
        return x_value(problem, seed, cell);
    if (buffer == BACK_GAMMA || buffer == BACK_V)
        return parameter(problem, buffer, cell);
    v = fill_value(problem->family, TYPE_FP32, seed, cell);
    return isinf(v) ? 1 : v;
}

static double cells_of(const struct op_shape *shape)
{
    return (double)shape->dim[B] * shape->dim[C] * shape->dim[S];
}

/* The moving average is read and written. */
static double bytes(const struct op *op, const struct op_shape *shape)
{
    return op_bytes_once(op, shape) + sizeof(float) * shape->dim[C];
}

/* Two variances, of which one sum is enough; a root's argument, max, quotient,
 * product and sum. */
static double flops(const struct op_shape *shape)
{
    return 10 * cells_of(shape);
}

static double backward_flops(const struct op_shape *shape)
{
    return 25 * cells_of(shape);
}

static struct evonorm_shape shape_of(const struct op_shape *shape)
{
    return (struct evonorm_shape){shape->dim[B], shape->dim[C], shape->dim[S]};
}

static size_t query(void *symbol, const struct op_shape *shape)
{
    size_t (*workspace)(struct evonorm_shape);

    memcpy(&workspace, &symbol, sizeof workspace);
    return workspace(shape_of(shape));
}

/* Training and evaluation differ in whether the moving average is const. */
static cudaError_t launch(void *symbol, void *const *buffers,
                          const struct op_problem *problem, void *workspace,
                          cudaStream_t stream)
{
    cudaError_t (*norm)(const void *, const void *, const void *, const void *,
                        void *, void *, struct evonorm_shape, void *,
                        cudaStream_t);

    memcpy(&norm, &symbol, sizeof norm);
    return norm(buffers[BUF_X], buffers[BUF_GAMMA], buffers[BUF_BETA],
                buffers[BUF_V], buffers[BUF_MOVING], buffers[BUF_Y],
                shape_of(&problem->shape), workspace, stream);
}

static cudaError_t backward_launch(void *symbol, void *const *buffers,
                                   const struct op_problem *problem,
                                   void *workspace, cudaStream_t stream)
{
    cudaError_t (*norm)(const void *, const void *, const void *, const void *,
                        void *, void *, void *, void *, struct evonorm_shape,
                        void *, cudaStream_t);

    memcpy(&norm, &symbol, sizeof norm);
    return norm(buffers[BACK_X], buffers[BACK_DY], buffers[BACK_GAMMA],
                buffers[BACK_V], buffers[BACK_DX], buffers[BACK_DGAMMA],
                buffers[BACK_DBETA], buffers[BACK_DV],
                shape_of(&problem->shape), workspace, stream);
}

static const struct op_mistake mistakes[] = {
    [EVONORM_NO_EPS - 1] =
        {"EVONORM_EPS were left out",
         "What stands under each of the two roots? It is the variance + "
         "EVONORM_EPS."},
    [EVONORM_EPS_OUTSIDE - 1] =
        {"EVONORM_EPS were added to the roots, not to the variances",
         "What stands under each of the two roots? It is the variance + "
         "EVONORM_EPS."},
    [EVONORM_UNBIASED - 1] =
        {"the variances were divided by n - 1",
         "By what is the sum of squares divided? Here it is n, the number of "
         "values."},
    [EVONORM_UNCENTRED - 1] =
        {"the variances were means of x squared, with no mean subtracted",
         "Are the squares those of x - mean, and is the mean that of all "
         "values by then?"},
    [EVONORM_NO_BATCH - 1] =
        {"the variance over the batch were that of the image",
         "Of which values is each of the two variances taken? One is of a "
         "channel over all images, the other of a channel in one image: the "
         "lesson's \"The copy that is wrong\"."},
    [EVONORM_MEAN_OF_IMAGES - 1] =
        {"the variance over the batch were the mean of the images' variances",
         "Images have means of their own, and what these differ by belongs to "
         "the variance over the batch."},
    [EVONORM_DECAY_EXCHANGED - 1] =
        {"EVONORM_DECAY and 1 - EVONORM_DECAY were exchanged",
         "How much of its old value does the moving average keep?"},
    [EVONORM_LESSER - 1] =
        {"the lesser of the two were the denominator",
         "It is the greater one: which way round is the comparison?"},
    [EVONORM_NO_ROOT - 1] =
        {"both roots were left out",
         "The denominator has roots of variances: sqrtf(variance + "
         "EVONORM_EPS)."},
    [EVONORM_NO_ROOT_OF_IMAGE - 1] =
        {"the root of the image's variance were left out",
         "The denominator has roots of variances: sqrtf(variance + "
         "EVONORM_EPS)."},
    [EVONORM_NO_ROOT_OF_BATCH - 1] =
        {"the root of the variance over the batch were left out",
         "The denominator has roots of variances: sqrtf(variance + "
         "EVONORM_EPS)."},
    [EVONORM_NOT_DIVIDED - 1] =
        {"sums of squares were not divided by the number of values",
         "A variance is a mean: of how many values is each of the two sums?"},
    [EVONORM_BATCH_TWICE - 1] =
        {"the batch's root stood in both arguments of the maximum",
         "One argument has the root of the batch, the other v x and the root "
         "of the image."},
};

#define BATCH(name, role)                                                      \
    {name, role, 3, {"b", "c", "s"}, {B, C, S}, TYPE_FP32, false}
#define CHANNEL(name, role) {name, role, 1, {"c"}, {C}, TYPE_FP32, false}
#define COMMON(symbol)                                                         \
    .name = symbol, .launcher = symbol, .workspace = symbol "_workspace",      \
    .n_dims = 3, .dim_names = {"B", "C", "S"},                                 \
    .mistakes = mistakes,                                                      \
    .n_mistakes = sizeof mistakes / sizeof *mistakes,                          \
    .precision = {.sum = OP_SUM_FP32}, .shape_error = shape_error,             \
    .awkward = awkward, .n_awkward = sizeof awkward / sizeof *awkward,         \
    .families = families, .n_families = sizeof families / sizeof *families,    \
    .query = query
#define FORWARD(symbol, moving_role, moving_type)                              \
    COMMON(symbol), .n_buffers = 6,                                            \
    .signature = "cudaError_t " symbol "(const float *x, const float *gamma, " \
                 "const float *beta, const float *v, " moving_type             \
                 " *moving, float *y, struct evonorm_shape shape, void "       \
                 "*workspace, cudaStream_t stream)",                           \
    .buffers = {BATCH("x", OP_INPUT), CHANNEL("gamma", OP_INPUT),              \
                CHANNEL("beta", OP_INPUT), CHANNEL("v", OP_INPUT),             \
                CHANNEL("moving", moving_role), BATCH("y", OP_OUTPUT)},        \
    .value = value, .reference = evonorm_reference, .flops = flops,            \
    .launch = launch

static const struct op ops[] = {
    {
        FORWARD("evonorm_b0", OP_INOUT, "float"),
        .bytes = bytes,
    },
    {
        FORWARD("evonorm_b0_eval", OP_INPUT, "const float"),
        .bytes = op_bytes_once,
    },
    {
        COMMON("evonorm_b0_backward"), .n_buffers = 8,
        .signature = "cudaError_t evonorm_b0_backward(const float *x, const "
                     "float *dy, const float *gamma, const float *v, float "
                     "*dx, float *dgamma, float *dbeta, float *dv, struct "
                     "evonorm_shape shape, void *workspace, cudaStream_t "
                     "stream)",
        .buffers = {BATCH("x", OP_INPUT), BATCH("dy", OP_INPUT),
                    CHANNEL("gamma", OP_INPUT), CHANNEL("v", OP_INPUT),
                    BATCH("dx", OP_OUTPUT), CHANNEL("dgamma", OP_OUTPUT),
                    CHANNEL("dbeta", OP_OUTPUT), CHANNEL("dv", OP_OUTPUT)},
        .value = backward_value, .reference = evonorm_backward_reference,
        .bytes = op_bytes_once, .flops = backward_flops,
        .launch = backward_launch,
    },
};

const struct op_family_table op_family_evonorm = {ops,
                                                  sizeof ops / sizeof *ops};
