// SPDX-License-Identifier: MIT
/*
 * decode_table.c: the opcode forms, one row each. What an instruction is stands
 * here and nowhere else: its spelling, its operands, the work that it is, its
 * flops, and what decodes or computes it. Interface: rows.h, which explains the
 * notation.
 *
 * Source: the PTX ISA; the order of words is the ISA's, and beside it that of
 * nvcc and of CUDA's headers where they write another
 * (atom.add.acquire.gpu.s32).
 */
#include <string.h>

#include "decode.h"
#include "simgpu/core/lanes/carry.h"
#include "simgpu/core/lanes/eval.h"

/*
 * The kinds of work. Where the hardware needs a sequence of instructions, ops
 * and latency are what an H200 took: its clocks per warp operation with 64
 * warps on a multiprocessor (integer division 8.4, 64-bit multiplication 2.0,
 * 64-bit division 34 and remainder 30, fp32 division 4.3, square root 2.8, fp64
 * division 3.2, mul.hi 1.0, match 64), over those of the pipe named; its clocks
 * in a chain of dependent operations (64-bit division 378, fp64 division 127).
 * Integer division asks the unit of special functions three times (the divisor
 * to a float, its reciprocal, and back), and fp64 division once, for two turns.
 * Integer division took 140 in such a chain, but in kernels the predictions
 * are nearer to the measured times with 20: most of its instructions overlap
 * with others.
 */
#define WORK_TOO(name, class, pipe, ops, latency, special)                     \
    static const struct form_work work_##name = {                              \
        ISSUE_##class, PIPE_##pipe, ops, latency, special}
#define WORK(name, class, pipe, ops, latency)                                  \
    WORK_TOO(name, class, pipe, ops, latency, 0)
WORK(integer, INTEGER, integer, 1, 0);
WORK(integer64, INTEGER, integer, 2, 0);
WORK(shift, INTEGER, shift, 1, 0);
WORK(shift64, INTEGER, shift, 2, 0);
WORK(multiply, INTEGER, multiply, 1, 0);
WORK(multiply_wide, INTEGER, multiply, 2, 0);
WORK(multiply64, INTEGER, multiply, 4, 0);
WORK_TOO(divide32, INTEGER, multiply, 17, 20, 3);
WORK(divide32_again, INTEGER, multiply, 11, 20);
WORK(divide64, INTEGER, multiply, 68, 378);
WORK(remainder64, INTEGER, multiply, 60, 378);
WORK(bits, INTEGER, bits, 1, 0);
WORK(bits64, INTEGER, bits, 2, 0);
WORK(fp32, FP32, fp32, 1, 0);
WORK(sign, FP32, none, 0, 1); /* of an operand: part of what needs it */
WORK(sign64, FP64, none, 0, 1);
WORK(sign16, FP16, none, 0, 1);
WORK(fp32_pair, FP32, fp32, 2, 0);
WORK(fp64, FP64, fp64, 1, 0);
WORK(half, FP16, half, 1, 0);
WORK(special, SPECIAL, special, 1, 0);
WORK(divide_f32, SPECIAL, fp32, 17, 0);
WORK(root_f32, SPECIAL, fp32, 11, 0);
WORK_TOO(divide_f64, SPECIAL, fp64, 7, 127, 2);
WORK(move, MOVE, integer, 1, 0);
WORK(folded, MOVE, none, 0, 1);
WORK(pack, MOVE, shift, 1, 0);
WORK(convert, MOVE, convert, 1, 0);
WORK(away, MOVE, integer, 2, 10); /* sm_90's code: FSETP, then an addition */
WORK(convert64, MOVE, convert64, 1, 0);
WORK(compare, COMPARE, integer, 1, 0);
WORK(access, GLOBAL, memory, 1, 0);
WORK(atomic, ATOMIC, memory, 1, 0);
WORK(object, SHARED, memory, 1, 23);
WORK(shuffle, EXCHANGE, exchange, 1, 0);
WORK(vote, EXCHANGE, vote, 1, 0);
WORK(match, EXCHANGE, exchange, 64, 0);
WORK(reduce, EXCHANGE, reduce, 1, 0);
WORK(control, CONTROL, control, 1, 0);
WORK(tile, SHARED, memory, 1, 0);
WORK(turn, EXCHANGE, exchange, 2, 0);

/*
 * Products of tensor cores, in multiply-adds per lane: m n k / 32. latency: on
 * an H200, tests/hardware/tensor-h200.csv, less the 12 clocks of the loop
 * there.
 */
#define PRODUCT(name, pipe, ops, latency)                                      \
    WORK(name, TENSOR, pipe, ops, latency)
PRODUCT(half_1k, half_tensor, 32, 18);   /* m16n8k8 */
PRODUCT(half_2k, half_tensor, 64, 33);   /* m16n8k16 */
PRODUCT(half_4k, half_tensor, 128, 50);  /* wmma's 16 x 16 x 16 */
PRODUCT(tf32_512, tf32_tensor, 16, 18);  /* m16n8k4 */
PRODUCT(tf32_1k, tf32_tensor, 32, 33);   /* m16n8k8 */
PRODUCT(tf32_2k, tf32_tensor, 64, 50);   /* wmma's 16 x 16 x 8 */
PRODUCT(fp8_4k, fp8_tensor, 128, 146);
PRODUCT(int8_1k, int8_tensor, 32, 170);  /* m8n8k16 */
PRODUCT(int8_2k, int8_tensor, 64, 197);  /* m16n8k16, m8n8k32 */
PRODUCT(int8_4k, int8_tensor, 128, 237); /* m16n8k32, 16 x 16 x 16 */
/* Emulated: the smallest takes a tenth more than the one of twice the size. */
PRODUCT(int4_2k, int4_tensor, 97, 365);  /* m8n8k32 */
PRODUCT(int4_4k, int4_tensor, 88, 449);  /* m16n8k32 */
PRODUCT(int4_8k, int4_tensor, 256, 757); /* m16n8k64 */
PRODUCT(fp64_256, fp64_tensor, 16, 56);  /* m8n8k4: at half the rate */
PRODUCT(fp64_512, fp64_tensor, 16, 54);
PRODUCT(fp64_1k, fp64_tensor, 32, 116);
PRODUCT(fp64_2k, fp64_tensor, 64, 244);
WORK(order, BARRIER, control, 1, 0);
WORK(block_barrier, BARRIER, barrier, 1, 0);

/* wgmma, in multiply-adds per lane: 16 n k / 32. Its result is there after the
 * group's turn on the tensor cores, n / 2 clocks, and some 32 more. */
