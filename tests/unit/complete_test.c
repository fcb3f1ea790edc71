// SPDX-License-Identifier: MIT
/* complete_test.c: every operator's row is complete, and what is left out of
 * one is named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <math.h>

#include "op/op.h"

enum { MOST = 256 };

static void every_row_is_complete(void **state)
{
    const struct op *list[MOST];
    int n = op_list(list, MOST);

    (void)state;
    assert_in_range(n, 1, MOST);
    for (int i = 0; i < n; i++)
        if (op_defect(list[i]))
            fail_msg("%s: %s", list[i]->name, op_defect(list[i]));
}

static struct op good(void)
{
    return *op_find("gemm_f32");
}

static void lacks(const struct op *op, const char *words)
{
    const char *defect = op_defect(op);

    assert_non_null(defect);
    if (!strstr(defect, words))
        fail_msg("\"%s\" does not say \"%s\"", defect, words);
}

/* One member is wrong at a time. */
#define WITHOUT(change, words)                                                 \
    do {                                                                       \
        struct op op = good();                                                 \
        change;                                                                \
        lacks(&op, words);                                                     \
    } while (0)

static void what_is_left_out_is_named(void **state)
{
    (void)state;
    WITHOUT(op.name = NULL, ".name");
    WITHOUT(op.launcher = NULL, ".launcher");
    WITHOUT(op.signature = NULL, ".signature");
    WITHOUT(op.query = NULL, ".query");
    WITHOUT(op.n_dims = 0, ".n_dims");
    WITHOUT(op.n_dims = OP_MAX_DIMS + 1, ".n_dims");
    WITHOUT(op.n_dims++, ".dim_names");
    WITHOUT(op.shape_error = NULL, ".shape_error");
    WITHOUT(op.awkward = NULL, ".awkward");
    WITHOUT(op.n_awkward = 0, ".awkward");
    WITHOUT(op.families = NULL, ".families");
    WITHOUT(op.n_families = 0, ".families");
    WITHOUT(op.n_buffers = 0, ".n_buffers");
    WITHOUT(op.n_buffers++, ".buffers");
    WITHOUT(op.buffers[0].rank = OP_MAX_RANK + 1, "rank");
    WITHOUT(op.buffers[0].index[1] = NULL, "index");
    WITHOUT(op.buffers[0].extent[1] = op.n_dims, "index");
    WITHOUT(op.buffers[2].role = OP_INPUT, "written");
    WITHOUT(op.value = NULL, ".value");
    WITHOUT(op.launch = NULL, ".launch");
    WITHOUT(op.n_scalars = -1, ".n_scalars");
    WITHOUT(op.n_scalars++, ".scalars");
    WITHOUT(op.scalars[0].low = op.scalars[0].high, "range");
    WITHOUT(op.reference = NULL, ".reference");
    WITHOUT(op.bytes = NULL, ".bytes");
    WITHOUT(op.flops = NULL, ".flops");
    WITHOUT(op.precision.sum = OP_SUM_UNSAID, ".precision");
}

static double no_number(const struct op_shape *shape)
{
    return shape->dim[0] > 1 ? NAN : 1.0;
}

static double below_zero(const struct op *op, const struct op_shape *shape)
{
    return -op_bytes_once(op, shape);
}

/* Values that no table can hold; the checker would read beyond its arrays. */
static void what_is_impossible_is_named(void **state)
{
    (void)state;
    WITHOUT(op.dim_names[1] = "m", ".dim_names");
    WITHOUT(op.buffers[0].role = (enum op_role)9, "role");
    WITHOUT(op.buffers[0].type = TYPES, "type");
    WITHOUT((op.buffers[0].strided = true, op.buffers[0].rank = 0), "rank");
    WITHOUT(op.scalars[0].type = TYPES, "type");
    WITHOUT(op.scalars[0].timed = NAN, ".timed");
    WITHOUT(op.scalars[0].high = INFINITY, ".high");
    WITHOUT(op.precision.sum = (enum op_sum)(OP_SUM_INT32 + 1), ".precision");
    WITHOUT(op.pipe = PIPES, ".pipe");
    WITHOUT(op.flops = no_number, ".flops");
    WITHOUT(op.bytes = below_zero, ".bytes");
}

static void awkward_shapes_must_be_its_own(void **state)
{
    static const struct op_shape empty = {.dim = {0, 1, 1}};
    static const struct op_shape narrow = {.dim = {8, 8, 8}, .ld = {4}};
    struct op op = good();

    (void)state;
    op.n_awkward = 1;
    op.awkward = &empty;
    lacks(&op, "extent");
    op.awkward = &narrow;
    lacks(&op, ".shape_error");
}

static void a_family_must_exist(void **state)
{
    static const enum op_family unknown[] = {OP_SIGNED, OP_FAMILIES};
    static const enum op_family twice[] = {OP_SIGNED, OP_WIDE, OP_SIGNED};
    struct op op = good();

    (void)state;
    op.families = unknown;
    op.n_families = 2;
    lacks(&op, ".families");
    op.families = twice;
    op.n_families = 3;
    lacks(&op, "twice");
}

/* A row that reads nothing needs neither inputs nor a launch: a timer's. */
static void a_timer_is_complete(void **state)
{
    (void)state;
    assert_null(op_defect(op_find("timer")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(what_is_left_out_is_named),
        cmocka_unit_test(what_is_impossible_is_named),
        cmocka_unit_test(awkward_shapes_must_be_its_own),
        cmocka_unit_test(a_family_must_exist),
        cmocka_unit_test(a_timer_is_complete),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
