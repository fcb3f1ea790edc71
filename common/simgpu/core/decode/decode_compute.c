// SPDX-License-Identifier: MIT
/*
 * decode_compute.c: computing instructions that need more than their operands
 * put in place: setp, set, selp, cvt, carries, lop3, funnel shifts, bit fields,
 * logic of predicates.
 */
#include "decode.h"
#include "simgpu/core/lanes/carry.h"
#include "simgpu/core/lanes/eval.h"

static const char *const compares[N_COMPARES] = {
    "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs",
    "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan",
};

/* Vector handlers by comparison; OP_none: compare_any. */
static const enum lane_op compare_ops[N_COMPARES][6] = {
    /*             u32         s32        u64        s64        f32      f64 */
    [CMP_EQ] = {OP_eq_32, OP_eq_32, OP_eq_64, OP_eq_64, OP_eq_f32, OP_eq_f64},
    [CMP_NE] = {OP_ne_32, OP_ne_32, OP_ne_64, OP_ne_64, OP_ne_f32, OP_ne_f64},
    [CMP_LT] = {OP_lt_u32, OP_lt_s32, OP_lt_u64, OP_lt_s64, OP_lt_f32,
                OP_lt_f64},
    [CMP_LE] = {OP_le_u32, OP_le_s32, OP_le_u64, OP_le_s64, OP_le_f32,
                OP_le_f64},
    [CMP_GT] = {OP_gt_u32, OP_gt_s32, OP_gt_u64, OP_gt_s64, OP_gt_f32,
                OP_gt_f64},
    [CMP_GE] = {OP_ge_u32, OP_ge_s32, OP_ge_u64, OP_ge_s64, OP_ge_f32,
                OP_ge_f64},
    [CMP_LO] = {OP_lt_u32, 0, OP_lt_u64, 0, 0, 0},
    [CMP_LS] = {OP_le_u32, 0, OP_le_u64, 0, 0, 0},
    [CMP_HI] = {OP_gt_u32, 0, OP_gt_u64, 0, 0, 0},
    [CMP_HS] = {OP_ge_u32, 0, OP_ge_u64, 0, 0, 0},
    [CMP_EQU] = {0, 0, 0, 0, OP_equ_f32, OP_equ_f64},
    [CMP_NEU] = {0, 0, 0, 0, OP_neu_f32, OP_neu_f64},
    [CMP_LTU] = {0, 0, 0, 0, OP_ltu_f32, OP_ltu_f64},
    [CMP_LEU] = {0, 0, 0, 0, OP_leu_f32, OP_leu_f64},
    [CMP_GTU] = {0, 0, 0, 0, OP_gtu_f32, OP_gtu_f64},
    [CMP_GEU] = {0, 0, 0, 0, OP_geu_f32, OP_geu_f64},
    [CMP_NUM] = {0, 0, 0, 0, OP_num_f32, OP_num_f64},
    [CMP_NAN] = {0, 0, 0, 0, OP_nan_f32, OP_nan_f64},
};

static enum lane_op compare_op(const struct decoder *d, int cmp,
                               const struct type_word *t)
{
    if (t->bits < 32 || d->mods || t->lanes > 1 || t->class == PTX_BFLOAT)
        return OP_none;
    int wide = t->bits == 64;
    int column = t->class == PTX_FLOAT    ? 4 + wide
                 : t->class == PTX_SIGNED ? 1 + 2 * wide : 2 * wide;
    return compare_ops[cmp][column];
}

static int type_bytes(const struct type_word *t)
{
    return t->bits == 64 ? 8 : t->bits == 16 ? 2 : 4;
}

/* setp.cmp[.bool].type: reads cmp, bool and type from the suffixes. */
static bool read_compare(struct decoder *d, int *cmp, struct type_word *type)
{
    static const char *const bools[] = {"and", "or", "xor"};
    *cmp = d->in->n_suffixes ? decode_word(d->in->suffix[0], compares,
                                         N_COMPARES) : -1;
    if (*cmp < 0 || !decode_type(decode_last(d), type) || type->bits < 16)
        return false;
    for (int s = 1; s < d->in->n_suffixes; s++) {
        int k = decode_word(d->in->suffix[s], bools, 3);
        if (k >= 0)
            decode_detail(d)->op = (uint8_t)(BOOL_AND + k);
    }
    return true;
}