#define GROUP(n)                                                               \
    WORK(group_half_##n, TENSOR, half_group, 8 * n, 32 + n / 2);               \
    WORK(group_tf32_##n, TENSOR, tf32_group, 4 * n, 32 + n / 2);               \
    WORK(group_fp8_##n, TENSOR, fp8_group, 16 * n, 32 + n / 2)
#define GROUP_INT(n)                                                           \
    WORK(group_int8_##n, TENSOR, int8_group, 16 * n, 32 + n / 2)
#define EACH_GROUP(X, and)                                                     \
    X(8) and X(16) and X(24) and X(32) and X(40) and X(48) and X(56) and       \
    X(64) and X(72) and X(80) and X(88) and X(96) and X(104) and X(112) and    \
    X(120) and X(128) and X(136) and X(144) and X(152) and X(160) and          \
    X(168) and X(176) and X(184) and X(192) and X(200) and X(208) and          \
    X(216) and X(224) and X(232) and X(240) and X(248) and X(256)
#define EACH_GROUP_INT(X, and)                                                 \
    X(8) and X(16) and X(24) and X(32) and X(48) and X(64) and X(80) and       \
    X(96) and X(112) and X(128) and X(144) and X(160) and X(176) and X(192)    \
    and X(208) and X(224) and X(240) and X(256)
EACH_GROUP(GROUP, ;);
EACH_GROUP_INT(GROUP_INT, ;);

/* V, S: a handler over all lanes, a function of one lane. L, E: the same with
 * flops and modifiers. */
#define L(w, words, shape, op, flops, needs, allows)                           \
    {{words, shape, &work_##w, flops, 0}, NULL, OP_##op, NULL, needs, allows,  \
     0}
#define E(w, words, shape, f, flops, needs, allows)                            \
    {{words, shape, &work_##w, flops, 0}, NULL, OP_none, eval_##f, needs,      \
     allows, 0}
#define V(w, words, shape, op) L(w, words, shape, op, 0, 0, 0)
#define S(w, words, shape, f) E(w, words, shape, f, 0, 0, 0)
/* A: a decoder of its own, and its argument. D: without one. */
#define A(w, words, shape, f, argument)                                        \
    {{words, shape, &work_##w, 0, 0}, decode_##f, OP_none, NULL, 0, 0,         \
     argument}
#define D(w, words, shape, f, flags)                                           \
    {{words, shape, &work_##w, 0, flags}, decode_##f, OP_none, NULL, 0, 0, 0}
/* M: of tensor cores, with its flops: two for each multiply-add. */
#define M(w, words, f, flops)                                                  \
    {{words, "=VVVV", &work_##w, flops, FORM_MEETS}, decode_##f, OP_none,      \
     NULL, 0, 0, 0}

#define RN MOD_HAS_ROUND
#define ROUNDED (MOD_HAS_ROUND | MOD_ROUND)
#define TRUNCATED (MOD_INTEGER | ROUND_ZERO << 2)
#define ANY (ROUNDED | MOD_FTZ | MOD_SAT)
#define XORSIGN (MOD_XORSIGN | MOD_ABS)
/* fp32: plain, .ftz, all else. */
#define F32(w, op, shape, flops)                                               \
    L(w, #op ".f32", shape, op##_f32, flops, 0, RN),                           \
    L(w, #op ".f32", shape, op##_ftz_f32, flops, MOD_FTZ, RN | MOD_FTZ),       \
    E(w, #op ".f32", shape, op##_f32, flops, 0, ANY)
#define F64(w, op, shape, flops)                                               \
    L(w, #op ".f64", shape, op##_f64, flops, 0, RN),                           \
    E(w, #op ".f64", shape, op##_f64, flops, 0, ROUNDED)
/* The same handler for signed and unsigned. */
#define SU(w, op, shape, lane_op, bits)                                        \
    V(w, op ".s" bits, shape, lane_op), V(w, op ".u" bits, shape, lane_op)
#define S16(w, op, shape, f)                                                   \
    S(w, op ".s16", shape, f##_s16), S(w, op ".u16", shape, f##_u16)

#define SCOPE ".{cta,gpu,sys,cluster}"
#define CACHED                                                                 \
    "{.L1::evict_normal,.L1::evict_unchanged,.L1::evict_first,"                \
    ".L1::evict_last,.L1::no_allocate,}"                                       \
    "{.L2::evict_normal,.L2::evict_first,.L2::evict_last,}{.L2::cache_hint,}"
#define FETCHED "{.L2::64B,.L2::128B,.L2::256B,}"
#define VECTOR "{.v2,.v4,.v8,}"
#define WORDS                                                                  \
    ".{b8,b16,b32,b64,b128,u8,u16,u32,u64,s8,s16,s32,s64,f32,f64}"
#define LOAD_SPACE                                                             \
    "{.const,.global,.local,.param,.param::entry,.param::func,.shared,"        \
    ".shared::cta,.shared::cluster,}"
#define STORE_SPACE                                                            \
    "{.global,.local,.param,.param::func,.shared,.shared::cta,"                \
    ".shared::cluster,}"
#define STRONG_SPACE "{.global,.local,.shared,.shared::cta,.shared::cluster,}"
#define MEANING "{.relaxed,.acquire,.release,.acq_rel,}"
#define ATOM_SPACE "{.global,.shared,.shared::cta,.shared::cluster,}"
#define ORDERED                                                                \
    "{" MEANING "{" SCOPE ",}" ATOM_SPACE                                      \
    ",{.global,.shared,.shared::cta,.shared::cluster}" SCOPE "}"
#define ARITHMETIC                                                             \
    "{and.{b32,b64},or.{b32,b64},xor.{b32,b64},add.{u32,s32,u64,f32,f64},"     \
    "min.{u32,s32,u64,s64},max.{u32,s32,u64,s64},inc.u32,dec.u32,"             \
    "add.noftz.{f16,f16x2,bf16,bf16x2}}"
#define LATE MEANING "{" SCOPE ",}"
#define LATE_ARITHMETIC                                                        \
    "{{and,or,xor}" LATE ".{b32,b64},add" LATE ".{u32,s32,u64,f32,f64},"       \
    "{min,max}" LATE ".{u32,s32,u64,s64}}"
#define VECTORS                                                                \
    "{add.{v2,v4}.f32,"                                                        \
    "{add,min,max}.noftz.{{v2,v4,v8}.{f16,bf16},{v2,v4}.{f16x2,bf16x2}}}"
#define GROUP_ASYNC "wgmma.mma_async.sync.aligned.m64n"
#define MMA(shape) "mma.sync.aligned." shape ".row.col"
#define WMMA(shape)                                                            \
    "wmma.mma.sync.aligned.{row,col}.{row,col}.{m16n16" shape ",m32n8" shape   \
    ",m8n32" shape "}"
#define BYTES "{.satfinite,}.s32.{s8.{s8,u8},u8.{s8,u8}}.s32"
#define NIBBLES "{.satfinite,}.s32.{s4.{s4,u4},u4.{s4,u4}}.s32"
#define SMALL "{e4m3.{e4m3,e5m2},e5m2.{e4m3,e5m2}}"
#define WMMA_SPACE "{.global,.shared,.shared::cta,}"
#define SHAPES_16 "{m16n16k16,m32n8k16,m8n32k16}"
#define OBJECT_SPACE "{.shared,.shared::cta,}"
#define REMOTE_SPACE "{.shared,.shared::cta,.shared::cluster,}"
#define NEAR "{cta,cluster}"
#define COUNTED "mbarrier::complete_tx::bytes"
#define RANK ".{1,2,3,4,5}d"
#define REDUCED                                                                \
    "{{and,or,xor}.{b32,b64},add.{u32,s32,u64},{inc,dec}.u32,"                 \
    "{min,max}.{u32,s32,u64}}"
#define COMBINED "{.and,.or,.xor,}"
#define COMPARE                                                                \
    ".{eq,ne,lt,le,gt,ge,lo,ls,hi,hs,equ,neu,ltu,leu,gtu,geu,num,nan}" COMBINED
#define COMPARE_HALVES                                                         \
    ".{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}" COMBINED
#define NUMBERS "{b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}"
#define INTEGERS "{u8,u16,u32,u64,s8,s16,s32,s64}"
#define FLOATS "{f16,bf16,f32,f64}"
#define CARRIED ".{u32,s32,u64,s64}"

#define LOADS (FORM_BY_SPACE | FORM_LOADS)
#define STORES (FORM_BY_SPACE | FORM_STORES)
#define BLOCK (FORM_MEETS | FORM_FENCES | FORM_BARRIER)

static const struct row rows[] = {
    SU(integer, "add", "=444", add_32, "32"),
    SU(integer64, "add", "=888", add_64, "64"),
    SU(integer, "sub", "=444", sub_32, "32"),
    SU(integer64, "sub", "=888", sub_64, "64"),
    S16(integer, "add", "=222", add),
    S16(integer, "sub", "=222", sub),
    E(integer, "add.s32", "=444", add_sat_s32, 0, MOD_SAT, MOD_SAT),
    E(integer, "sub.s32", "=444", sub_sat_s32, 0, MOD_SAT, MOD_SAT),
    SU(multiply, "mul.lo", "=444", mul_lo_32, "32"),
    SU(multiply64, "mul.lo", "=888", mul_lo_64, "64"),
    S16(multiply, "mul.lo", "=222", mul),
    S16(multiply, "mul.hi", "=222", mul_hi),
    V(multiply_wide, "mul.hi.s32", "=444", mul_hi_s32),
    V(multiply_wide, "mul.hi.u32", "=444", mul_hi_u32),
    S(multiply64, "mul.hi.s64", "=888", mul_hi_s64),
    S(multiply64, "mul.hi.u64", "=888", mul_hi_u64),
    V(multiply_wide, "mul.wide.s32", "=844", mul_wide_s32),
    V(multiply_wide, "mul.wide.u32", "=844", mul_wide_u32),
    S(multiply, "mul.wide.s16", "=422", mul_wide_s16),
    S(multiply, "mul.wide.u16", "=422", mul_wide_u16),
    SU(multiply, "mad.lo", "=4444", mad_lo_32, "32"),
    SU(multiply64, "mad.lo", "=8888", mad_lo_64, "64"),
    S16(multiply, "mad.lo", "=2222", mad),
    S(multiply_wide, "mad.hi.s32", "=4444", mad_hi_s32),
    S(multiply_wide, "mad.hi.u32", "=4444", mad_hi_u32),
    S(multiply64, "mad.hi.s64", "=8888", mad_hi_s64),
    S(multiply64, "mad.hi.u64", "=8888", mad_hi_u64),
    V(multiply_wide, "mad.wide.s32", "=8448", mad_wide_s32),
    V(multiply_wide, "mad.wide.u32", "=8448", mad_wide_u32),
    S(multiply, "mad.wide.s16", "=4224", mad_wide_s16),
    S(multiply, "mad.wide.u16", "=4224", mad_wide_u16),
    S16(multiply, "mad.hi", "=2222", mad_hi),
    E(multiply_wide, "mad.hi.s32", "=4444", mad_hi_sat_s32, 0, MOD_SAT,
      MOD_SAT),
    S(multiply_wide, "mad24.hi.s32", "=4444", mad24_hi_s32),
    S(multiply_wide, "mad24.hi.u32", "=4444", mad24_hi_u32),
    E(multiply_wide, "mad24.hi.s32", "=4444", mad24_hi_sat_s32, 0, MOD_SAT,
      MOD_SAT),
    S(multiply, "mul24.lo.s32", "=444", mul24_lo_s32),
    S(multiply, "mul24.lo.u32", "=444", mul24_lo_u32),
    S(multiply_wide, "mul24.hi.s32", "=444", mul24_hi_s32),
    S(multiply_wide, "mul24.hi.u32", "=444", mul24_hi_u32),
    S(multiply, "mad24.lo.s32", "=4444", mad24_lo_s32),
    S(multiply, "mad24.lo.u32", "=4444", mad24_lo_u32),
    S(divide32, "div.s16", "=222", div_s16),
    S(divide32, "div.u16", "=222", div_u16),
    S(divide32, "div.s32", "=444", div_s32),
    S(divide32, "div.u32", "=444", div_u32),
    S(divide64, "div.s64", "=888", div_s64),
    S(divide64, "div.u64", "=888", div_u64),
    S(divide32, "rem.s16", "=222", rem_s16),
    S(divide32, "rem.u16", "=222", rem_u16),
    S(divide32, "rem.s32", "=444", rem_s32),
    S(divide32, "rem.u32", "=444", rem_u32),
    S(remainder64, "rem.s64", "=888", rem_s64),
    S(remainder64, "rem.u64", "=888", rem_u64),
    V(integer, "min.s32", "=444", min_s32),
    V(integer, "min.u32", "=444", min_u32),
    V(integer, "max.s32", "=444", max_s32),
    V(integer, "max.u32", "=444", max_u32),
    V(integer64, "min.s64", "=888", min_s64),
    V(integer64, "min.u64", "=888", min_u64),
    V(integer64, "max.s64", "=888", max_s64),
    V(integer64, "max.u64", "=888", max_u64),
    S16(integer, "min", "=222", min),
    S16(integer, "max", "=222", max),
    V(integer, "neg.s32", "=44", neg_32),
    V(integer64, "neg.s64", "=88", neg_64),
    V(integer, "abs.s32", "=44", abs_32),
    V(integer64, "abs.s64", "=88", abs_64),
    S(integer, "neg.s16", "=22", neg_s16),
    S(integer, "abs.s16", "=22", abs_s16),
    V(integer, "and.b32", "=444", and_32),
    V(integer64, "and.b64", "=888", and_64),
    V(integer, "or.b32", "=444", or_32),
    V(integer64, "or.b64", "=888", or_64),
    V(integer, "xor.b32", "=444", xor_32),
    V(integer64, "xor.b64", "=888", xor_64),
    V(integer, "and.b16", "=222", and_32),
    V(integer, "or.b16", "=222", or_32),
    V(integer, "xor.b16", "=222", xor_32),
    V(integer, "not.b32", "=44", not_32),
    V(integer64, "not.b64", "=88", not_64),
    S(integer, "not.b16", "=22", not_b16),
    S(integer, "cnot.b16", "=22", cnot_b16),
    S(integer, "cnot.b32", "=44", cnot_b32),
    S(integer64, "cnot.b64", "=88", cnot_b64),
    V(shift, "shl.b32", "=444", shl_32),
    V(shift64, "shl.b64", "=884", shl_64),
    V(shift, "shr.u32", "=444", shr_u32),
    V(shift, "shr.b32", "=444", shr_u32),
    V(shift, "shr.s32", "=444", shr_s32),
    V(shift64, "shr.s64", "=884", shr_s64),
    V(shift64, "shr.u64", "=884", shr_u64),
    V(shift64, "shr.b64", "=884", shr_u64),
    S(shift, "shl.b16", "=224", shl_b16),
    S(shift, "shr.u16", "=224", shr_u16),
    S(shift, "shr.b16", "=224", shr_u16),
    S(shift, "shr.s16", "=224", shr_s16),
    S(bits, "popc.b32", "=44", popc),
    S(bits64, "popc.b64", "=48", popc),
    S(bits, "clz.b32", "=44", clz_b32),
    S(bits64, "clz.b64", "=48", clz_b64),
    S(bits, "bfind.u32", "=44", bfind_u32),
    S(bits, "bfind.s32", "=44", bfind_s32),
    S(bits64, "bfind.u64", "=48", bfind_u64),
    S(bits64, "bfind.s64", "=48", bfind_s64),
    S(bits, "bfind.shiftamt.u32", "=44", bfind_shift_u32),
    S(bits, "bfind.shiftamt.s32", "=44", bfind_shift_s32),
    S(bits64, "bfind.shiftamt.u64", "=48", bfind_shift_u64),
    S(bits64, "bfind.shiftamt.s64", "=48", bfind_shift_s64),
    S(bits, "brev.b32", "=44", brev_b32),
    S(bits64, "brev.b64", "=88", brev_b64),
    V(shift, "bfe.u32", "=4444", bfe_u32),
    V(shift, "bfe.s32", "=4444", bfe_s32),
    S(shift64, "bfe.u64", "=8844", bfe_u64),
    S(shift64, "bfe.s64", "=8844", bfe_s64),
    S(shift, "bmsk.clamp.b32", "=444", bmsk_clamp),
    S(shift, "bmsk.wrap.b32", "=444", bmsk_wrap),
    S(bits, "fns.b32", "=4444", fns),
    S(shift, "szext.wrap.u32", "=444", szext_wrap_u32),
    S(shift, "szext.wrap.s32", "=444", szext_wrap_s32),
    S(shift, "szext.clamp.u32", "=444", szext_clamp_u32),
    S(shift, "szext.clamp.s32", "=444", szext_clamp_s32),
    S(shift, "prmt.b32", "=4444", prmt),
    S(shift, "prmt.b32.f4e", "=4444", prmt_f4e),
    S(shift, "prmt.b32.b4e", "=4444", prmt_b4e),
    S(shift, "prmt.b32.rc8", "=4444", prmt_rc8),
    S(shift, "prmt.b32.ecl", "=4444", prmt_ecl),
    S(shift, "prmt.b32.ecr", "=4444", prmt_ecr),
    S(shift, "prmt.b32.rc16", "=4444", prmt_rc16),
    S(integer, "sad.s32", "=4444", sad_s32),
    S(integer, "sad.u32", "=4444", sad_u32),
    S(integer, "sad.s16", "=2222", sad_s16),
    S(integer, "sad.u16", "=2222", sad_u16),
    S(integer64, "sad.s64", "=8888", sad_s64),
    S(integer64, "sad.u64", "=8888", sad_u64),
    S(multiply, "dp4a.s32.s32", "=4444", dp4a_ss),
    S(multiply, "dp4a.u32.u32", "=4444", dp4a_uu),
    S(multiply, "dp4a.s32.u32", "=4444", dp4a_su),
    S(multiply, "dp4a.u32.s32", "=4444", dp4a_us),
    S(multiply, "dp2a.lo.s32.s32", "=4444", dp2a_lo_ss),
    S(multiply, "dp2a.lo.u32.u32", "=4444", dp2a_lo_uu),
    S(multiply, "dp2a.lo.s32.u32", "=4444", dp2a_lo_su),
    S(multiply, "dp2a.lo.u32.s32", "=4444", dp2a_lo_us),
    S(multiply, "dp2a.hi.s32.u32", "=4444", dp2a_hi_su),
    S(multiply, "dp2a.hi.u32.s32", "=4444", dp2a_hi_us),
    S(multiply, "dp2a.hi.s32.s32", "=4444", dp2a_hi_ss),
    S(multiply, "dp2a.hi.u32.u32", "=4444", dp2a_hi_uu),
    S(move, "slct.b32.s32", "=4444", slct_s32),
    S(move, "slct.u32.s32", "=4444", slct_s32),
    S(move, "slct.s32.s32", "=4444", slct_s32),
    S(move, "slct.f32.s32", "=4444", slct_s32),
    S(move, "slct.b64.s32", "=8884", slct_s32),
    S(move, "slct.u64.s32", "=8884", slct_s32),
    S(move, "slct.s64.s32", "=8884", slct_s32),
    S(move, "slct.f64.s32", "=8884", slct_s32),
    S(move, "slct.b16.s32", "=2224", slct_s32),
    S(move, "slct.u16.s32", "=2224", slct_s32),
    S(move, "slct.s16.s32", "=2224", slct_s32),
#define SLCT_F32(type, shape)                                                  \
    E(move, "slct." type ".f32", shape, slct_f32, 0, 0, MOD_FTZ)
    SLCT_F32("b16", "=2224"),
    SLCT_F32("u16", "=2224"),
    SLCT_F32("s16", "=2224"),
    SLCT_F32("b64", "=8884"),
    SLCT_F32("u64", "=8884"),
    SLCT_F32("s64", "=8884"),
    SLCT_F32("f64", "=8884"),
    SLCT_F32("b32", "=4444"),
    SLCT_F32("u32", "=4444"),
    SLCT_F32("s32", "=4444"),
    SLCT_F32("f32", "=4444"),

    F32(fp32, add, "=444", 1),
    F32(fp32, sub, "=444", 1),
    F32(fp32, mul, "=444", 1),
    F32(fp32, fma, "=4444", 2),
    F64(fp64, add, "=888", 1),
    F64(fp64, sub, "=888", 1),
    F64(fp64, mul, "=888", 1),
    F64(fp64, fma, "=8888", 2),
    L(fp32, "mad.f32", "=4444", fma_f32, 2, 0, RN),
    E(fp32, "mad.f32", "=4444", fma_f32, 2, 0, ANY),
    L(fp64, "mad.f64", "=8888", fma_f64, 2, 0, RN),
    E(fp64, "mad.f64", "=8888", fma_f64, 2, 0, ROUNDED),
    L(sign, "neg.f32", "=44", neg_f32, 0, 0, 0),
    E(sign, "neg.f32", "=44", neg_f32, 0, 0, MOD_FTZ),
    L(sign, "abs.f32", "=44", abs_f32, 0, 0, 0),
    E(sign, "abs.f32", "=44", abs_f32, 0, 0, MOD_FTZ),
    V(sign64, "neg.f64", "=88", neg_f64),
    V(sign64, "abs.f64", "=88", abs_f64),
    V(fp32, "min.f32", "=444", min_f32),
    V(fp32, "max.f32", "=444", max_f32),
    V(fp64, "min.f64", "=888", min_f64),
    V(fp64, "max.f64", "=888", max_f64),
    E(fp32, "min.f32", "=444", min_f32, 0, 0, MOD_FTZ | MOD_NAN),
    E(fp32, "max.f32", "=444", max_f32, 0, 0, MOD_FTZ | MOD_NAN),
    E(fp32, "min.f32", "=444", min_xorsign_f32, 0, XORSIGN, MOD_FTZ | MOD_NAN),
    E(fp32, "max.f32", "=444", max_xorsign_f32, 0, XORSIGN, MOD_FTZ | MOD_NAN),
    E(fp32, "min.f32", "=4444", min3_f32, 0, 0, MOD_FTZ | MOD_NAN | MOD_ABS),
    E(fp32, "max.f32", "=4444", max3_f32, 0, 0, MOD_FTZ | MOD_NAN | MOD_ABS),
#define PAIR32(op, shape, flops)                                               \
    E(fp32_pair, #op ".f32x2", shape, op##_f32x2, flops, 0, ROUNDED | MOD_FTZ)
    PAIR32(add, "=888", 2),
    PAIR32(sub, "=888", 2),
    PAIR32(mul, "=888", 2),
    PAIR32(fma, "=8888", 4),
#define MIXED(format)                                                          \
    E(fp32, "add.f32." #format, "=424", add_f32_##format, 1, 0,                \
      ROUNDED | MOD_SAT),                                                      \
        E(fp32, "sub.f32." #format, "=424", sub_f32_##format, 1, 0,            \
          ROUNDED | MOD_SAT),                                                  \
        E(fp32, "fma.f32." #format, "=4224", fma_f32_##format, 2, 0,           \
          ROUNDED | MOD_SAT)
    MIXED(f16),
    MIXED(bf16),
    L(divide_f32, "div.f32", "=444", div_f32, 1, 0, RN),
    E(divide_f32, "div.f32", "=444", div_f32, 1, 0, ROUNDED | MOD_FTZ),
    E(special, "div.approx.f32", "=444", div_approx_f32, 1, 0, MOD_FTZ),
    E(special, "div.full.f32", "=444", div_f32, 1, 0, MOD_FTZ),
    F64(divide_f64, div, "=888", 1),
    L(divide_f32, "rcp.f32", "=44", rcp_f32, 1, 0, RN),
    E(divide_f32, "rcp.f32", "=44", rcp_f32, 1, 0, ROUNDED | MOD_FTZ),
    E(special, "rcp.approx.f32", "=44", rcp_f32, 1, 0, MOD_FTZ),
    E(divide_f64, "rcp.f64", "=88", rcp_f64, 1, 0, ROUNDED),
    E(special, "rcp.approx.f64", "=88", rcp_gross_f64, 1, MOD_FTZ, MOD_FTZ),
    L(root_f32, "sqrt.f32", "=44", sqrt_f32, 1, 0, RN),
    E(root_f32, "sqrt.f32", "=44", sqrt_f32, 1, 0, ROUNDED | MOD_FTZ),
    E(special, "sqrt.approx.f32", "=44", sqrt_f32, 1, 0, MOD_FTZ),
    L(divide_f64, "sqrt.f64", "=88", sqrt_f64, 1, 0, RN),
    E(divide_f64, "sqrt.f64", "=88", sqrt_f64, 1, 0, ROUNDED),
    E(special, "rsqrt.approx.f32", "=44", rsqrt_f32, 1, 0, MOD_FTZ),
    E(special, "rsqrt.approx.f64", "=88", rsqrt_f64, 1, 0, 0),
    E(special, "rsqrt.approx.f64", "=88", rsqrt_gross_f64, 1, MOD_FTZ, MOD_FTZ),
    E(special, "ex2.approx.f32", "=44", ex2_f32, 1, 0, MOD_FTZ),
    E(special, "lg2.approx.f32", "=44", lg2_f32, 1, 0, MOD_FTZ),
    E(special, "sin.approx.f32", "=44", sin_f32, 1, 0, MOD_FTZ),
    E(special, "cos.approx.f32", "=44", cos_f32, 1, 0, MOD_FTZ),
    E(special, "tanh.approx.f32", "=44", tanh_f32, 1, 0, 0),
    S(fp32, "copysign.f32", "=444", copysign_f32),
    S(fp64, "copysign.f64", "=888", copysign_f64),

    E(half, "add.f16", "=222", add_f16, 1, 0, ANY),
    E(half, "sub.f16", "=222", sub_f16, 1, 0, ANY),
    E(half, "mul.f16", "=222", mul_f16, 1, 0, ANY),
    E(half, "fma.f16", "=2222", fma_f16, 2, 0, ANY),
    E(half, "add.f16x2", "=444", add_f16x2, 2, 0, ANY),
    E(half, "sub.f16x2", "=444", sub_f16x2, 2, 0, ANY),
    E(half, "mul.f16x2", "=444", mul_f16x2, 2, 0, ANY),
    E(half, "fma.f16x2", "=4444", fma_f16x2, 4, 0, ANY),
    E(half, "add.bf16", "=222", add_bf16, 1, 0, RN),
    E(half, "sub.bf16", "=222", sub_bf16, 1, 0, RN),
    E(half, "mul.bf16", "=222", mul_bf16, 1, 0, RN),
    E(half, "fma.bf16", "=2222", fma_bf16, 2, 0, RN),
    E(half, "add.bf16x2", "=444", add_bf16x2, 2, 0, RN),
    E(half, "sub.bf16x2", "=444", sub_bf16x2, 2, 0, RN),
    E(half, "mul.bf16x2", "=444", mul_bf16x2, 2, 0, RN),
    E(half, "fma.bf16x2", "=4444", fma_bf16x2, 4, 0, RN),
    E(sign16, "neg.f16", "=22", neg_f16, 0, 0, 0),
    E(sign16, "neg.f16", "=22", neg_ftz_f16, 0, MOD_FTZ, 0),
    E(sign16, "neg.f16x2", "=44", neg_ftz_f16x2, 0, MOD_FTZ, 0),
    E(sign16, "abs.f16", "=22", abs_ftz_f16, 0, MOD_FTZ, 0),
    E(sign16, "abs.f16x2", "=44", abs_ftz_f16x2, 0, MOD_FTZ, 0),
    E(sign16, "neg.bf16", "=22", neg_bf16, 0, 0, 0),
    E(sign16, "neg.f16x2", "=44", neg_f16x2, 0, 0, 0),
    E(sign16, "neg.bf16x2", "=44", neg_bf16x2, 0, 0, 0),
    E(sign16, "abs.f16", "=22", abs_f16, 0, 0, 0),
    E(sign16, "abs.bf16", "=22", abs_bf16, 0, 0, 0),
    E(sign16, "abs.f16x2", "=44", abs_f16x2, 0, 0, 0),
    E(sign16, "abs.bf16x2", "=44", abs_bf16x2, 0, 0, 0),
    E(half, "fma.relu.f16", "=2222", fma_relu_f16, 2, 0, RN | MOD_FTZ),
    E(half, "fma.relu.f16x2", "=4444", fma_relu_f16x2, 4, 0, RN | MOD_FTZ),
    E(half, "fma.relu.bf16", "=2222", fma_relu_bf16, 2, 0, RN),
    E(half, "fma.relu.bf16x2", "=4444", fma_relu_bf16x2, 4, 0, RN),
#define HALF_EXTREME(op)                                                       \
    E(half, #op ".f16", "=222", op##_f16, 0, 0, MOD_FTZ | MOD_NAN),            \
        E(half, #op ".f16x2", "=444", op##_f16x2, 0, 0, MOD_FTZ | MOD_NAN),    \
        E(half, #op ".bf16", "=222", op##_bf16, 0, 0, MOD_NAN),                \
        E(half, #op ".bf16x2", "=444", op##_bf16x2, 0, 0, MOD_NAN),            \
        E(half, #op ".f16", "=222", op##_xorsign_f16, 0, XORSIGN,              \
          MOD_FTZ | MOD_NAN),                                                  \
        E(half, #op ".f16x2", "=444", op##_xorsign_f16x2, 0, XORSIGN,          \
          MOD_FTZ | MOD_NAN),                                                  \
        E(half, #op ".bf16", "=222", op##_xorsign_bf16, 0, XORSIGN, MOD_NAN),  \
        E(half, #op ".bf16x2", "=444", op##_xorsign_bf16x2, 0, XORSIGN,        \
          MOD_NAN)
    HALF_EXTREME(min),
    HALF_EXTREME(max),
    S(special, "tanh.approx.f16", "=22", tanh_f16),
    S(special, "tanh.approx.f16x2", "=44", tanh_f16x2),
    S(special, "tanh.approx.bf16", "=22", tanh_bf16),
    S(special, "tanh.approx.bf16x2", "=44", tanh_bf16x2),
    S(special, "ex2.approx.f16", "=22", ex2_f16),
    S(special, "ex2.approx.f16x2", "=44", ex2_f16x2),
    E(special, "ex2.approx.bf16", "=22", ex2_bf16, 0, MOD_FTZ, MOD_FTZ),
    E(special, "ex2.approx.bf16x2", "=44", ex2_bf16x2, 0, MOD_FTZ, MOD_FTZ),
#define FROM_SINGLE(words)                                                     \
    E(pack, "cvt" words ".f16x2.f32", "=444", f16x2, 0, RN, ROUNDED),          \
    E(pack, "cvt" words ".bf16x2.f32", "=444", bf16x2, 0, RN, ROUNDED)
#define ONE_FROM_SINGLE(words)                                                 \
    E(pack, "cvt" words ".f16.f32", "=24", f16_f32, 0, RN, ROUNDED),           \
    E(pack, "cvt" words ".bf16.f32", "=24", bf16_f32, 0, RN, ROUNDED)
    FROM_SINGLE(""),
    FROM_SINGLE(".relu"),
    FROM_SINGLE(".satfinite"),
    FROM_SINGLE(".relu.satfinite"),
    ONE_FROM_SINGLE(".relu"),
    ONE_FROM_SINGLE(".satfinite"),
    ONE_FROM_SINGLE(".relu.satfinite"),
#define BYTE_FLOAT(type, relu)                                                 \
    E(convert, "cvt.satfinite" relu "." #type ".f32", "=244", type##_f32, 0,   \
      RN, RN),                                                                 \
        E(convert, "cvt.satfinite" relu "." #type ".f16x2", "=24",             \
          type##_f16x2, 0, RN, RN),                                            \
        E(convert, "cvt" relu ".f16x2." #type, "=42", f16x2_##type, 0, RN, RN)
    BYTE_FLOAT(e4m3x2, ""),
    BYTE_FLOAT(e5m2x2, ""),
    BYTE_FLOAT(e4m3x2, ".relu"),
    BYTE_FLOAT(e5m2x2, ".relu"),
    V(away, "cvt.rna.tf32.f32", "=44", cvt_tf32),
    S(away, "cvt.rna.satfinite.tf32.f32", "=44", tf32_away),
#define TF32(words)                                                            \
    E(pack, "cvt" words ".tf32.f32", "=44", tf32, 0, RN, ROUNDED)
    TF32(""),
    TF32(".relu"),
    TF32(".satfinite"),
    TF32(".satfinite.relu"),
#define PACK(type, shape, words)                                               \
    E(convert, "cvt.pack." #type words, shape, pack_##type, 0, MOD_SAT, MOD_SAT)
    PACK(s16, "=444", ".s32"),
    PACK(u16, "=444", ".s32"),
    PACK(s8, "=4444", ".s32.b32"),
    PACK(u8, "=4444", ".s32.b32"),
    PACK(s4, "=4444", ".s32.b32"),
    PACK(u4, "=4444", ".s32.b32"),
    PACK(s2, "=4444", ".s32.b32"),
    PACK(u2, "=4444", ".s32.b32"),

    S(integer, "add.u16x2", "=444", add_x2),
    S(integer, "add.s16x2", "=444", add_x2),
    S(integer, "min.s16x2", "=444", min_s16x2),
    S(integer, "max.s16x2", "=444", max_s16x2),
    S(integer, "min.u16x2", "=444", min_u16x2),
    S(integer, "max.u16x2", "=444", max_u16x2),
    S(integer, "min.s16x2.relu", "=444", min_relu_s16x2),
    S(integer, "max.s16x2.relu", "=444", max_relu_s16x2),
    S(integer, "min.s32.relu", "=444", min_relu_s32),
    S(integer, "max.s32.relu", "=444", max_relu_s32),
    S(integer, "vabsdiff2.u32.u32.u32", "=4444", vabsdiff2_u32),
    S(integer, "vabsdiff2.u32.s32.s32", "=4444", vabsdiff2_s32),
    S(integer, "vabsdiff4.u32.u32.u32", "=4444", vabsdiff4_u32),
    S(integer, "vabsdiff4.u32.s32.s32", "=4444", vabsdiff4_s32),
    S(integer, "vabsdiff2.u32.u32.u32.add", "=4444", vabsdiff2_add_u32),
    S(integer, "vabsdiff2.u32.s32.s32.add", "=4444", vabsdiff2_add_s32),
    S(integer, "vabsdiff4.u32.u32.u32.add", "=4444", vabsdiff4_add_u32),
    S(integer, "vabsdiff4.u32.s32.s32.add", "=4444", vabsdiff4_add_s32),

    V(move, "cvt.s64.s32", "=84", cvt_s64_s32),
    V(move, "cvt.u64.s32", "=84", cvt_s64_s32),
    V(move, "cvt.u64.u32", "=84", cvt_u64_u32),
    V(move, "cvt.s64.u32", "=84", cvt_u64_u32),
    V(move, "cvt.u32.u64", "=48", cvt_32_64),
    V(move, "cvt.s32.s64", "=48", cvt_32_64),
    V(move, "cvt.u32.s64", "=48", cvt_32_64),
    V(move, "cvt.s32.u64", "=48", cvt_32_64),
    V(move, "cvt.u32.u8", "=44", cvt_u8_32),
    V(move, "cvt.s32.s8", "=44", cvt_s8_32),
    V(move, "cvt.u32.u16", "=44", cvt_u16_32),
    V(move, "cvt.s32.s16", "=44", cvt_s16_32),
    V(move, "cvt.u16.u32", "=44", cvt_u16_32),
    V(move, "cvt.u16.s32", "=44", cvt_u16_32),
    V(move, "cvt.u32.s32", "=44", mov_32),
    V(move, "cvt.s32.u32", "=44", mov_32),
    V(move, "cvt.u64.s64", "=88", mov_64),
    V(move, "cvt.s64.u64", "=88", mov_64),
    /* Beside a product 1.4 clocks, beside a count of bits 0.3 (multiply_i32 and
     * bit_count of rates-h200.csv): not the unit of the other conversions. */
    L(move, "cvt.f32.s32", "=44", cvt_f32_s32, 0, RN, 0),
    L(move, "cvt.f32.u32", "=44", cvt_f32_u32, 0, RN, 0),
    L(convert, "cvt.s32.f32", "=44", cvt_s32_f32, 0, TRUNCATED, 0),
    L(convert, "cvt.u32.f32", "=44", cvt_u32_f32, 0, TRUNCATED, 0),
    L(convert64, "cvt.s32.f64", "=48", cvt_s32_f64, 0, TRUNCATED, 0),
    L(convert64, "cvt.f64.f32", "=84", cvt_f64_f32, 0, 0, 0),
    L(convert64, "cvt.f32.f64", "=48", cvt_f32_f64, 0, RN, 0),
    L(convert64, "cvt.f64.s32", "=84", cvt_f64_s32, 0, RN, 0),
    D(move, "cvt{.sat,}." INTEGERS "." INTEGERS, "=VV", cvt, 0),
    D(convert, "cvt.{rni,rzi,rmi,rpi}{.ftz,}{.sat,}." INTEGERS "." FLOATS,
      "=VV", cvt, 0),
    D(convert, "cvt{.rn,.rz,.rm,.rp,}{.sat,}." FLOATS "." INTEGERS, "=VV", cvt,
      0),
    D(convert,
      "cvt{.rn,.rz,.rm,.rp,.rni,.rzi,.rmi,.rpi,}{.ftz,}{.sat,}." FLOATS
      "." FLOATS,
      "=VV", cvt, 0),

    D(compare,
      "setp" COMPARE "{.ftz,}."
      "{f16,bf16," NUMBERS "}",
      "=1|1TT1?", setp, 0),
    D(compare, "set" COMPARE "{.ftz,}.{u32,s32,f32}." NUMBERS, "=VTT1?", set,
      0),
    D(compare,
      "set" COMPARE_HALVES "{.ftz,}.{f16,bf16,u16,s16,u32,s32}.{f16,bf16}",
      "=VTT1?", set, 0),
    D(compare,
      "set" COMPARE_HALVES "{.ftz,}.{f16x2,bf16x2,u32,s32}.{f16x2,bf16x2}",
      "=VTT1?", set, 0),
    D(move, "selp." NUMBERS, "=TTT1", selp, 0),
    A(integer, "add.cc" CARRIED, "=TTT", carry, CARRY_ADD),
    A(integer, "sub.cc" CARRIED, "=TTT", carry, CARRY_SUB),
    A(multiply, "mad.lo.cc" CARRIED, "=TTTT", carry, CARRY_MAD_LO),
    A(multiply, "mad.hi.cc" CARRIED, "=TTTT", carry, CARRY_MAD_HI),
    A(integer, "addc{.cc,}" CARRIED, "=TTT", carry_in, CARRY_ADD),
    A(integer, "subc{.cc,}" CARRIED, "=TTT", carry_in, CARRY_SUB),
    A(multiply, "madc.lo{.cc,}" CARRIED, "=TTTT", carry_in, CARRY_MAD_LO),
    A(multiply, "madc.hi{.cc,}" CARRIED, "=TTTT", carry_in, CARRY_MAD_HI),
    D(integer, "lop3.b32", "=4444I", lop3, 0),
    D(shift, "shf.{l,r}.{clamp,wrap}.b32", "=4444", shf, 0),
    A(integer, "and.pred", "=111", pred_logic, OP_and_pred),
    A(integer, "or.pred", "=111", pred_logic, OP_or_pred),
    A(integer, "xor.pred", "=111", pred_logic, OP_xor_pred),
    A(integer, "not.pred", "=11", pred_logic, OP_not_pred),
    D(compare,
      "testp.{finite,infinite,number,notanumber,normal,subnormal}.{f32,f64}",
      "=1T", testp, 0),
    D(shift, "bfi.{b32,b64}", "=TTT44", bfi, 0),

    D(move, "mov.{pred,b128," NUMBERS "}", "=VV", mov, 0),
    D(access,
      "ld{.weak,}" LOAD_SPACE "{.ca,.cg,.cs,.lu,.cv," CACHED
      "}" FETCHED VECTOR WORDS,
      "=VM8?", load, LOADS),
    D(access,
      "ld{.volatile,.relaxed" SCOPE ",.acquire" SCOPE
      "}" STRONG_SPACE CACHED FETCHED VECTOR WORDS,
      "=VM8?", load, LOADS),
    D(access, "ld.mmio.relaxed.sys{.global,}" WORDS, "=VM8?", load, LOADS),
    D(access, "ld.global{.ca,.cg,.cs,}.nc" CACHED FETCHED VECTOR WORDS, "=VM8?",
      load, LOADS),
    D(access, "ldu{.global,}{.v2,.v4,}" WORDS, "=VM", load, LOADS),
    D(access,
      "st{.weak,}" STORE_SPACE "{.wb,.cg,.cs,.wt," CACHED "}" VECTOR WORDS,
      "MV8?", store, STORES),
    D(access,
      "st{.volatile,.relaxed" SCOPE ",.release" SCOPE
      "}" STRONG_SPACE CACHED VECTOR WORDS,
      "MV8?", store, STORES),
    D(access, "st.mmio.relaxed.sys{.global,}" WORDS, "MV8?", store, STORES),
    D(atomic, "atom" ORDERED "." ARITHMETIC, "=VMV8?", atom, 0),
    D(atomic, "atom" ORDERED ".exch.{b32,b64,b128}", "=VMV8?", atom, 0),
    D(atomic, "atom" ORDERED ".cas.{b16,b32,b64,b128}", "=VMVV8?", atom, 0),
    D(atomic, "atom" ATOM_SPACE "." LATE_ARITHMETIC, "=VMV8?", atom, 0),
    D(atomic, "atom" ATOM_SPACE ".exch" LATE ".{b32,b64,b128}", "=VMV8?", atom,
      0),
    D(atomic, "atom" ATOM_SPACE ".cas" LATE ".{b16,b32,b64,b128}", "=VMVV8?",
      atom, 0),
    D(atomic, "atom" MEANING "{" SCOPE ",}.global{" SCOPE ",}." VECTORS,
      "=VMV8?", atom, 0),
    D(atomic, "red" ORDERED "." ARITHMETIC, "MV8?", red, 0),
    D(atomic, "red" ATOM_SPACE "." LATE_ARITHMETIC, "MV8?", red, 0),
    D(atomic, "red" MEANING "{" SCOPE ",}.global{" SCOPE ",}." VECTORS, "MV8?",
      red, 0),
    D(integer64,
      "cvta{.to,}.{global,shared,shared::cta,shared::cluster,local,const,param}"
      ".u64",
      "=88", cvta, 0),
    D(compare,
      "isspacep.{global,shared,shared::cta,shared::cluster,local,const,param,"
      "param::entry}",
      "=18", isspacep, 0),
    D(control, "prefetch{.global,.local,}.{L1,L2}", "M", nop, 0),
    D(control, "prefetch.global.{L2::evict_last,L2::evict_normal}", "M", nop,
      0),
    D(control, "prefetchu.L1", "M", nop, 0),
    D(control, "applypriority{.global,}.L2::evict_normal", "MI", nop, 0),
    D(access, "discard{.global,}.L2", "MI", discard, 0),
    D(move,
      "createpolicy.fractional.L2::{evict_last,evict_normal,evict_first,"
      "evict_unchanged}{.L2::evict_first,.L2::evict_unchanged,}.b64",
      "=8V?", policy, 0),
    D(move,
      "createpolicy.range{.global,}.L2::{evict_last,evict_normal,"
      "evict_first,evict_unchanged}{.L2::evict_first,.L2::evict_unchanged,}"
      ".b64",
      "=8MVV", policy, 0),
    D(move, "createpolicy.cvt.L2.b64", "=8V", policy, 0),
    D(control, "nanosleep.u32", "4", sleep, FORM_SLEEPS),
    D(access,
      "cp.async.{ca,cg}.shared{::cta,}.global{.L2::cache_hint,}" FETCHED,
      "MMIV?V?", copy, 0),
    D(access, "cp.async.commit_group", "", group, FORM_COMMITS),
    D(access, "cp.async.wait_group", "I", group, FORM_WAITS | FORM_FENCES),
    D(access, "cp.async.wait_all", "", group, FORM_WAITS | FORM_FENCES),
    D(object, "cp.async.bulk.shared::{cta,cluster}.global." COUNTED
      "{.L2::cache_hint,}", "MMVMV?", bulk_copy, 0),
    D(object, "cp.async.bulk.shared::cluster.global." COUNTED
      ".multicast::cluster{.L2::cache_hint,}", "MMVMVV?", bulk_copy, 0),
    D(object, "cp.async.bulk.shared::cluster.shared::cta." COUNTED, "MMVM",
      bulk_copy, 0),
    D(object, "cp.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint,}",
      "MMVV?", bulk_copy, 0),
    D(object, "cp.reduce.async.bulk.shared::cluster.shared::cta." COUNTED "."
      REDUCED, "MMVM", bulk_reduce, 0),
    D(object, "cp.reduce.async.bulk.global.shared::cta.bulk_group"
      "{.L2::cache_hint,}.{" REDUCED ",{min,max}.s64,add.{f32,f64},"
      "add.noftz.{f16,bf16}}", "MMVV?", bulk_reduce, 0),
    D(object, "st.async{.weak,}.shared::cluster." COUNTED
      "{.v2,.v4,}.{b32,b64,u32,u64,s32,s64,f32,f64}", "MVM", bulk_store, 0),
    D(object, "red.async.relaxed.cluster.shared::cluster." COUNTED "." REDUCED,
      "MVM", bulk_store_reduce, 0),
    D(control, "cp.async.bulk.prefetch.L2.global{.L2::cache_hint,}", "MVV?",
      nop, 0),
    D(object, "cp.async.bulk.tensor" RANK ".shared::{cta,cluster}.global"
      "{.tile,}." COUNTED "{.L2::cache_hint,}", "MMMV?", tensor_load, 0),
    D(object, "cp.async.bulk.tensor" RANK ".shared::cluster.global{.tile,}."
      COUNTED ".multicast::cluster{.L2::cache_hint,}", "MMMVV?", tensor_load,
      0),
    D(object, "cp.async.bulk.tensor" RANK ".global.shared::cta{.tile,}"
      ".bulk_group{.L2::cache_hint,}", "MMV?", tensor_store, 0),
    D(object, "cp.reduce.async.bulk.tensor" RANK ".global.shared::cta"
      ".{add,min,max,inc,dec,and,or,xor}{.tile,}.bulk_group"
      "{.L2::cache_hint,}", "MMV?", tensor_reduce, 0),
    D(control, "cp.async.bulk.prefetch.tensor" RANK ".L2.global{.tile,}"
      "{.L2::cache_hint,}", "MV?", tensor_prefetch, 0),
    D(control, "prefetch{.param,.const}.tensormap", "M", nop, 0),
    D(control, "prefetch.tensormap", "M", tensor_map, 0),
    D(order, "fence.proxy.tensormap::generic.release" SCOPE, "", nop,
      FORM_FENCES),
    D(order, "fence.proxy.tensormap::generic.acquire" SCOPE, "MI", tensor_map,
      FORM_FENCES),
    D(control, "cp.async.bulk.commit_group", "", bulk_group, 0),
    D(control, "cp.async.bulk.wait_group{.read,}", "I", bulk_group,
      FORM_FENCES),
    D(object, "cp.async.mbarrier.arrive{.noinc,}" OBJECT_SPACE ".b64", "M",
      copy_arrive, 0),
    D(object, "mbarrier.init" OBJECT_SPACE ".b64", "M4", object, 0),
    D(object, "mbarrier.inval" OBJECT_SPACE ".b64", "M", object, 0),
    D(object, "mbarrier.{arrive,arrive_drop}{.noComplete,.expect_tx,}"
      "{.{release,relaxed}." NEAR ",}" REMOTE_SPACE ".b64", "=VMV?",
      object_arrive, 0),
    D(object, "mbarrier.{expect_tx,complete_tx}{.relaxed." NEAR ",}"
      REMOTE_SPACE ".b64", "MV", object_arrive, 0),
    D(object, "mbarrier.{expect_tx,complete_tx}" REMOTE_SPACE ".relaxed." NEAR
      ".b64", "MV", object_arrive, 0),
    D(object, "mbarrier.{test_wait,try_wait}{.parity,}"
      "{.{acquire,relaxed}." NEAR ",}" OBJECT_SPACE ".b64", "=1MVV?",
      object_wait, FORM_FENCES),
    D(integer, "mbarrier.pending_count.b64", "=48", object_count, 0),

    D(control, "bra{.uni,}", "L", bra, FORM_JUMPS),
    D(control, "brx.idx{.uni,}", "4L", brx, FORM_JUMPS),
    D(control, "call{.uni,}", "V*", call, FORM_CALLS),
    D(control, "ret{.uni,}", "", ret, FORM_LEAVES),
    D(control, "exit", "", exit, FORM_LEAVES),
    D(control, "trap", "", trap, FORM_LEAVES),
    D(control, "brkpt", "", nop, 0),
    D(control, "pmevent{.mask,}", "I", nop, 0),
    D(integer64, "alloca.u64", "=88I?", alloca, FORM_CALLS),
    D(move, "stacksave.u64", "=8", stack_save, 0),
    D(move, "stackrestore.u64", "8", stack_restore, 0),
    D(block_barrier, "bar{.cta,}.{sync,arrive}", "44?", bar, BLOCK),
    D(block_barrier, "barrier{.cta,}.{sync,arrive}{.aligned,}", "44?", bar,
      BLOCK),
    D(block_barrier, "bar{.cta,}.red.{popc.u32,and.pred,or.pred}", "=VV*",
      bar_red, BLOCK),
    D(block_barrier,
      "barrier{.cta,}.red.{popc{.aligned,}.u32,{and,or}{.aligned,}"
      ".pred}",
      "=VV*", bar_red, BLOCK),
    D(order, "bar.warp.sync", "4", bar_warp, FORM_MEETS | FORM_FENCES),
    D(order, "barrier.cluster.{arrive{.release,.relaxed,},wait{.acquire,}}"
      "{.aligned,}", "", cluster_barrier, BLOCK),
    D(order, "membar.{cta,gl,sys}", "", fence, FORM_FENCES),
    D(order, "fence{.sc,.acq_rel,.acquire,.release,}" SCOPE, "", fence,
      FORM_FENCES),
    D(order, "fence.mbarrier_init.release.cluster", "", fence, FORM_FENCES),
    D(order, "fence.proxy.async{.global,.shared::cta,.shared::cluster,}", "",
      fence, FORM_FENCES),
    D(order, "fence.proxy.alias", "", nop, FORM_FENCES),
    D(integer, "mapa{.shared::cluster,}.{u32,u64}", "=TV4", map_shared, 0),
    D(integer, "getctarank{.shared::cluster,}.{u32,u64}", "=4T", shared_rank,
      0),
    D(shuffle, "shfl.sync.{up,down,bfly,idx}.b32", "=4|14444", shfl,
      FORM_MEETS),
    D(vote, "vote.sync.{all,any,uni}.pred", "=114", vote, FORM_MEETS),
    D(vote, "vote.{sync.ballot,ballot.sync}.b32", "=414", vote, FORM_MEETS),
    D(match, "match.{any,all}.sync.{b32,b64}", "=4|1T4", match, FORM_MEETS),
    D(reduce,
      "redux.sync.{{add,min,max}.{u32,s32},{and,or,xor}.b32,"
      "{min,max}{.abs,}{.NaN,}.f32}",
      "=444", redux, FORM_MEETS),
    D(vote, "elect.sync", "=4|14", elect, FORM_MEETS),
    D(vote, "activemask.b32", "=4", activemask, 0),
    M(half_1k, MMA("m16n8k8") "{.f32.f16.f16.f32,.f32.bf16.bf16.f32,"
                              ".f16.f16.f16.f16}", mma, 64),
    M(half_2k, MMA("m16n8k16") "{.f32.f16.f16.f32,.f32.bf16.bf16.f32,"
                               ".f16.f16.f16.f16}", mma, 128),
    M(tf32_512, MMA("m16n8k4") ".f32.tf32.tf32.f32", mma, 32),
    M(tf32_1k, MMA("m16n8k8") ".f32.tf32.tf32.f32", mma, 64),
    M(fp8_4k, MMA("m16n8k32") ".f32." SMALL ".f32", mma, 256),
    M(int8_1k, MMA("m8n8k16") BYTES, mma, 0),
    M(int8_2k, MMA("m16n8k16") BYTES, mma, 0),
    M(int8_4k, MMA("m16n8k32") BYTES, mma, 0),
    M(int4_2k, MMA("m8n8k32") NIBBLES, mma, 0),
    M(int4_4k, MMA("m16n8k32") NIBBLES, mma, 0),
    M(int4_8k, MMA("m16n8k64") NIBBLES, mma, 0),
    M(fp64_256, MMA("m8n8k4") "{.rn,}.f64.f64.f64.f64", mma, 16),
    M(fp64_512, MMA("m16n8k4") "{.rn,}.f64.f64.f64.f64", mma, 32),
    M(fp64_1k, MMA("m16n8k8") "{.rn,}.f64.f64.f64.f64", mma, 64),
    M(fp64_2k, MMA("m16n8k16") "{.rn,}.f64.f64.f64.f64", mma, 128),
    M(half_4k, WMMA("k16") "{.f32.f32,.f16.f16,.f32.f16,.f16.f32,"
                           ".f32.bf16.bf16.f32}", wmma, 256),
    M(int8_4k, WMMA("k16") ".s32.{s8.s8,u8.u8}.s32{.satfinite,}", wmma, 0),
    M(tf32_2k, "wmma.mma.sync.aligned.{row,col}.{row,col}.m16n16k8."
               "f32.tf32.tf32.f32", wmma, 128),
    M(fp64_256, "wmma.mma.sync.aligned.{row,col}.{row,col}.m8n8k4{.rn,}."
                "f64.f64.f64.f64{.rn,}", wmma, 16),
/* G: of a group of warps; the sums are read and written. */
#define G(w, words, flops)                                                     \
    {{words, "+VVVVI?I?I?I?", &work_##w, flops, FORM_MEETS},                   \
     decode_group_product, OP_none, NULL, 0, 0, 0}
#define GROUP_ROW(n)                                                           \
    G(group_half_##n, GROUP_ASYNC #n "k16{.f32.f16.f16,.f16.f16.f16,"          \
      ".f32.bf16.bf16}", 16 * n),                                              \
        G(group_tf32_##n, GROUP_ASYNC #n "k8.f32.tf32.tf32", 8 * n),           \
        G(group_fp8_##n, GROUP_ASYNC #n "k32{.f32,.f16}." SMALL, 32 * n)
#define COMMA_ ,
#define GROUP_INT_ROW(n)                                                       \
    G(group_int8_##n, GROUP_ASYNC #n "k32.s32.{s8.{s8,u8},u8.{s8,u8}}"         \
      "{.satfinite,}", 0)
    EACH_GROUP(GROUP_ROW, COMMA_),
    EACH_GROUP_INT(GROUP_INT_ROW, COMMA_),
    D(order, "wgmma.fence.sync.aligned", "", product_fence,
      FORM_MEETS | FORM_FENCES),
    D(control, "wgmma.commit_group.sync.aligned", "", product_group,
      FORM_MEETS),
    D(order, "wgmma.wait_group.sync.aligned", "I", product_group,
      FORM_MEETS | FORM_FENCES),
#define WMMA_MOVE(what, operands, f)                                           \
    D(access,                                                                  \
      what ".sync.aligned.{row,col}.{" SHAPES_16 WMMA_SPACE                    \
      ".{f16,bf16,s8,u8},m16n16k8" WMMA_SPACE ".tf32,m8n8k4" WMMA_SPACE        \
      ".f64}",                                                                 \
      operands, f, FORM_MEETS)
#define WMMA_SUM(what, operands, f)                                            \
    D(access,                                                                  \
      what ".sync.aligned.{row,col}.{" SHAPES_16 WMMA_SPACE                    \
      ".{f16,f32,s32},m16n16k8" WMMA_SPACE ".f32,m8n8k4" WMMA_SPACE            \
      ".f64}",                                                                 \
      operands, f, FORM_MEETS)
    WMMA_MOVE("wmma.load.{a,b}", "=VMV?", fragment_load),
    WMMA_SUM("wmma.load.c", "=VMV?", fragment_load),
    WMMA_SUM("wmma.store.d", "MVV?", fragment_store),
    D(tile, "ldmatrix.sync.aligned.m8n8.{x1,x2,x4}{.trans,}"
            "{.shared,.shared::cta,}.b16", "=VM", tile_load, FORM_MEETS),
    D(tile, "stmatrix.sync.aligned.m8n8.{x1,x2,x4}{.trans,}"
            "{.shared,.shared::cta,}.b16", "MV", tile_store, FORM_MEETS),
    D(turn, "movmatrix.sync.aligned.m8n8.trans.b16", "=44", tile_turn,
      FORM_MEETS),
    D(control, "griddepcontrol.launch_dependents", "", nop, 0),
    D(order, "griddepcontrol.wait", "", fence, 0),
    D(control, "setmaxnreg.{inc,dec}.sync.aligned.u32", "I", quota,
      FORM_MEETS),
};

size_t row_count(void)
{
    return sizeof rows / sizeof *rows;
}

const struct form *row_shares(const struct form *f)
{
    static const struct form again = {"div", "=444", &work_divide32_again, 0,
                                      0};
    return f->work == &work_divide32 ? &again : NULL;
}

const struct form *row_folds(const struct form *f)
{
    static const struct form folded = {"mov", "=VV", &work_folded, 0, 0};
    return f->work == &work_move && strncmp(f->words, "mov.", 4) == 0 ? &folded
                                                                      : NULL;
}

const struct form *row_narrow(bool offset)
{
    static const struct form half = {"shl.b32", "=V*", &work_shift, 0, 0};
    static const struct form none = {"add.s32", "=V*", &work_folded, 0, 0};
    return offset ? &none : &half;
}

const struct row *row_at(size_t k)
{
    return &rows[k];
}
