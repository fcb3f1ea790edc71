// SPDX-License-Identifier: MIT
/*
 * decode_matrix.c: matrix instructions of a warp: mma, ldmatrix, stmatrix,
 * movmatrix, wmma.
 *
 * Source: the PTX ISA, "Warp Level Matrix Instructions". Shapes and types that
 * exist are in decode_table.c; here they are read, and registers counted.
 */
#include "decode.h"

#include <stdio.h>
#include <stdlib.h>

#include "simgpu/core/exec/tile.h"

/* Types -------------------------------------------------------------------- */

bool decode_tensor_type(const char *word, uint8_t *type)
{
    static const char *const words[TENSOR_TYPES] = {
        "f16", "bf16", "tf32", "e4m3", "e5m2", "s8",
        "u8",  "s4",   "u4",   "f64",  "f32",  "s32"};
    int k = decode_word(word, words, TENSOR_TYPES);
    *type = (uint8_t)k;
    return k >= 0;
}

static bool read_shape(struct decoder *d, struct matrix *x)
{
    for (int s = 0; s < d->in->n_suffixes; s++) {
        unsigned m, n, k;
        if (sscanf(d->in->suffix[s], "m%un%uk%u", &m, &n, &k) != 3)
            continue;
        x->m = (uint8_t)m;
        x->n = (uint8_t)n;
        x->k = (uint8_t)k;
        return true;
    }
    return false;
}

/* The types at the end: of D, A, B and C; or of D and C, where A and B are
 * fp16. */
static bool read_types(struct decoder *d, struct matrix *x)
{
    bool more = strcmp(decode_last(d), "satfinite") == 0 ||
                strcmp(decode_last(d), "rn") == 0;
    const char *const *last = d->in->suffix + d->in->n_suffixes - more;
    uint8_t type;
    x->a_type = x->b_type = TENSOR_F16;
    if (!decode_tensor_type(last[-1], &x->c_type))
        return false;
    if (!decode_tensor_type(last[-3], &type))
        return decode_tensor_type(last[-2], &x->d_type);
    return decode_tensor_type(last[-2], &x->b_type) &&
           decode_tensor_type(last[-3], &x->a_type) &&
           decode_tensor_type(last[-4], &x->d_type);
}

