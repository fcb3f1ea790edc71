// SPDX-License-Identifier: MIT
/*
 * timed.c: see timed.h.
 */
#include "timed.h"

const char *timing_verdict_name(enum timing_verdict verdict)
{
    static const char *const names[] = {"FASTER", "SAME", "SLOWER",
                                        "AMBIGUOUS"};

    return names[verdict];
}
