// SPDX-License-Identifier: MIT
/*
 * programs_bulk.c: bulk copies in both directions, their reductions, and
 * asynchronous stores. A reduction is held to what red does, element by
 * element.
 */
#include "conformance.h"

#include <stdio.h>

enum { TEXT = 4096 };

static uint32_t same(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x;
}

#define CELLS                                                                  \
    ".shared .align 16 .b8 tile[1024]; .shared .align 8 .b64 object;\n"        \
    ".global .align 16 .b8 far[256]; .global .align 16 .b8 other[256];\n"
/* %r3: this thread's word of tile, %l3 of the input; %p4: the first thread;
 * the tile's first quarter holds x, the others zeros; object expects one
 * arrival. */
#define SETUP                                                                  \
    "mov.u32 %r2, tile; shl.b32 %r3, %t, 2; add.s32 %r3, %r2, %r3;\n"          \
    "add.s64 %l3, %in, %at; mov.u32 %r8, object; setp.eq.u32 %p4, %t, 0;\n"    \
    "createpolicy.cvt.L2.b64 %l9, 0x10f0; mov.u16 %h9, 1;\n"                   \
    "st.shared.u32 [%r3], %x; st.shared.u32 [%r3+256], 0;\n"                   \
    "st.shared.u32 [%r3+512], 0; st.shared.u32 [%r3+768], 0;\n"                \
    "@%p4 mbarrier.init.shared.b64 [%r8], 1;\n"                                \
    "fence.mbarrier_init.release.cluster; fence.proxy.async;\n"                \
    "sub.s64 %l4, %l3, %at; mul.lo.u32 %r9, %r0, 256; cvt.u64.u32 %l5, %r9;\n" \
    "add.s64 %l4, %l4, %l5; bar.sync 0;\n"
#define EXPECT(bytes)                                                          \
    "@%p4 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], " bytes ";\n"
#define WAIT                                                                   \
    "W: mbarrier.try_wait.parity.shared.b64 %p3, [%r8], 0;\n@!%p3 bra W;\n"

/* From the input to the second quarter. */
#define BRINGS(words, more)                                                    \
    {"cp.async.bulk" words, 2, 64, CELLS,                                      \
     SETUP "@%p4 cp.async.bulk" words " [%r2+256], [%l4], 256, [%r8]" more     \
     ";\n" EXPECT("256") WAIT "ld.shared.u32 %d, [%r3+256];\n", same, 0, 0}

/* From the first quarter to a variable, and back. */
#define SENDS(words, more, fence)                                              \
    {"cp.async.bulk" words, 1, 64, CELLS,                                      \
     SETUP "mov.u64 %l6, far; " fence " bar.sync 0;\n"                         \
     "@%p4 cp.async.bulk" words " [%l6], [%r2], 256" more ";\n"                \
     "@%p4 cp.async.bulk.commit_group; @%p4 cp.async.bulk.wait_group.read 0;\n"\
     "@%p4 cp.async.bulk.wait_group 0; bar.sync 0;\n"                          \
     "add.s64 %l6, %l6, %at; ld.global.u32 %d, [%l6];\n", same, 0, 0}

#define BYTES ".mbarrier::complete_tx::bytes"
static const struct program programs[] = {
    BRINGS(".shared::cluster.global" BYTES, ""),
    BRINGS(".shared::cta.global" BYTES, ""),
    BRINGS(".shared::cta.global" BYTES ".L2::cache_hint", ", %l9"),
    BRINGS(".shared::cluster.global" BYTES ".multicast::cluster", ", %h9"),
    BRINGS(".shared::cluster.global" BYTES ".multicast::cluster"
           ".L2::cache_hint", ", %h9, %l9"),
    SENDS(".global.shared::cta.bulk_group", "",
          "fence.proxy.async.shared::cta;"),
    SENDS(".global.shared::cta.bulk_group.L2::cache_hint", ", %l9",
          "fence.proxy.async.shared::cluster; fence.proxy.alias;"),
    {"cp.async.bulk.shared::cluster.shared::cta" BYTES, 2, 64, CELLS,
     SETUP "@%p4 cp.async.bulk.shared::cluster.shared::cta" BYTES
     " [%r2+256], [%r2], 256, [%r8];\n" EXPECT("256") WAIT
     "ld.shared.u32 %d, [%r3+256];\n", same, 0, 0},
    {"cp.async.bulk.prefetch, fence.proxy.async.global", 2, 64, CELLS,
     SETUP "@%p4 cp.async.bulk.prefetch.L2.global [%l4], 256;\n"
     "@%p4 cp.async.bulk.prefetch.L2.global.L2::cache_hint [%l4], 256, %l9;\n"
     "fence.proxy.async.global; mov.u32 %d, %x;\n", same, 0, 0},
};

