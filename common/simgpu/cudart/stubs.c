// SPDX-License-Identifier: MIT
/*
 * stubs.c: calls that the simulated GPU does not support.
 *
 * Each prints its name once and returns cudaErrorNotSupported, so that every
 * program links, and learns at run time which call is missing. stubs.h is the
 * table; remove a name from it when you implement the call. CUDA's headers are
 * not included: every stub is declared without parameters, and C's calling
 * convention lets it ignore its arguments.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define NOT_SUPPORTED 801 /* cudaErrorNotSupported */

/* In error.c: remembers the error and adds it to the device's log. */
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
