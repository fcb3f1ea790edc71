// SPDX-License-Identifier: MIT
/*
 * signs.h: which counter shows what binds a kernel, and the sentence for it.
 *
 *   signs_at           the signs, in the order in which they matter
 *   signs_named        the one of a counter that is too large, or too small
 *   signs_of_tensors   the one that takes its place where tensor cores work
 *   signs_drawing      what `make trace` draws of it
 */
#ifndef CHECK_SIGNS_H
#define CHECK_SIGNS_H

enum too { MANY, FEW };

struct sign {
    const char *counter;
    enum too too;
    double limit;         /* past it, it speaks; NAN: only where a gate asks */
    const char *sentence; /* %s: the value */
    int chapter;          /* whose lesson explains it */
    const char *line;     /* the count that finds its line; NULL: none does */
    const char *of;       /* what that count counts */
};

/* NULL: there are no more. */
const struct sign *signs_at(int i);
/* NULL: there is none. */
const struct sign *signs_named(const char *counter, enum too too);
const struct sign *signs_of_tensors(const char *counter, enum too too);
const char *signs_drawing(const struct sign *sign);

#endif
