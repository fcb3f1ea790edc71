// SPDX-License-Identifier: MIT
/*
 * candidates.h: the kernels that a sweep compares, built.
 *
 *   candidate_start    begins to build one of a chapter's candidates
 *                      (kernels.h) as a stage
 *   candidate_finish   waits for it
 *
 * Constants that do not fit together fail to compile: such a candidate is
 * named and dropped.
 */
#ifndef BENCH_CANDIDATES_H
#define BENCH_CANDIDATES_H

#include "check/compile/build.h"
#include "op/op.h"
#include "sweep/kernels.h"

struct candidate {
    struct sweep_kernel is;
    bool built;
    char stage[PATH_BYTES];    /* the .so */
    char words[PATH_BYTES];    /* where nvcc's words are; its registers */
    char reason[256];          /* why it is not built */

    bool started;              /* until candidate_finish */
    char source[PATH_BYTES], folder[PATH_BYTES], arch[32];
    struct build build;
};

/* Into BUILD/sweep/OPERATOR/NAME.so, since operators' candidates share names;
 * sm: of the card at hand. *c stays where it is until candidate_finish, which
 * has to be called. */
void candidate_start(struct candidate *c, const struct op *op,
                     const char *build, const struct toolkit *toolkit, int sm);
void candidate_finish(struct candidate *c);

#endif
