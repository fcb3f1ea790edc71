// SPDX-License-Identifier: MIT
/*
 * nans.cuh: the operations of nans.cu, each a kernel op_NAME.
 *
 * A row: X(name, a letter for the type of each operand, PTX). The PTX turns
 * %a, %b, %c into %d: registers whose letter says their type (fa, da, ha for
 * fp32, fp64 and 16 bits, ra for what fills 32 bits: two halves alike).
 */
#ifndef NANS_CUH
#define NANS_CUH

#define BINARY(X, name, op, types, a, d)                                       \
    X(name, types types, op " " d "d, " a "a, " a "b;")
#define UNARY(X, name, op, types, a, d)                                        \
    X(name, types, op " " d "d, " a "a;")
#define TERNARY(X, name, op, types, a, d)                                      \
    X(name, types types types, op " " d "d, " a "a, " a "b, " a "c;")

#define SINGLE_OPERATIONS(X)                                                   \
    BINARY(X, add_f32, "add.f32", "f", "f", "f")                               \
    BINARY(X, add_rz_f32, "add.rz.f32", "f", "f", "f")                         \
    BINARY(X, add_ftz_f32, "add.ftz.f32", "f", "f", "f")                       \
    BINARY(X, add_sat_f32, "add.sat.f32", "f", "f", "f")                       \
    BINARY(X, sub_f32, "sub.f32", "f", "f", "f")                               \
    BINARY(X, mul_f32, "mul.f32", "f", "f", "f")                               \
    BINARY(X, mul_rm_f32, "mul.rm.f32", "f", "f", "f")                         \
    TERNARY(X, fma_f32, "fma.rn.f32", "f", "f", "f")                           \
    TERNARY(X, fma_rp_f32, "fma.rp.f32", "f", "f", "f")                        \
    TERNARY(X, fma_ftz_f32, "fma.rn.ftz.f32", "f", "f", "f")                   \
    BINARY(X, div_f32, "div.rn.f32", "f", "f", "f")                            \
    BINARY(X, div_approx_f32, "div.approx.f32", "f", "f", "f")                 \
    BINARY(X, div_full_f32, "div.full.f32", "f", "f", "f")                     \
    UNARY(X, rcp_f32, "rcp.rn.f32", "f", "f", "f")                             \
    UNARY(X, rcp_approx_f32, "rcp.approx.f32", "f", "f", "f")                  \
    UNARY(X, sqrt_f32, "sqrt.rn.f32", "f", "f", "f")                           \
    UNARY(X, sqrt_approx_f32, "sqrt.approx.f32", "f", "f", "f")                \
    UNARY(X, rsqrt_f32, "rsqrt.approx.f32", "f", "f", "f")                     \
    UNARY(X, ex2_f32, "ex2.approx.f32", "f", "f", "f")                         \
    UNARY(X, ex2_ftz_f32, "ex2.approx.ftz.f32", "f", "f", "f")                 \
    UNARY(X, lg2_f32, "lg2.approx.f32", "f", "f", "f")                         \
    UNARY(X, lg2_ftz_f32, "lg2.approx.ftz.f32", "f", "f", "f")                 \
    UNARY(X, sin_f32, "sin.approx.f32", "f", "f", "f")                         \
    UNARY(X, cos_f32, "cos.approx.f32", "f", "f", "f")                         \
    UNARY(X, tanh_f32, "tanh.approx.f32", "f", "f", "f")                       \
    UNARY(X, neg_f32, "neg.f32", "f", "f", "f")                                \
    UNARY(X, neg_ftz_f32, "neg.ftz.f32", "f", "f", "f")                        \
    UNARY(X, abs_f32, "abs.f32", "f", "f", "f")                                \
    UNARY(X, abs_ftz_f32, "abs.ftz.f32", "f", "f", "f")                        \
    BINARY(X, copysign_f32, "copysign.f32", "f", "f", "f")                     \
    BINARY(X, min_f32, "min.f32", "f", "f", "f")                               \
    BINARY(X, max_f32, "max.f32", "f", "f", "f")                               \
    BINARY(X, min_ftz_f32, "min.ftz.f32", "f", "f", "f")                       \
    BINARY(X, min_nan_f32, "min.NaN.f32", "f", "f", "f")                       \
    BINARY(X, max_nan_f32, "max.NaN.f32", "f", "f", "f")                       \
    BINARY(X, min_xorsign_f32, "min.xorsign.abs.f32", "f", "f", "f")           \
    BINARY(X, max_nan_xorsign_f32, "max.NaN.xorsign.abs.f32", "f", "f", "f")

