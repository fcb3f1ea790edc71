// SPDX-License-Identifier: MIT
/*
 * scalar_float.c: floating point, one lane at a time: rounding modes, .sat,
 * .ftz, the approximate functions, tests and comparisons. Interface: eval.h.
 *
 * The approximate functions are computed in double and rounded once, so they
 * are at least as near as a GPU's, and not bit for bit the same. All results
 * are the same bits on every host.
 */
#include <float.h>
#include <math.h>

#include "approx.h"
#include "eval.h"
#include "half.h"
#include "nan.h"

static float f32(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float x;
    __builtin_memcpy(&x, &low, sizeof x);
    return x;
}

static uint64_t bits32(float x)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double f64(uint64_t bits)
{
    double x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t bits64(double x)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float flush(float x, const struct inst *i)
{
    return (i->mods & MOD_FTZ) && fabsf(x) < FLT_MIN ? copysignf(0, x) : x;
}

static float operand32(uint64_t bits, const struct inst *i)
{
    return flush(f32(bits), i);
}

/* A NaN is always the same one, as on a GPU; hosts differ. */
static uint64_t result32(float x, const struct inst *i)
{
    if (i->mods & MOD_SAT)
        x = x > 0 ? x > 1 ? 1 : x : 0; /* NaN becomes 0, so does -0 */
    return isnan(x) ? soft_f32.nan : bits32(flush(x, i));
}

static enum rounding mode_of(const struct inst *i)
{
    return (enum rounding)((i->mods & MOD_ROUND) >> 2);
}

/* Hosts round to nearest, PTX's default, by themselves; other modes are
 * computed in integers from the operands' bits x, y, z. */
#define ROUNDED32(name, nearest, other)                                        \
    uint64_t eval_##name##_f32(uint64_t pa, uint64_t pb, uint64_t pc,          \
                               const struct inst *i)                           \
    {                                                                          \
        const struct float_format *f = &soft_f32;                              \
        enum rounding mode = mode_of(i);                                       \
        float a = operand32(pa, i), b = operand32(pb, i);                      \
        float c = operand32(pc, i);                                            \
        (void)b, (void)c;                                                      \
        if (mode == ROUND_NEAREST)                                             \
            return result32((nearest), i);                                     \
        uint64_t x = bits32(a), y = bits32(b), z = bits32(c);                  \
        (void)y, (void)z;                                                      \
        return result32(f32(other), i);                                        \
    }
#define ROUNDED64(name, nearest, other, first, second, third)                  \
    uint64_t eval_##name##_f64(uint64_t x, uint64_t y, uint64_t z,             \
                               const struct inst *i)                           \
    {                                                                          \
        const struct float_format *f = &soft_f64;                              \
        enum rounding mode = mode_of(i);                                       \
        double a = f64(x), b = f64(y), c = f64(z);                             \
        (void)b, (void)c;                                                      \
        double d = mode == ROUND_NEAREST ? (nearest) : f64(other);             \
        return bits64(nan_double(d, first, second, third));                    \
    }

#define MINUS32 0x80000000u
#define MINUS64 0x8000000000000000u
#define ONE32 0x3f800000u
#define ONE64 0x3ff0000000000000u
ROUNDED32(add, a + b, soft_add(f, x, y, mode))
ROUNDED32(sub, a - b, soft_add(f, x, y ^ MINUS32, mode))
ROUNDED32(mul, a * b, soft_mul(f, x, y, mode))
ROUNDED32(fma, fused_f32(a, b, c), soft_fma(f, x, y, z, mode))
ROUNDED32(div, a / b, soft_div(f, x, y, mode))
ROUNDED32(rcp, 1 / a, soft_div(f, ONE32, x, mode))
ROUNDED32(sqrt, sqrtf(a), soft_sqrt(f, x, mode))
ROUNDED64(add, a + b, soft_add(f, x, y, mode), b, a, a)
ROUNDED64(sub, a - b, soft_add(f, x, y ^ MINUS64, mode), b, a, a)
ROUNDED64(mul, a * b, soft_mul(f, x, y, mode), b, a, a)
ROUNDED64(fma, fused_f64(a, b, c), soft_fma(f, x, y, z, mode), b, c, a)
ROUNDED64(div, a / b, soft_div(f, x, y, mode), a, b, b)
ROUNDED64(rcp, 1 / a, soft_div(f, ONE64, x, mode), a, a, a)
ROUNDED64(sqrt, sqrt(a), soft_sqrt(f, x, mode), a, a, a)

