// SPDX-License-Identifier: MIT
/*
 * unroll.c: loops that ptxas unrolls. Interface: decode.h.
 *
 * ptxas makes four turns of a loop into one, so that the loads of all four are
 * under way at once. What follows was seen in the machine code that 13.0 makes
 * for compute capability 9.0 (tests/unit/unroll_test.c has the loops): it
 * unrolls a loop without inner loops whose counter rises by a constant, is
 * compared with what the loop leaves alone, and decides alone when the loop
 * ends; that is short; has nothing that lanes do together; and does not both
 * load from and store to the same kind of memory. ptxas does more: it also
 * unrolls some loops whose loads are of constant data or that shuffle, and
 * leaves some that hold many loads.
 */
#include "decode.h"

enum {
    LONGEST = 49,      /* instructions of a turn, the branch included */
    DIVISION = 25,     /* a division of integers counts as so many */
    SKIPPED = 16,      /* instructions that become predicates: see stays() */
    NONE = -1, SEVERAL = -2,
};

struct loop {
    struct decoder *d;
    const struct form *const *forms;
    int32_t top, end;  /* the first instruction, and the branch back */
    int32_t exit;      /* the branch that decides: of the two */
};

static const struct ptx_inst *inst_at(const struct loop *l, int32_t i)
{
    return &l->d->f->insts[i];
}

static bool is_op(const struct loop *l, int32_t i, const char *op)
{
    return strcmp(inst_at(l, i)->op, op) == 0;
}

static bool names(const struct ptx_operand *o, int32_t reg)
{
    bool found = o->kind == PTX_REG && o->index == reg;
    if (o->kind == PTX_VECTOR || o->kind == PTX_PAIR)
        for (uint16_t k = 0; k < o->n_elems; k++)
            found |= names(&o->elems[k], reg);
    return found;
}

/* The one instruction of the loop that writes a register; NONE; SEVERAL. */
static int32_t writer(const struct loop *l, int32_t reg)
{
    int32_t at = NONE;
    for (int32_t i = l->top; i <= l->end; i++)
        if (inst_at(l, i)->n_operands && names(inst_at(l, i)->operands, reg))
            at = at == NONE && inst_at(l, i)->guard < 0 ? i : SEVERAL;
    return at;
}

/* What a mov in the loop copies into a register; NONE. */
static int32_t copied_into(const struct loop *l, int32_t reg)
{
    int32_t i = writer(l, reg);
    bool copies = i >= 0 && is_op(l, i, "mov") &&
                  inst_at(l, i)->operands[1].kind == PTX_REG;
    return copies ? inst_at(l, i)->operands[1].index : NONE;
}

/* Where a register rises or falls by a constant per turn; NONE. */
static int32_t steps_at(const struct loop *l, int32_t reg)
{
    int32_t next = copied_into(l, reg) >= 0 ? copied_into(l, reg) : reg;
    int32_t i = writer(l, next);
    if (i < 0 || !(is_op(l, i, "add") || is_op(l, i, "sub")))
        return NONE;
    const struct ptx_operand *o = inst_at(l, i)->operands;
    bool steps = o[1].kind == PTX_REG && o[2].kind == PTX_INT &&
                 (o[1].index == next || copied_into(l, o[1].index) == next);
    return steps ? i : NONE;
}

static bool is_fixed(const struct loop *l, const struct ptx_operand *o)
{
    return o->kind == PTX_INT ||
           (o->kind == PTX_REG && writer(l, o->index) == NONE);
}

/* At the end of a loop the counter has risen before it is compared; at its
 * head, it rises behind. */
static bool rises_in_time(const struct loop *l, const struct ptx_operand *o,
                          int32_t compared)
{
    int32_t at = o->kind == PTX_REG ? steps_at(l, o->index) : NONE;
    return at >= 0 && (at < compared) == (l->exit == l->end);
}

