// SPDX-License-Identifier: MIT
/*
 * decode_table.c: opcodes, a row each: what they are called, what they do.
 *
 *   decode_family   opcode -> decoder
 *   decode_row      the decoder of everything that is a row of `rows`
 *   decode_rows, decode_row_words   see decode_rows.h
 */
#include "decode.h"
#include "decode_rows.h"
#include "simgpu/core/lanes/eval.h"

/*
 * words: opcode and suffixes without modifiers. shape: bytes of d, a, b, c
 * (2 lives in a 4-byte register). needs, allows: modifiers; a row is taken
 * when needs <= mods <= allows. Exactly one of lane and eval.
 */
struct row {
    const char *words;
    const char *shape;
    enum lane_op lane;
    scalar *eval;
    uint8_t flops;
    uint32_t needs, allows;
};

#define RN MOD_HAS_ROUND
#define ROUNDED (MOD_HAS_ROUND | MOD_ROUND)
#define ANY (ROUNDED | MOD_FTZ | MOD_SAT)
#define XORSIGN (MOD_XORSIGN | MOD_ABS)
#define V(words, shape, op) {words, shape, OP_##op, NULL, 0, 0, 0}
#define S(words, shape, f) {words, shape, OP_none, eval_##f, 0, 0, 0}
/* fp32: plain, .ftz, all else. */
#define F32(op, shape, flops)                                                  \
    {#op ".f32", shape, OP_##op##_f32, NULL, flops, 0, RN},                    \
    {#op ".f32", shape, OP_##op##_ftz_f32, NULL, flops, MOD_FTZ, RN | MOD_FTZ},\
    {#op ".f32", shape, OP_none, eval_##op##_f32, flops, 0, ANY}
#define F64(op, shape, flops)                                                  \
    {#op ".f64", shape, OP_##op##_f64, NULL, flops, 0, RN},                    \
    {#op ".f64", shape, OP_none, eval_##op##_f64, flops, 0, ROUNDED}
/* The same handler for signed and unsigned. */
#define SU(op, shape, lane_op, bits)                                           \
    V(op ".s" bits, shape, lane_op), V(op ".u" bits, shape, lane_op)
#define S16(op, shape, f)                                                      \
    S(op ".s16", shape, f##_s16), S(op ".u16", shape, f##_u16)

static const struct row rows[] = {
    SU("add", "444", add_32, "32"), SU("add", "888", add_64, "64"),
    SU("sub", "444", sub_32, "32"), SU("sub", "888", sub_64, "64"),
    S16("add", "222", add), S16("sub", "222", sub),
    {"add.s32", "444", OP_none, eval_add_sat_s32, 0, MOD_SAT, MOD_SAT},
    {"sub.s32", "444", OP_none, eval_sub_sat_s32, 0, MOD_SAT, MOD_SAT},
    SU("mul.lo", "444", mul_lo_32, "32"), SU("mul.lo", "888", mul_lo_64, "64"),
    S16("mul.lo", "222", mul), S16("mul.hi", "222", mul_hi),
    V("mul.hi.s32", "444", mul_hi_s32), V("mul.hi.u32", "444", mul_hi_u32),
    S("mul.hi.s64", "888", mul_hi_s64), S("mul.hi.u64", "888", mul_hi_u64),
    V("mul.wide.s32", "844", mul_wide_s32),
    V("mul.wide.u32", "844", mul_wide_u32),
    S("mul.wide.s16", "422", mul_wide_s16),
    S("mul.wide.u16", "422", mul_wide_u16),
    SU("mad.lo", "4444", mad_lo_32, "32"),
    SU("mad.lo", "8888", mad_lo_64, "64"),
    S16("mad.lo", "2222", mad),
    S("mad.hi.s32", "4444", mad_hi_s32), S("mad.hi.u32", "4444", mad_hi_u32),
    S("mad.hi.s64", "8888", mad_hi_s64), S("mad.hi.u64", "8888", mad_hi_u64),
    V("mad.wide.s32", "8448", mad_wide_s32),
    V("mad.wide.u32", "8448", mad_wide_u32),
    S("mad.wide.s16", "4224", mad_wide_s16),
    S("mad.wide.u16", "4224", mad_wide_u16),
    S16("mad.hi", "2222", mad_hi),
    {"mad.hi.s32", "4444", OP_none, eval_mad_hi_sat_s32, 0, MOD_SAT, MOD_SAT},
    S("mad24.hi.s32", "4444", mad24_hi_s32),
    S("mad24.hi.u32", "4444", mad24_hi_u32),
    {"mad24.hi.s32", "4444", OP_none, eval_mad24_hi_sat_s32, 0, MOD_SAT,
     MOD_SAT},
    S("mul24.lo.s32", "444", mul24_lo_s32),
    S("mul24.lo.u32", "444", mul24_lo_u32),
    S("mul24.hi.s32", "444", mul24_hi_s32),
    S("mul24.hi.u32", "444", mul24_hi_u32),
    S("mad24.lo.s32", "4444", mad24_lo_s32),
    S("mad24.lo.u32", "4444", mad24_lo_u32),
    S("div.s16", "222", div_s16), S("div.u16", "222", div_u16),
    S("div.s32", "444", div_s32), S("div.u32", "444", div_u32),
    S("div.s64", "888", div_s64), S("div.u64", "888", div_u64),
    S("rem.s16", "222", rem_s16), S("rem.u16", "222", rem_u16),
    S("rem.s32", "444", rem_s32), S("rem.u32", "444", rem_u32),
    S("rem.s64", "888", rem_s64), S("rem.u64", "888", rem_u64),
    V("min.s32", "444", min_s32), V("min.u32", "444", min_u32),
    V("max.s32", "444", max_s32), V("max.u32", "444", max_u32),
    V("min.s64", "888", min_s64), V("min.u64", "888", min_u64),
    V("max.s64", "888", max_s64), V("max.u64", "888", max_u64),
    S16("min", "222", min), S16("max", "222", max),
    V("neg.s32", "44", neg_32), V("neg.s64", "88", neg_64),
    V("abs.s32", "44", abs_32), V("abs.s64", "88", abs_64),
    S("neg.s16", "22", neg_s16), S("abs.s16", "22", abs_s16),
    V("and.b32", "444", and_32), V("and.b64", "888", and_64),
    V("or.b32", "444", or_32), V("or.b64", "888", or_64),
    V("xor.b32", "444", xor_32), V("xor.b64", "888", xor_64),
    V("and.b16", "222", and_32), V("or.b16", "222", or_32),
    V("xor.b16", "222", xor_32),
    V("not.b32", "44", not_32), V("not.b64", "88", not_64),
    S("not.b16", "22", not_b16),
    S("cnot.b16", "22", cnot_b16), S("cnot.b32", "44", cnot_b32),
    S("cnot.b64", "88", cnot_b64),
    V("shl.b32", "444", shl_32), V("shl.b64", "884", shl_64),
    V("shr.u32", "444", shr_u32), V("shr.b32", "444", shr_u32),
    V("shr.s32", "444", shr_s32), V("shr.s64", "884", shr_s64),
    V("shr.u64", "884", shr_u64), V("shr.b64", "884", shr_u64),
    S("shl.b16", "224", shl_b16), S("shr.u16", "224", shr_u16),
    S("shr.b16", "224", shr_u16), S("shr.s16", "224", shr_s16),
    S("popc.b32", "44", popc), S("popc.b64", "48", popc),
    S("clz.b32", "44", clz_b32), S("clz.b64", "48", clz_b64),
    S("bfind.u32", "44", bfind_u32), S("bfind.s32", "44", bfind_s32),
    S("bfind.u64", "48", bfind_u64), S("bfind.s64", "48", bfind_s64),
    S("bfind.shiftamt.u32", "44", bfind_shift_u32),
    S("bfind.shiftamt.s32", "44", bfind_shift_s32),
    S("bfind.shiftamt.u64", "48", bfind_shift_u64),
    S("bfind.shiftamt.s64", "48", bfind_shift_s64),
    S("brev.b32", "44", brev_b32), S("brev.b64", "88", brev_b64),
    V("bfe.u32", "4444", bfe_u32), V("bfe.s32", "4444", bfe_s32),
    S("bfe.u64", "8844", bfe_u64), S("bfe.s64", "8844", bfe_s64),
    S("bmsk.clamp.b32", "444", bmsk_clamp),
    S("bmsk.wrap.b32", "444", bmsk_wrap),
    S("fns.b32", "4444", fns),
    S("szext.wrap.u32", "444", szext_wrap_u32),
    S("szext.wrap.s32", "444", szext_wrap_s32),
    S("szext.clamp.u32", "444", szext_clamp_u32),
    S("szext.clamp.s32", "444", szext_clamp_s32),
    S("prmt.b32", "4444", prmt), S("prmt.b32.f4e", "4444", prmt_f4e),
    S("prmt.b32.b4e", "4444", prmt_b4e), S("prmt.b32.rc8", "4444", prmt_rc8),
    S("prmt.b32.ecl", "4444", prmt_ecl), S("prmt.b32.ecr", "4444", prmt_ecr),
    S("prmt.b32.rc16", "4444", prmt_rc16),
    S("sad.s32", "4444", sad_s32), S("sad.u32", "4444", sad_u32),
    S("sad.s16", "2222", sad_s16), S("sad.u16", "2222", sad_u16),
    S("sad.s64", "8888", sad_s64), S("sad.u64", "8888", sad_u64),
    S("dp4a.s32.s32", "4444", dp4a_ss), S("dp4a.u32.u32", "4444", dp4a_uu),
    S("dp4a.s32.u32", "4444", dp4a_su), S("dp4a.u32.s32", "4444", dp4a_us),
    S("dp2a.lo.s32.s32", "4444", dp2a_lo_ss),
    S("dp2a.lo.u32.u32", "4444", dp2a_lo_uu),
    S("dp2a.lo.s32.u32", "4444", dp2a_lo_su),
    S("dp2a.lo.u32.s32", "4444", dp2a_lo_us),
    S("dp2a.hi.s32.u32", "4444", dp2a_hi_su),
    S("dp2a.hi.u32.s32", "4444", dp2a_hi_us),
    S("dp2a.hi.s32.s32", "4444", dp2a_hi_ss),
    S("dp2a.hi.u32.u32", "4444", dp2a_hi_uu),
    S("slct.b32.s32", "4444", slct_s32), S("slct.u32.s32", "4444", slct_s32),
    S("slct.s32.s32", "4444", slct_s32), S("slct.f32.s32", "4444", slct_s32),
    S("slct.b64.s32", "8884", slct_s32), S("slct.u64.s32", "8884", slct_s32),
    S("slct.s64.s32", "8884", slct_s32), S("slct.f64.s32", "8884", slct_s32),
    S("slct.b16.s32", "2224", slct_s32), S("slct.u16.s32", "2224", slct_s32),
    S("slct.s16.s32", "2224", slct_s32),
#define SLCT_F32(type, shape)                                                  \
    {"slct." type ".f32", shape, OP_none, eval_slct_f32, 0, 0, MOD_FTZ}
    SLCT_F32("b16", "2224"), SLCT_F32("u16", "2224"), SLCT_F32("s16", "2224"),
    SLCT_F32("b64", "8884"), SLCT_F32("u64", "8884"), SLCT_F32("s64", "8884"),
    SLCT_F32("f64", "8884"), SLCT_F32("b32", "4444"), SLCT_F32("u32", "4444"),
    SLCT_F32("s32", "4444"), SLCT_F32("f32", "4444"),

    F32(add, "444", 1), F32(sub, "444", 1), F32(mul, "444", 1),
    F32(fma, "4444", 2), F64(add, "888", 1), F64(sub, "888", 1),
    F64(mul, "888", 1), F64(fma, "8888", 2),
    {"mad.f32", "4444", OP_fma_f32, NULL, 2, 0, RN},
    {"mad.f32", "4444", OP_none, eval_fma_f32, 2, 0, ANY},
    {"mad.f64", "8888", OP_fma_f64, NULL, 2, 0, RN},
    {"mad.f64", "8888", OP_none, eval_fma_f64, 2, 0, ROUNDED},
    {"neg.f32", "44", OP_neg_f32, NULL, 0, 0, 0},
    {"neg.f32", "44", OP_none, eval_neg_f32, 0, 0, MOD_FTZ},
    {"abs.f32", "44", OP_abs_f32, NULL, 0, 0, 0},
    {"abs.f32", "44", OP_none, eval_abs_f32, 0, 0, MOD_FTZ},
    V("neg.f64", "88", neg_f64), V("abs.f64", "88", abs_f64),
    V("min.f32", "444", min_f32), V("max.f32", "444", max_f32),
    V("min.f64", "888", min_f64), V("max.f64", "888", max_f64),
    {"min.f32", "444", OP_none, eval_min_f32, 0, 0, MOD_FTZ | MOD_NAN},
    {"max.f32", "444", OP_none, eval_max_f32, 0, 0, MOD_FTZ | MOD_NAN},
    {"min.f32", "444", OP_none, eval_min_xorsign_f32, 0, XORSIGN,
     MOD_FTZ | MOD_NAN},
    {"max.f32", "444", OP_none, eval_max_xorsign_f32, 0, XORSIGN,
     MOD_FTZ | MOD_NAN},
    {"min.f32", "4444", OP_none, eval_min3_f32, 0, 0,
     MOD_FTZ | MOD_NAN | MOD_ABS},
    {"max.f32", "4444", OP_none, eval_max3_f32, 0, 0,
     MOD_FTZ | MOD_NAN | MOD_ABS},
#define PAIR32(op, shape, flops)                                               \
    {#op ".f32x2", shape, OP_none, eval_##op##_f32x2, flops, 0,                \
     ROUNDED | MOD_FTZ}
    PAIR32(add, "888", 2), PAIR32(sub, "888", 2), PAIR32(mul, "888", 2),
    PAIR32(fma, "8888", 4),
#define MIXED(format)                                                          \
    {"add.f32." #format, "424", OP_none, eval_add_f32_##format, 1, 0,          \
     ROUNDED | MOD_SAT},                                                       \
    {"sub.f32." #format, "424", OP_none, eval_sub_f32_##format, 1, 0,          \
     ROUNDED | MOD_SAT},                                                       \
    {"fma.f32." #format, "4224", OP_none, eval_fma_f32_##format, 2, 0,         \
     ROUNDED | MOD_SAT}
    MIXED(f16), MIXED(bf16),
    {"div.f32", "444", OP_div_f32, NULL, 1, 0, RN},
    {"div.f32", "444", OP_none, eval_div_f32, 1, 0, ROUNDED | MOD_FTZ},
    {"div.approx.f32", "444", OP_none, eval_div_approx_f32, 1, 0, MOD_FTZ},
    {"div.full.f32", "444", OP_none, eval_div_f32, 1, 0, MOD_FTZ},
    F64(div, "888", 1),
    {"rcp.f32", "44", OP_rcp_f32, NULL, 1, 0, RN},
    {"rcp.f32", "44", OP_none, eval_rcp_f32, 1, 0, ROUNDED | MOD_FTZ},
    {"rcp.approx.f32", "44", OP_none, eval_rcp_f32, 1, 0, MOD_FTZ},
    {"rcp.f64", "88", OP_none, eval_rcp_f64, 1, 0, ROUNDED},
    {"rcp.approx.f64", "88", OP_none, eval_rcp_gross_f64, 1, MOD_FTZ,
     MOD_FTZ},
    {"sqrt.f32", "44", OP_sqrt_f32, NULL, 1, 0, RN},
    {"sqrt.f32", "44", OP_none, eval_sqrt_f32, 1, 0, ROUNDED | MOD_FTZ},
    {"sqrt.approx.f32", "44", OP_none, eval_sqrt_f32, 1, 0, MOD_FTZ},
    {"sqrt.f64", "88", OP_sqrt_f64, NULL, 1, 0, RN},
    {"sqrt.f64", "88", OP_none, eval_sqrt_f64, 1, 0, ROUNDED},
    {"rsqrt.approx.f32", "44", OP_none, eval_rsqrt_f32, 1, 0, MOD_FTZ},
    {"rsqrt.approx.f64", "88", OP_none, eval_rsqrt_f64, 1, 0, 0},
    {"rsqrt.approx.f64", "88", OP_none, eval_rsqrt_gross_f64, 1, MOD_FTZ,
     MOD_FTZ},
    {"ex2.approx.f32", "44", OP_none, eval_ex2_f32, 1, 0, MOD_FTZ},
    {"lg2.approx.f32", "44", OP_none, eval_lg2_f32, 1, 0, MOD_FTZ},
    {"sin.approx.f32", "44", OP_none, eval_sin_f32, 1, 0, MOD_FTZ},
    {"cos.approx.f32", "44", OP_none, eval_cos_f32, 1, 0, MOD_FTZ},
    {"tanh.approx.f32", "44", OP_none, eval_tanh_f32, 1, 0, 0},
    S("copysign.f32", "444", copysign_f32),
    S("copysign.f64", "888", copysign_f64),

    {"add.f16", "222", OP_none, eval_add_f16, 0, 0, ANY},
    {"sub.f16", "222", OP_none, eval_sub_f16, 0, 0, ANY},
    {"mul.f16", "222", OP_none, eval_mul_f16, 0, 0, ANY},
    {"fma.f16", "2222", OP_none, eval_fma_f16, 0, 0, ANY},
    {"add.f16x2", "444", OP_none, eval_add_f16x2, 0, 0, ANY},
    {"sub.f16x2", "444", OP_none, eval_sub_f16x2, 0, 0, ANY},
    {"mul.f16x2", "444", OP_none, eval_mul_f16x2, 0, 0, ANY},
    {"fma.f16x2", "4444", OP_none, eval_fma_f16x2, 0, 0, ANY},
    {"add.bf16", "222", OP_none, eval_add_bf16, 0, 0, RN},
    {"sub.bf16", "222", OP_none, eval_sub_bf16, 0, 0, RN},
    {"mul.bf16", "222", OP_none, eval_mul_bf16, 0, 0, RN},
    {"fma.bf16", "2222", OP_none, eval_fma_bf16, 0, 0, RN},
    {"add.bf16x2", "444", OP_none, eval_add_bf16x2, 0, 0, RN},
    {"sub.bf16x2", "444", OP_none, eval_sub_bf16x2, 0, 0, RN},
    {"mul.bf16x2", "444", OP_none, eval_mul_bf16x2, 0, 0, RN},
    {"fma.bf16x2", "4444", OP_none, eval_fma_bf16x2, 0, 0, RN},
    {"neg.f16", "22", OP_none, eval_neg_f16, 0, 0, 0},
    {"neg.f16", "22", OP_none, eval_neg_ftz_f16, 0, MOD_FTZ, 0},
    {"neg.f16x2", "44", OP_none, eval_neg_ftz_f16x2, 0, MOD_FTZ, 0},
    {"abs.f16", "22", OP_none, eval_abs_ftz_f16, 0, MOD_FTZ, 0},
    {"abs.f16x2", "44", OP_none, eval_abs_ftz_f16x2, 0, MOD_FTZ, 0},
    {"neg.bf16", "22", OP_none, eval_neg_f16, 0, 0, 0},
    {"neg.f16x2", "44", OP_none, eval_neg_f16x2, 0, 0, 0},
    {"neg.bf16x2", "44", OP_none, eval_neg_f16x2, 0, 0, 0},
    {"abs.f16", "22", OP_none, eval_abs_f16, 0, 0, 0},
    {"abs.bf16", "22", OP_none, eval_abs_f16, 0, 0, 0},
    {"abs.f16x2", "44", OP_none, eval_abs_f16x2, 0, 0, 0},
    {"abs.bf16x2", "44", OP_none, eval_abs_f16x2, 0, 0, 0},
    {"fma.relu.f16", "2222", OP_none, eval_fma_relu_f16, 0, 0, RN | MOD_FTZ},
    {"fma.relu.f16x2", "4444", OP_none, eval_fma_relu_f16x2, 0, 0,
     RN | MOD_FTZ},
    {"fma.relu.bf16", "2222", OP_none, eval_fma_relu_bf16, 0, 0, RN},
    {"fma.relu.bf16x2", "4444", OP_none, eval_fma_relu_bf16x2, 0, 0, RN},
#define HALF_EXTREME(op)                                                       \
    {#op ".f16", "222", OP_none, eval_##op##_f16, 0, 0, MOD_FTZ | MOD_NAN},    \
    {#op ".f16x2", "444", OP_none, eval_##op##_f16x2, 0, 0,                    \
     MOD_FTZ | MOD_NAN},                                                       \
    {#op ".bf16", "222", OP_none, eval_##op##_bf16, 0, 0, MOD_NAN},            \
    {#op ".bf16x2", "444", OP_none, eval_##op##_bf16x2, 0, 0, MOD_NAN},        \
    {#op ".f16", "222", OP_none, eval_##op##_xorsign_f16, 0, XORSIGN,          \
     MOD_FTZ | MOD_NAN},                                                       \
    {#op ".f16x2", "444", OP_none, eval_##op##_xorsign_f16x2, 0, XORSIGN,      \
     MOD_FTZ | MOD_NAN},                                                       \
    {#op ".bf16", "222", OP_none, eval_##op##_xorsign_bf16, 0, XORSIGN,        \
     MOD_NAN},                                                                 \
    {#op ".bf16x2", "444", OP_none, eval_##op##_xorsign_bf16x2, 0, XORSIGN,    \
     MOD_NAN}
    HALF_EXTREME(min), HALF_EXTREME(max),
    S("tanh.approx.f16", "22", tanh_f16),
    S("tanh.approx.f16x2", "44", tanh_f16x2),
    S("tanh.approx.bf16", "22", tanh_bf16),
    S("tanh.approx.bf16x2", "44", tanh_bf16x2),
    S("ex2.approx.f16", "22", ex2_f16), S("ex2.approx.f16x2", "44", ex2_f16x2),
    {"ex2.approx.bf16", "22", OP_none, eval_ex2_bf16, 0, MOD_FTZ, MOD_FTZ},
    {"ex2.approx.bf16x2", "44", OP_none, eval_ex2_bf16x2, 0, MOD_FTZ, MOD_FTZ},
#define FROM_SINGLE(words)                                                     \
    {"cvt" words ".f16x2.f32", "444", OP_none, eval_f16x2, 0, RN, ROUNDED},    \
    {"cvt" words ".bf16x2.f32", "444", OP_none, eval_bf16x2, 0, RN, ROUNDED}
#define ONE_FROM_SINGLE(words)                                                 \
    {"cvt" words ".f16.f32", "24", OP_none, eval_f16_f32, 0, RN, ROUNDED},     \
    {"cvt" words ".bf16.f32", "24", OP_none, eval_bf16_f32, 0, RN, ROUNDED}
    FROM_SINGLE(""), FROM_SINGLE(".relu"), FROM_SINGLE(".satfinite"),
    FROM_SINGLE(".relu.satfinite"), ONE_FROM_SINGLE(".relu"),
    ONE_FROM_SINGLE(".satfinite"), ONE_FROM_SINGLE(".relu.satfinite"),
#define BYTE_FLOAT(type, relu)                                                 \
    {"cvt.satfinite" relu "." #type ".f32", "244", OP_none,                    \
     eval_##type##_f32, 0, RN, RN},                                            \
    {"cvt.satfinite" relu "." #type ".f16x2", "24", OP_none,                   \
     eval_##type##_f16x2, 0, RN, RN},                                          \
    {"cvt" relu ".f16x2." #type, "42", OP_none, eval_f16x2_##type, 0, RN, RN}
    BYTE_FLOAT(e4m3x2, ""), BYTE_FLOAT(e5m2x2, ""),
    BYTE_FLOAT(e4m3x2, ".relu"), BYTE_FLOAT(e5m2x2, ".relu"),
    S("cvt.rna.tf32.f32", "44", tf32_away),
    S("cvt.rna.satfinite.tf32.f32", "44", tf32_away),
#define TF32(words)                                                            \
    {"cvt" words ".tf32.f32", "44", OP_none, eval_tf32, 0, RN, ROUNDED}
    TF32(""), TF32(".relu"), TF32(".satfinite"), TF32(".satfinite.relu"),
#define PACK(type, shape, words)                                               \
    {"cvt.pack." #type words, shape, OP_none, eval_pack_##type, 0, MOD_SAT,    \
     MOD_SAT}
    PACK(s16, "444", ".s32"), PACK(u16, "444", ".s32"),
    PACK(s8, "4444", ".s32.b32"), PACK(u8, "4444", ".s32.b32"),
    PACK(s4, "4444", ".s32.b32"), PACK(u4, "4444", ".s32.b32"),
    PACK(s2, "4444", ".s32.b32"), PACK(u2, "4444", ".s32.b32"),

    S("add.u16x2", "444", add_x2), S("add.s16x2", "444", add_x2),
    S("min.s16x2", "444", min_s16x2), S("max.s16x2", "444", max_s16x2),
    S("min.u16x2", "444", min_u16x2), S("max.u16x2", "444", max_u16x2),
    S("min.s16x2.relu", "444", min_relu_s16x2),
    S("max.s16x2.relu", "444", max_relu_s16x2),
    S("min.s32.relu", "444", min_relu_s32),
    S("max.s32.relu", "444", max_relu_s32),
    S("vabsdiff2.u32.u32.u32", "4444", vabsdiff2_u32),
    S("vabsdiff2.u32.s32.s32", "4444", vabsdiff2_s32),
    S("vabsdiff4.u32.u32.u32", "4444", vabsdiff4_u32),
    S("vabsdiff4.u32.s32.s32", "4444", vabsdiff4_s32),
    S("vabsdiff2.u32.u32.u32.add", "4444", vabsdiff2_add_u32),
    S("vabsdiff2.u32.s32.s32.add", "4444", vabsdiff2_add_s32),
    S("vabsdiff4.u32.u32.u32.add", "4444", vabsdiff4_add_u32),
    S("vabsdiff4.u32.s32.s32.add", "4444", vabsdiff4_add_s32),
};

static bool take_row(struct decoder *d, const struct row *r)
{
    int n = (int)strlen(r->shape);
    uint32_t at[4] = {0};
    int width[4] = {0};
    for (int k = 0; k < n; k++) {
        width[k] = r->shape[k] - '0';
        at[k] = k ? decode_source(d, decode_operand(d, k), width[k])
                  : decode_dest(d, decode_operand(d, k), width[k]);
    }
    d->i->d = at[0];
    d->i->a = at[1];
    d->i->b = n > 2 ? at[2] : at[1];
    d->i->c = n > 3 ? at[3] : at[1];
    d->i->flops = r->flops;
    if (r->lane) {
        d->i->fn = decode_lane(d, r->lane);
        return true;
    }
    struct detail *t = decode_detail(d);
    t->width_d = width[0] == 8 ? 8 : 4;
    t->reg = width[1] == 8 ? 8 : 4;
    t->width_b = n > 2 ? (width[2] == 8 ? 8 : 4) : t->reg;
    t->width_c = n > 3 && width[3] == 8 ? 8 : 4;
    d->i->p0 = decode_has(d, "relu");
    d->i->p1 = decode_has(d, "satfinite");
    d->i->eval = r->eval;
    d->i->fn = decode_lane(d, n > 3 ? OP_scalar_3 : OP_scalar_2);
    return true;
}

static bool taken[sizeof rows / sizeof *rows];

size_t decode_rows(void)
{
    return sizeof rows / sizeof *rows;
}

const char *decode_row_words(size_t k, uint32_t *mods, bool *was_taken)
{
    *mods = rows[k].needs;
    *was_taken = taken[k];
    return rows[k].words;
}

bool decode_row(struct decoder *d)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const struct row *r = &rows[k];
        bool fits = (d->mods & r->needs) == r->needs &&
                    (d->mods & ~(r->needs | r->allows)) == 0 &&
                    strlen(r->shape) == d->in->n_operands;
        if (fits && strcmp(r->words, d->words) == 0) {
            taken[k] = d->by_row = true;
            return take_row(d, r);
        }
    }
    return decode_has(d, "cc") && decode_carry(d);
}

static bool decode_testp(struct decoder *d)
{
    static const char *const tests[] = {"finite", "infinite", "number",
                                        "notanumber", "normal", "subnormal"};
    int k = d->in->n_suffixes == 2 ? decode_word(d->in->suffix[0], tests, 6)
                                   : -1;
    bool wide = strcmp(decode_last(d), "f64") == 0;
    if (k < 0)
        return false;
    d->i->d = decode_dest(d, decode_operand(d, 0), 1);
    d->i->a = decode_source(d, decode_operand(d, 1), wide ? 8 : 4);
    d->i->p0 = (uint8_t)k;
    d->i->p1 = wide;
    d->i->fn = op_testp;
    return true;
}

static bool decode_bfi(struct decoder *d)
{
    bool wide = strcmp(d->words, "bfi.b64") == 0;
    if (!wide && strcmp(d->words, "bfi.b32") != 0)
        return false;
    int bytes = wide ? 8 : 4;
    d->i->d = decode_dest(d, decode_operand(d, 0), bytes);
    d->i->a = decode_source(d, decode_operand(d, 1), bytes);
    d->i->b = decode_source(d, decode_operand(d, 2), bytes);
    d->i->c = decode_source(d, decode_operand(d, 3), 4);
    decode_detail(d)->slot[1] = decode_source(d, decode_operand(d, 4), 4);
    decode_detail(d)->reg = (uint8_t)bytes;
    d->i->fn = op_bfi;
    return true;
}

decode_fn *decode_family(const char *op)
{
    static const struct { const char *op; decode_fn *fn; } families[] = {
        {"mov", decode_mov}, {"ld", decode_load}, {"ldu", decode_load},
        {"st", decode_store}, {"atom", decode_atom}, {"red", decode_atom},
        {"cp", decode_copy}, {"mbarrier", decode_mbarrier}, {"cvta", decode_cvta},
        {"isspacep", decode_isspacep},
        {"prefetch", decode_hint}, {"prefetchu", decode_hint},
        {"applypriority", decode_hint}, {"nanosleep", decode_hint},
        {"cvt", decode_cvt}, {"setp", decode_setp}, {"set", decode_set},
        {"selp", decode_selp}, {"addc", decode_carry}, {"subc", decode_carry},
        {"madc", decode_carry}, {"lop3", decode_lop3}, {"shf", decode_shf},
        {"and", decode_pred_logic}, {"or", decode_pred_logic},
        {"xor", decode_pred_logic}, {"not", decode_pred_logic},
        {"bra", decode_bra}, {"brx", decode_brx}, {"call", decode_call},
        {"ret", decode_ret}, {"exit", decode_exit}, {"trap", decode_trap},
        {"bar", decode_bar}, {"barrier", decode_bar}, {"shfl", decode_shfl},
        {"vote", decode_vote}, {"match", decode_match},
        {"redux", decode_redux}, {"elect", decode_elect},
        {"activemask", decode_activemask},
        {"membar", decode_fence}, {"fence", decode_fence},
        {"pmevent", decode_nop}, {"brkpt", decode_nop},
        {"testp", decode_testp}, {"bfi", decode_bfi},
        {"alloca", decode_alloca}, {"stacksave", decode_stack},
        {"stackrestore", decode_stack}, {"discard", decode_discard},
        {"createpolicy", decode_policy}, {"griddepcontrol", decode_grid},
        {"setmaxnreg", decode_registers},
    };
    for (size_t k = 0; k < sizeof families / sizeof *families; k++)
        if (strcmp(families[k].op, op) == 0)
            return families[k].fn;
    return decode_row;
}
