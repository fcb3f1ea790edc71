// SPDX-License-Identifier: MIT
/*
 * beyond.c: see beyond.h.
 *
 * A number of blocks g that grows with rows is ceil(p / t): p is an extent or
 * a product of some, and t what a block takes of it. Each case leaves t between
 * p / g and p / (g - 1). If something is left between all of these, and g did
 * grow, then g is known at any size. A product that fits by chance costs one
 * small case, which a right kernel passes.
 */
#include "beyond.h"

#include <math.h>
#include <string.h>

/* Blocks: a little more than a grid counts along y and z. */
static const double beyond = 65600.0;

/* Extents that a kernel must be fit for, even if the workbook times none so
 * large: along y, tiles of 32; of 4 in an extent that is timed with a few only,
 * as of a product of few rows. And cells of all arrays, so that the case is a
 * small one. */
static const double most_extent = 65600 * 32, most_of_few = 65600 * 4,
                    few = 256, most_cells = 1 << 23;

/* One way in which the grid of a kernel may grow. */
struct growth {
    uint64_t kernel;
    int axis;         /* 0: y, 1: z */
    unsigned extents; /* a bit for each of the product */
    double per_block; /* of the product */
    int least;        /* its smallest case */
};

static uint64_t hash_of(const char *name)
{
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */

    while (name && *name)
        h = (h ^ (unsigned char)*name++) * 0x100000001b3u;
    return h;
}

static int find(const struct beyond_grids *grids, uint64_t kernel)
{
    int i = 0;

    while (i < grids->n && grids->of[i].kernel != kernel)
        i++;
    return i;
}

void beyond_see(struct beyond_grids *grids, const json_t *report)
{
    json_t *launch;
    size_t l;

    json_array_foreach(json_object_get(report, "launches"), l, launch) {
        const json_t *grid = json_object_get(launch, "grid");
        uint64_t kernel = hash_of(
            json_string_value(json_object_get(launch, "kernel")));
        int i = find(grids, kernel);

        if (i == BEYOND_KERNELS)
            continue;
        if (i == grids->n)
            grids->of[grids->n++].kernel = kernel;
        for (size_t axis = 0; axis < 2; axis++) {
            long long g = json_integer_value(json_array_get(grid, axis + 1));

            if (g > grids->of[i].blocks[axis])
                grids->of[i].blocks[axis] = g;
        }
    }
}

static double product(const struct op_shape *shape, unsigned extents)
{
    double p = 1.0;

    for (int d = 0; d < OP_MAX_DIMS; d++)
        if (extents >> d & 1)
            p *= shape->dim[d];
    return p;
}

static double cells(const struct op *op, const struct op_shape *shape)
{
    double n = 0.0;

    for (int b = 0; b < op->n_buffers; b++)
        n += (double)op_count(op, b, shape);
    return n;
}

/* Sets per_block and least. False: it does not grow like that. */
static bool fits(const struct op *op, const struct test_case *cases,
                 const struct beyond_grids *grids, int n, struct growth *w)
{
    double low = 1.0, high = INFINITY, first = 0.0, smallest = INFINITY;
    bool grows = false;

    for (int i = 0; i < n; i++) {
        const struct op_shape *shape = &cases[i].problem.shape;
        int k = find(&grids[i], w->kernel);
        double g, p = product(shape, w->extents);

        if (k == grids[i].n)
            continue;
        g = (double)grids[i].of[k].blocks[w->axis];
        low = fmax(low, p / g);
        high = g > 1.0 ? fmin(high, p / (g - 1.0)) : high;
        grows |= first > 0.0 && g != first;
        first = g;
        if (cells(op, shape) < smallest) {
            smallest = cells(op, shape);
            w->least = i;
        }
    }
    w->per_block = ceil(high) - 1.0;
    return grows && w->per_block >= low;
}

/* Of dimension d, in the shapes where the kernel is timed. */
static double longest(const struct kernel_conf *conf, int d)
{
    int timed = conf->time_shape.dim[d];
    double most = fmax(timed > few ? most_extent : most_of_few, timed);

    for (int i = 0; i < conf->n_peer_shapes; i++)
        most = fmax(most, conf->peer_shapes[i].shape.dim[d]);
    return most;
}

/* The smallest case with one extent so long that the grid is beyond. */
static bool lengthen(const struct kernel_conf *conf,
                     const struct op_shape *least, const struct growth *w,
                     struct op_shape *shape)
{
    const struct op *op = conf->op;

    for (int d = 0; d < op->n_dims; d++) {
        double rest = product(least, w->extents & ~(1u << d));
        double extent = ceil(beyond * w->per_block / rest);

        *shape = *least;
        memset(shape->ld, 0, sizeof shape->ld);
        if (!(w->extents >> d & 1) || extent > longest(conf, d))
            continue;
        shape->dim[d] = (int)extent;
        if (!op_shape_error(op, shape) && cells(op, shape) <= most_cells)
            return true;
    }
    return false;
}

static bool grows_beyond(const struct kernel_conf *conf,
                         const struct test_case *cases,
                         const struct beyond_grids *grids, int n,
                         struct growth *w, struct op_shape *shape)
{
    const struct op *op = conf->op;

    for (w->axis = 0; w->axis < 2; w->axis++)
        for (w->extents = 1; w->extents < 1u << op->n_dims; w->extents++)
            if (fits(op, cases, grids, n, w) &&
                lengthen(conf, &cases[w->least].problem.shape, w, shape))
                return true;
    return false;
}

bool beyond_case(const struct kernel_conf *conf, const struct test_case *cases,
                 const struct beyond_grids *grids, int n, uint64_t seed,
                 struct test_case *c)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < grids[i].n; k++) {
            struct growth w = {.kernel = grids[i].of[k].kernel};
            struct op_shape shape;

            if (grids[i].of[k].blocks[0] <= 1 && grids[i].of[k].blocks[1] <= 1)
                continue;
            if (grows_beyond(conf, cases, grids, n, &w, &shape)) {
                *c = case_unlisted(conf->op, &shape, seed);
                return true;
            }
        }
    return false;
}
