// SPDX-License-Identifier: MIT
/*
 * op.c: looks up operators in the table that the build collects.
 *
 *   op_find, op_list
 */
#include "op/op.h"

extern const struct op_family_table *const op_families[]; /* generated */

int op_list(const struct op **list, int max)
{
    int n = 0;

    for (int f = 0; op_families[f]; f++) {
        const struct op_family_table *family = op_families[f];
        for (int i = 0; i < family->n_ops; i++) {
            if (n < max)
                list[n] = &family->ops[i];
            n++;
        }
    }
    return n;
}

const struct op *op_find(const char *name)
{
    for (int f = 0; op_families[f]; f++) {
        const struct op_family_table *family = op_families[f];

        for (int i = 0; i < family->n_ops; i++) {
            const struct op *op = &family->ops[i];

            /* A row without a name is a defect, but not of the one sought. */
            if (op->name && strcmp(op->name, name) == 0)
                return op;
        }
    }
    return NULL;
}
