// SPDX-License-Identifier: MIT
/* own.c: see own.h. */
#include "own.h"

#include <stdlib.h>

void *own_not_null(void *p)
{
    if (!p)
        abort();
    return p;
}
