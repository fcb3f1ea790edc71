// SPDX-License-Identifier: MIT
/*
 * rows_approx.c: the approximate functions over their whole range, each held
 * to the error that the PTX ISA (9.1) states with it. The exact result is the
 * host's, in double; "ulp" there is counted from the rounded result, so that
 * half an ulp comes on top.
 */
#include "conformance.h"

#include <float.h>
#include <math.h>

/* A unit in the last place of the fp32 numbers around x. */
static double ulp(double x)
{
    int exponent;
    if (!isfinite(x) || fabs(x) < FLT_MIN)
        return FLT_TRUE_MIN;
    frexp(x, &exponent);
    return ldexp(1, exponent - 24);
}

static double flushed(double x)
{
    return fabs(x) < FLT_MIN ? copysign(0, x) : x;
}

static float half(uint16_t bits)
{
    union value v = {.u16 = bits};
    return (float)v.f16;
}

static float bfloat(uint16_t bits)
{
    union value v = {.u32 = (uint32_t)bits << 16};
    return v.f32;
}

/* Half a step of fp16's subnormals. */
#define HALF_ULP 0x1p-25

/* Beyond 2^126 the divisor's reciprocal is zero. */
static double quotient(double a, double b)
{
    if (fabs(b) > 0x1p126 && isfinite(b))
        return a * copysign(0, b);
    return a / b;
}

static void divisions(void)
{
    ROW_BOUND(f32, "FF", "div.approx.f32 %d, %a, %b;",
              quotient((double)a.f32, (double)b.f32), 2.5 * ulp(x));
    ROW_BOUND(f32, "FF", "div.approx.ftz.f32 %d, %a, %b;",
              flushed(quotient(flushed((double)a.f32),
                               flushed((double)b.f32))),
              2.5 * ulp(x) + (fabs(x) < 2 * FLT_MIN ? FLT_MIN : 0));
    ROW_BOUND(f32, "FF", "div.full.f32 %d, %a, %b;",
              (double)a.f32 / (double)b.f32, 2.5 * ulp(x));
    ROW_BOUND(f32, "F", "rcp.approx.f32 %d, %a;", 1 / (double)a.f32,
              1.5 * ulp(x));
    ROW_BOUND(f32, "F", "rcp.approx.ftz.f32 %d, %a;",
              flushed(1 / flushed((double)a.f32)), 1.5 * ulp(x));
    ROW(f32, "", "div.approx.f32 %d, 0f7F800000, 0f7F000000;", NAN);
    ROW(f32, "", "div.approx.f32 %d, 0f3F800000, 0fFF000000;", -0.0f);
}

static void roots(void)
{
    ROW_BOUND(f32, "P", "sqrt.approx.f32 %d, %a;", sqrt((double)a.f32),
              0x1p-23 * x);
    ROW_BOUND(f32, "P", "sqrt.approx.ftz.f32 %d, %a;",
              sqrt(flushed((double)a.f32)), 0x1p-23 * x);
    ROW_BOUND(f32, "P", "rsqrt.approx.f32 %d, %a;",
              1 / sqrt((double)a.f32), exp2(-22.9) * x);
    ROW_BOUND(f32, "P", "rsqrt.approx.ftz.f32 %d, %a;",
              1 / sqrt(flushed((double)a.f32)), exp2(-22.9) * x);
}

/* As fp16 has it: infinite from 65520 on. */
static double half_range(double x)
{
    return x >= 65520 ? INFINITY : x;
}

static void powers(void)
{
    ROW_BOUND(f32, "E", "ex2.approx.f32 %d, %a;", exp2((double)a.f32),
              2.5 * ulp(x));
    ROW_BOUND(f32, "E", "ex2.approx.ftz.f32 %d, %a;",
              flushed(exp2((double)a.f32)),
              2.5 * ulp(x) + (fabs(x) < 2 * FLT_MIN ? FLT_MIN : 0));
    ROW_BOUND(f32, "P", "lg2.approx.f32 %d, %a;", log2((double)a.f32),
              a.f32 > 0.5f && a.f32 < 2 ? 0x1p-22 : fabs(x) * 0x1p-22);
    ROW_BOUND(f32, "g", "lg2.approx.ftz.f32 %d, %a;", log2((double)a.f32),
              a.f32 > 0.5f && a.f32 < 2 ? 0x1p-22 : fabs(x) * 0x1p-22);
    ROW_BOUND(f32, "h", "ex2.approx.f16 %h1, %a; cvt.f32.f16 %d, %h1;",
              half_range(exp2((double)half(a.u16))),
              exp2(-9.9) * fabs(x) + HALF_ULP);
    ROW_BOUND(f32, "j",
              "ex2.approx.ftz.bf16 %h1, %a; cvt.f32.bf16 %d, %h1;",
              flushed(exp2((double)bfloat(a.u16))),
              0x1p-7 * fabs(x) + (fabs(x) < 2 * FLT_MIN ? FLT_MIN : 0));
}

