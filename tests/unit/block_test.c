// SPDX-License-Identifier: MIT
/*
 * block_test.c: the references of a training step's operators against the
 * training's own, which another hand wrote in another order of loops, and whose
 * gradients train_test.c compares with finite differences.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "op/op.h"
#include "train/ops.h"

struct setting {
    const struct op *op;
    struct op_problem problem;
    void *arrays[OP_MAX_BUFFERS];
    double *exact[OP_MAX_BUFFERS]; /* inputs, and what must come out */
    size_t n[OP_MAX_BUFFERS];
};

static struct setting begin(const char *name, const char *shape)
{
    struct setting s = {.op = op_find(name)};
    struct op_shape size;

    assert_non_null(s.op);
    assert_null(op_parse_shape(s.op, shape, &size));
    s.problem = op_draw(s.op, &size, OP_SIGNED, 11);
    for (int i = 0; i < s.op->n_buffers; i++) {
        s.n[i] = op_count(s.op, i, &size);
        s.arrays[i] = malloc(op_bytes(s.op, i, &size));
        s.exact[i] = calloc(s.n[i], sizeof *s.exact[i]);
        assert_non_null(s.arrays[i]);
        assert_non_null(s.exact[i]);
        op_fill(s.op, &s.problem, i, s.arrays[i]);
        for (size_t k = 0; op_is_read(s.op, i) && k < s.n[i]; k++)
            s.exact[i][k] = ((float *)s.arrays[i])[k];
    }
    return s;
}

static void compare(struct setting *s)
{
    for (int i = 0; i < s->op->n_buffers; i++) {
        struct op_cell cell;

        for (size_t k = 0; op_is_written(s->op, i) && k < s->n[i]; k++) {
            s->op->reference(s->op, &s->problem, i,
                             (const void *const *)s->arrays, k, 1, &cell);
            assert_true(fabs(cell.value - s->exact[i][k]) <=
                        1e-9 * (1 + fabs(cell.value)));
            assert_true(cell.magnitude >= 0 && isfinite(cell.magnitude));
        }
    }
    for (int i = 0; i < s->op->n_buffers; i++) {
        free(s->arrays[i]);
        free(s->exact[i]);
    }
}

static void swish_agrees(void **state)
{
    struct setting s = begin("swish_backward", "B3 H5 L7");
    const struct dwconv_shape size = {3, 5, 7, 1};

    (void)state;
    train_ops_reference()->swish_grad(s.exact[0], s.exact[1], s.exact[2],
                                      s.exact[3], s.exact[4], size);
    compare(&s);
}

static void rms_agrees(void **state)
{
    struct setting s = begin("rms_backward", "B3 H5 L7");
    const struct dwconv_shape size = {3, 5, 7, 1};

    (void)state;
    train_ops_reference()->rms_grad(s.exact[0], s.exact[1], s.exact[2],
                                    s.exact[3], s.exact[4], s.exact[5], size);
    compare(&s);
}

static void adam_agrees(void **state)
{
    struct setting s = begin("adam", "N33");
    struct train_adam a = {s.exact[2], s.exact[3], s.exact[4], s.exact[0],
                           s.n[0], s.problem.scalar[0]};

    (void)state;
    assert_true(s.exact[1][0] >= 1);
    train_ops_reference()->adam(&a, s.exact[1]);
    compare(&s);
}

/* One batch: the training's own operations, one after the other. */
static void step_agrees(void **state)
{
    struct setting s = begin("block_step", "T1 B3 H2 L7 K4");
    const struct train_ops *ops = train_ops_reference();
    const struct dwconv_shape size = {3, 2, 7, 4};
    double *z = ops->take(s.n[0]), *dz = ops->take(s.n[0]);

    (void)state;
    ops->dwconv_forward(s.exact[0], s.exact[1], z, size);
    ops->swish_grad(z, s.exact[2], s.exact[3], dz, s.exact[5], size);
    ops->dwconv_weight_grad(dz, s.exact[0], s.exact[4], size);
    ops->give_back(z);
    ops->give_back(dz);
    compare(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swish_agrees),
        cmocka_unit_test(rms_agrees),
        cmocka_unit_test(adam_agrees),
        cmocka_unit_test(step_agrees),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
