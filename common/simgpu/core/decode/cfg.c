// SPDX-License-Identifier: MIT
/*
 * cfg.c: basic blocks and immediate post-dominators of a PTX function.
 *
 * Post-dominators by Cooper, Harvey and Kennedy's iteration over the reversed
 * graph ("A Simple, Fast Dominance Algorithm"). Blocks that never reach the
 * function's end (endless loops) count as leading to it.
 */
#include "cfg.h"

#include <stdlib.h>
#include <string.h>

#include "simgpu/core/memory/own.h"

static void *allocate(size_t n, size_t size)
{
    return own_not_null(calloc(n ? n : 1, size));
}

static bool has_flag(const struct form *form, unsigned flags)
{
    return form && (form->flags & flags);
}

/* Calls visit for each label among the operands. */
static void each_label(const struct ptx_operand *o, size_t n,
                       void (*visit)(void *, int32_t), void *context)
{
    for (size_t k = 0; k < n; k++) {
        if (o[k].kind == PTX_LABEL)
            visit(context, o[k].index);
        else if (o[k].kind == PTX_LIST)
            each_label(o[k].elems, o[k].n_elems, visit, context);
    }
}

struct leaders {
    bool *is;
    int32_t n;
};

static void mark(void *context, int32_t target)
{
    struct leaders *l = context;
    if (target < l->n)
        l->is[target] = true;
}

static void find_blocks(struct cfg *g, const struct ptx_func *f,
                        const struct form *const *forms)
{
    int32_t n = (int32_t)f->n_insts;
    struct leaders l = {allocate(f->n_insts + 1, sizeof(bool)), n};
    l.is[0] = true;
    for (int32_t i = 0; i < n; i++) {
        const struct ptx_inst *inst = &f->insts[i];
        if (has_flag(forms[i], FORM_JUMPS))
            each_label(inst->operands, inst->n_operands, mark, &l);
        if (has_flag(forms[i], FORM_JUMPS | FORM_LEAVES))
            l.is[i + 1] = true;
    }
    g->block = allocate(f->n_insts, sizeof *g->block);
    g->block_of = allocate(f->n_insts, sizeof *g->block_of);
    for (int32_t i = 0; i < n; i++) {
        if (l.is[i])
            g->block[g->n++].first = i;
        g->block_of[i] = g->n - 1;
        g->block[g->n - 1].last = i + 1;
    }
    free(l.is);
}

struct edges {
    const struct cfg *g;
    struct basic *from;
    int32_t n_insts;
};

static void add_edge(void *context, int32_t target)
{
    struct edges *e = context;
    struct basic *b = e->from;
    b->succ = own_not_null(
        realloc(b->succ, (size_t)(b->n_succ + 1) * sizeof *b->succ));
    b->succ[b->n_succ++] =
        target < e->n_insts ? e->g->block_of[target] : e->g->n;
}

static void find_edges(struct cfg *g, const struct ptx_func *f,
                       const struct form *const *forms)
{
    for (int32_t b = 0; b < g->n; b++) {
        struct edges e = {g, &g->block[b], (int32_t)f->n_insts};
        const struct ptx_inst *last = &f->insts[e.from->last - 1];
        const struct form *form = forms[e.from->last - 1];
        if (has_flag(form, FORM_JUMPS))
            each_label(last->operands, last->n_operands, add_edge, &e);
        if (has_flag(form, FORM_LEAVES))
            add_edge(&e, e.n_insts);
        if (last->guard >= 0 || !has_flag(form, FORM_JUMPS | FORM_LEAVES))
            add_edge(&e, e.from->last);
    }
}

/* The reversed graph in reverse post-order from the function's end. */
struct order {
    int32_t *list, *number; /* number: -1 where not reached */
    int32_t n;
};

struct reversed {
    int32_t **pred;
    int32_t *n_pred;
};