#define DOUBLE_OPERATIONS(X)                                                   \
    BINARY(X, add_f64, "add.f64", "d", "d", "d")                               \
    BINARY(X, add_rz_f64, "add.rz.f64", "d", "d", "d")                         \
    BINARY(X, sub_f64, "sub.f64", "d", "d", "d")                               \
    BINARY(X, mul_f64, "mul.f64", "d", "d", "d")                               \
    BINARY(X, mul_rp_f64, "mul.rp.f64", "d", "d", "d")                         \
    TERNARY(X, fma_f64, "fma.rn.f64", "d", "d", "d")                           \
    TERNARY(X, fma_rm_f64, "fma.rm.f64", "d", "d", "d")                        \
    BINARY(X, div_f64, "div.rn.f64", "d", "d", "d")                            \
    UNARY(X, rcp_f64, "rcp.rn.f64", "d", "d", "d")                             \
    UNARY(X, rcp_gross_f64, "rcp.approx.ftz.f64", "d", "d", "d")               \
    UNARY(X, sqrt_f64, "sqrt.rn.f64", "d", "d", "d")                           \
    UNARY(X, rsqrt_f64, "rsqrt.approx.f64", "d", "d", "d")                     \
    UNARY(X, rsqrt_gross_f64, "rsqrt.approx.ftz.f64", "d", "d", "d")           \
    UNARY(X, neg_f64, "neg.f64", "d", "d", "d")                                \
    UNARY(X, abs_f64, "abs.f64", "d", "d", "d")                                \
    BINARY(X, copysign_f64, "copysign.f64", "d", "d", "d")                     \
    BINARY(X, min_f64, "min.f64", "d", "d", "d")                               \
    BINARY(X, max_f64, "max.f64", "d", "d", "d")

#define HALF_OPERATIONS(X)                                                     \
    BINARY(X, add_f16, "add.f16", "h", "h", "h")                               \
    BINARY(X, add_sat_f16, "add.sat.f16", "h", "h", "h")                       \
    BINARY(X, sub_f16, "sub.f16", "h", "h", "h")                               \
    BINARY(X, mul_f16, "mul.f16", "h", "h", "h")                               \
    TERNARY(X, fma_f16, "fma.rn.f16", "h", "h", "h")                           \
    TERNARY(X, fma_sat_f16, "fma.rn.sat.f16", "h", "h", "h")                   \
    TERNARY(X, fma_relu_f16, "fma.rn.relu.f16", "h", "h", "h")                 \
    UNARY(X, neg_f16, "neg.f16", "h", "h", "h")                                \
    UNARY(X, abs_f16, "abs.f16", "h", "h", "h")                                \
    BINARY(X, min_f16, "min.f16", "h", "h", "h")                               \
    BINARY(X, max_f16, "max.f16", "h", "h", "h")                               \
    BINARY(X, min_nan_f16, "min.NaN.f16", "h", "h", "h")                       \
    BINARY(X, max_nan_f16, "max.NaN.f16", "h", "h", "h")                       \
    BINARY(X, max_xorsign_f16, "max.xorsign.abs.f16", "h", "h", "h")           \
    UNARY(X, ex2_f16, "ex2.approx.f16", "h", "h", "h")                         \
    UNARY(X, tanh_f16, "tanh.approx.f16", "h", "h", "h")                       \
    BINARY(X, add_f16x2, "add.f16x2", "h", "r", "r")                           \
    BINARY(X, mul_f16x2, "mul.f16x2", "h", "r", "r")                           \
    TERNARY(X, fma_f16x2, "fma.rn.f16x2", "h", "r", "r")                       \
    BINARY(X, min_f16x2, "min.f16x2", "h", "r", "r")                           \
    BINARY(X, max_nan_f16x2, "max.NaN.f16x2", "h", "r", "r")                   \
    UNARY(X, neg_f16x2, "neg.f16x2", "h", "r", "r")