static void angles(void)
{
    const double near = 2 * 3.14159265358979;
    ROW_BOUND(f32, "A", "sin.approx.f32 %d, %a;", sin((double)a.f32),
              fabs((double)a.f32) <= near ? exp2(-20.5) : exp2(-14.7));
    ROW_BOUND(f32, "A", "sin.approx.ftz.f32 %d, %a;", sin((double)a.f32),
              fabs((double)a.f32) <= near ? exp2(-20.5) : exp2(-14.7));
    ROW_BOUND(f32, "A", "cos.approx.f32 %d, %a;", cos((double)a.f32),
              fabs((double)a.f32) <= near ? exp2(-20.5) : exp2(-14.7));
    ROW_BOUND(f32, "A", "cos.approx.ftz.f32 %d, %a;", cos((double)a.f32),
              fabs((double)a.f32) <= near ? exp2(-20.5) : exp2(-14.7));
    ROW_BOUND(f32, "T", "tanh.approx.f32 %d, %a;", tanh((double)a.f32),
              0x1p-11 * fabs(x));
    ROW_BOUND(f32, "F", "tanh.approx.f32 %d, %a;", tanh((double)a.f32),
              0x1p-11 * fabs(x));
    ROW_BOUND(f32, "j", "tanh.approx.f16 %h1, %a; cvt.f32.f16 %d, %h1;",
              tanh((double)half(a.u16)), exp2(-10.987));
    ROW_BOUND(f32, "j", "tanh.approx.bf16 %h1, %a; cvt.f32.bf16 %d, %h1;",
              tanh((double)bfloat(a.u16)), 0x1p-8);
}

/* The upper halves of an operand and of a result, subnormals as zeros. */
static double upper_half(double x)
{
    union value v = {.f64 = x};
    v.u64 &= UINT64_C(0xffffffff00000000);
    return fabs(v.f64) < DBL_MIN ? copysign(0, v.f64) : v.f64;
}

/* 20 bits of a fraction; the ISA gives no bound, so one of its unit. */
static void gross(void)
{
    ROW_BOUND(f64, "D", "rcp.approx.ftz.f64 %d, %a;",
              1 / upper_half(a.f64),
              fabs(x) * 0x1p-20 + (fabs(x) < 2 * DBL_MIN ? DBL_MIN : 0));
    ROW_BOUND(f64, "D",
              "and.b64 %l1, %a, 0x7fffffffffffffff; "
              "rsqrt.approx.ftz.f64 %d, %l1;",
              1 / sqrt(upper_half(fabs(a.f64))), fabs(x) * 0x1p-20);
    ROW_BOUND(f64, "D",
              "and.b64 %l1, %a, 0x7fffffffffffffff; "
              "rsqrt.approx.f64 %d, %l1;",
              1 / sqrt(fabs(a.f64)), fabs(x) * 0x1p-52);
    ROW(u64, "d", "rcp.approx.ftz.f64 %d, %a; and.b64 %d, %d, 0xffffffff;",
        0);
    ROW(u64, "d", "rsqrt.approx.ftz.f64 %d, %a; and.b64 %d, %d, 0xffffffff;",
        0);
    ROW(u64, "", "rcp.approx.ftz.f64 %d, 0d7FF8000000000000;",
        UINT64_C(0x7fffffff00000000));
    ROW(f64, "", "rcp.approx.ftz.f64 %d, 0d8000000000000001;", -INFINITY);
}

void rows_approx(void)
{
    divisions();
    roots();
    powers();
    angles();
    gross();
}
