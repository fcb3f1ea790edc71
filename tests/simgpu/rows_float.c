// SPDX-License-Identifier: MIT
/*
 * rows_float.c: fp32 and fp64 arithmetic to nearest even, .ftz, .sat; where the
 * approximate functions are exact (rows_approx.c: where they are not).
 */
#include "conformance.h"

#include <math.h>

static float flush(float x)
{
    return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
}

static float saturate(float x)
{
    return x > 1 ? 1 : x > 0 ? x : 0; /* NaN becomes 0 */
}

/* A NaN loses against a number; -0 is less than +0. */
static double lesser(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    if (a == b)
        return signbit(a) ? a : b;
    return a < b ? a : b;
}

static double greater(double a, double b)
{
    return -lesser(-a, -b);
}

static void arithmetic(void)
{
    ROW(f32, "ff", "add.f32 %d, %a, %b;", a.f32 + b.f32);
    ROW(f32, "ff", "add.rn.f32 %d, %a, %b;", a.f32 + b.f32);
    ROW(f32, "ff", "sub.f32 %d, %a, %b;", a.f32 - b.f32);
    ROW(f32, "ff", "mul.f32 %d, %a, %b;", a.f32 * b.f32);
    ROW(f32, "f", "mul.f32 %d, %a, 0f3F000000;", a.f32 * 0.5f);
    ROW(f32, "f", "add.f32 %d, %a, 1.5;", a.f32 + 1.5f);
    ROW(f32, "f", "fma.rn.f32 %d, %a, -2.5, 0f3F800000;",
        fmaf(a.f32, -2.5f, 1.0f));
    ROW(f64, "d", "add.f64 %d, %a, 1.5;", a.f64 + 1.5);
    ROW(f32, "fff", "fma.rn.f32 %d, %a, %b, %c;",
        fmaf(a.f32, b.f32, c.f32));
    ROW(f32, "fff", "mad.rn.f32 %d, %a, %b, %c;",
        fmaf(a.f32, b.f32, c.f32));
    ROW(f64, "dd", "add.f64 %d, %a, %b;", a.f64 + b.f64);
    ROW(f64, "dd", "sub.rn.f64 %d, %a, %b;", a.f64 - b.f64);
    ROW(f64, "dd", "mul.f64 %d, %a, %b;", a.f64 * b.f64);
    ROW(f64, "ddd", "fma.rn.f64 %d, %a, %b, %c;", fma(a.f64, b.f64, c.f64));
    ROW(f32, "ff", "div.rn.f32 %d, %a, %b;", a.f32 / b.f32);
    ROW(f32, "f", "rcp.rn.f32 %d, %a;", 1 / a.f32);
    ROW(f32, "f", "sqrt.rn.f32 %d, %a;", sqrtf(a.f32));
    ROW(f64, "dd", "div.rn.f64 %d, %a, %b;", a.f64 / b.f64);
    ROW(f64, "d", "rcp.rn.f64 %d, %a;", 1 / a.f64);
    ROW(f64, "d", "sqrt.rn.f64 %d, %a;", sqrt(a.f64));
}

static void flushed(void)
{
    ROW(f32, "ff", "add.ftz.f32 %d, %a, %b;",
        flush(flush(a.f32) + flush(b.f32)));
    ROW(f32, "ff", "sub.ftz.f32 %d, %a, %b;",
        flush(flush(a.f32) - flush(b.f32)));
    ROW(f32, "ff", "mul.ftz.f32 %d, %a, %b;",
        flush(flush(a.f32) * flush(b.f32)));
    ROW(f32, "fff", "fma.rn.ftz.f32 %d, %a, %b, %c;",
        flush(fmaf(flush(a.f32), flush(b.f32), flush(c.f32))));
    ROW(f32, "ff", "div.rn.ftz.f32 %d, %a, %b;",
        flush(flush(a.f32) / flush(b.f32)));
    ROW(f32, "f", "sqrt.rn.ftz.f32 %d, %a;", sqrtf(flush(a.f32)));
    ROW(f32, "f", "neg.ftz.f32 %d, %a;", -flush(a.f32));
    ROW(f32, "f", "abs.ftz.f32 %d, %a;", fabsf(flush(a.f32)));
    ROW(f32, "ff", "min.ftz.f32 %d, %a, %b;",
        (float)lesser(flush(a.f32), flush(b.f32)));
}

static void saturated(void)
{
    ROW(f32, "ff", "add.sat.f32 %d, %a, %b;", saturate(a.f32 + b.f32));
    ROW(f32, "ff", "mul.sat.f32 %d, %a, %b;", saturate(a.f32 * b.f32));
    ROW(f32, "fff", "fma.rn.sat.f32 %d, %a, %b, %c;",
        saturate(fmaf(a.f32, b.f32, c.f32)));
    ROW(f32, "ff", "sub.ftz.sat.f32 %d, %a, %b;",
        saturate(flush(flush(a.f32) - flush(b.f32))));
}

