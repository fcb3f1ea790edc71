// SPDX-License-Identifier: MIT
/*
 * eval.h: one lane of each rare instruction: scalar_int.c, scalar_float.c,
 * scalar_half.c, scalar_packed.c, scalar_single.c, scalar_convert.c. Operands
 * come as bits, zero extended; of the result only the register's bits count.
 * p0 and p1 of the instruction say whether it has .relu and .satfinite.
 */
#ifndef SIMGPU_EVAL_H
#define SIMGPU_EVAL_H

#include "scalar.h"

scalar eval_add_s16, eval_add_u16, eval_sub_s16, eval_sub_u16, eval_mul_s16,
    eval_mul_u16, eval_mul_hi_s16, eval_mul_hi_u16, eval_mad_s16,
    eval_mad_u16, eval_min_s16, eval_min_u16, eval_max_s16, eval_max_u16,
    eval_neg_s16, eval_abs_s16, eval_div_s16, eval_div_u16, eval_rem_s16,
    eval_rem_u16, eval_sad_s16, eval_sad_u16, eval_not_b16, eval_shl_b16,
    eval_shr_u16, eval_shr_s16, eval_mul_wide_s16, eval_mul_wide_u16,
    eval_mad_wide_s16, eval_mad_wide_u16;
scalar eval_add_sat_s32, eval_sub_sat_s32, eval_mul_hi_s64, eval_mul_hi_u64,
    eval_mad_hi_s32, eval_mad_hi_u32, eval_mad_hi_s64, eval_mad_hi_u64,
    eval_mul24_lo_s32, eval_mul24_lo_u32, eval_mul24_hi_s32,
    eval_mul24_hi_u32, eval_mad24_lo_s32, eval_mad24_lo_u32, eval_div_s32,
    eval_div_u32, eval_div_s64, eval_div_u64, eval_rem_s32, eval_rem_u32,
    eval_rem_s64, eval_rem_u64, eval_cnot_b16, eval_cnot_b32, eval_cnot_b64,
    eval_popc, eval_clz_b32, eval_clz_b64, eval_bfind_u32, eval_bfind_s32,
    eval_bfind_u64, eval_bfind_s64, eval_bfind_shift_u32,
    eval_bfind_shift_s32, eval_bfind_shift_u64, eval_bfind_shift_s64,
    eval_brev_b32, eval_brev_b64, eval_bfe_u64, eval_bfe_s64,
    eval_bmsk_clamp, eval_bmsk_wrap, eval_fns, eval_szext_wrap_u32,
    eval_szext_wrap_s32, eval_szext_clamp_u32, eval_szext_clamp_s32,
    eval_prmt, eval_prmt_f4e, eval_prmt_b4e, eval_prmt_rc8, eval_prmt_ecl,
    eval_prmt_ecr, eval_prmt_rc16, eval_sad_s32, eval_sad_u32, eval_sad_s64,
    eval_sad_u64, eval_dp4a_ss, eval_dp4a_uu, eval_dp4a_su, eval_dp4a_us,
    eval_dp2a_lo_ss, eval_dp2a_lo_su, eval_dp2a_lo_us, eval_dp2a_lo_uu,
    eval_dp2a_hi_ss, eval_dp2a_hi_su, eval_dp2a_hi_us, eval_dp2a_hi_uu,
    eval_mad24_hi_s32, eval_mad24_hi_u32, eval_mad_hi_sat_s32,
    eval_mad24_hi_sat_s32, eval_mad_hi_s16, eval_mad_hi_u16,
    eval_slct_s32, eval_slct_f32;
scalar eval_add_f32, eval_sub_f32, eval_mul_f32, eval_fma_f32, eval_add_f64,
    eval_sub_f64, eval_mul_f64, eval_fma_f64, eval_neg_f32, eval_abs_f32,
    eval_min_f32, eval_max_f32, eval_div_f32, eval_div_f64, eval_rcp_f32,
    eval_rcp_f64, eval_sqrt_f32, eval_sqrt_f64, eval_rsqrt_f32,
    eval_rsqrt_f64, eval_ex2_f32, eval_lg2_f32, eval_sin_f32, eval_cos_f32,
    eval_tanh_f32, eval_copysign_f32, eval_copysign_f64, eval_div_approx_f32,
    eval_rcp_gross_f64, eval_rsqrt_gross_f64;
scalar eval_add_f16, eval_sub_f16, eval_mul_f16, eval_fma_f16, eval_add_f16x2,
    eval_sub_f16x2, eval_mul_f16x2, eval_fma_f16x2, eval_add_bf16,
    eval_sub_bf16, eval_mul_bf16, eval_fma_bf16, eval_add_bf16x2,
    eval_sub_bf16x2, eval_mul_bf16x2, eval_fma_bf16x2, eval_neg_f16,
    eval_neg_f16x2, eval_abs_f16, eval_abs_f16x2, eval_neg_bf16,
    eval_neg_bf16x2, eval_abs_bf16, eval_abs_bf16x2;
scalar eval_add_x2, eval_min_s16x2, eval_max_s16x2, eval_min_u16x2,
    eval_max_u16x2, eval_min_relu_s16x2, eval_max_relu_s16x2,
    eval_min_relu_s32, eval_max_relu_s32, eval_vabsdiff2_u32,
    eval_vabsdiff2_s32, eval_vabsdiff4_u32, eval_vabsdiff4_s32,
    eval_vabsdiff2_add_u32, eval_vabsdiff2_add_s32, eval_vabsdiff4_add_u32,
    eval_vabsdiff4_add_s32;
scalar eval_min_f16, eval_min_f16x2, eval_min_bf16, eval_min_bf16x2,
    eval_max_f16, eval_max_f16x2, eval_max_bf16, eval_max_bf16x2,
    eval_fma_relu_f16, eval_fma_relu_f16x2, eval_fma_relu_bf16,
    eval_fma_relu_bf16x2, eval_tanh_f16, eval_tanh_f16x2, eval_tanh_bf16,
    eval_tanh_bf16x2, eval_ex2_f16, eval_ex2_f16x2, eval_ex2_bf16,
    eval_ex2_bf16x2;
scalar eval_f16x2, eval_bf16x2, eval_e4m3x2_f32, eval_e4m3x2_f16x2,
    eval_f16x2_e4m3x2, eval_e5m2x2_f32, eval_e5m2x2_f16x2, eval_f16x2_e5m2x2;
scalar eval_add_f32x2, eval_sub_f32x2, eval_mul_f32x2, eval_fma_f32x2,
    eval_add_f32_f16, eval_sub_f32_f16, eval_fma_f32_f16, eval_add_f32_bf16,
    eval_sub_f32_bf16, eval_fma_f32_bf16, eval_min3_f32, eval_max3_f32,
    eval_min_xorsign_f32, eval_max_xorsign_f32, eval_min_xorsign_f16,
    eval_max_xorsign_f16, eval_min_xorsign_bf16, eval_max_xorsign_bf16,
    eval_min_xorsign_f16x2, eval_max_xorsign_f16x2, eval_min_xorsign_bf16x2,
    eval_max_xorsign_bf16x2, eval_tf32, eval_tf32_away, eval_pack_s16,
    eval_pack_u16, eval_pack_s8, eval_pack_u8, eval_pack_s4, eval_pack_u4,
    eval_pack_s2, eval_pack_u2, eval_f16_f32, eval_bf16_f32,
    eval_neg_ftz_f16, eval_neg_ftz_f16x2, eval_abs_ftz_f16,
    eval_abs_ftz_f16x2;
handler op_testp, op_bfi;

#endif
