// SPDX-License-Identifier: MIT
/*
 * link.h: makes one module of several, as nvlink does with objects that were
 * built with -rdc=true.
 *
 *   ptx_link   modules -> one module, or what does not fit together
 */
#ifndef SIMGPU_LINK_H
#define SIMGPU_LINK_H

#include "ptx.h"

enum ptx_link_kind {
    PTX_LINK_NO_MEMORY,
    PTX_LINK_TWICE,     /* two strong definitions, in unit and other */
    PTX_LINK_UNDEFINED, /* unit uses it, nobody defines it */
    PTX_LINK_DIFFERS,   /* unit declares it otherwise than other defines it */
};

struct ptx_link_error {
    enum ptx_link_kind kind;
    const char *name;   /* of the function or variable: a unit's text */
    size_t unit, other; /* into units */
};

/*
 * Joins n units, n >= 1. Only names with a linkage are joined: local ones may
 * be equal. What no kernel and no variable reaches is left out. A function
 * without a body is undefined unless provided(its name): the engine has those
 * itself. Returns NULL and fills in *error if the units do not fit together.
 * The result keeps pointing at the units' texts and registers: free it (with
 * ptx_free) before them. Source: the PTX ISA, "Linking Directives".
 */
struct ptx_module *ptx_link(const struct ptx_module *const *units, size_t n,
                            bool (*provided)(const char *name),
                            struct ptx_link_error *error);

#endif