static bool is_counted(const struct loop *l)
{
    const struct ptx_inst *leaves = inst_at(l, l->exit);
    int32_t at = leaves->guard_negated ? NONE : writer(l, leaves->guard);
    if (at < 0 || !is_op(l, at, "setp") || inst_at(l, at)->n_operands != 3)
        return false;
    const struct ptx_operand *o = inst_at(l, at)->operands;
    return (rises_in_time(l, &o[1], at) && is_fixed(l, &o[2])) ||
           (rises_in_time(l, &o[2], at) && is_fixed(l, &o[1]));
}

/* Divisions that may call a function: ptxas leaves such a loop. */
static bool may_call(const struct loop *l, int32_t i)
{
    const struct form_work *work = l->forms[i]->work;
    bool divides = is_op(l, i, "div") || is_op(l, i, "rcp") ||
                   is_op(l, i, "sqrt") || is_op(l, i, "rem");
    return divides && (work->ops > DIVISION || (work->class == ISSUE_SPECIAL &&
                                                work->ops > 1));
}

static int32_t size(const struct loop *l, int32_t i)
{
    bool divides = is_op(l, i, "div") || is_op(l, i, "rem");
    return divides && l->forms[i]->work->class == ISSUE_INTEGER ? DIVISION : 1;
}

/* Branches that ptxas makes into predicates go forward, not far. */
static bool skips_little(const struct loop *l, int32_t i)
{
    int32_t to = inst_at(l, i)->operands[0].index;
    return inst_at(l, i)->guard >= 0 && to > i && to <= l->end &&
           to - i <= SKIPPED;
}

static bool may_repeat(const struct loop *l, int32_t i)
{
    unsigned not = FORM_CALLS | FORM_LEAVES | FORM_MEETS | FORM_FENCES |
                   FORM_SLEEPS;
    if (!l->forms[i] || l->forms[i]->flags & not || may_call(l, i) ||
        l->d->out->sources[i].class == ISSUE_ATOMIC)
        return false;
    return !(l->forms[i]->flags & FORM_JUMPS) || i == l->exit ||
           i == l->end || skips_little(l, i);
}

static bool may_be_copied(const struct loop *l)
{
    int32_t sum = 0;
    unsigned loads = 0, stores = 0; /* a bit per class */
    for (int32_t i = l->top; i <= l->end; i++) {
        unsigned kind = 1u << l->d->out->sources[i].class;
        if (!may_repeat(l, i))
            return false;
        sum += size(l, i);
        loads |= l->forms[i]->flags & FORM_LOADS ? kind : 0;
        stores |= l->forms[i]->flags & FORM_STORES ? kind : 0;
    }
    return sum <= LONGEST && !(loads & stores & ~(1u << ISSUE_LOCAL));
}

/* The branch out of a loop whose end only goes back; NONE: another shape. */
static int32_t way_out(const struct loop *l)
{
    for (int32_t i = l->top; i < l->end; i++)
        if (l->forms[i] && l->forms[i]->flags & FORM_JUMPS)
            return inst_at(l, i)->guard >= 0 &&
                           inst_at(l, i)->operands[0].index > l->end
                       ? i : NONE;
    return NONE;
}

static bool goes_back(const struct loop *l)
{
    const struct ptx_inst *in = inst_at(l, l->end);
    return l->forms[l->end] && l->forms[l->end]->flags & FORM_JUMPS &&
           in->n_operands == 1 && in->operands[0].kind == PTX_LABEL &&
           in->operands[0].index <= l->end &&
           l->end - in->operands[0].index < LONGEST;
}

void decode_unrolled(struct decoder *d, const struct form *const *forms)
{
    for (int32_t i = 0; i < (int32_t)d->f->n_insts; i++) {
        struct loop l = {.d = d, .forms = forms, .end = i};
        if (!goes_back(&l))
            continue;
        l.top = inst_at(&l, i)->operands[0].index;
        l.exit = inst_at(&l, i)->guard >= 0 ? i : way_out(&l);
        if (inst_at(&l, l.top)->stays_loop || l.exit < 0 ||
            !may_be_copied(&l) || !is_counted(&l))
            continue;
        d->out->sources[l.exit].unrolled = true;
        d->out->sources[l.end].unrolled = true;
    }
}
