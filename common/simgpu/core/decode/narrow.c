// SPDX-License-Identifier: MIT
/*
 * narrow.c: addresses of constants, which have 32 bits. Interface: decode.h.
 *
 * PTX computes the address of a constant in 64 bits, as any other. Constant
 * memory has 64 KB, and the machine's LDC takes a register of 32 bits and an
 * offset of its own: c[0x3][R7 + 0x40]. So of `mul.wide.u32; add.s64; ld.const`
 * ptxas leaves one shift, and the variable's place becomes the offset (seen in
 * the machine code of 13.0 for compute capability 9.0). Such instructions get a
 * form of less work.
 *
 * The hard idea: at first all registers are narrow, and each pass finds some
 * that are not, until none changes: what anything reads but the address of a
 * load of constants, or a sum or product that is narrow itself.
 */
#include <stdlib.h>

#include "decode.h"
#include "simgpu/core/memory/own.h"

struct flow {
    struct decoder *d;
    bool *wide, *place; /* per register; place: where a variable stands */
    bool changed;
};

static bool is_op(const struct ptx_inst *in, const char *op, const char *word)
{
    return strcmp(in->op, op) == 0 && in->n_suffixes > 0 &&
           strcmp(in->suffix[0], word) == 0;
}

static bool is_sum(const struct ptx_inst *in)
{
    return is_op(in, "add", "s64") || is_op(in, "add", "u64");
}

static bool is_product(const struct ptx_inst *in)
{
    return is_op(in, "mul", "wide") || is_op(in, "shl", "b64");
}

static bool is_extension(const struct ptx_inst *in)
{
    return (is_op(in, "cvt", "u64") || is_op(in, "cvt", "s64")) &&
           (strcmp(in->suffix[1], "u32") == 0 ||
            strcmp(in->suffix[1], "s32") == 0);
}

static void widen(void *to, int32_t reg)
{
    struct flow *w = to;
    w->changed |= !w->wide[reg];
    w->wide[reg] = true;
}

/* Its result has 64 bits, of which the machine would compute half. */
static bool may_be_narrow(const struct ptx_inst *in)
{
    return is_sum(in) || is_product(in) || is_extension(in) ||
           is_op(in, "mov", "u64") || is_op(in, "mov", "b64");
}

static bool is_narrow(const struct flow *w, const struct ptx_inst *in)
{
    return may_be_narrow(in) && in->operands[0].kind == PTX_REG &&
           !w->wide[in->operands[0].index];
}

static void pass(struct flow *w, const struct form *const *forms)
{
    const struct ptx_func *f = w->d->f;
    w->changed = false;
    for (size_t i = 0; i < f->n_insts; i++) {
        const struct ptx_inst *in = &f->insts[i];
        if (!may_be_narrow(in))
            decode_each(in, forms[i], true, widen, w);
        if (!is_op(in, "ld", "const") && !is_narrow(w, in))
            decode_each(in, forms[i], false, widen, w);
    }
}

static void find_places(struct flow *w)
{
    const struct ptx_func *f = w->d->f;
    for (size_t i = 0; i < f->n_insts; i++) {
        const struct ptx_inst *in = &f->insts[i];
        if (in->n_operands == 2 && in->operands[0].kind == PTX_REG &&
            in->operands[1].kind == PTX_VAR)
            w->place[in->operands[0].index] = true;
    }
}

/* What joins the offset of the load: a variable's place, or a number. */
static bool is_offset(const struct flow *w, const struct ptx_inst *in)
{
    bool folds = is_extension(in) || strcmp(in->op, "mov") == 0;
    for (uint16_t k = 1; is_sum(in) && k < in->n_operands; k++) {
        const struct ptx_operand *o = &in->operands[k];
        folds |= o->kind == PTX_INT ||
                 (o->kind == PTX_REG && w->place[o->index]);
    }
    return folds;
}

void decode_narrow(struct decoder *d, const struct form *const *forms)
{
    struct flow w = {.d = d, .changed = true};
    size_t n = d->f->n_regs + 1, loads = 0;
    for (size_t i = 0; i < d->f->n_insts; i++)
        loads += is_op(&d->f->insts[i], "ld", "const");
    if (loads == 0)
        return;
    w.wide = own_not_null(calloc(n, sizeof *w.wide));
    w.place = own_not_null(calloc(n, sizeof *w.place));
    find_places(&w);
    while (w.changed)
        pass(&w, forms);
    for (size_t i = 0; i < d->f->n_insts; i++)
        if (forms[i] && is_narrow(&w, &d->f->insts[i]))
            d->out->sources[i].form =
                row_narrow(is_offset(&w, &d->f->insts[i]));
    free(w.wide);
    free(w.place);
}
