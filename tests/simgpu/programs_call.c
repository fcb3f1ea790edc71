// SPDX-License-Identifier: MIT
/*
 * programs_call.c: functions: called by some lanes, from loops, from each
 * other, by pointer; with structures, local arrays and early returns.
 */
#include "conformance.h"

#define ONE_TO_ONE(name)                                                       \
    ".func (.param .b32 r) " name "(.param .b32 a)\n{\n"                       \
    ".reg .pred %p<4>; .reg .b32 %r<8>; ld.param.b32 %r0, [a];\n"

#define CALL(function, argument, result)                                       \
    "{ .param .b32 p; st.param.b32 [p], " argument "; .param .b32 q;\n"        \
    "call.uni (q), " function ", (p); ld.param.b32 " result ", [q]; }\n"

static uint32_t square(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x * x + 1;
}

static uint32_t divergent(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x & 1 ? x * x : x;
}

static uint32_t nested(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return (x * x + 1) * (x * x + 1) + x;
}

static uint32_t factorial(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    uint32_t d = 1;
    for (uint32_t k = 2; k <= (x & 7); k++)
        d *= k;
    return d;
}

static uint32_t fibonacci(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    uint32_t a = 0, b = 1;
    for (uint32_t k = 0; k < (x & 7); k++) {
        uint32_t c = a + b;
        a = b;
        b = c;
    }
    return a;
}

static uint32_t is_odd(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x & 1;
}

static uint32_t early(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return (x < 16 ? 1000 : x < 32 ? x * 2 : x * 3) + 1;
}

static uint32_t in_loop(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    uint32_t d = 0;
    for (uint32_t k = 0; k < x; k++)
        d += k * k;
    return d;
}

static uint32_t by_pointer(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)all;
    return i / 128 & 1 ? x + 7 : x * x;
}

static uint32_t by_lane_pointer(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x & 1 ? x + 7 : x * x;
}

static uint32_t structure(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return (x + 1) + (x * 2) * 3 + 5;
}

static uint32_t local_array(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return (x + (x & 7)) * 2 + (x + 1 + (x & 7));
}

static const char square_text[] =
    ONE_TO_ONE("square") "mul.lo.s32 %r1, %r0, %r0; st.param.b32 [r], %r1;\n"
    "ret.uni; }\n"
    ONE_TO_ONE("plus7") "add.s32 %r1, %r0, 7; st.param.b32 [r], %r1; ret; }\n"
    ".global .align 8 .u64 functions[2] = {square, plus7};\n";

#define POINTER_CALL                                                           \
    "mul.wide.u32 %l1, %r2, 8; mov.u64 %l2, functions;\n"                      \
    "add.s64 %l2, %l2, %l1; ld.global.u64 %l3, [%l2];\n"                       \
    "{ .param .b32 p; st.param.b32 [p], %x; .param .b32 q;\n"                  \
    "proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n"               \
    "call (q), %l3, (p), proto; ld.param.b32 %d, [q]; }\n"

