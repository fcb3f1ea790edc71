// SPDX-License-Identifier: MIT
/*
 * decode_async.c: cp.async, its groups and waits. The bulk copies and those
 * that arrive at an mbarrier are not known.
 */
#include "simgpu/core/exec/async.h"
#include "decode.h"

static bool is_group_word(const char *word)
{
    return strcmp(word, "commit_group") == 0 ||
           strcmp(word, "wait_group") == 0 || strcmp(word, "wait_all") == 0;
}

static bool decode_group(struct decoder *d)
{
    const char *word = decode_last(d);
    const struct ptx_operand *n = decode_operand(d, 0);
    d->i->fn = op_async_wait;
    if (strcmp(word, "wait_all") == 0) {
        d->i->p0 = true;
    } else if (strcmp(word, "wait_group") == 0) {
        d->i->imm = n->bits;
        return n->kind == PTX_INT && n->bits >= 0;
    } else {
        d->i->fn = op_async_commit;
    }
    return d->in->n_operands == 0;
}

/* async, ca or cg, shared, global, hints. */
static bool copy_words(const struct decoder *d, bool *l2_only)
{
    static const char *const words[] = {"async", "ca", "cg", "shared",
                                        "shared::cta", "global"};
    int cached = 0;
    for (int s = 0; s < d->in->n_suffixes; s++) {
        int k = decode_word(d->in->suffix[s], words, 6);
        if (k < 0 && strncmp(d->in->suffix[s], "L2::", 4) != 0)
            return false;
        cached += k == 1 || k == 2;
    }
    *l2_only = decode_has(d, "cg");
    return cached == 1 && decode_has(d, "global") &&
           (decode_has(d, "shared") || decode_has(d, "shared::cta"));
}

/* src-size, or ignore-src, or neither; a cache policy is a hint. */
static bool copy_extra(struct decoder *d, uint32_t size)
{
    int n = d->in->n_operands - 3 - decode_has(d, "L2::cache_hint");
    const struct ptx_operand *o = decode_operand(d, 3);
    bool is_predicate = decode_register(d, o) == 1;
    d->i->c = decode_constant(d, 0, 4);
    if (n == 0)
        return true;
    d->i->p1 = is_predicate ? COPY_IGNORED : COPY_SIZED;
    d->i->c = decode_source(d, o, is_predicate ? 1 : 4);
    return n == 1 && !(is_predicate && o->negated) &&
           !(o->kind == PTX_INT && (uint64_t)o->bits > size);
}

static bool copy_source(struct decoder *d, uint32_t size)
{
    struct detail *t = decode_detail(d);
    struct access_form *from;
    if (!decode_address(d, decode_operand(d, 1)))
        return false;
    d->i->b = d->i->a;
    d->i->bits = (uint64_t)d->i->imm;
    d->i->p0 = t->address64;
    from = arena_alloc(d->arena, 1, sizeof *from);
    if (!from)
        return false;
    *from = (struct access_form){.kind = ACCESS_COPY, .n = 1,
                                 .space = PTX_SPACE_GLOBAL,
                                 .size = (uint8_t)size,
                                 .site = ++d->module->n_sites};
    t->from = from;
    t->access.site = ++d->module->n_sites;
    return true;
}

bool decode_copy(struct decoder *d)
{
    const struct ptx_operand *size = decode_operand(d, 2);
    struct detail *t = decode_detail(d);
    bool l2_only;
    if (!decode_has(d, "async"))
        return false;
    if (d->in->n_suffixes == 2 && is_group_word(decode_last(d)))
        return decode_group(d);
    if (!copy_words(d, &l2_only) || size->kind != PTX_INT ||
        !(size->bits == 16 ||
          (!l2_only && (size->bits == 4 || size->bits == 8))) ||
        !copy_source(d, (uint32_t)size->bits) ||
        !copy_extra(d, (uint32_t)size->bits) ||
        !decode_address(d, decode_operand(d, 0)))
        return false;
    t->space = PTX_SPACE_SHARED;
    t->size = 4;
    t->n = (uint8_t)(size->bits / t->size);
    t->access.kind = ACCESS_COPY;
    t->access.write = true;
    t->text = "cp.async with a src-size above its cp-size";
    d->i->fn = op_async_copy;
    return true;
}
