// SPDX-License-Identifier: MIT
/*
 * decode_control.c: branches, calls, the stack, barriers and warp-wide
 * operations.
 */
#include "decode.h"
#include "simgpu/core/exec/heap.h"
#include "simgpu/core/exec/stack.h"
#include "simgpu/core/exec/sync.h"
#include "simgpu/core/exec/control.h"

bool decode_bra(struct decoder *d)
{
    const struct ptx_operand *o = decode_operand(d, 0);
    if (o->kind != PTX_LABEL)
        return false;
    d->i->imm = o->index; /* until link_jumps */
    if (d->in->guard < 0) {
        d->i->fn = op_branch_uniform;
        return true;
    }
    d->i->fn = op_branch; /* reads its guard itself */
    d->i->a = d->i->guard - 1;
    d->i->guard = 0;
    return true;
}

bool decode_brx(struct decoder *d)
{
    const struct ptx_operand *list = decode_operand(d, 1);
    if (!decode_has(d, "idx") || list->kind != PTX_LIST)
        return false;
    struct detail *t = decode_detail(d);
    t->n_targets = list->n_elems;
    t->targets = arena_alloc(d->arena, list->n_elems, sizeof *t->targets);
    d->i->a = decode_source(d, decode_operand(d, 0), 4);
    d->i->fn = op_branch_index;
    return t->targets != NULL;
}

static uint8_t builtin_of(const struct ptx_func *f)
{
    if (strcmp(f->name, "vprintf") == 0)
        return BUILTIN_PRINTF;
    if (strcmp(f->name, "__assertfail") == 0)
        return BUILTIN_ASSERT;
    if (strcmp(f->name, "malloc") == 0 && !f->has_body)
        return BUILTIN_MALLOC;
    if (strcmp(f->name, "free") == 0 && !f->has_body)
        return BUILTIN_FREE;
    return f->has_body ? BUILTIN_NONE : BUILTIN_MISSING;
}

static bool call_list(struct decoder *d, const struct ptx_operand *list,
                      uint32_t *n, uint32_t **offset, uint32_t **bytes)
{
    *n = list->n_elems;
    *offset = arena_alloc(d->arena, *n + 1, sizeof **offset);
    *bytes = arena_alloc(d->arena, *n + 1, sizeof **bytes);
    for (uint32_t k = 0; k < *n; k++) {
        const struct ptx_operand *o = &list->elems[k];
        if (!decode_is_param(d, o))
            return false;
        (*offset)[k] = (uint32_t)d->address[o->index];
        (*bytes)[k] = (uint32_t)d->ptx->vars[o->index].bytes;
    }
    return true;
}

/* call (results), function, (arguments), prototype: lists are optional. */
bool decode_call(struct decoder *d)
{
    struct detail *t = decode_detail(d);
    struct call_info *c = arena_alloc(d->arena, 1, sizeof *c);
    int n = 0;
    t->call = c;
    if (!c)
        return false;
    if (decode_operand(d, n)->kind == PTX_LIST &&
        !call_list(d, decode_operand(d, n++), &c->n_results, &c->result,
                   &c->result_bytes))
        return false;
    const struct ptx_operand *callee = decode_operand(d, n++);
    if (decode_operand(d, n)->kind == PTX_LIST &&
        !call_list(d, decode_operand(d, n), &c->n_args, &c->arg, &c->arg_bytes))
        return false;
    d->i->fn = op_call;
    if (callee->kind == PTX_REG) {
        d->i->a = decode_source(d, callee, 8);
        return true;
    }
    if (callee->kind != PTX_FUNC)
        return false;
    const struct ptx_func *f = &d->ptx->funcs[callee->index];
    c->builtin = builtin_of(f);
    c->callee = &d->module->functions[callee->index];
    if (c->builtin == BUILTIN_MALLOC || c->builtin == BUILTIN_FREE)
        return c->n_args == 1 && c->arg_bytes[0] == 8 &&
               (c->builtin == BUILTIN_FREE ||
                (c->n_results == 1 && c->result_bytes[0] == 8)) &&
               heap_open(d->module->engine);
    if (c->builtin == BUILTIN_MISSING) {
        char text[128];
        snprintf(text, sizeof text, "call of %s, which has no PTX", f->name);
        char *copy = arena_alloc(d->arena, strlen(text) + 1, 1);
        t->text = copy ? strcpy(copy, text) : "call";
    }
    return true;
}

