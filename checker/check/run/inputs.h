// SPDX-License-Identifier: MIT
/*
 * inputs.h: the inputs of one case in a sealed memory file.
 *
 *   inputs_make    fills them; false: this system cannot seal a file, or lacks
 *                  memory
 *   inputs_free
 *
 * The stage that is timed, the stage before it and the next kernel often take
 * the same inputs. Every runner gets the same file, and none can change it.
 */
#ifndef CHECK_INPUTS_H
#define CHECK_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "op/op.h"

struct inputs {
    int fd;
    size_t bytes;
    char *map; /* read only */
    void *given[OP_MAX_BUFFERS]; /* there; NULL: not read */
    uint64_t digest[OP_MAX_BUFFERS];
};

bool inputs_make(struct inputs *inputs, const struct op *op,
                 const struct op_problem *problem);
void inputs_free(struct inputs *inputs);

#endif
