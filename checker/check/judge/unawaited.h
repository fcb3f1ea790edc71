// SPDX-License-Identifier: MIT
/*
 * unawaited.h: asynchronous copies that were read too early.
 *
 *   unawaited_advise   which of the waits lacks, as the source tells
 */
#ifndef CHECK_UNAWAITED_H
#define CHECK_UNAWAITED_H

#include <stdbool.h>

#include "check/base/text.h"

/* Of an element in shared memory that holds nothing, or (copied) whose copy is
 * known to be under way. False, and nothing added: the file at path copies
 * nothing asynchronously, but may include what does. */
bool unawaited_advise(struct text *advice, const char *path, bool copied);

#endif