static const struct program programs[] = {
    {"a call", 2, 128, square_text,
     CALL("square", "%x", "%d") "add.s32 %d, %d, 1;", square, 0, 0},
    {"a call by some lanes", 2, 128, square_text,
     "mov.u32 %d, %x; and.b32 %r2, %x, 1; setp.eq.s32 %p1, %r2, 0;\n"
     "@%p1 bra END;\n" CALL("square", "%x", "%d") "END:", divergent, 0, 0},
    {"a call from a call, twice", 2, 128,
     ONE_TO_ONE("inner") "mad.lo.s32 %r1, %r0, %r0, 1;\n"
     "st.param.b32 [r], %r1; ret; }\n"
     ONE_TO_ONE("outer") CALL("inner", "%r0", "%r1")
     CALL("inner", "%r0", "%r2")
     "mad.lo.s32 %r1, %r1, %r2, %r0; st.param.b32 [r], %r1; ret; }\n",
     CALL("outer", "%x", "%d"), nested, 0, 0},
    {"recursion to a depth a lane", 2, 128,
     ONE_TO_ONE("factorial") "mov.u32 %r2, 1; setp.lt.u32 %p1, %r0, 2;\n"
     "@%p1 bra END; sub.s32 %r1, %r0, 1;\n" CALL("factorial", "%r1", "%r2")
     "mul.lo.s32 %r2, %r2, %r0;\n"
     "END: st.param.b32 [r], %r2; ret; }\n",
     "and.b32 %r2, %x, 7;\n" CALL("factorial", "%r2", "%d"), factorial, 0, 0},
    {"recursion that branches", 1, 64,
     ONE_TO_ONE("fibonacci") "mov.u32 %r3, %r0; setp.lt.u32 %p1, %r0, 2;\n"
     "@%p1 bra END; sub.s32 %r1, %r0, 1;\n" CALL("fibonacci", "%r1", "%r2")
     "sub.s32 %r1, %r0, 2;\n" CALL("fibonacci", "%r1", "%r3")
     "add.s32 %r3, %r3, %r2;\n"
     "END: st.param.b32 [r], %r3; ret; }\n",
     "and.b32 %r2, %x, 7;\n" CALL("fibonacci", "%r2", "%d"), fibonacci, 0, 0},
    {"functions that call each other", 1, 64,
     ".func (.param .b32 r) odd(.param .b32 a);\n"
     ONE_TO_ONE("even") "mov.u32 %r2, 1; setp.eq.s32 %p1, %r0, 0;\n"
     "@%p1 bra END; sub.s32 %r1, %r0, 1;\n" CALL("odd", "%r1", "%r2")
     "END: st.param.b32 [r], %r2; ret; }\n"
     ONE_TO_ONE("odd") "mov.u32 %r2, 0; setp.eq.s32 %p1, %r0, 0;\n"
     "@%p1 bra END; sub.s32 %r1, %r0, 1;\n" CALL("even", "%r1", "%r2")
     "END: st.param.b32 [r], %r2; ret; }\n",
     CALL("odd", "%x", "%d"), is_odd, 0, 0},
    {"early returns", 2, 128,
     ONE_TO_ONE("f") "setp.ge.u32 %p1, %r0, 16; @%p1 bra MORE;\n"
     "st.param.b32 [r], 1000; ret;\n"
     "MORE: shl.b32 %r1, %r0, 1; setp.lt.u32 %p2, %r0, 32;\n"
     "st.param.b32 [r], %r1; @%p2 ret;\n"
     "mul.lo.s32 %r1, %r0, 3; st.param.b32 [r], %r1; ret; }\n",
     CALL("f", "%x", "%d") "add.s32 %d, %d, 1;", early, 0, 0},
    {"a call in a loop", 2, 128, square_text,
     "mov.u32 %r2, 0;\n"
     "HEAD: setp.ge.u32 %p1, %r2, %x; @%p1 bra END;\n"
     CALL("square", "%r2", "%r3")
     "add.s32 %d, %d, %r3; add.s32 %r2, %r2, 1; bra HEAD;\n"
     "END:", in_loop, 0, 0},
    {"a call by pointer, alike in a warp", 2, 128, square_text,
     "mov.u32 %r2, %ctaid.x;\n" POINTER_CALL, by_pointer, 0, 0},
    {"a call by pointer, a target a lane", 2, 128, square_text,
     "and.b32 %r2, %x, 1;\n" POINTER_CALL, by_lane_pointer, 0, 0},
    {"structures by value", 2, 128,
     ".func (.param .align 8 .b8 r[16]) f(.param .align 4 .b8 a[8])\n"
     "{ .reg .b32 %r<4>; .reg .b64 %l<2>;\n"
     "ld.param.v2.b32 {%r0, %r1}, [a]; add.s32 %r0, %r0, 1;\n"
     "mul.wide.u32 %l0, %r1, 3; st.param.b32 [r], %r0;\n"
     "st.param.b32 [r+4], 5; st.param.b64 [r+8], %l0; ret; }\n",
     "shl.b32 %r2, %x, 1;\n"
     "{ .param .align 4 .b8 p[8]; st.param.b32 [p], %x;\n"
     "st.param.b32 [p+4], %r2; .param .align 8 .b8 q[16];\n"
     "call.uni (q), f, (p); ld.param.v2.b32 {%r3, %r4}, [q];\n"
     "ld.param.b64 %l1, [q+8]; }\n"
     "cvt.u32.u64 %d, %l1; add.s32 %d, %d, %r3; add.s32 %d, %d, %r4;",
     structure, 0, 0},
    {"local arrays of caller and callee", 2, 128,
    ONE_TO_ONE("f") ".local .align 4 .b8 depot[32];\n"
    ".reg .b64 %l<4>; .reg .b32 %j;\n"
    "mov.u64 %l0, depot; mov.u32 %j, 0;\n"
    "FILL: mul.wide.u32 %l1, %j, 4; add.s64 %l1, %l0, %l1;\n"
    "add.s32 %r1, %r0, %j; st.local.u32 [%l1], %r1;\n"
    "add.s32 %j, %j, 1; setp.lt.u32 %p1, %j, 8; @%p1 bra FILL;\n"
    "and.b32 %r2, %r0, 7; mul.wide.u32 %l1, %r2, 4;\n"
    "add.s64 %l1, %l0, %l1; ld.local.u32 %r1, [%l1];\n"
    "st.param.b32 [r], %r1; ret; }\n",
    ".local .align 4 .b8 mine[32]; and.b32 %r2, %x, 7;\n"
    "mov.u64 %l0, mine; mul.wide.u32 %l1, %r2, 4; add.s64 %l0, %l0, %l1;\n"
    "add.s32 %r3, %x, %r2; shl.b32 %r3, %r3, 1; st.local.u32 [%l0], %r3;\n"
    CALL("f", "%x", "%r6")
    "ld.local.u32 %r7, [%l0]; add.s32 %d, %r7, %r6; add.s32 %d, %d, 1;",
     local_array, 0, 0},
};

void programs_call(void)
{
    programs_run(programs, sizeof programs / sizeof *programs);
}
