// SPDX-License-Identifier: MIT
/*
 * share.c: integer divisions that share a divisor. Interface: decode.h.
 *
 * The hardware divides by way of a reciprocal. ptxas computes that once for all
 * divisions and remainders by one register, of one signedness, in a basic block
 * (seen by their times on an H200: eight such divisions took 5.4 clocks each,
 * and with a divisor each 8.4). The later ones get a form of less work.
 */
#include "decode.h"
#include "row_words.h"

#include <string.h>

enum { FAR = 512 }; /* instructions: how far back the first one may be */

/* div.s32 and rem.u16 differ in the letter behind the dot. */
static bool same_sign(const struct ptx_inst *a, const struct ptx_inst *b)
{
    return a->n_suffixes && b->n_suffixes &&
           strcmp(a->suffix[a->n_suffixes - 1],
                  b->suffix[b->n_suffixes - 1]) == 0;
}

static bool is_register(const struct ptx_inst *in, int k, int32_t index)
{
    return in->n_operands > k && in->operands[k].kind == PTX_REG &&
           in->operands[k].index == index;
}

/* Is the divisor of instruction i that of an earlier one in its block? */
static bool is_shared(struct decoder *d, const struct form *const *forms,
                      int32_t first, int32_t i)
{
    const struct ptx_inst *in = &d->f->insts[i];
    if (in->n_operands != 3 || in->operands[2].kind != PTX_REG)
        return false;
    int32_t divisor = in->operands[2].index;
    for (int32_t k = i - 1; k >= first && k > i - FAR; k--) {
        const struct ptx_inst *other = &d->f->insts[k];
        if (is_register(other, 0, divisor))
            return false;
        if (forms[k] && row_shares(forms[k]) && other->guard < 0 &&
            is_register(other, 2, divisor) && same_sign(in, other))
            return true;
    }
    return false;
}

void decode_shared(struct decoder *d, const struct form *const *forms)
{
    for (int32_t b = 0; b < d->cfg->n; b++) {
        const struct basic *block = &d->cfg->block[b];
        for (int32_t i = block->first; i < block->last; i++) {
            const struct form *less = forms[i] ? row_shares(forms[i]) : NULL;
            if (less && is_shared(d, forms, block->first, i))
                d->out->sources[i].form = less;
        }
    }
}
