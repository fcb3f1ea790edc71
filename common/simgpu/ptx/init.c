// SPDX-License-Identifier: MIT
/*
 * init.c: initialisers of variables.
 *
 *   ptx_read_init   = 3;   = {1, 2};   = {generic(table)+8, 0};
 *
 * Numbers become little-endian bytes of the element's type; an address becomes
 * a struct ptx_reloc and eight zero bytes. A mask, 0xFF00(symbol), selects one
 * byte of an address: nvcc writes a pointer in an array of bytes as eight of
 * them in order, which are combined into one reloc again.
 */
#include "reader.h"

#include <string.h>

enum { POINTER_BYTES = 8 };
#define MAX_INIT_BYTES ((size_t)1 << 28) /* per module */

struct init {
    int32_t var;
    uint8_t *bytes;
    size_t n, capacity; /* bytes written, room */
    size_t cap_relocs;
    size_t masked; /* bytes written by masks: eight make a pointer */
};

static struct ptx_var *variable(struct reader *r, const struct init *init)
{
    return &r->module->vars[init->var];
}

static void put(struct reader *r, struct init *init, const void *bytes,
                size_t n)
{
    if (n > MAX_INIT_BYTES - init->n)
        reader_fail(r, "an initialiser that is too long");
    for (size_t i = 0; i < n; i++) {
        init->bytes = reader_grow(r, init->bytes, init->n, &init->capacity, 1);
        init->bytes[init->n++] = bytes ? ((const uint8_t *)bytes)[i] : 0;
    }
}

/* An address: symbol or generic(symbol), with an optional offset. */
static struct ptx_reloc read_address(struct reader *r)
{
    struct ptx_reloc reloc = {.var = -1, .func = -1};
    struct name *name = reader_name(r, "a symbol");
    reloc.generic = strcmp(name->text, "generic") == 0 && reader_take(r, '(');
    if (reloc.generic)
        name = reader_name(r, "a symbol");
    const struct binding *b = names_visible(name);
    if (b && b->kind == BIND_VAR)
        reloc.var = b->index;
    else if (b && b->kind == BIND_FUNC)
        reloc.func = b->index;
    else
        reader_fail(r, "%s is not declared", name->text);
    if (reloc.generic)
        reader_expect(r, ')');
    if (reader_is(r, '+') || reader_is(r, '-'))
        reloc.addend = ptx_read_expr(r);
    return reloc;
}

static void add_reloc(struct reader *r, struct init *init,
                      struct ptx_reloc reloc)
{
    struct ptx_var *v = variable(r, init);
    reloc.offset = init->n;
    v->relocs = reader_grow(r, v->relocs, v->n_relocs, &init->cap_relocs,
                            sizeof *v->relocs);
    v->relocs[v->n_relocs++] = reloc;
}

/* 0xFF…(symbol): the position of the FF selects the byte of the address. */
static void masked_address(struct reader *r, struct init *init, uint64_t mask)
{
    int place = 0;
    while (place < POINTER_BYTES && mask != UINT64_C(0xFF) << 8 * place)
        place++;
    reader_expect(r, '(');
    struct ptx_reloc reloc = read_address(r);
    reader_expect(r, ')');
    struct ptx_var *v = variable(r, init);
    const struct ptx_reloc *last =
        v->n_relocs ? &v->relocs[v->n_relocs - 1] : NULL;
    bool starts = place == 0 && init->masked % POINTER_BYTES == 0;
    bool goes_on = place > 0 && last &&
                   last->offset + (size_t)place == init->n &&
                   last->var == reloc.var && last->func == reloc.func &&
                   last->addend == reloc.addend;
    if (v->type.bits != 8 || place == POINTER_BYTES || !(starts || goes_on))
        reader_fail(r, "a masked address that is not a whole pointer");
    if (starts)
        add_reloc(r, init, reloc);
    init->masked++;
    put(r, init, NULL, 1);
}

static void whole_pointers(struct reader *r, const struct init *init)
{
    if (init->masked % POINTER_BYTES)
        reader_fail(r, "a masked address that is not a whole pointer");
}

static void whole_address(struct reader *r, struct init *init)
{
    if (variable(r, init)->type.bits != 8 * POINTER_BYTES)
        reader_fail(r, "an address in a variable that is not 64 bits wide");
    add_reloc(r, init, read_address(r));
    put(r, init, NULL, POINTER_BYTES);
}

