// SPDX-License-Identifier: MIT
/*
 * turns.h: the kernels of a chapter, on the simulated GPU and on a GPU.
 *
 *   turns_take   each of them: compiled, on the simulated GPU, assembled,
 *                predicted, on the GPU; `done` is told as each is through
 *
 * If there is a GPU, and cores enough, the simulated part of the next kernels
 * runs beside the GPU's part of this one, and whichever is ready first has the
 * GPU next (order.h). Results do not depend on it.
 */
#ifndef CHECK_TURNS_H
#define CHECK_TURNS_H

#include "check/judge/judge.h"

struct turn {
    struct phase phase; /* its result and workbook are the caller's */
    struct case_list list;
    struct op_shape shape; /* may be what the list was made of */
    bool to_time;          /* set here: the GPU is to follow */
};

/* done is called in their order. */
void turns_take(struct turn *turn, int n,
                void (*done)(void *context, struct kernel_result *r),
                void *context);

#endif
