// SPDX-License-Identifier: MIT
/* own.c: see own.h. */
#include "own.h"

#include <stdlib.h>

void *not_null(void *p)
{
    if (!p)
        abort();
    return p;
}
