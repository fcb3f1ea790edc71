// SPDX-License-Identifier: MIT
/*
 * words.c: the words of reports. Interface: words.h.
 */
#include "words.h"

const char *engine_finding_word(enum finding_kind kind)
{
    static const char *const words[] = {
        [FIND_OUT_OF_BOUNDS] = "out_of_bounds",
        [FIND_USE_AFTER_FREE] = "use_after_free",
        [FIND_MISALIGNED] = "misaligned",
        [FIND_UNINITIALISED] = "uninitialised",
        [FIND_SHUFFLE] = "shuffle",
        [FIND_RACE] = "race",
        [FIND_PROXY] = "proxy",
        [FIND_UNFENCED] = "unfenced",
        [FIND_EXITED] = "exited",
        [FIND_WATCHED] = "watched",
        [FIND_EQUAL_WRITES] = "equal_writes",
        [FIND_PARTED] = "parted_warps",
        [FIND_DEADLOCK] = "deadlock",
        [FIND_BARRIER] = "barrier_misuse",
        [FIND_ILLEGAL] = "illegal",
        [FIND_ASSERT] = "assert",
        [FIND_TRAP] = "trap",
        [FIND_BUDGET] = "budget",
        [FIND_STACK] = "stack",
        [FIND_FOOTPRINT] = "footprint",
        [FIND_UNSUPPORTED] = "unsupported",
    };
    return words[kind];
}

const char *engine_fault_word(enum engine_fault fault)
{
    static const char *const words[] = {
        [FAULT_NONE] = "none",         [FAULT_ADDRESS] = "address",
        [FAULT_MISALIGNED] = "misaligned", [FAULT_ASSERT] = "assert",
        [FAULT_TRAP] = "trap",         [FAULT_BUDGET] = "budget",
        [FAULT_DEADLOCK] = "deadlock", [FAULT_STACK] = "stack",
        [FAULT_BARRIER] = "barrier_misuse", [FAULT_ILLEGAL] = "illegal",
        [FAULT_FOOTPRINT] = "footprint",
        [FAULT_UNSUPPORTED] = "unsupported",
    };
    return words[fault];
}

const char *engine_space_word(uint8_t space)
{
    static const char *const words[] = {
        [PTX_SPACE_GENERIC] = "generic", [PTX_SPACE_GLOBAL] = "global",
        [PTX_SPACE_SHARED] = "shared",   [PTX_SPACE_LOCAL] = "local",
        [PTX_SPACE_CONST] = "const",     [PTX_SPACE_PARAM] = "param",
    };
    return space < sizeof words / sizeof words[0] ? words[space] : "generic";
}