static void compare_type(struct decoder *d, const struct type_word *type,
                         int cmp)
{
    struct detail *t = decode_detail(d);
    t->type_class = type->class;
    t->type_bits = (uint8_t)(type->lanes == 2 ? 16 : type->bits);
    t->reg = type->bits == 64 ? 8 : 4;
    d->i->p0 = (uint8_t)cmp;
}

/* d, a, b, and c exactly where there is a boolean to combine with. */
static bool set_operands(struct decoder *d)
{
    bool combines = d->i->detail && d->i->detail->op;
    d->i->d = d->at[0];
    d->i->a = d->at[1];
    d->i->b = d->at[2];
    if (combines) {
        d->i->c = d->at[3];
        d->i->p1 = d->negated >> 3 & 1;
    }
    return combines == (d->in->n_operands == 4);
}

/* setp.cmp[.bool].type d[|p], a, b[, c] */
bool decode_setp(struct decoder *d)
{
    int cmp;
    struct type_word type;
    if (!read_compare(d, &cmp, &type) || type.lanes > 1)
        return false;
    bool fits = set_operands(d);
    enum lane_op op = compare_op(d, cmp, &type);
    if (op == OP_none)
        compare_type(d, &type, cmp);
    d->i->fn = decode_lane(d, op == OP_none ? OP_compare_any : op);
    return fits;
}

/* What set writes where the comparison holds; 0: the types do not fit. */
static uint32_t set_value(const struct type_word *to,
                          const struct type_word *type)
{
    static const struct {
        uint8_t class, bits, lanes;
        uint32_t value;
    } values[] = {
        {PTX_FLOAT, 32, 1, 0x3f800000}, {PTX_FLOAT, 16, 1, 0x3c00},
        {PTX_BFLOAT, 16, 1, 0x3f80}, {PTX_FLOAT, 32, 2, 0x3c003c00},
        {PTX_BFLOAT, 32, 2, 0x3f803f80}, {PTX_UNSIGNED, 32, 1, UINT32_MAX},
        {PTX_SIGNED, 32, 1, UINT32_MAX}, {PTX_UNSIGNED, 16, 1, 0xffff},
        {PTX_SIGNED, 16, 1, 0xffff},
    };
    bool whole = to->class == PTX_UNSIGNED || to->class == PTX_SIGNED;
    if (to->lanes != type->lanes && !(whole && to->bits == 32))
        return 0;
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        if (values[k].class == to->class && values[k].bits == to->bits &&
            values[k].lanes == to->lanes)
            return values[k].value;
    return 0;
}

/* set.cmp[.bool].dtype.stype; of pairs each half on its own. */
bool decode_set(struct decoder *d)
{
    int cmp;
    struct type_word type, to;
    if (!read_compare(d, &cmp, &type) || d->in->n_suffixes < 3 ||
        !decode_type(d->in->suffix[d->in->n_suffixes - 2], &to))
        return false;
    compare_type(d, &type, cmp);
    d->i->imm = set_value(&to, &type);
    bool fits = set_operands(d);
    d->i->d = decode_dest(d, decode_operand(d, 0), type_bytes(&to));
    d->i->fn = type.lanes == 2 ? op_set_pair : op_set;
    return fits && d->i->imm != 0;
}

bool decode_selp(struct decoder *d)
{
    struct type_word type;
    bool wide = decode_type(decode_last(d), &type) && type.bits == 64;
    d->i->d = d->at[0];
    d->i->a = d->at[1];
    d->i->b = d->at[2];
    d->i->c = d->at[3];
    d->i->fn = decode_lane(d, wide ? OP_selp_64 : OP_selp_32);
    return !d->negated;
}

/* The row's argument: the handler, enum lane_op. */
bool decode_pred_logic(struct decoder *d)
{
    d->i->d = d->at[0];
    d->i->a = d->at[1];
    d->i->b = d->in->n_operands > 2 ? d->at[2] : d->at[1];
    d->i->p0 = d->negated >> 1 & 1;
    d->i->p1 = d->negated >> 2 & 1;
    d->i->fn = decode_lane(d, (enum lane_op)d->row->argument);
    return true;
}

bool decode_lop3(struct decoder *d)
{
    d->i->d = d->at[0];
    d->i->a = d->at[1];
    d->i->b = d->at[2];
    d->i->c = d->at[3];
    d->i->imm = decode_operand(d, 4)->bits & 0xff;
    d->i->fn = decode_lane(d, OP_lop3);
    return true;
}

