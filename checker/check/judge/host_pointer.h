// SPDX-License-Identifier: MIT
/*
 * host_pointer.h: how a host address may have got into a kernel.
 *
 *   host_pointer_advise   by what stands in the source
 */
#ifndef CHECK_HOST_POINTER_H
#define CHECK_HOST_POINTER_H

#include "check/base/text.h"

/* Always adds a sentence: a general one, where the source shows nothing. */
void host_pointer_advise(struct text *advice, const char *source);

#endif