/* a * (1 / b), as it is computed: the reciprocal of a large b is zero. */
uint64_t eval_div_approx_f32(uint64_t pa, uint64_t pb, uint64_t pc,
                             const struct inst *i)
{
    float b = operand32(pb, i);
    if (isfinite(b) && fabsf(b) > 0x1p126f)
        return eval_mul_f32(pa, bits32(copysignf(0, b)), pc, i);
    return eval_div_f32(pa, pb, pc, i);
}

/* Of an operand's and a result's upper half alone, without subnormals. */
static double upper_half(uint64_t bits)
{
    double x = f64(bits & 0xffffffff00000000u);
    return fabs(x) < DBL_MIN ? copysign(0, x) : x;
}

static uint64_t gross_result(double x)
{
    if (isnan(x))
        return 0x7fffffff00000000u;
    uint64_t bits = bits64(x) + 0x80000000u; /* to nearest */
    return bits64(upper_half(isfinite(x) ? bits : bits64(x)));
}

uint64_t eval_rcp_gross_f64(uint64_t a, uint64_t b, uint64_t c,
                            const struct inst *i)
{
    (void)b, (void)c, (void)i;
    return gross_result(1 / upper_half(a));
}

uint64_t eval_rsqrt_gross_f64(uint64_t a, uint64_t b, uint64_t c,
                              const struct inst *i)
{
    (void)b, (void)c, (void)i;
    return gross_result(1 / sqrt(upper_half(a)));
}

/* A GPU's tanh is off by up to 2^-11 of its value: who takes it for exact must
 * find out here, too. */
static double to_11_bits(double x)
{
    const uint64_t half = 1ull << 41;
    return isnan(x) ? x : f64((bits64(x) + half) & ~(2 * half - 1));
}

/* In double, rounded once. */
#define APPROXIMATE(name, expression)                                          \
    uint64_t eval_##name##_f32(uint64_t pa, uint64_t pb, uint64_t pc,          \
                               const struct inst *i)                           \
    {                                                                          \
        double a = operand32(pa, i);                                           \
        (void)pb, (void)pc;                                                    \
        return result32((float)(expression), i);                               \
    }
APPROXIMATE(rsqrt, 1 / sqrt(a))
APPROXIMATE(ex2, approx_exp2(a))
APPROXIMATE(lg2, approx_log2(a))
APPROXIMATE(sin, approx_sin(a))
APPROXIMATE(cos, approx_cos(a))
APPROXIMATE(tanh, to_11_bits(approx_tanh(a)))

uint64_t eval_rsqrt_f64(uint64_t a, uint64_t b, uint64_t c,
                        const struct inst *i)
{
    (void)b, (void)c, (void)i;
    double x = f64(a);
    return bits64(nan_double(1 / sqrt(x), x, x, x));
}

uint64_t eval_neg_f32(uint64_t a, uint64_t b, uint64_t c, const struct inst *i)
{
    (void)b, (void)c;
    return bits32(nan_single(flush(f32(a ^ 0x80000000u), i)));
}

uint64_t eval_abs_f32(uint64_t a, uint64_t b, uint64_t c, const struct inst *i)
{
    (void)b, (void)c;
    return bits32(nan_single(flush(f32(a & 0x7fffffffu), i)));
}

/* Without .NaN a number wins against a NaN. */
static uint64_t extreme(uint64_t pa, uint64_t pb, const struct inst *i,
                        bool greater)
{
    float a = operand32(pa, i), b = operand32(pb, i);
    if (isnan(a) && isnan(b))
        return 0x7fffffff;
    if (isnan(a) || isnan(b))
        return i->mods & MOD_NAN ? 0x7fffffff : bits32(isnan(a) ? b : a);
    bool a_less = a < b || (a == b && signbit(a));
    return bits32(a_less != greater ? a : b);
}

