// SPDX-License-Identifier: MIT
/*
 * decode_control.c: branches, calls, the stack, barriers and warp-wide
 * operations.
 */
#include "decode.h"
#include "simgpu/core/exec/heap.h"
#include "simgpu/core/exec/quota.h"
#include "simgpu/core/exec/stack.h"
#include "simgpu/core/exec/sync.h"
#include "simgpu/core/exec/control.h"

bool decode_bra(struct decoder *d)
{
    d->i->imm = decode_operand(d, 0)->index; /* until link_jumps */
    if (d->in->guard < 0) {
        d->i->fn = op_branch_uniform;
        return true;
    }
    d->i->fn = op_branch; /* reads its guard itself */
    d->i->a = d->i->guard - 1;
    d->i->guard = 0;
    return decode_operand(d, 0)->kind == PTX_LABEL;
}

bool decode_brx(struct decoder *d)
{
    const struct ptx_operand *list = decode_operand(d, 1);
    struct detail *t = decode_detail(d);
    t->n_targets = list->n_elems;
    t->targets = arena_alloc(d->arena, list->n_elems, sizeof *t->targets);
    d->i->a = d->at[0];
    d->i->fn = op_branch_index;
    return t->targets && list->kind == PTX_LIST;
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

bool engine_provides(const char *function)
{
    return builtin_of(&(struct ptx_func){.name = function}) != BUILTIN_MISSING;
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
    if (c->builtin == BUILTIN_FREE)
        t->access = (struct access_form){
            .kind = ACCESS_FREE, .space = PTX_SPACE_GLOBAL, .write = true,
            .size = sizeof(uint32_t), .n = 1, .site = ++d->module->n_sites};
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
    d->i->imm = d->in->n_operands > 2 ? decode_operand(d, 2)->bits : 8;
    if (d->i->imm < 1 || d->i->imm > LOCAL_CALL_BYTES ||
        (d->i->imm & (d->i->imm - 1)))
        return false;
    d->i->d = d->at[0];
    d->i->a = d->at[1];
    d->i->fn = op_alloca;
    d->out->grows = true;
    return true;
}

bool decode_stack_save(struct decoder *d)
{
    d->i->d = d->at[0];
    d->i->fn = op_stack_save;
    return true;
}

bool decode_stack_restore(struct decoder *d)
{
    d->i->a = d->at[0];
    d->i->fn = op_stack_restore;
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

/* What changes nothing that a program can see: prefetches, leave for the next
 * launch to begin, a change of the number of registers. */
bool decode_nop(struct decoder *d)
{
    d->i->fn = op_nop;
    return true;
}

/* a: nanoseconds. No program can tell that nobody sleeps. */
bool decode_sleep(struct decoder *d)
{
    d->i->a = d->at[0];
    d->i->fn = op_nop;
    return true;
}

bool decode_fence(struct decoder *d)
{
    d->i->fn = op_fence;
    bool proxy = decode_has(d, "proxy"), init = decode_has(d, "mbarrier_init");
    bool grid = decode_has(d, "wait");
    decode_detail(d)->fence = !proxy && !init && !grid; /* between blocks */
    d->i->p0 = decode_has(d, "gl") ? SCOPE_GPU : SCOPE_SYSTEM;
    for (int s = 0; s < d->in->n_suffixes; s++)
        d->i->p0 = decode_scope(d->in->suffix[s], d->i->p0);
    d->i->p1 = init                      ? FENCE_INIT
               : grid                    ? FENCE_GRID
               : !proxy                  ? FENCE_THREADS
               : decode_has(d, "global") ? FENCE_PROXY_GLOBAL
               : d->in->n_suffixes > 2   ? FENCE_PROXY_SHARED
                                         : FENCE_PROXY;
    return true;
}

/* A multiple of 8 from 24 to 256. */
bool decode_quota(struct decoder *d)
{
    d->i->imm = decode_operand(d, 0)->bits;
    d->i->p0 = decode_has(d, "inc");
    d->i->fn = op_quota;
    decode_detail(d)->whole = true;
    return d->i->imm >= 24 && d->i->imm <= 256 && d->i->imm % 8 == 0;
}

bool decode_bar_warp(struct decoder *d)
{
    d->i->a = d->at[0];
    d->i->fn = op_warp_sync;
    return true;
}

/* bar.red d, barrier{, threads}, {!}p */
bool decode_bar_red(struct decoder *d)
{
    int n = d->in->n_operands;
    enum barrier_op op = decode_has(d, "popc")  ? BARRIER_POPC
                         : decode_has(d, "and") ? BARRIER_AND : BARRIER_OR;
    const struct ptx_operand *p = decode_operand(d, n - 1);
    if (n < 3 || n > 4)
        return false;
    decode_detail(d)->op = (uint8_t)op;
    d->i->d = decode_dest(d, decode_operand(d, 0), op == BARRIER_POPC ? 4 : 1);
    d->i->a = decode_source(d, decode_operand(d, 1), 4);
    d->i->p0 = n == 4;
    d->i->b = n == 4 ? decode_source(d, decode_operand(d, 2), 4) : d->i->a;
    d->i->c = decode_source(d, p, 1);
    d->i->p1 = p->negated;
    d->i->fn = op_barrier_reduce;
    return true;
}

/* bar, barrier{.cta}: sync, arrive */
bool decode_bar(struct decoder *d)
{
    d->i->fn = decode_has(d, "sync") ? op_barrier : op_barrier_arrive;
    d->i->a = d->at[0];
    d->i->p0 = d->in->n_operands > 1;
    d->i->b = d->i->p0 ? d->at[1] : d->at[0];
    d->i->imm = !strcmp(d->in->op, "bar") || decode_has(d, "aligned");
    return true;
}

bool decode_shfl(struct decoder *d)
{
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    struct detail *t = decode_detail(d);
    t->op = (uint8_t)decode_word(d->in->suffix[1], modes, 4);
    d->i->d = d->at[0];
    d->i->a = d->at[1];
    d->i->b = d->at[2];
    d->i->c = d->at[3];
    t->extra = d->at[4];
    d->i->fn = op_shuffle;
    t->finish = sync_end_shuffle;
    return true;
}

/* vote.sync.ballot, and vote.ballot.sync, which ptxas takes too. */
bool decode_vote(struct decoder *d)
{
    struct detail *t = decode_detail(d);
    t->op = decode_has(d, "all")   ? VOTE_ALL
            : decode_has(d, "any") ? VOTE_ANY
            : decode_has(d, "uni") ? VOTE_UNI : VOTE_BALLOT;
    d->i->d = d->at[0];
    d->i->a = d->at[1];
    d->i->p0 = d->negated >> 1 & 1;
    t->extra = d->at[2];
    d->i->fn = op_vote;
    t->finish = sync_end_vote;
    return true;
}

bool decode_match(struct decoder *d)
{
    static const char *const modes[] = {"any", "all"};
    struct detail *t = decode_detail(d);
    t->op = (uint8_t)decode_word(d->in->suffix[0], modes, 2);
    t->reg = decode_has(d, "b64") ? 8 : 4;
    d->i->d = d->at[0];
    d->i->a = d->at[1];
    t->extra = d->at[2];
    d->i->fn = op_match;
    t->finish = sync_end_match;
    return true;
}

bool decode_redux(struct decoder *d)
{
    static const struct { const char *op, *type; uint8_t redux; } ops[] = {
        {"add", "u32", REDUX_ADD},   {"add", "s32", REDUX_ADD},
        {"min", "u32", REDUX_MIN},   {"max", "u32", REDUX_MAX},
        {"min", "s32", REDUX_MIN_S}, {"max", "s32", REDUX_MAX_S},
        {"and", "b32", REDUX_AND},   {"or", "b32", REDUX_OR},
        {"xor", "b32", REDUX_XOR},   {"min", "f32", REDUX_MIN_F},
        {"max", "f32", REDUX_MAX_F},
    };
    size_t k = 0;
    while (!decode_has(d, ops[k].op) || !decode_has(d, ops[k].type))
        k++; /* the row has no others */
    decode_detail(d)->op = ops[k].redux;
    d->i->d = d->at[0];
    d->i->a = d->at[1];
    decode_detail(d)->extra = d->at[2];
    d->i->fn = op_redux;
    decode_detail(d)->finish = sync_end_redux;
    return true;
}

bool decode_elect(struct decoder *d)
{
    d->i->d = d->at[0];
    d->i->a = d->at[1];
    d->i->fn = op_elect;
    decode_detail(d)->finish = sync_end_elect;
    return true;
}

bool decode_activemask(struct decoder *d)
{
    d->i->d = d->at[0];
    d->i->fn = op_activemask;
    return true;
}
