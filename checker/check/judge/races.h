// SPDX-License-Identifier: MIT
/*
 * races.h: what orders two accesses to shared memory.
 *
 *   races_advise          which barrier is missing, and where
 *   races_advise_engine   what is missing where a __syncthreads() is no help
 *   races_advise_parted   which barrier only some warps reach
 *
 * What stands between the two lines is read as text, only to choose a sentence.
 */
#ifndef CHECK_RACES_H
#define CHECK_RACES_H

#include <jansson.h>

#include "check/base/text.h"

/* other: the earlier access. path: of the file of both; NULL: there are two. */
void races_advise(struct text *advice, const json_t *finding,
                  const json_t *other, const char *path);
/* One of the two is a copy or a product that another unit does, or the block's
 * warps have roles. False: neither. source: the .cu that is checked. */
bool races_advise_engine(struct text *advice, const json_t *finding,
                         const char *source);
/* Warps of a block that waited at different barriers in this launch, which is
 * why a barrier between two accesses may order nothing. False: none did. */
bool races_advise_parted(struct text *advice, const json_t *launch,
                         const char *path);

#endif
