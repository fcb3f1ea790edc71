// SPDX-License-Identifier: MIT
/*
 * exports.h: the names that a built stage shows to the rest of the process.
 *
 *   exports_foreign   a name that the operator does not have, or NULL
 *
 * A stage exports its launcher and its workspace query. Any other C name, say
 * a cudaEventElapsedTime of its own, could take the place of a library's.
 */
#ifndef CHECK_EXPORTS_H
#define CHECK_EXPORTS_H

#include "op/op.h"

/* The caller frees it. Names of C++ (templates of its library) are no harm. */
char *exports_foreign(const char *stage, const struct op *op);

#endif