static struct reversed reverse(const struct cfg *g)
{
    size_t n = (size_t)g->n + 1;
    struct reversed r = {allocate(n, sizeof *r.pred),
                         allocate(n, sizeof *r.n_pred)};
    for (int32_t b = 0; b < g->n; b++)
        for (int32_t s = 0; s < g->block[b].n_succ; s++)
            r.n_pred[g->block[b].succ[s]]++;
    for (size_t b = 0; b < n; b++) {
        r.pred[b] = allocate((size_t)r.n_pred[b], sizeof **r.pred);
        r.n_pred[b] = 0;
    }
    for (int32_t b = 0; b < g->n; b++)
        for (int32_t s = 0; s < g->block[b].n_succ; s++) {
            int32_t to = g->block[b].succ[s];
            r.pred[to][r.n_pred[to]++] = b;
        }
    return r;
}

static void visit(const struct reversed *r, int32_t root, struct order *o,
                  int32_t *stack, int32_t *next)
{
    int32_t depth = 0;
    stack[depth++] = root;
    o->number[root] = 0;
    while (depth) {
        int32_t b = stack[depth - 1];
        if (next[b] == r->n_pred[b]) {
            o->list[o->n++] = b;
            depth--;
            continue;
        }
        int32_t p = r->pred[b][next[b]++];
        if (o->number[p] < 0) {
            o->number[p] = 0;
            stack[depth++] = p;
        }
    }
}

static struct order order_of(const struct cfg *g, const struct reversed *r)
{
    size_t n = (size_t)g->n + 1;
    struct order o = {allocate(n, sizeof *o.list),
                      allocate(n, sizeof *o.number), 0};
    int32_t *stack = allocate(n, sizeof *stack);
    int32_t *next = allocate(n, sizeof *next);
    memset(o.number, -1, n * sizeof *o.number);
    visit(r, g->n, &o, stack, next);
    for (int32_t k = 0; k < o.n; k++)
        o.number[o.list[k]] = k; /* higher: nearer the end */
    free(stack);
    free(next);
    return o;
}

static int32_t common(const struct order *o, const int32_t *dom, int32_t a,
                      int32_t b)
{
    while (a != b) {
        while (o->number[a] < o->number[b])
            a = dom[a];
        while (o->number[b] < o->number[a])
            b = dom[b];
    }
    return a;
}

static bool improve(const struct cfg *g, const struct order *o, int32_t *dom,
                    int32_t b)
{
    const struct basic *block = &g->block[b];
    int32_t best = -1;
    for (int32_t s = 0; s < block->n_succ; s++) {
        int32_t to = block->succ[s];
        if (o->number[to] >= 0 && dom[to] >= 0)
            best = best < 0 ? to : common(o, dom, best, to);
    }
    bool changed = dom[b] != best;
    dom[b] = best;
    return changed;
}

static void find_ipdom(struct cfg *g)
{
    struct reversed r = reverse(g);
    struct order o = order_of(g, &r);
    int32_t *dom = allocate((size_t)g->n + 1, sizeof *dom);
    memset(dom, -1, ((size_t)g->n + 1) * sizeof *dom);
    dom[g->n] = g->n;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t k = o.n - 2; k >= 0; k--)
            changed |= improve(g, &o, dom, o.list[k]);
    }
    for (int32_t b = 0; b < g->n; b++)
        g->block[b].ipdom = dom[b] < 0 ? g->n : dom[b];
    for (int32_t b = 0; b <= g->n; b++)
        free(r.pred[b]);
    free(r.pred);
    free(r.n_pred);
    free(o.list);
    free(o.number);
    free(dom);
}

struct cfg *cfg_build(const struct ptx_func *f,
                      const struct form *const *forms)
{
    struct cfg *g = allocate(1, sizeof *g);
    if (f->n_insts) {
        find_blocks(g, f, forms);
        find_edges(g, f, forms);
        find_ipdom(g);
    }
    return g;
}

void cfg_free(struct cfg *g)
{
    for (int32_t b = 0; b < g->n; b++)
        free(g->block[b].succ);
    free(g->block);
    free(g->block_of);
    free(g);
}

int32_t cfg_meeting(const struct cfg *g, int32_t i)
{
    int32_t b = g->block[g->block_of[i]].ipdom;
    return b < g->n ? g->block[b].first : -1;
}