#define BFLOAT_OPERATIONS(X)                                                   \
    BINARY(X, add_bf16, "add.rn.bf16", "b", "h", "h")                          \
    BINARY(X, sub_bf16, "sub.rn.bf16", "b", "h", "h")                          \
    BINARY(X, mul_bf16, "mul.rn.bf16", "b", "h", "h")                          \
    TERNARY(X, fma_bf16, "fma.rn.bf16", "b", "h", "h")                         \
    TERNARY(X, fma_relu_bf16, "fma.rn.relu.bf16", "b", "h", "h")               \
    UNARY(X, neg_bf16, "neg.bf16", "b", "h", "h")                              \
    UNARY(X, abs_bf16, "abs.bf16", "b", "h", "h")                              \
    BINARY(X, min_bf16, "min.bf16", "b", "h", "h")                             \
    BINARY(X, max_bf16, "max.bf16", "b", "h", "h")                             \
    BINARY(X, min_nan_bf16, "min.NaN.bf16", "b", "h", "h")                     \
    BINARY(X, max_nan_bf16, "max.NaN.bf16", "b", "h", "h")                     \
    UNARY(X, ex2_bf16, "ex2.approx.ftz.bf16", "b", "h", "h")                   \
    UNARY(X, tanh_bf16, "tanh.approx.bf16", "b", "h", "h")                     \
    BINARY(X, add_bf16x2, "add.rn.bf16x2", "b", "r", "r")                      \
    TERNARY(X, fma_bf16x2, "fma.rn.bf16x2", "b", "r", "r")                     \
    BINARY(X, max_bf16x2, "max.bf16x2", "b", "r", "r")

#define CONVERSIONS(X)                                                         \
    UNARY(X, f32_of_f16, "cvt.f32.f16", "h", "h", "f")                         \
    UNARY(X, f32_of_bf16, "cvt.f32.bf16", "b", "h", "f")                       \
    UNARY(X, f32_of_f64, "cvt.rn.f32.f64", "d", "d", "f")                      \
    UNARY(X, f64_of_f32, "cvt.f64.f32", "f", "f", "d")                         \
    UNARY(X, f64_of_f16, "cvt.f64.f16", "h", "h", "d")                         \
    UNARY(X, f16_of_f32, "cvt.rn.f16.f32", "f", "f", "h")                      \
    UNARY(X, f16_of_f32_sat, "cvt.rn.sat.f16.f32", "f", "f", "h")              \
    UNARY(X, f16_of_f32_relu, "cvt.rn.relu.f16.f32", "f", "f", "h")            \
    UNARY(X, f16_of_f64, "cvt.rn.f16.f64", "d", "d", "h")                      \
    UNARY(X, bf16_of_f32, "cvt.rn.bf16.f32", "f", "f", "h")                    \
    UNARY(X, bf16_of_f32_rz, "cvt.rz.bf16.f32", "f", "f", "h")                 \
    UNARY(X, bf16_of_f32_relu, "cvt.rn.relu.bf16.f32", "f", "f", "h")          \
    BINARY(X, f16x2_of_f32, "cvt.rn.f16x2.f32", "f", "f", "r")                 \
    BINARY(X, bf16x2_of_f32, "cvt.rn.bf16x2.f32", "f", "f", "r")               \
    UNARY(X, tf32_of_f32, "cvt.rna.tf32.f32", "f", "f", "r")                   \
    UNARY(X, tf32_of_f32_rn, "cvt.rn.tf32.f32", "f", "f", "r")                 \
    BINARY(X, e4m3_of_f32, "cvt.rn.satfinite.e4m3x2.f32", "f", "f", "h")       \
    BINARY(X, e5m2_of_f32, "cvt.rn.satfinite.e5m2x2.f32", "f", "f", "h")       \
    UNARY(X, rni_f32, "cvt.rni.f32.f32", "f", "f", "f")                        \
    UNARY(X, rzi_ftz_f32, "cvt.rzi.ftz.f32.f32", "f", "f", "f")                \
    UNARY(X, sat_f32, "cvt.sat.f32.f32", "f", "f", "f")                        \
    UNARY(X, ftz_f32, "cvt.ftz.f32.f32", "f", "f", "f")                        \
    UNARY(X, rni_f64, "cvt.rni.f64.f64", "d", "d", "d")                        \
    UNARY(X, rni_f16, "cvt.rni.f16.f16", "h", "h", "h")

