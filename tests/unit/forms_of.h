// SPDX-License-Identifier: MIT
/* forms_of.h: the opcode form of each instruction of a function, as the decoder
 * finds it. The caller frees the array. */
#ifndef FORMS_OF_H
#define FORMS_OF_H

#include <stdlib.h>

#include "simgpu/core/decode/rows.h"

static inline const struct form **forms_of(const struct ptx_func *f)
{
    struct arena *arena = arena_open();
    struct spellings *spellings = spellings_open(arena);
    size_t n = f->n_insts ? f->n_insts : 1;
    const struct form **forms = calloc(n, sizeof *forms);
    if (!arena || !forms)
        abort();
    for (size_t i = 0; i < f->n_insts; i++) {
        const struct row *row = spelling_of(spellings, &f->insts[i]).row;
        forms[i] = row ? &row->form : NULL;
    }
    spellings_close(spellings);
    arena_close(arena);
    return forms;
}

#endif