/* bytes: of an element. Both results must be equal, and the bulk copy's is in
 * the second quarter or in far. */
static void reduces(const char *hint, const char *op, int bytes, bool global)
{
    static const char *const halves =
        "ld.shared.b16 %%h1, [%%r3]; red%s.%s [%s], %%h1;\n"
        "ld.shared.b16 %%h1, [%%r3+2]; red%s.%s [%s+2], %%h1;\n";
    static const char *const words =
        "ld.shared.b32 %%r7, [%%r3]; red%s.%s [%s], %%r7;\n";
    static const char *const floats =
        "ld.shared.f32 %%f1, [%%r3]; red%s.%s [%s], %%f1;\n";
    static const char *const longs =
        "setp.lt.u32 %%p5, %%t, 32; add.s32 %%r10, %%r3, %%t; shl.b32 %%r11, "
        "%%t, 2; add.s32 %%r10, %%r2, %%r11; add.s32 %%r10, %%r10, %%r11;\n"
        "add.s64 %%l7, %%l7, %%at; add.s32 %%r12, %%r10, 512;\n"
        "@%%p5 ld.shared.b64 %%l8, [%%r10]; @%%p5 red%s.%s [%s], %%l8;\n";
    static const char *const doubles =
        "setp.lt.u32 %%p5, %%t, 32; shl.b32 %%r11, %%t, 3; add.s32 %%r10, "
        "%%r2, %%r11; add.s64 %%l7, %%l7, %%at; add.s32 %%r12, %%r10, 512;\n"
        "@%%p5 ld.shared.f64 %%g1, [%%r10]; @%%p5 red%s.%s [%s], %%g1;\n";
    char body[TEXT], one[512], name[128];
    const char *space = global ? ".global" : ".shared";
    const char *to = global ? "%l7" : bytes == 8 ? "%r12" : "%r3+512";
    bool is_float = op[4] == 'f';
    if (bytes == 2)
        snprintf(one, sizeof one, halves, space, op, to, space, op, to);
    else
        snprintf(one, sizeof one,
                 bytes == 4 ? is_float ? floats : words
                            : is_float ? doubles : longs, space, op, to);
    snprintf(name, sizeof name, "cp.reduce.async.bulk%s%s.%s", space, hint, op);
    if (global)
        snprintf(body, sizeof body,
                 "%smov.u64 %%l6, far; mov.u64 %%l7, other;\n"
                 "add.s64 %%l7, %%l7, %%at; bar.sync 0;\n"
                 "@%%p4 cp.reduce.async.bulk.global.shared::cta.bulk_group%s.%s"
                 " [%%l6], [%%r2], 256%s;\n@%%p4 cp.async.bulk.commit_group;\n"
                 "@%%p4 cp.async.bulk.wait_group 0;\n%s bar.sync 0;\n"
                 "add.s64 %%l6, %%l6, %%at; ld.global.u32 %%r13, [%%l6];\n"
                 "mov.u64 %%l7, other; add.s64 %%l7, %%l7, %%at;\n"
                 "ld.global.u32 %%r14, [%%l7];\n"
                 "setp.eq.u32 %%p1, %%r13, %%r14;\n"
                 "@%%p1 mov.u32 %%d, %%x;\n", SETUP, hint, op,
                 *hint ? ", %l9" : "", one);
    else
        snprintf(body, sizeof body,
                 "%smov.u64 %%l7, other;\n"
                 "@%%p4 cp.reduce.async.bulk.shared::cluster.shared::cta" BYTES
                 ".%s [%%r2+256], [%%r2], 256, [%%r8];\n%s%s%s bar.sync 0;\n"
                 "ld.shared.u32 %%r13, [%%r3+256];\n"
                 "ld.shared.u32 %%r14, [%%r3+512];\n"
                 "setp.eq.u32 %%p1, %%r13, %%r14; @%%p1 mov.u32 %%d, %%x;\n",
                 SETUP, op, EXPECT("256"), WAIT, one);
    const struct program p = {name, 1, 64, CELLS, body, same, 0, 0};
    program_run(&p);
}