uint16_t decode_tensor_counter(uint8_t type)
{
    static const uint16_t counters[TENSOR_TYPES] = {
#define OF(type, name)                                                         \
    [TENSOR_##type] = offsetof(struct engine_counters, name##_tensor_ops)
        OF(F16, fp16), OF(BF16, bf16), OF(TF32, tf32), OF(E4M3, fp8),
        OF(E5M2, fp8), OF(S8, int8),   OF(U8, int8),   OF(S4, int8),
        OF(U4, int8),  OF(F64, fp64),
#undef OF
    };
    return counters[type];
}

/* Registers ---------------------------------------------------------------- */

/* A vector of so many registers, or the one. */
static bool read_registers(struct decoder *d, const struct ptx_operand *o,
                           int bytes, bool written, int n, uint32_t *to)
{
    const struct ptx_operand *e = o->kind == PTX_VECTOR ? o->elems : o;
    int has = o->kind == PTX_VECTOR ? o->n_elems : 1;
    for (int k = 0; k < n && k < has; k++)
        to[k] = written ? decode_dest(d, &e[k], bytes)
                        : decode_source(d, &e[k], bytes);
    return has == n;
}

/* Registers that hold rows x columns elements. */
static int registers_of(int elements, uint8_t type)
{
    int bits = tensor_bits(type);
    return elements / 32 / (bits > 32 ? 1 : 32 / bits);
}

static int sums_of(const struct matrix *x, uint8_t type)
{
    return x->m * x->n / 32 / (type == TENSOR_F16 ? 2 : 1);
}

static struct matrix *new_matrix(struct decoder *d)
{
    struct matrix *x = arena_alloc(d->arena, 1, sizeof *x);
    if (!x)
        abort();
    decode_detail(d)->matrix = x;
    return x;
}

/* D, A, B, C. wmma gives fp16 eight registers for A and B, whatever they need.
 */
static bool product_registers(struct decoder *d, struct matrix *x)
{
    int wide = x->a_type == TENSOR_F64 ? 8 : 4;
    bool fills = x->op == TENSOR_WMMA && x->a_type == TENSOR_F16;
    x->n_a = (uint8_t)registers_of(x->m * x->k, x->a_type);
    x->n_b = (uint8_t)registers_of(x->k * x->n, x->b_type);
    x->n_c = (uint8_t)sums_of(x, x->c_type);
    x->n_d = (uint8_t)sums_of(x, x->d_type);
    return read_registers(d, decode_operand(d, 0), wide, true, x->n_d, x->d) &&
           read_registers(d, decode_operand(d, 1), wide, false,
                          fills ? MATRIX_REGISTERS : x->n_a, x->a) &&
           read_registers(d, decode_operand(d, 2), wide, false,
                          fills ? MATRIX_REGISTERS : x->n_b, x->b) &&
           read_registers(d, decode_operand(d, 3), wide, false, x->n_c, x->c);
}

static bool decode_product(struct decoder *d, enum tensor_op op)
{
    struct matrix *x = new_matrix(d);
    struct detail *t = decode_detail(d);
    if (!read_shape(d, x) || !read_types(d, x))
        return false;
    x->op = (uint8_t)op;
    x->saturates = decode_has(d, "satfinite");
    x->ops = 2u * x->m * x->n * x->k;
    x->counter = decode_tensor_counter(x->a_type);
    t->whole = true;
    t->slow = op_product_late;
    d->i->fn = decode_lane(d, x->a_type == TENSOR_F64   ? OP_mma_f64
                              : x->c_type == TENSOR_S32 ? OP_mma_int
                                                        : OP_mma_float);
    return product_registers(d, x);
}

bool decode_mma(struct decoder *d)
{
    return decode_product(d, TENSOR_MMA);
}

bool decode_wmma(struct decoder *d)
{
    return decode_product(d, TENSOR_WMMA);
}

/* Tiles -------------------------------------------------------------------- */

static void find_space(struct decoder *d)
{
    struct detail *t = decode_detail(d);
    t->space = PTX_SPACE_GENERIC;
    for (int s = 0; s < d->in->n_suffixes; s++)
        decode_space(d->in->suffix[s], &t->space);
    t->access.site = ++d->module->n_sites;
}

static bool decode_tile(struct decoder *d, int memory, int registers,
                        bool write)
{
    static const char *const counts[] = {"x1", "x2", "", "x4"};
    struct detail *t = decode_detail(d);
    find_space(d);
    for (int n = 1; n <= 4; n++)
        if (*counts[n - 1] && decode_has(d, counts[n - 1]))
            t->op = (uint8_t)n;
    t->size = 16;
    t->n = 1;
    t->whole = true;
    t->access.kind = write ? ACCESS_STORE : ACCESS_LOAD;
    t->access.write = write;
    t->access.matrix = true;
    t->slot = decode_slots(d, t->op);
    t->slow = write ? op_tile_store : op_tile_load;
    d->i->p0 = decode_has(d, "trans");
    d->i->fn = t->space == PTX_SPACE_SHARED
                   ? decode_lane(d, write ? OP_stmatrix : OP_ldmatrix)
                   : t->slow;
    uint8_t matrices = t->op;
    if (!read_registers(d, decode_operand(d, registers), 4, !write, matrices,
                        t->slot) ||
        !decode_address(d, decode_operand(d, memory)))
        return false;
    t->op = matrices; /* decode_address has its own use for it */
    return true;
}

bool decode_tile_load(struct decoder *d)
{
    return decode_tile(d, 1, 0, false);
}

bool decode_tile_store(struct decoder *d)
{
    return decode_tile(d, 0, 1, true);
}

bool decode_tile_turn(struct decoder *d)
{
    d->i->d = d->at[0];
    d->i->a = d->at[1];
    d->i->fn = op_tile_turn;
    decode_detail(d)->whole = true;
    return true;
}

/* wmma --------------------------------------------------------------------- */

static int elements_of(const struct fragment *f)
{
    const struct matrix *x = &f->shape;
    return f->role == FRAGMENT_A   ? x->m * x->k
           : f->role == FRAGMENT_B ? x->k * x->n : x->m * x->n;
}

/* Elements between rows, or columns, where the instruction does not say. */
static int dense(const struct fragment *f)
{
    const struct matrix *x = &f->shape;
    int rows = f->role == FRAGMENT_B ? x->k : x->m;
    int columns = f->role == FRAGMENT_A ? x->k : x->n;
    return f->by_columns ? rows : columns;
}

static bool fragment_registers(struct decoder *d, struct fragment *f,
                               int operand, bool written)
{
    bool sum = f->role == FRAGMENT_SUM;
    int held = sum ? sums_of(&f->shape, f->type)
                   : registers_of(elements_of(f), f->type);
    f->n_held = (uint8_t)held;
    f->n = (uint8_t)(!sum && f->type == TENSOR_F16 ? MATRIX_REGISTERS : held);
    return read_registers(d, decode_operand(d, operand),
                          f->type == TENSOR_F64 ? 8 : 4, written, f->n,
                          f->reg);
}

/* An access is of the elements of a register that lie side by side. */
static int access_bytes_of(const struct fragment *f)
{
    bool sum = f->role == FRAGMENT_SUM && f->type != TENSOR_F16;
    bool rows_run = f->role != FRAGMENT_B;
    int bits = tensor_bits(f->type);
    return bits / 8 * (!sum && rows_run != f->by_columns ? tensor_pack(f->type)
                                                         : 1);
}

static bool decode_fragment(struct decoder *d, int memory, int registers,
                            bool write)
{
    struct fragment *f = arena_alloc(d->arena, 1, sizeof *f);
    struct detail *t = decode_detail(d);
    if (!f)
        abort();
    t->fragment = f;
    find_space(d);
    f->role = decode_has(d, "a") ? FRAGMENT_A
              : decode_has(d, "b") ? FRAGMENT_B : FRAGMENT_SUM;
    f->by_columns = decode_has(d, "col");
    if (!read_shape(d, &f->shape) ||
        !decode_tensor_type(decode_last(d), &f->type))
        return false;
    f->shape.a_type = f->shape.b_type = f->type;
    f->stride = d->in->n_operands > 2
                    ? decode_source(d, decode_operand(d, 2), 4)
                    : decode_constant(d, (uint64_t)dense(f), 4);
    t->whole = true;
    t->access.kind = write ? ACCESS_STORE : ACCESS_LOAD;
    t->access.write = write;
    t->access.matrix = true;
    d->i->fn = write ? op_fragment_store : op_fragment_load;
    t->size = (uint8_t)access_bytes_of(f);
    t->n = 1;
    return fragment_registers(d, f, registers, !write) &&
           decode_address(d, decode_operand(d, memory));
}

bool decode_fragment_load(struct decoder *d)
{
    return decode_fragment(d, 1, 0, false);
}

bool decode_fragment_store(struct decoder *d)
{
    return decode_fragment(d, 0, 1, true);
}