/* shf.{l,r}.{clamp,wrap}.b32 */
bool decode_shf(struct decoder *d)
{
    d->i->d = d->at[0];
    d->i->a = d->at[1];
    d->i->b = d->at[2];
    d->i->c = d->at[3];
    d->i->p0 = decode_has(d, "clamp");
    d->i->fn = decode_lane(d, decode_has(d, "l") ? OP_shf_l : OP_shf_r);
    return true;
}

bool decode_testp(struct decoder *d)
{
    static const char *const tests[] = {"finite", "infinite", "number",
                                        "notanumber", "normal", "subnormal"};
    d->i->d = d->at[0];
    d->i->a = d->at[1];
    d->i->p0 = (uint8_t)decode_word(d->in->suffix[0], tests, 6);
    d->i->p1 = decode_has(d, "f64");
    d->i->fn = op_testp;
    return true;
}

bool decode_bfi(struct decoder *d)
{
    d->i->d = d->at[0];
    d->i->a = d->at[1];
    d->i->b = d->at[2];
    d->i->c = d->at[3];
    decode_detail(d)->extra = d->at[4];
    decode_detail(d)->reg = decode_has(d, "b64") ? 8 : 4;
    d->i->fn = op_bfi;
    return true;
}

/* Conversions ------------------------------------------------------------ */

/* Narrow registers may be sources and results of wider ones (PTX ISA, "Operand
 * Size Exceeding Instruction-Type Size"), so the register decides. */
static bool cvt_registers(struct decoder *d, const struct type_word *to,
                          const struct type_word *from)
{
    struct detail *t = decode_detail(d);
    int narrow_to = to->bits == 64 ? 8 : 4;
    int narrow_from = from->bits == 64 ? 8 : 4;
    int to_bytes = decode_register(d, decode_operand(d, 0));
    int from_bytes = decode_operand(d, 1)->kind == PTX_REG
                         ? decode_register(d, decode_operand(d, 1))
                         : narrow_from;
    if (to_bytes < narrow_to || from_bytes < narrow_from)
        return false;
    t->width_d = (uint8_t)to_bytes;
    t->reg = (uint8_t)from_bytes;
    d->i->d = decode_dest(d, decode_operand(d, 0), to_bytes);
    d->i->a = decode_source(d, decode_operand(d, 1), from_bytes);
    d->i->b = d->i->a;
    t->width_b = t->reg;
    return true;
}

bool decode_cvt(struct decoder *d)
{
    struct type_word to, from;
    int n = d->in->n_suffixes;
    struct detail *t = decode_detail(d);
    if (!decode_type(d->in->suffix[n - 2], &to) ||
        !decode_type(d->in->suffix[n - 1], &from) ||
        !cvt_registers(d, &to, &from))
        return false;
    t->type_class = to.class;
    t->type_bits = (uint8_t)to.bits;
    t->op = from.class;
    t->size = (uint8_t)(from.bits / 8);
    d->i->eval = eval_cvt;
    d->i->fn = decode_lane(d, OP_scalar_2);
    return true;
}

/* Carries ---------------------------------------------------------------- */

/* The row's argument: what is computed, enum carry_op. with: with the carry of
 * the instruction before. */
static bool carry(struct decoder *d, bool with)
{
    struct detail *t = decode_detail(d);
    struct type_word type;
    bool cc = decode_has(d, "cc");
    if (!decode_type(decode_last(d), &type))
        return false;
    if (!d->carry)
        d->carry = decode_scratch(d, 1) + 1;
    t->reg = type.bits == 64 ? 8 : 4;
    t->is_signed = type.class == PTX_SIGNED;
    t->op = (uint8_t)d->row->argument;
    t->extra = d->hidden = d->carry - 1;
    d->i->p0 = d->hidden_read = with;
    d->i->p1 = d->hidden_written = cc;
    d->i->d = d->at[0];
    d->i->a = d->at[1];
    d->i->b = d->at[2];
    d->i->c = d->in->n_operands > 3 ? d->at[3] : d->at[1];
    d->i->fn = op_carry;
    return true;
}

bool decode_carry(struct decoder *d)
{
    return carry(d, false);
}

bool decode_carry_in(struct decoder *d)
{
    return carry(d, true);
}
