// SPDX-License-Identifier: MIT
/*
 * decode_async.c: cp.async, its groups, and mbarriers. Bulk copies are not
 * known.
 */
#include "simgpu/core/exec/async.h"
#include "simgpu/core/exec/mbarrier.h"
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

/* Words of an mbarrier's operation: space, order, scope. */
static bool object_words(struct decoder *d)
{
    static const char *const words[] = {
        "mbarrier", "b64", "init", "inval", "arrive", "arrive_drop",
        "expect_tx", "complete_tx", "noComplete", "test_wait", "try_wait",
        "parity", "async", "noinc", "release", "acquire", "relaxed", "cta",
        "cluster"};
    struct detail *t = decode_detail(d);
    t->space = PTX_SPACE_GENERIC;
    t->size = 8;
    t->n = 1;
    t->slot[0] = NO_SLOT;
    t->access = (struct access_form){
        .kind = ACCESS_OBJECT, .strong = true, .write = true,
        .scope = decode_has(d, "cluster") ? SCOPE_CLUSTER : SCOPE_BLOCK,
        .site = ++d->module->n_sites};
    for (int s = 0; s < d->in->n_suffixes; s++)
        if (!decode_space(d->in->suffix[s], &t->space) &&
            decode_word(d->in->suffix[s], words,
                        sizeof words / sizeof *words) < 0)
            return false;
    return t->space == PTX_SPACE_GENERIC || t->space == PTX_SPACE_SHARED;
}

static bool decode_object_wait(struct decoder *d)
{
    struct detail *t = decode_detail(d);
    int n = d->in->n_operands;
    t->access.write = false;
    d->i->d = decode_dest(d, decode_operand(d, 0), 1);
    d->i->p0 = decode_has(d, "parity");
    d->i->p1 = decode_has(d, "try_wait");
    d->i->b = decode_source(d, decode_operand(d, 2), d->i->p0 ? 4 : 8);
    d->i->fn = op_mbarrier_wait;
    return (n == 3 || (n == 4 && d->i->p1)) &&
           decode_address(d, decode_operand(d, 1));
}

/* [state,] address, [count]: what follows the address is of arrivals, or of
 * bytes. */
static bool decode_object_arrive(struct decoder *d, bool drops)
{
    struct detail *t = decode_detail(d);
    bool expects = decode_has(d, "expect_tx");
    bool completes = decode_has(d, "complete_tx");
    bool arrives = decode_has(d, "arrive") || drops;
    int first = decode_operand(d, 0)->kind == PTX_ADDRESS ? 0 : 1;
    int left = d->in->n_operands - first - 1;
    const struct ptx_operand *state = decode_operand(d, 0);
    t->op = (uint8_t)((arrives ? MBARRIER_ARRIVE : 0) |
                      (drops ? MBARRIER_DROP : 0) |
                      (expects ? MBARRIER_EXPECT : 0) |
                      (completes ? MBARRIER_COMPLETE : 0));
    d->i->b = decode_constant(d, 1, 4);
    d->i->c = decode_constant(d, 0, 4);
    if (left == 1)
        *(expects || completes ? &d->i->c : &d->i->b) =
            decode_source(d, decode_operand(d, first + 1), 4);
    if (first && state->kind != PTX_SINK)
        t->slot[0] = decode_dest(d, state, 8);
    d->i->fn = op_mbarrier_arrive;
    return left <= 1 && (left == 1 || !(expects || completes)) &&
           (arrives || !first) &&
           decode_address(d, decode_operand(d, first));
}

bool decode_mbarrier(struct decoder *d)
{
    const char *what = d->in->n_suffixes ? d->in->suffix[0] : "";
    struct detail *t = decode_detail(d);
    if (strcmp(what, "pending_count") == 0) {
        d->i->d = decode_dest(d, decode_operand(d, 0), 4);
        d->i->a = decode_source(d, decode_operand(d, 1), 8);
        d->i->fn = op_mbarrier_count;
        return d->in->n_operands == 2;
    }
    if (!object_words(d))
        return false;
    if (strcmp(what, "test_wait") == 0 || strcmp(what, "try_wait") == 0)
        return decode_object_wait(d);
    if (strcmp(what, "init") == 0 || strcmp(what, "inval") == 0) {
        bool init = what[2] == 'i';
        t->access.strong = false;
        d->i->fn = init ? op_mbarrier_init : op_mbarrier_inval;
        if (init)
            d->i->b = decode_source(d, decode_operand(d, 1), 4);
        return d->in->n_operands == 1 + init &&
               decode_address(d, decode_operand(d, 0));
    }
    return decode_object_arrive(d, strcmp(what, "arrive_drop") == 0);
}

/* cp.async.mbarrier.arrive */
static bool decode_copy_arrive(struct decoder *d)
{
    d->i->p0 = !decode_has(d, "noinc");
    d->i->fn = op_async_arrive;
    return object_words(d) && d->in->n_operands == 1 &&
           decode_address(d, decode_operand(d, 0));
}

bool decode_copy(struct decoder *d)
{
    const struct ptx_operand *size = decode_operand(d, 2);
    struct detail *t = decode_detail(d);
    bool l2_only;
    if (!decode_has(d, "async"))
        return false;
    if (decode_has(d, "mbarrier"))
        return decode_copy_arrive(d);
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