#define NAN_OPERATIONS(X)                                                      \
    SINGLE_OPERATIONS(X) DOUBLE_OPERATIONS(X) HALF_OPERATIONS(X)               \
    BFLOAT_OPERATIONS(X) CONVERSIONS(X) ATOMICS(X)

/* On a word that holds the first operand; red and atom end alike. */
#define ATOMICS(X)                                                             \
    X(atom_f32, "ff", "st.global.f32 [%5], fa; "                               \
      "atom.global.add.f32 fd, [%5], fb; ld.volatile.global.f32 fd, [%5];")    \
    X(atom_f64, "dd", "st.global.f64 [%5], da; "                               \
      "atom.global.add.f64 dd, [%5], db; ld.volatile.global.f64 dd, [%5];")    \
    X(atom_f16x2, "hh", "st.global.b32 [%5], ra; "                             \
      "atom.global.add.noftz.f16x2 rd, [%5], rb; "                             \
      "ld.volatile.global.b32 rd, [%5];")                                      \
    X(atom_bf16x2, "bb", "st.global.b32 [%5], ra; "                            \
      "atom.global.add.noftz.bf16x2 rd, [%5], rb; "                            \
      "ld.volatile.global.b32 rd, [%5];")                                      \
    X(shared_atom_f32, "ff", "st.shared.f32 [%4], fa; "                        \
      "atom.shared.add.f32 fd, [%4], fb; ld.volatile.shared.f32 fd, [%4];")    \
    X(shared_atom_f64, "dd", "st.shared.f64 [%4], da; "                        \
      "atom.shared.add.f64 dd, [%4], db; ld.volatile.shared.f64 dd, [%4];")

/* The operand in all its types, and the result, of which one was written. */
#define OPERANDS                                                               \
    ".reg .b16 ha, hb, hc, hd; .reg .b32 ra, rb, rc, rd, fa, fb, fc, fd; "     \
    ".reg .b64 da, db, dc, dd; .reg .b32 none; "                               \
    "mov.b64 da, %1; mov.b64 db, %2; mov.b64 dc, %3; "                         \
    "mov.b64 {fa, none}, da; mov.b64 {fb, none}, db; mov.b64 {fc, none}, dc; " \
    "cvt.u16.u32 ha, fa; cvt.u16.u32 hb, fb; cvt.u16.u32 hc, fc; "             \
    "mov.b32 ra, {ha, ha}; mov.b32 rb, {hb, hb}; mov.b32 rc, {hc, hc}; "       \
    "mov.b16 hd, 0; mov.b32 rd, 0; mov.b32 fd, 0; mov.b64 dd, 0; "
#define RESULT                                                                 \
    "cvt.u32.u16 none, hd; or.b32 none, none, rd; or.b32 none, none, fd; "     \
    "cvt.u64.u32 da, none; or.b64 %0, da, dd;"

#define X(name, types, text)                                                   \
    static __global__ void op_##name(const uint64_t *in, uint64_t *out, int n) \
    {                                                                          \
        __shared__ uint64_t word[128];                                         \
        int t = blockIdx.x * blockDim.x + threadIdx.x;                         \
        if (t >= n)                                                            \
            return;                                                            \
        uint64_t d;                                                            \
        asm volatile("{" OPERANDS text RESULT "}"                              \
                     : "=l"(d)                                                 \
                     : "l"(in[3 * t]), "l"(in[3 * t + 1]), "l"(in[3 * t + 2]), \
                       "l"(__cvta_generic_to_shared(&word[threadIdx.x])),      \
                       "l"(__cvta_generic_to_global(&out[t]))                  \
                     : "memory");                                              \
        out[t] = d;                                                            \
    }
NAN_OPERATIONS(X)
#undef X

#endif
