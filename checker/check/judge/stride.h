// SPDX-License-Identifier: MIT
/*
 * stride.h: an access past an array's end that another row stride explains.
 *
 *   stride_advise   asks for the stride, if it is that
 */
#ifndef CHECK_STRIDE_H
#define CHECK_STRIDE_H

#include "target.h"

/* False: nothing was added, since a guard, or something else, is to blame. */
bool stride_advise(struct text *advice, const json_t *finding,
                   const struct arrays *arrays);

#endif