uint64_t eval_min_f32(uint64_t a, uint64_t b, uint64_t c, const struct inst *i)
{
    (void)c;
    return extreme(a, b, i, false);
}

uint64_t eval_max_f32(uint64_t a, uint64_t b, uint64_t c, const struct inst *i)
{
    (void)c;
    return extreme(a, b, i, true);
}

/* copysign d, a, b: the sign of a, the magnitude of b. */
uint64_t eval_copysign_f32(uint64_t a, uint64_t b, uint64_t c,
                           const struct inst *i)
{
    (void)c, (void)i;
    return (a & 0x80000000u) | (b & 0x7fffffffu);
}

uint64_t eval_copysign_f64(uint64_t a, uint64_t b, uint64_t c,
                           const struct inst *i)
{
    (void)c, (void)i;
    uint64_t sign = 1ull << 63;
    return (a & sign) | (b & ~sign);
}

static bool test(int what, int class)
{
    switch (what) {
    case 0: return class != FP_NAN && class != FP_INFINITE;
    case 1: return class == FP_INFINITE;
    case 2: return class != FP_NAN;
    case 3: return class == FP_NAN;
    case 4: return class == FP_NORMAL;
    default: return class == FP_SUBNORMAL;
    }
}

const struct inst *op_testp(struct warp *w, const struct inst *i,
                            uint32_t mask)
{
    uint32_t p = 0, *d = slot(w, i->d);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        int class = i->p1 ? fpclassify(((double *)slot(w, i->a))[l])
                          : fpclassify(((float *)slot(w, i->a))[l]);
        p |= (uint32_t)test(i->p0, class) << l;
    }
    *d = (*d & ~mask) | p;
    return i + 1;
}

/* Comparisons of any type: -1 less, 0 equal, 1 greater, 2 unordered. */

static int order_double(double a, double b)
{
    return isnan(a) || isnan(b) ? 2 : (a > b) - (a < b);
}

static int order_signed(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static double operand16(uint64_t bits, const struct inst *i)
{
    double x = half_to_double(bits);
    return (i->mods & MOD_FTZ) && fabs(x) < 0x1p-14 ? copysign(0, x) : x;
}

static int order_of(const struct inst *i, uint64_t a, uint64_t b)
{
    const struct detail *t = i->detail;
    unsigned up = 64u - t->type_bits;
    if (t->type_class == PTX_FLOAT)
        return t->type_bits == 64   ? order_double(f64(a), f64(b))
               : t->type_bits == 32 ? order_double(operand32(a, i),
                                                   operand32(b, i))
                                    : order_double(operand16(a, i),
                                                   operand16(b, i));
    if (t->type_class == PTX_BFLOAT)
        return order_double(bfloat_to_double(a), bfloat_to_double(b));
    if (t->type_class == PTX_SIGNED)
        return order_signed((int64_t)(a << up) >> up,
                            (int64_t)(b << up) >> up);
    a = a << up >> up;
    b = b << up >> up;
    return (a > b) - (a < b);
}

bool scalar_compare(const struct inst *i, uint64_t a, uint64_t b)
{
    int o = order_of(i, a, b);
    bool nan = o == 2;
    switch ((enum compare_op)i->p0) {
    case CMP_EQ: return o == 0;
    case CMP_NE: return o == -1 || o == 1;
    case CMP_LT: case CMP_LO: return o == -1;
    case CMP_LE: case CMP_LS: return o == -1 || o == 0;
    case CMP_GT: case CMP_HI: return o == 1;
    case CMP_GE: case CMP_HS: return o == 1 || o == 0;
    case CMP_EQU: return o == 0 || nan;
    case CMP_NEU: return o != 0;
    case CMP_LTU: return o == -1 || nan;
    case CMP_LEU: return o != 1;
    case CMP_GTU: return o == 1 || nan;
    case CMP_GEU: return o != -1;
    case CMP_NUM: return !nan;
    default: return nan;
    }
}
