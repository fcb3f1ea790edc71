// SPDX-License-Identifier: MIT
/*
 * stubs.c: calls that the simulated GPU does not support.
 *
 * Each says so, by name, once, and returns cudaErrorNotSupported, so that a
 * program links whatever it names and learns at once what it met. stubs.h is
 * the table; a call that gets an implementation leaves it. CUDA's headers are
 * not included: every stub has the type of none, and C's calling convention
 * lets it ignore its arguments.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define NOT_SUPPORTED 801 /* cudaErrorNotSupported */

/* error.c's: the last error, and a line in the device's log. */
int rt_done(const char *call, int error);

static const char *instead(const char *call)
{
    static const struct { const char *part, *text; } hints[] = {
        {"Texture", "; read the data through a pointer instead"},
        {"Surface", "; write the data through a pointer instead"},
        {"Array", "; cudaMalloc or cudaMallocPitch instead"},
    };
    for (size_t k = 0; k < sizeof hints / sizeof *hints; k++)
        if (strstr(call, hints[k].part))
            return hints[k].text;
    return "";
}

static int refuse(const char *call, atomic_flag *said)
{
    if (!atomic_flag_test_and_set(said))
        fprintf(stderr, "simgpu: %s is not supported by the simulated GPU%s\n",
                call, instead(call));
    return rt_done(call, NOT_SUPPORTED);
}

#define X(name)                                                                \
    int name(void);                                                            \
    int name(void)                                                             \
    {                                                                          \
        static atomic_flag said = ATOMIC_FLAG_INIT;                            \
        return refuse(#name, &said);                                           \
    }
#include "stubs.h"
