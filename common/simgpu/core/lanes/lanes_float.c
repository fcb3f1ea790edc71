// SPDX-License-Identifier: MIT
/*
 * lanes_float.c: fp32 and fp64 arithmetic, rounded to nearest even.
 *
 * Other rounding modes, .sat and the approximate functions are scalar
 * (scalar_float.c). .ftz: subnormal operands and results become zeros of
 * their sign (PTX ISA, "Floating Point Instructions").
 */
#include <float.h>
#include <math.h>

#include "lanes.h"
#include "nan.h"
#include "softfloat.h"

typedef float f32;
typedef double f64;

static inline f32 flush(f32 x)
{
    return __builtin_fabsf(x) < FLT_MIN ? __builtin_copysignf(0, x) : x;
}

BINARY(add_f32, f32, f32, f32, nan_single(a + b))
BINARY(sub_f32, f32, f32, f32, nan_single(a - b))
BINARY(mul_f32, f32, f32, f32, nan_single(a * b))
#if HAVE_FUSED
TERNARY(fma_f32, f32, f32, f32, f32, nan_single(fused_f32(a, b, c)))
#else
/* Sums in double, of which few are doubtful; then all go the long way. */
HANDLER(fma_f32)
{
    f32 *d = slot(w, i->d), sum[LANES];
    const f32 *pa = slot(w, i->a), *pb = slot(w, i->b), *pc = slot(w, i->c);
    uint32_t doubtful = 0;
    EACH_LANE
    {
        double s = (double)pa[l] * (double)pb[l] + (double)pc[l];
        sum[l] = (f32)s;
        doubtful |= fused_doubtful(s);
    }
    if (doubtful)
        EACH_LANE { sum[l] = fused_f32(pa[l], pb[l], pc[l]); }
    STORE_LANES(f32, nan_single(sum[l]))
    return i + 1;
}
#endif
BINARY(add_ftz_f32, f32, f32, f32, nan_single(flush(flush(a) + flush(b))))
BINARY(sub_ftz_f32, f32, f32, f32, nan_single(flush(flush(a) - flush(b))))
BINARY(mul_ftz_f32, f32, f32, f32, nan_single(flush(flush(a) * flush(b))))
TERNARY(fma_ftz_f32, f32, f32, f32, f32,
        nan_single(flush(fused_f32(flush(a), flush(b), flush(c)))))
BINARY(add_f64, f64, f64, f64, nan_double(a + b, b, a, a))
BINARY(sub_f64, f64, f64, f64, nan_double(a - b, b, a, a))
BINARY(mul_f64, f64, f64, f64, nan_double(a * b, b, a, a))
TERNARY(fma_f64, f64, f64, f64, f64,
        nan_double(fused_f64(a, b, c), b, c, a))

/* A NaN of fp64 keeps its sign. */
UNARY(neg_f32, f32, f32, nan_single(-a))
UNARY(abs_f32, f32, f32, nan_single(__builtin_fabsf(a)))
UNARY(neg_f64, f64, f64, a == a ? -a : nan_quiet(a))
UNARY(abs_f64, f64, f64, a == a ? __builtin_fabs(a) : nan_quiet(a))

/* A NaN loses against a number, and -0 is less than +0. */
#define LESSER(a, b)                                                     \
    (b != b || a < b || (a == b && __builtin_signbit(a) != 0) ? a : b)
#define GREATER(a, b)                                                    \
    (b != b || a > b || (a == b && __builtin_signbit(a) == 0) ? a : b)
BINARY(min_f32, f32, f32, f32, nan_single(a != a ? b : LESSER(a, b)))
BINARY(max_f32, f32, f32, f32, nan_single(a != a ? b : GREATER(a, b)))
BINARY(min_f64, f64, f64, f64, nan_quiet(a != a ? b : LESSER(a, b)))
BINARY(max_f64, f64, f64, f64, nan_quiet(a != a ? b : GREATER(a, b)))

BINARY(div_f32, f32, f32, f32, nan_single(a / b))
UNARY(rcp_f32, f32, f32, nan_single(1 / a))
UNARY(sqrt_f32, f32, f32, nan_single(__builtin_sqrtf(a)))
BINARY(div_f64, f64, f64, f64, nan_double(a / b, a, b, b))
UNARY(sqrt_f64, f64, f64, nan_double(__builtin_sqrt(a), a, a, a))