static void sign_and_order(void)
{
    ROW(u32, "f", "neg.f32 %d, %a;",
        isnan(a.f32) ? (row->any[k] = true, 0) : a.u32 ^ 0x80000000u);
    ROW(f32, "f", "neg.f32 %d, %a;", -a.f32);
    ROW(f32, "f", "abs.f32 %d, %a;", fabsf(a.f32));
    ROW(f64, "d", "neg.f64 %d, %a;", -a.f64);
    ROW(f64, "d", "abs.f64 %d, %a;", fabs(a.f64));
    ROW(f32, "ff", "min.f32 %d, %a, %b;", (float)lesser(a.f32, b.f32));
    ROW(f32, "ff", "max.f32 %d, %a, %b;", (float)greater(a.f32, b.f32));
    ROW(f64, "dd", "min.f64 %d, %a, %b;", lesser(a.f64, b.f64));
    ROW(f64, "dd", "max.f64 %d, %a, %b;", greater(a.f64, b.f64));
    ROW(f32, "ff", "min.NaN.f32 %d, %a, %b;",
        isunordered(a.f32, b.f32) ? NAN : (float)lesser(a.f32, b.f32));
    ROW(f32, "ff", "max.NaN.f32 %d, %a, %b;",
        isunordered(a.f32, b.f32) ? NAN : (float)greater(a.f32, b.f32));
    ROW(f32, "ff", "copysign.f32 %d, %a, %b;", copysignf(b.f32, a.f32));
    ROW(f64, "dd", "copysign.f64 %d, %a, %b;", copysign(b.f64, a.f64));
    ROW(pred, "f", "testp.finite.f32 %d, %a;", !!isfinite(a.f32));
    ROW(pred, "f", "testp.infinite.f32 %d, %a;", !!isinf(a.f32));
    ROW(pred, "f", "testp.number.f32 %d, %a;", !isnan(a.f32));
    ROW(pred, "f", "testp.notanumber.f32 %d, %a;", !!isnan(a.f32));
    ROW(pred, "f", "testp.normal.f32 %d, %a;", !!isnormal(a.f32));
    ROW(pred, "f", "testp.subnormal.f32 %d, %a;",
        fpclassify(a.f32) == FP_SUBNORMAL);
    ROW(pred, "d", "testp.finite.f64 %d, %a;", !!isfinite(a.f64));
}

/* Where the approximate functions are exact. */
static void approximate_ends(void)
{
    static const struct {
        const char *ptx;
        float want;
    } rows[] = {
        {"rcp.approx.f32 %d, 0f00000000;", INFINITY},
        {"rcp.approx.f32 %d, 0f80000000;", -INFINITY},
        {"rcp.approx.f32 %d, 0f7F800000;", 0},
        {"rcp.approx.f32 %d, 0f3F800000;", 1},
        {"rcp.approx.ftz.f32 %d, 0f00000001;", INFINITY},
        {"sqrt.approx.f32 %d, 0fBF800000;", NAN},
        {"sqrt.approx.f32 %d, 0f00000000;", 0},
        {"rsqrt.approx.f32 %d, 0f00000000;", INFINITY},
        {"rsqrt.approx.f32 %d, 0f7F800000;", 0},
        {"rsqrt.approx.f32 %d, 0fBF800000;", NAN},
        {"ex2.approx.f32 %d, 0f00000000;", 1},
        {"ex2.approx.f32 %d, 0fFF800000;", 0},
        {"ex2.approx.f32 %d, 0f7F800000;", INFINITY},
        {"lg2.approx.f32 %d, 0f00000000;", -INFINITY},
        {"lg2.approx.f32 %d, 0f41000000;", 3},
        {"lg2.approx.f32 %d, 0fBF800000;", NAN},
        {"lg2.approx.f32 %d, 0f7F800000;", INFINITY},
        {"sin.approx.f32 %d, 0f80000000;", -0.0f},
        {"sin.approx.f32 %d, 0f7F800000;", NAN},
        {"cos.approx.f32 %d, 0f00000000;", 1},
        {"cos.approx.f32 %d, 0f7FC00000;", NAN},
        {"tanh.approx.f32 %d, 0f7F800000;", 1},
        {"tanh.approx.f32 %d, 0fFF800000;", -1},
        {"tanh.approx.f32 %d, 0f3F000000;", 0x7.65p-4f}, /* 11 bits of it */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ROW(f32, "", rows[i].ptx, rows[i].want);
}

void rows_float(void)
{
    arithmetic();
    flushed();
    saturated();
    sign_and_order();
    approximate_ends();
}