/* alloca.u64 d, bytes{, alignment} */
bool decode_alloca(struct decoder *d)
{
    const struct ptx_operand *align = decode_operand(d, 2);
    d->i->imm = d->in->n_operands > 2 ? align->bits : 8;
    if ((d->in->n_operands > 2 && align->kind != PTX_INT) || d->i->imm < 1 ||
        d->i->imm > LOCAL_CALL_BYTES || (d->i->imm & (d->i->imm - 1)))
        return false;
    d->i->d = decode_dest(d, decode_operand(d, 0), 8);
    d->i->a = decode_source(d, decode_operand(d, 1), 8);
    d->i->fn = op_alloca;
    d->out->grows = true;
    return true;
}

/* stacksave.u64 d; stackrestore.u64 a */
bool decode_stack(struct decoder *d)
{
    bool saves = strcmp(d->in->op, "stacksave") == 0;
    if (d->in->n_operands != 1)
        return false;
    if (saves)
        d->i->d = decode_dest(d, decode_operand(d, 0), 8);
    else
        d->i->a = decode_source(d, decode_operand(d, 0), 8);
    d->i->fn = saves ? op_stack_save : op_stack_restore;
    return true;
}

bool decode_ret(struct decoder *d)
{
    d->i->fn = op_return;
    return true;
}

bool decode_exit(struct decoder *d)
{
    d->i->fn = op_exit;
    return true;
}

bool decode_trap(struct decoder *d)
{
    d->i->fn = op_trap;
    return true;
}

bool decode_nop(struct decoder *d)
{
    d->i->fn = op_nop;
    return true;
}

/* A grid begins when those it depends on have ended: nothing is left to wait
 * for. Registers have no number. */
bool decode_grid(struct decoder *d)
{
    static const char *const words[] = {"launch_dependents", "wait"};
    d->i->fn = op_nop;
    return d->in->n_suffixes == 1 && d->in->n_operands == 0 &&
           decode_word(decode_last(d), words, 2) >= 0;
}

bool decode_registers(struct decoder *d)
{
    bool changes = decode_has(d, "inc") || decode_has(d, "dec");
    d->i->fn = op_nop;
    return changes && d->in->n_suffixes == 4 && decode_has(d, "sync") &&
           decode_has(d, "aligned") && strcmp(decode_last(d), "u32") == 0 &&
           decode_operand(d, 0)->kind == PTX_INT;
}

bool decode_fence(struct decoder *d)
{
    if (decode_has(d, "proxy") || decode_has(d, "mbarrier_init"))
        return false; /* belongs to asynchronous copies */
    d->i->fn = op_fence;
    decode_detail(d)->fence = true;
    d->i->p0 = !decode_has(d, "cta"); /* for other blocks too */
    return true;
}

static bool decode_bar_warp(struct decoder *d)
{
    d->i->a = decode_source(d, decode_operand(d, 0), 4);
    d->i->fn = op_warp_sync;
    return true;
}

static bool decode_bar_red(struct decoder *d)
{
    static const char *const ops[] = {"popc", "and", "or"};
    int n = d->in->n_operands, op = -1;
    for (int s = 0; s < d->in->n_suffixes && op < 0; s++)
        op = decode_word(d->in->suffix[s], ops, 3);
    if (op < 0 || n < 3)
        return false;
    decode_detail(d)->op = (uint8_t)op;
    d->i->d = decode_dest(d, decode_operand(d, 0), op == BARRIER_POPC ? 4 : 1);
    d->i->a = decode_source(d, decode_operand(d, 1), 4);
    d->i->p0 = n == 4;
    d->i->b = n == 4 ? decode_source(d, decode_operand(d, 2), 4) : d->i->a;
    d->i->c = decode_source(d, decode_operand(d, n - 1), 1);
    d->i->p1 = decode_operand(d, n - 1)->negated;
    d->i->fn = op_barrier_reduce;
    return true;
}

/* bar, barrier{.cta}: sync, arrive, red; bar.warp.sync. */
bool decode_bar(struct decoder *d)
{
    if (decode_has(d, "warp"))
        return decode_bar_warp(d);
    if (decode_has(d, "cluster"))
        return false;
    if (decode_has(d, "red"))
        return decode_bar_red(d);
    bool waits = decode_has(d, "sync");
    if (!waits && !decode_has(d, "arrive"))
        return false;
    d->i->fn = waits ? op_barrier : op_barrier_arrive;
    d->i->a = decode_source(d, decode_operand(d, 0), 4);
    d->i->p0 = d->in->n_operands > 1;
    d->i->b = d->i->p0 ? decode_source(d, decode_operand(d, 1), 4) : d->i->a;
    return true;
}

