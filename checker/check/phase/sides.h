// SPDX-License-Identifier: MIT
/*
 * sides.h: the runners that share the GPU while a stage is timed: this stage's,
 * the previous one's, and a copy's; and the arrays that they work on.
 *
 *   sides_shape      the timed one, shrunk where the GPU's memory is small
 *   sides_data       inputs of a timed shape: kept for the next kernel, which
 *                    often takes the same
 *   sides_tidy       frees those that only earlier kernels used
 *   sides_other_data   other inputs of the same shape, for a grade
 *   sides_load       this stage, or another, with the case loaded and uploaded
 *   sides_previous   the stage before
 *   sides_copy       a copy of as many bytes as the operator must move
 *   sides_load_copy  the same, by this runner; NULL: it is gone
 *   sides_keep       for the next kernel
 *   sides_missing    runners that a kernel will need, besides that of the cases
 *   sides_retire     a runner that nobody needs any more
 *   sides_end        all of them
 */
#ifndef CHECK_SIDES_H
#define CHECK_SIDES_H

#include "phase.h"
#include "previous.h"

struct op_shape sides_shape(const struct phase *phase);

/* Equal cases get the same arrays. At most two are held: what the kernel before
 * still looks at, and what this one is timed on. */
struct data *sides_data(const struct op *op, const struct test_case *c);
void sides_tidy(void);
/* Equal for equal cases; c becomes other's case. */
void sides_other_data(struct data *other, const struct data *d,
                      struct test_case *c);

/* runner: NULL takes a spare. NULL: status and failure say why; the runner is
 * gone. */
struct runner *sides_load(const struct phase *phase, struct runner *runner,
                          const char *stage, const struct data *d,
                          struct runner_failure *failure,
                          enum runner_status *status);
struct runner *sides_previous(const struct phase *phase,
                              const struct previous *previous,
                              const struct data *d);
struct runner *sides_copy(const struct phase *phase, double bytes);
struct runner *sides_load_copy(const struct phase *phase,
                               struct runner *runner, double bytes);
void sides_keep(enum timing_side side, struct runner *runner);
int sides_missing(const struct phase *phase);
void sides_retire(struct runner *runner);
void sides_end(void);

#endif
