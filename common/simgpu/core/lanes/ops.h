// SPDX-License-Identifier: MIT
/*
 * ops.h: the handlers that exist once per vector width, by name.
 *
 *   enum lane_op                OP_add_b32 ...
 *   lane_table(at_most)         name -> handler of a width
 *
 * Each name is defined in one of the lanes_*.c files.
 */
#ifndef SIMGPU_OPS_H
#define SIMGPU_OPS_H

#include "simgpu/core/state/matrix.h"
#include "simgpu/core/state/state.h"

#define INT_OPS(X)                                                             \
    X(mov_32) X(mov_64) X(broadcast_32) X(broadcast_64)                        \
    X(add_32) X(add_64) X(sub_32) X(sub_64)                                    \
    X(mul_lo_32) X(mul_lo_64) X(mul_hi_s32) X(mul_hi_u32)                      \
    X(mul_wide_s32) X(mul_wide_u32) X(mad_wide_s32) X(mad_wide_u32)            \
    X(mad_lo_32) X(mad_lo_64)                                                  \
    X(min_s32) X(min_u32) X(max_s32) X(max_u32)                                \
    X(min_s64) X(min_u64) X(max_s64) X(max_u64)                                \
    X(neg_32) X(neg_64) X(abs_32) X(abs_64)                                    \
    X(and_32) X(or_32) X(xor_32) X(not_32)                                     \
    X(and_64) X(or_64) X(xor_64) X(not_64)                                     \
    X(shl_32) X(shr_u32) X(shr_s32) X(shl_64) X(shr_u64) X(shr_s64)            \
    X(shf_l) X(shf_r) X(lop3) X(bfe_u32) X(bfe_s32)                            \
    X(selp_32) X(selp_64)                                                      \
    X(and_pred) X(or_pred) X(xor_pred) X(not_pred) X(mov_pred)                 \
    X(pack_64) X(unpack_64) X(scalar_2) X(scalar_3) X(divide)

#define FLOAT_OPS(X)                                                           \
    X(add_f32) X(sub_f32) X(mul_f32) X(fma_f32)                                \
    X(add_ftz_f32) X(sub_ftz_f32) X(mul_ftz_f32) X(fma_ftz_f32)                \
    X(add_f64) X(sub_f64) X(mul_f64) X(fma_f64)                                \
    X(neg_f32) X(abs_f32) X(neg_f64) X(abs_f64)                                \
    X(min_f32) X(max_f32) X(min_f64) X(max_f64)                                \
    X(div_f32) X(rcp_f32) X(sqrt_f32) X(div_f64) X(sqrt_f64)

#define CONVERT_OPS(X)                                                         \
    X(cvt_s64_s32) X(cvt_u64_u32) X(cvt_32_64)                                 \
    X(cvt_f32_s32) X(cvt_f32_u32) X(cvt_s32_f32) X(cvt_u32_f32)                \
    X(cvt_f64_f32) X(cvt_f32_f64) X(cvt_f64_s32) X(cvt_s32_f64)                \
    X(cvt_u8_32) X(cvt_s8_32) X(cvt_u16_32) X(cvt_s16_32) X(cvt_tf32)

#define COMPARE_OPS(X)                                                         \
    X(eq_32) X(ne_32) X(lt_s32) X(le_s32) X(gt_s32) X(ge_s32)                  \
    X(lt_u32) X(le_u32) X(gt_u32) X(ge_u32)                                    \
    X(eq_64) X(ne_64) X(lt_s64) X(le_s64) X(gt_s64) X(ge_s64)                  \
    X(lt_u64) X(le_u64) X(gt_u64) X(ge_u64)                                    \
    X(eq_f32) X(ne_f32) X(lt_f32) X(le_f32) X(gt_f32) X(ge_f32)                \
    X(equ_f32) X(neu_f32) X(ltu_f32) X(leu_f32) X(gtu_f32) X(geu_f32)          \
    X(num_f32) X(nan_f32)                                                      \
    X(eq_f64) X(ne_f64) X(lt_f64) X(le_f64) X(gt_f64) X(ge_f64)                \
    X(equ_f64) X(neu_f64) X(ltu_f64) X(leu_f64) X(gtu_f64) X(geu_f64)          \
    X(num_f64) X(nan_f64) X(compare_any)

#define MEMORY_OPS(X)                                                          \
    X(ld_global_32) X(ld_global_64) X(ld_global_v2) X(ld_global_v4)            \
    X(st_global_32) X(st_global_64) X(st_global_v2) X(st_global_v4)            \
    X(ld_shared_32) X(ld_shared_64) X(ld_shared_v2) X(ld_shared_v4)            \
    X(st_shared_32) X(st_shared_64) X(st_shared_v2) X(st_shared_v4)

#define MATRIX_OPS(X)                                                          \
    X(mma_float) X(mma_int) X(mma_f64) X(ldmatrix) X(stmatrix)        \
    X(async_copy)

#define LANE_OPS(X)                                                            \
    INT_OPS(X) FLOAT_OPS(X) CONVERT_OPS(X) COMPARE_OPS(X) MEMORY_OPS(X)        \
    MATRIX_OPS(X)

enum lane_op {
    OP_none,
#define X(name) OP_##name,
    LANE_OPS(X)
#undef X
    N_LANE_OPS,
};

/* Executes a warp from an instruction of its current leaf until it has nothing
 * to run: lanes_run.c, once per vector width. */
typedef void run_warp(struct warp *w, const struct inst *first);

/* D = A B + D of a warp's rows of a wgmma: lanes_group.c. all: what it is,
 * but for n, the columns; d: slots of the sums. */
typedef void group_product(struct warp *w, const struct matrix *all,
                           const struct group_factors *f, const uint32_t *d,
                           int n, bool add);

struct lane_table {
    const char *isa;
    run_warp *run, *run_followed; /* followed: by warp->follower or, if that
                                     is NULL, by run->traffic */
    group_product *group;
    handler *op[N_LANE_OPS];
};

/* The widest that this processor has, and no wider than at_most: "base" or
 * "avx2"; any other word or NULL sets no limit. */
const struct lane_table *lane_table(const char *at_most);

#endif