/* d or d|p of operand 0: the register, and detail.slot[0] the predicate. */
static void pair_dest(struct decoder *d)
{
    const struct ptx_operand *o = decode_operand(d, 0);
    struct detail *t = decode_detail(d);
    t->slot[0] = NO_SLOT;
    if (o->kind == PTX_PAIR) {
        d->i->d = decode_dest(d, &o->elems[0], 4);
        if (o->elems[1].kind != PTX_SINK)
            t->slot[0] = decode_dest(d, &o->elems[1], 1);
    } else {
        d->i->d = decode_dest(d, o, 4);
    }
}

bool decode_shfl(struct decoder *d)
{
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    if (!decode_has(d, "sync") || d->in->n_suffixes != 3)
        return false;
    int mode = decode_word(d->in->suffix[1], modes, 4);
    if (mode < 0)
        return false;
    struct detail *t = decode_detail(d);
    t->op = (uint8_t)mode;
    pair_dest(d);
    d->i->a = decode_source(d, decode_operand(d, 1), 4);
    d->i->b = decode_source(d, decode_operand(d, 2), 4);
    d->i->c = decode_source(d, decode_operand(d, 3), 4);
    t->slot[1] = decode_source(d, decode_operand(d, 4), 4);
    d->i->fn = op_shuffle;
    return true;
}

bool decode_vote(struct decoder *d)
{
    static const char *const modes[] = {"all", "any", "uni", "ballot"};
    if (!decode_has(d, "sync") || d->in->n_suffixes != 3)
        return false;
    int mode = decode_word(d->in->suffix[1], modes, 4);
    if (mode < 0) /* vote.ballot.sync, which ptxas takes, too */
        mode = decode_word(d->in->suffix[0], modes, 4);
    if (mode < 0)
        return false;
    struct detail *t = decode_detail(d);
    t->op = (uint8_t)mode;
    d->i->d = decode_dest(d, decode_operand(d, 0), mode == VOTE_BALLOT ? 4 : 1);
    d->i->a = decode_source(d, decode_operand(d, 1), 1);
    d->i->p0 = decode_operand(d, 1)->negated;
    t->slot[1] = decode_source(d, decode_operand(d, 2), 4);
    d->i->fn = op_vote;
    return true;
}

bool decode_match(struct decoder *d)
{
    static const char *const modes[] = {"any", "all"};
    int mode = d->in->n_suffixes == 3
                   ? decode_word(d->in->suffix[0], modes, 2) : -1;
    if (mode < 0 || !decode_has(d, "sync"))
        return false;
    struct detail *t = decode_detail(d);
    t->op = (uint8_t)mode;
    t->reg = decode_has(d, "b64") ? 8 : 4;
    pair_dest(d);
    d->i->a = decode_source(d, decode_operand(d, 1), t->reg);
    t->slot[1] = decode_source(d, decode_operand(d, 2), 4);
    d->i->fn = op_match;
    return true;
}

bool decode_redux(struct decoder *d)
{
    static const struct { const char *words; uint8_t op; uint32_t mods; }
    ops[] = {
        {"redux.sync.min.f32", REDUX_MIN_F, MOD_NAN | MOD_ABS},
        {"redux.sync.max.f32", REDUX_MAX_F, MOD_NAN | MOD_ABS},
        {"redux.sync.add.u32", REDUX_ADD, 0},
        {"redux.sync.add.s32", REDUX_ADD, 0},
        {"redux.sync.min.u32", REDUX_MIN, 0},
        {"redux.sync.max.u32", REDUX_MAX, 0},
        {"redux.sync.min.s32", REDUX_MIN_S, 0},
        {"redux.sync.max.s32", REDUX_MAX_S, 0},
        {"redux.sync.and.b32", REDUX_AND, 0},
        {"redux.sync.or.b32", REDUX_OR, 0},
        {"redux.sync.xor.b32", REDUX_XOR, 0},
    };
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        if (strcmp(ops[k].words, d->words) != 0)
            continue;
        struct detail *t = decode_detail(d);
        t->op = ops[k].op;
        d->i->d = decode_dest(d, decode_operand(d, 0), 4);
        d->i->a = decode_source(d, decode_operand(d, 1), 4);
        t->slot[1] = decode_source(d, decode_operand(d, 2), 4);
        d->i->fn = op_redux;
        return !(d->mods & ~ops[k].mods);
    }
    return false;
}

bool decode_elect(struct decoder *d)
{
    if (!decode_has(d, "sync") || d->in->n_operands != 2)
        return false;
    pair_dest(d);
    d->i->a = decode_source(d, decode_operand(d, 1), 4);
    d->i->fn = op_elect;
    return true;
}

bool decode_activemask(struct decoder *d)
{
    d->i->d = decode_dest(d, decode_operand(d, 0), 4);
    d->i->fn = op_activemask;
    return true;
}
