// SPDX-License-Identifier: MIT
/*
 * examples.c: see examples.h.
 */
#include "sweep/examples.h"

#include <stdlib.h>
#include <string.h>

void examples_features(const struct sweep_shape *shape,
                       double feature[STUDY_FEATURES])
{
    study_features((struct study_shape){shape->dim[0], shape->dim[1],
                                        shape->dim[2]},
                   feature);
}

struct study_example *examples_train(const struct sweep_table *table, int *n)
{
    struct study_example *e = calloc((size_t)table->n_shapes + 1, sizeof *e);

    if (!e)
        abort();
    *n = 0;
    for (int i = 0; i < table->n_shapes; i++)
        if (table->shapes[i].set == SWEEP_train) {
            examples_features(&table->shapes[i], e[*n].feature);
            memcpy(e[(*n)++].ms, table->shapes[i].ms, sizeof e->ms);
        }
    return e;
}