/* Converts the number to the element's type, however it is written. */
static void put_float(struct reader *r, struct init *init, double value)
{
    float single = (float)value;
    switch (variable(r, init)->type.bits) {
    case 32:
        put(r, init, &single, sizeof single);
        break;
    case 64:
        put(r, init, &value, sizeof value);
        break;
    default:
        reader_fail(r, "a floating-point constant needs 32 or 64 bits");
    }
}

static double float_value(const struct token *t)
{
    uint32_t low = (uint32_t)t->bits;
    float single;
    double value;
    memcpy(&single, &low, sizeof single);
    memcpy(&value, &t->bits, sizeof value);
    return t->kind == T_F32 ? (double)single : value;
}

/* 0f7F800001 keeps its 32 bits: a conversion to double would quiet a NaN. */
static void float_element(struct reader *r, struct init *init, bool minus)
{
    struct token t = r->token;
    if (t.kind != T_F32 && t.kind != T_F64)
        reader_expected(r, "a number");
    reader_next(r);
    if (t.kind == T_F32 && variable(r, init)->type.bits == 32) {
        uint32_t bits = (uint32_t)t.bits ^ (minus ? UINT32_C(1) << 31 : 0);
        put(r, init, &bits, sizeof bits);
    } else {
        put_float(r, init, minus ? -float_value(&t) : float_value(&t));
    }
}

static void int_element(struct reader *r, struct init *init, int64_t value)
{
    struct ptx_type type = variable(r, init)->type;
    if (type.class == PTX_FLOAT) {
        put_float(r, init, (double)value);
        return;
    }
    uint64_t words[2] = {(uint64_t)value, value < 0 ? UINT64_MAX : 0};
    put(r, init, words, (size_t)(type.bits + 7) / 8);
}

static bool is_float_next(const struct lexer *lexer)
{
    struct lexer ahead = *lexer;
    struct token t = lex_next(&ahead);
    return t.kind == T_F32 || t.kind == T_F64;
}

static bool is_call_next(const struct lexer *lexer)
{
    struct lexer ahead = *lexer;
    struct token t = lex_next(&ahead);
    return t.kind == T_PUNCT && t.punct == '(';
}

static void unmasked_element(struct reader *r, struct init *init)
{
    if (r->token.kind == T_NAME) {
        whole_address(r, init);
    } else if (r->token.kind == T_F32 || r->token.kind == T_F64) {
        float_element(r, init, false);
    } else if (reader_is(r, '-') && is_float_next(&r->lexer)) {
        reader_next(r);
        float_element(r, init, true);
    } else {
        int_element(r, init, ptx_read_expr(r));
    }
}

static void element(struct reader *r, struct init *init)
{
    uint64_t mask = r->token.bits;
    bool masked = r->token.kind == T_INT && is_call_next(&r->lexer);
    if (masked) {
        reader_next(r);
        masked_address(r, init, mask);
        return;
    }
    whole_pointers(r, init);
    unmasked_element(r, init);
}

/* {…}: a short row is filled up with zeros. */
static void braces(struct reader *r, struct init *init,
                   const struct shape *shape, int depth)
{
    size_t first = init->n;
    if (depth > shape->n + 1)
        reader_fail(r, "more braces than the array has dimensions");
    for (bool more = !reader_is(r, '}'); more; more = reader_take(r, ',')) {
        if (reader_take(r, '{'))
            braces(r, init, shape, depth + 1);
        else
            element(r, init);
    }
    reader_expect(r, '}');
    size_t whole = shape->bytes[depth - 1];
    bool open_ended = depth == 1 && !shape->sized;
    if (!open_ended && init->n - first > whole)
        reader_fail(r, "more initialisers than elements");
    if (!open_ended && depth > 1)
        put(r, init, NULL, whole - (init->n - first));
}

void ptx_read_init(struct reader *r, int32_t var, const struct shape *shape)
{
    struct init init = {.var = var};
    if (reader_take(r, '{'))
        braces(r, &init, shape, 1);
    else
        element(r, &init);
    whole_pointers(r, &init);
    struct ptx_var *v = variable(r, &init);
    if (!shape->sized)
        v->bytes = init.n;
    if (init.n > v->bytes)
        reader_fail(r, "an initialiser larger than its variable");
    if (v->bytes > MAX_INIT_BYTES - r->init_bytes)
        reader_fail(r, "initialised variables of more than %zu bytes",
                    MAX_INIT_BYTES);
    r->init_bytes += v->bytes;
    v->is_extern = false;
    v->init = reader_alloc(r, v->bytes ? v->bytes : 1, 1);
    if (init.n)
        memcpy(v->init, init.bytes, init.n);
}