/* st.async of n registers, or red.async of one, against st and red. */
static void stores(const char *words, const char *type, int n, bool reduction)
{
    char body[TEXT], name[128], list[64];
    bool wide = type[1] == '6', is_float = type[0] == 'f';
    const char *r = is_float ? wide ? "%g1" : "%f1" : wide ? "%l8" : "%r7";
    int each = wide ? 8 : 4;
    snprintf(list, sizeof list, n == 1 ? "%s" : n == 2 ? "{%s, %s}"
                                                       : "{%s, %s, %s, %s}",
             r, r, r, r);
    snprintf(name, sizeof name, "%s%s", words, type);
    snprintf(body, sizeof body,
             "%sld.shared.%s %s, [%%r2+16];\n"
             "@%%p4 %s%s [%%r2+256], %s, [%%r8];\n"
             "@%%p4 mbarrier.arrive.expect_tx.shared.b64 _, [%%r8], %d;\n%s"
             "@%%p4 %s%s%s [%%r2+512], %s;\nbar.sync 0;\n"
             "ld.shared.u32 %%r13, [%%r3+256]; ld.shared.u32 %%r14, "
             "[%%r3+512];\nsetp.eq.u32 %%p1, %%r13, %%r14;\n"
             "@%%p1 mov.u32 %%d, %%x;\n", SETUP, type, r, words, type, list,
             n * each, WAIT,
             reduction ? "red.shared." : n == 1   ? "st.shared."
                                         : n == 2 ? "st.shared.v2."
                                                  : "st.shared.v4.",
             reduction ? words + sizeof "red.async.relaxed.cluster"
                                        ".shared::cluster" BYTES : "",
             type, list);
    const struct program p = {name, 1, 64, CELLS, body, same, 0, 0};
    program_run(&p);
}

static void all_stores(void)
{
    static const char *const types[] = {"b32", "b64", "u32", "u64",
                                        "s32", "s64", "f32", "f64"};
    static const char *const ops[] = {
        "and.b32", "and.b64", "or.b32", "xor.b32", "add.u32", "add.s32",
        "add.u64", "inc.u32", "dec.u32", "min.u32", "min.s32", "min.u64",
        "max.u32"};
    char words[128], op[8];
    for (size_t t = 0; t < 8; t++)
        for (int n = 1; n <= (types[t][1] == '6' ? 2 : 4); n *= 2) {
            snprintf(words, sizeof words, "st.async%s.shared::cluster" BYTES
                     "%s.", t % 2 ? ".weak" : "", n == 1   ? ""
                                                  : n == 2 ? ".v2" : ".v4");
            stores(words, types[t], n, false);
        }
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        snprintf(op, sizeof op, "%.*s", (int)(ops[k][2] == '.' ? 3 : 4),
                 ops[k]);
        snprintf(words, sizeof words, "red.async.relaxed.cluster"
                 ".shared::cluster" BYTES ".%s", op);
        stores(words, ops[k] + (ops[k][2] == '.' ? 3 : 4), 1, true);
    }
}

void programs_bulk(void)
{
    static const struct { const char *op; int bytes; bool global_only; }
    ops[] = {
        {"and.b32", 4, false}, {"and.b64", 8, false}, {"or.b32", 4, false},
        {"xor.b32", 4, false}, {"add.u32", 4, false}, {"add.s32", 4, false},
        {"add.u64", 8, false}, {"inc.u32", 4, false}, {"dec.u32", 4, false},
        {"min.u32", 4, false}, {"min.s32", 4, false}, {"min.u64", 8, false},
        {"max.u32", 4, false}, {"min.s64", 8, true}, {"max.s64", 8, true},
        {"add.f32", 4, true}, {"add.f64", 8, true}, {"add.noftz.f16", 2, true},
        {"add.noftz.bf16", 2, true}};
    programs_run(programs, sizeof programs / sizeof *programs);
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        reduces("", ops[k].op, ops[k].bytes, true);
        if (!ops[k].global_only)
            reduces("", ops[k].op, ops[k].bytes, false);
    }
    reduces(".L2::cache_hint", "add.u32", 4, true);
    all_stores();
}
