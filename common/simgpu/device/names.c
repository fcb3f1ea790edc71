// SPDX-License-Identifier: MIT
/*
 * names.c: the report's words for numbers.
 *
 *   dev_finding_kind, dev_space_name   enum -> word
 */
#include "device.h"

const char *dev_finding_kind(enum finding_kind kind)
{
    static const char *const names[] = {
        [FIND_OUT_OF_BOUNDS] = "out_of_bounds",
        [FIND_USE_AFTER_FREE] = "use_after_free",
        [FIND_MISALIGNED] = "misaligned",
        [FIND_UNINITIALISED] = "uninitialised",
        [FIND_RACE] = "race",
        [FIND_PROXY] = "proxy",
        [FIND_EXITED] = "exited",
        [FIND_WATCHED] = "watched",
        [FIND_DEADLOCK] = "deadlock",
        [FIND_BARRIER] = "barrier_misuse",
        [FIND_ILLEGAL] = "illegal",
        [FIND_ASSERT] = "assert",
        [FIND_TRAP] = "trap",
        [FIND_BUDGET] = "budget",
        [FIND_STACK] = "stack",
        [FIND_UNSUPPORTED] = "unsupported",
    };
    return names[kind];
}

const char *dev_space_name(uint8_t space)
{
    static const char *const names[] = {
        [PTX_SPACE_GENERIC] = "generic", [PTX_SPACE_GLOBAL] = "global",
        [PTX_SPACE_SHARED] = "shared",   [PTX_SPACE_LOCAL] = "local",
        [PTX_SPACE_CONST] = "const",     [PTX_SPACE_PARAM] = "param",
    };
    return space < sizeof names / sizeof names[0] ? names[space] : "generic";
}
