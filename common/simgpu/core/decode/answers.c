// SPDX-License-Identifier: MIT
/*
 * answers.c: is what an instruction answers ever asked for?
 *
 *   decode_is_asked   does anything depend on this register?
 *
 * A try_wait may come back before the phase has ended, and says so. A program
 * that does not look at the answer has not waited. What a register leads to is
 * followed through copies, selections and logic, whatever the order of the
 * instructions; anything else that reads it asks for it.
 */
#include <stdlib.h>
#include <string.h>

#include "decode.h"

static bool is_passed_on(const struct ptx_inst *in)
{
    static const char *const ops[] = {"mov", "selp", "not", "and", "or",
                                      "xor", "setp", "set", "cvt"};
    return decode_word(in->op, ops, sizeof ops / sizeof *ops) >= 0;
}

static bool names_any(const struct ptx_operand *o, const bool *leads)
{
    if (o->kind == PTX_REG && leads[o->index])
        return true;
    for (uint32_t k = 0; o->elems && k < o->n_elems; k++)
        if (names_any(&o->elems[k], leads))
            return true;
    return false;
}

static bool reads_any(const struct ptx_inst *in, const bool *leads)
{
    for (int n = 1; n < in->n_operands; n++)
        if (names_any(&in->operands[n], leads))
            return true;
    return in->n_operands > 0 && !is_passed_on(in) &&
           names_any(&in->operands[0], leads);
}

/* One step: what in reads, it passes on to its result. false: it is asked for.
 * *grows: another register leads on. */
static bool follow(const struct ptx_inst *in, bool *leads, bool *grows)
{
    const struct ptx_operand *to = in->operands;
    if (in->guard >= 0 && leads[in->guard])
        return false;
    if (!reads_any(in, leads))
        return true;
    if (!is_passed_on(in) || to->kind != PTX_REG)
        return false;
    *grows |= !leads[to->index];
    leads[to->index] = true;
    return true;
}

bool decode_is_asked(const struct decoder *d, const struct ptx_operand *answer)
{
    bool *leads, grows = true, asked = answer->kind != PTX_REG;
    if (asked)
        return true;
    leads = calloc(d->f->n_regs + 1, sizeof *leads);
    if (!leads)
        abort();
    leads[answer->index] = true;
    while (grows && !asked) {
        grows = false;
        for (size_t n = 0; n < d->f->n_insts && !asked; n++)
            asked = &d->f->insts[n] != d->in &&
                    strcmp(d->f->insts[n].op, d->in->op) != 0 &&
                    !follow(&d->f->insts[n], leads, &grows);
    }
    free(leads);
    return asked;
}
