// SPDX-License-Identifier: MIT
/*
 * decode_atomic.c: atom and red: one number, a vector of them, or 128 bits.
 *
 * Source: the PTX ISA, "atom" and "red". A vector's elements are updated one
 * by one, each of them atomically; a cache policy is a hint.
 */
#include "decode.h"
#include "simgpu/core/exec/load_store.h"
#include "simgpu/core/exec/move.h"

/* Fills detail from the suffixes; op: enum atom_op, or -1. */
static bool read_words_of(struct decoder *d, int *op)
{
    static const char *const ops[] = {"add", "min", "max", "and", "or",
                                      "xor", "exch", "cas", "inc", "dec"};
    struct detail *t = decode_detail(d);
    *op = -1;
    t->space = PTX_SPACE_GENERIC;
    t->n = 1;
    for (int s = 0; s + 1 < d->in->n_suffixes; s++) {
        const char *word = d->in->suffix[s];
        int k = decode_word(word, ops, 10);
        uint8_t n = decode_vector(word);
        if (k >= 0)
            *op = k;
        else if (n)
            t->n = n;
        else
            decode_space(word, &t->space);
        decode_order(t, word);
    }
    return *op >= 0;
}

/* Registers of a vector, or the one: o's elements' slots into to[t->n]. */
static bool read_vector(struct decoder *d, const struct ptx_operand *o,
                        uint32_t *to, bool is_result)
{
    const struct detail *t = decode_detail(d);
    const struct ptx_operand *e = t->n > 1 ? o->elems : o;
    if (t->n > 1 && (o->kind != PTX_VECTOR || o->n_elems != t->n))
        return false;
    for (int k = 0; k < t->n; k++)
        to[k] = e[k].kind == PTX_SINK && is_result ? NO_SLOT
                : is_result ? decode_dest(d, &e[k], t->reg)
                            : decode_source(d, &e[k], t->reg);
    return true;
}

/* memory: its operand; the result, if any, is the one before. */
static bool update(struct decoder *d, int memory)
{
    struct detail *t = decode_detail(d);
    struct type_word type;
    int op;
    if (!decode_type(decode_last(d), &type) || type.bits < 16 ||
        !read_words_of(d, &op))
        return false;
    t->access.site = ++d->module->n_sites;
    t->size = (uint8_t)(type.bits / 8);
    t->reg = t->size < 8 ? 4 : t->size;
    t->type_class = type.class;
    t->type_bits = (uint8_t)(type.lanes == 2 ? 16 : type.bits);
    t->access.kind = ACCESS_ATOMIC;
    t->access.write = t->access.strong = true;
    t->access.swaps = op == ATOM_CAS;
    t->op = (uint8_t)op;
    t->slot = decode_slots(d, t->n);
    t->source = decode_slots(d, t->n);
    for (int k = 0; k < t->n; k++)
        t->slot[k] = NO_SLOT;
    if (!decode_address(d, decode_operand(d, memory)) ||
        (memory > 0 &&
         !read_vector(d, decode_operand(d, memory - 1), t->slot, true)) ||
        !read_vector(d, decode_operand(d, memory + 1), t->source, false))
        return false;
    t->op = (uint8_t)op;
    d->i->d = t->slot[0] == NO_SLOT ? decode_trash(d) : t->slot[0];
    d->i->b = t->source[0];
    d->i->c = op == ATOM_CAS
                  ? decode_source(d, decode_operand(d, memory + 2), t->reg)
                  : d->i->b;
    d->i->fn = op_atomic;
    return atomic_known(t);
}

bool decode_atom(struct decoder *d)
{
    return update(d, 1);
}

bool decode_red(struct decoder *d)
{
    return update(d, 0);
}
