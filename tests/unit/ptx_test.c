// SPDX-License-Identifier: MIT
/*
 * ptx_test.c: the PTX reader: what it makes of nvcc's text, of each construct
 * by itself, of wrong text, and of text damaged at every byte.
 */
#include "ptx_text.h"

/* The tests ------------------------------------------------------------- */

static void instructions_read_as_written(void **state)
{
    (void)state;
    static const struct {
        const char *ptx, *expected; /* of the first instruction */
    } rows[] = {
        {"add.s32 %r1, %r2, -1;", "add.s32 %r1 %r2 -1"},
        {"@!%p1 ret;", "@!%p1 ret"},
        {"mov.u32 %r1, 0x10;", "mov.u32 %r1 16"},
        {"mov.u32 %r1, 017;", "mov.u32 %r1 15"},
        {"mov.u32 %r1, 0b101;", "mov.u32 %r1 5"},
        {"mov.u32 %r1, 0xFFFFFFFFU;", "mov.u32 %r1 4294967295"},
        {"mov.b64 %rd1, 0xFFFFFFFFFFFFFFFF;", "mov.b64 %rd1 -1"},
        {"mov.u32 %r1, (1+2)*3;", "mov.u32 %r1 9"},
        {"mov.u32 %r1, 1+2*3-4/2%3;", "mov.u32 %r1 5"},
        {"mov.u32 %r1, 1<<4|3&~1;", "mov.u32 %r1 18"},
        {"mov.u32 %r1, !0+(2>1)+(3!=3);", "mov.u32 %r1 2"},
        {"mov.u32 %r1, 3 == 3 ? (.s64)7 : 8;", "mov.u32 %r1 7"},
        {"mov.u32 %r1, -9223372036854775808/-1;",
         "mov.u32 %r1 -9223372036854775808"},
        {"mov.u32 %r1, WARP_SZ;", "mov.u32 %r1 32"},
        {"mov.f32 %r1, 0f3F800000;", "mov.f32 %r1 f3f800000"},
        {"mov.f32 %r1, -0f3F800000;", "mov.f32 %r1 fbf800000"},
        {"mov.f64 %rd1, 0d3FF0000000000000;",
         "mov.f64 %rd1 d3ff0000000000000"},
        {"mov.f64 %rd1, 1.5;", "mov.f64 %rd1 d3ff8000000000000"},
        {"mov.f64 %rd1, -25e-1;", "mov.f64 %rd1 dc004000000000000"},
        {"mov.u32 %r1, %tid.x;", "mov.u32 %r1 special:%tid.x"},
        {"mov.u32 %r1, %laneid;", "mov.u32 %r1 special:%laneid"},
        {"mov.u64 %rd1, %clock64;", "mov.u64 %rd1 special:%clock64"},
        {"mov.u32 %r1, %envreg3;", "mov.u32 %r1 special:%envreg3"},
        {"mov.u64 %rd1, g;", "mov.u64 %rd1 &g+0"},
        {"mov.u64 %rd1, g+8;", "mov.u64 %rd1 &g+8"},
        {"mov.u64 %rd1, f;", "mov.u64 %rd1 func:f"},
        {"mov.b64 {%r1, _}, %rd1;", "mov.b64 {%r1 _} %rd1"},
        {"setp.eq.and.s32 %p1|%p2, %r1, 3, !%p3;",
         "setp.eq.and.s32 |%p1 %p2| %r1 3 !%p3"},
        {"shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;",
         "shfl.sync.bfly.b32 |%r1 %p1| %r2 1 31 -1"},
        {"ld.global.u32 %r1, [%rd1];", "ld.global.u32 %r1 [%rd1+0]"},
        {"ld.global.u32 %r1, [%rd1+-4];", "ld.global.u32 %r1 [%rd1-4]"},
        {"ld.global.u32 %r1, [%rd1-4];", "ld.global.u32 %r1 [%rd1-4]"},
        {"ld.global.u32 %r1, [%rd1 + 0x10];", "ld.global.u32 %r1 [%rd1+16]"},
        {"ld.global.u32 %r1, [g+4];", "ld.global.u32 %r1 [&g+0+4]"},
        {"ld.global.u32 %r1, [64];", "ld.global.u32 %r1 [64+0]"},
        {"ld.global.v2.u32 {%r1, %r2}, [%rd1];",
         "ld.global.v2.u32 {%r1 %r2} [%rd1+0]"},
        {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
         "complete_tx::bytes [%r1], [%rd1, {%r2, %r3}], [%r1+8];",
         "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
         "complete_tx::bytes [%r1+0] [%rd1 {%r2 %r3}+0] [%r1+8]"},
        {"call.uni (%r1), f, (%r2, 3);", "call.uni (%r1) func:f (%r2 3)"},
        {"call f;", "call func:f"},
        {"call.uni\nf,\n(\n%r1\n)\n;", "call.uni func:f (%r1)"},
        {"bra L; /* not here */ L: ret;", "bra @1"},
        {"L: bra.uni L;", "bra.uni @0"},
        {"bra L; L: }  .entry k2() { ret;", "bra @1"},
        {"t: .branchtargets A, B; brx.idx %r1, t; A: nop; B: ret;",
         "brx.idx %r1 (@1 @2)"},
        {"brx.idx %r1, t; t: .branchtargets A, A; A: ret;",
         "brx.idx %r1 (@1 @1)"},
        {"proto: .callprototype (.param .b32 _) _ (.param .b32 _);"
         "call (%r1), %rd1, (%r2), proto;",
         "call (%r1) %rd1 (%r2) @0"},
        {".reg .v2 .b32 v; mov.v2.b32 v, {%r1, %r2}; mov.b32 %r1, v.y;",
         "mov.v2.b32 {v.x v.y} {%r1 %r2}"},
        {".pragma \"nounroll\"; bar.sync 0;", "bar.sync 0"},
        {";; bar.sync 0; // trailing", "bar.sync 0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ptx_module *m = read_body(rows[i].ptx);
        if (!m)
            fail_msg("%s: %s", rows[i].ptx, error);
        expect_inst(m, "k", 0, rows[i].expected);
        ptx_free(m);
    }
}

static void inner_names_hide_outer_ones(void **state)
{
    (void)state;
    struct ptx_module *m = read_body(
        ".reg .b32 x;\n"
        "bra DONE;\n"                        /* 0: the outer DONE, below */
        "{ .reg .b16 x; mov.b16 x, 1;\n"     /* 1 */
        "  bra DONE; DONE: bra END; }\n"     /* 2, 3: END is outside */
        "{ bra DONE; DONE: }\n"              /* 4: stands before 5 */
        "DONE: mov.b32 x, 2;\n"              /* 5 */
        "END: ret;");
    assert_non_null(m);
    expect_inst(m, "k", 0, "bra @5");
    expect_inst(m, "k", 2, "bra @3");
    expect_inst(m, "k", 3, "bra @6");
    expect_inst(m, "k", 4, "bra @5");
    const struct ptx_func *f = find_func(m, "k");
    const struct ptx_reg *inner = &f->regs[f->insts[1].operands[0].index];
    const struct ptx_reg *outer = &f->regs[f->insts[5].operands[0].index];
    assert_int_equal(inner->type.bits, 16);
    assert_int_equal(outer->type.bits, 32);
    ptx_free(m);
}

static void a_body_never_falls_off(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        size_t insts;
    } rows[] = {
        {"", 1},           {"ret;", 1},          {"exit;", 1},
        {"L: bra L;", 1},  {"@%p1 ret;", 2},     {"bra L; L:", 2},
        {"ret; L:", 2},    {"nop;", 2},          {"{ nop; ret; }", 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ptx_module *m = read_body(rows[i].body);
        assert_non_null(m);
        assert_int_equal(find_func(m, "k")->n_insts, rows[i].insts);
        ptx_free(m);
    }
}

static void variables_have_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *ptx;
        size_t bytes;
        const char *init; /* in hex; NULL: none */
    } rows[] = {
        {".global .align 4 .b8 v[6] = {1, 0, 253};", 6, "0100fd000000"},
        {".global .u32 v;", 4, NULL},
        {".global .u32 v = 0x01020304;", 4, "04030201"},
        {".global .s16 v[2] = {-1, 2};", 4, "ffff0200"},
        {".global .u64 v = -2;", 8, "feffffffffffffff"},
        {".global .f32 v = 0f40600000;", 4, "00006040"},
        {".global .f32 v[2] = {1.0, -0f40600000};", 8, "0000803f000060c0"},
        {".global .f32 v = 2;", 4, "00000040"},
        {".global .f64 v = 0d3FF0000000000000;", 8, "000000000000f03f"},
        {".const .u8 v[] = {1, 2, 3};", 3, "010203"},
        {".const .u8 v[2][3] = {{1, 2}, {3}};", 6, "010200030000"},
        {".global .v2 .u16 v = {1, 2};", 4, "01000200"},
        {".global .b128 v = 1;", 16, "01000000000000000000000000000000"},
        {".global .attribute(.managed) .align 4 .u32 v = 3;", 4, "03000000"},
        {".shared .align 16 .b8 v[4224];", 4224, NULL},
        {".extern .shared .align 16 .b8 v[];", 0, NULL},
        {".extern .global .u32 v; .global .u32 v = 1;", 4, "01000000"},
        {".weak .const .align 8 .f64 v[2];", 16, NULL},
        {".const[2] .u32 v;", 4, NULL},
        {".global .texref v;", 8, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        snprintf(text, sizeof text, HEAD "%s", rows[i].ptx);
        struct ptx_module *m = read_text(text);
        assert_int_equal(m->n_vars, 1);
        const struct ptx_var *v = find_var(m, "v");
        assert_int_equal(v->bytes, rows[i].bytes);
        assert_int_equal(v->is_managed, strstr(rows[i].ptx, "managed") != 0);
        assert_int_equal(!v->init, !rows[i].init);
        for (size_t k = 0; v->init && k < v->bytes; k++) {
            unsigned byte;
            assert_int_equal(sscanf(rows[i].init + 2 * k, "%2x", &byte), 1);
            assert_int_equal(v->init[k], byte);
        }
        ptx_free(m);
    }
}

static void initialisers_hold_addresses(void **state)
{
    (void)state;
    struct ptx_module *m = read_text(
        HEAD ".func f(.param .b32 a);\n"
             ".global .u32 t[4];\n"
             ".global .u64 p[3] = {5, generic(t)+8, f};\n"
             ".global .u64 q = t-4;\n"
             ".global .b8 m[17] = {9, 0xFF(generic(t)), 0xFF00(generic(t)),"
             "0xFF0000(generic(t)), 0xFF000000(generic(t)),"
             "0xFF00000000(generic(t)), 0xFF0000000000(generic(t)),"
             "0xFF000000000000(generic(t)), 0xFF00000000000000(generic(t)),"
             "7};\n");
    const struct ptx_var *t = find_var(m, "t"), *p = find_var(m, "p");
    assert_int_equal(p->n_relocs, 2);
    assert_int_equal(p->init[0], 5);
    assert_int_equal(p->relocs[0].offset, 8);
    assert_int_equal(p->relocs[0].addend, 8);
    assert_ptr_equal(&m->vars[p->relocs[0].var], t);
    assert_true(p->relocs[0].generic);
    assert_int_equal(p->relocs[1].offset, 16);
    assert_int_equal(p->relocs[1].var, -1);
    assert_string_equal(m->funcs[p->relocs[1].func].name, "f");
    const struct ptx_var *q = find_var(m, "q");
    assert_int_equal(q->relocs[0].addend, -4);
    assert_false(q->relocs[0].generic);
    const struct ptx_var *masked = find_var(m, "m");
    assert_int_equal(masked->n_relocs, 1);
    assert_int_equal(masked->relocs[0].offset, 1);
    assert_int_equal(masked->init[0], 9);
    assert_int_equal(masked->init[9], 7);
    ptx_free(m);
}

static void parameters_lie_as_in_a_struct(void **state)
{
    (void)state;
    struct ptx_module *m = read_text(
        HEAD ".visible .entry k(.param .u8 a, .param .u64 .ptr .global "
             ".align 4 b, .param .align 16 .b8 c[20], .param .f32 d)\n"
             ".maxntid 256, 2\n.minnctapersm 3\n.maxnreg 64\n"
             ".reqnctapercluster 2, 1, 1\n.pragma \"x\";\n"
             "{ ret; }\n");
    const struct ptx_func *k = find_func(m, "k");
    static const uint32_t offsets[] = {0, 8, 16, 36};
    assert_int_equal(k->n_params, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(m->vars[k->params[i]].offset, offsets[i]);
    assert_int_equal(m->vars[k->params[1]].space, PTX_SPACE_PARAM);
    assert_int_equal(m->vars[k->params[1]].align, 8);
    assert_int_equal(k->param_bytes, 40);
    assert_int_equal(k->maxntid[0], 256);
    assert_int_equal(k->maxntid[1], 2);
    assert_int_equal(k->maxntid[2], 1);
    assert_int_equal(k->reqntid[0], 0);
    assert_int_equal(k->minnctapersm, 3);
    assert_int_equal(k->maxnreg, 64);
    ptx_free(m);
}

static void a_declaration_and_a_definition_are_one(void **state)
{
    (void)state;
    struct ptx_module *m = read_text(
        HEAD ".func (.param .b32 r) f(.param .b32 a);\n"
             ".func (.param .b32 s) f(.param .b32 b) { ret; }\n"
             ".func (.param .b32 t) f(.param .b32 c);\n"
             ".extern .func (.param .b32 v) vprintf(.param .b64 w);\n"
             ".func g; .func h { ret; }\n"
             ".entry k() { call g; ret; }\n"
             ".alias g, h;\n");
    assert_int_equal(m->n_funcs, 5);
    const struct ptx_func *f = find_func(m, "f");
    assert_true(f->has_body);
    assert_string_equal(m->vars[f->params[0]].name, "b");
    assert_string_equal(m->vars[f->returns[0]].name, "s");
    assert_ptr_equal(&m->funcs[m->vars[f->returns[0]].func], f);
    assert_false(find_func(m, "vprintf")->has_body);
    expect_inst(m, "k", 0, "call func:h");
    ptx_free(m);
}

static void lines_lead_to_the_caller(void **state)
{
    (void)state;
    struct ptx_module *m = read_text(ptx_sample);
    const struct ptx_func *k = find_func(m, "sample");
    const struct ptx_inst *shfl = NULL;
    for (size_t i = 0; i < k->n_insts; i++)
        if (strcmp(k->insts[i].op, "shfl") == 0)
            shfl = &k->insts[i];
    assert_non_null(shfl);
    const struct ptx_loc *at = &m->locs[shfl->loc];
    assert_string_equal(m->files[at->file], "sm_30_intrinsics.hpp");
    assert_int_equal(at->line, 409);
    assert_int_equal(at->column, 9);
    const struct ptx_loc *caller = &m->locs[at->inlined_at];
    assert_string_equal(m->files[caller->file], "sample.cu");
    assert_int_equal(caller->line, 25);
    assert_int_equal(caller->inlined_at, -1);
    ptx_free(m);
}

static void reads_what_nvcc_writes(void **state)
{
    (void)state;
    struct ptx_module *m = read_text(ptx_sample);
    assert_int_equal(m->version_major, 9);
    assert_int_equal(m->version_minor, 0);
    assert_string_equal(m->target, "sm_75");
    assert_int_equal(m->n_funcs, 3);
    const struct ptx_func *k = find_func(m, "sample");
    assert_true(k->is_entry && k->has_body);
    assert_int_equal(k->maxntid[0], 256);
    assert_int_equal(k->param_bytes, 20);
    const struct ptx_var *tile = find_var(m, "_ZZ6sampleE4tile");
    assert_int_equal(tile->space, PTX_SPACE_SHARED);
    assert_int_equal(tile->bytes, 4224);
    assert_ptr_equal(&m->funcs[tile->func], k);
    assert_true(find_var(m, "dynamic")->is_extern);
    expect_inst(m, "sample", 0, "ld.param.u64 %rd2 [&sample_param_0+0+0]");
    ptx_free(m);
}

static void errors_name_line_and_want(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "PTX line 1: expected .version, found the end of the text"},
        {"x", "PTX line 1: expected .version, found 'x'"},
        {".version x", "expected a version such as 9.0, found 'x'"},
        {".version 8.0", "expected .target, found the end of the text"},
        {HEAD "\x01", "PTX line 4: expected a directive, found '?'"},
        {HEAD ".global .u32 a\n.global", "PTX line 5: expected ';', found"},
        {HEAD ".global a;", "expected a type, found 'a'"},
        {HEAD ".global .u32 a; .global .u32 a;", "a is declared twice"},
        {HEAD ".global .align 3 .u32 a;", "alignment 3 is not a power of two"},
        {HEAD ".global .b8 a[2] = {1, 2, 3};", "more initialisers than"},
        {HEAD ".global .u64 a = b;", "b is not declared"},
        {HEAD ".global .u32 b; .global .u32 a = b;", "not 64 bits wide"},
        {HEAD ".global .u32 b; .global .b8 a[8] = {0xFF(b), 0};",
         "not a whole pointer"},
        {HEAD ".global .u64 a[99999999][99999999];", "larger than any"},
        {HEAD ".global .b8 a[200000000] = {1};"
              ".global .b8 b[200000000] = {1};", "initialised variables"},
        {HEAD ".entry k(.reg .u32 a) { ret; }", "not supported"},
        {HEAD ".entry k() { ret; } .entry k() { ret; }", "defined twice"},
        {HEAD ".entry k() {\nret 1\n}", "PTX line 6: expected ',' or ';'"},
        {HEAD ".entry k() {\nadd.u32 %r1;\n}", "register %r1 is not declared"},
        {HEAD ".entry k() {\n\nbra L;\n\n}", "PTX line 6: L is not declared"},
        {HEAD ".entry k() { { L: } bra L; }", "L is not declared"},
        {HEAD ".entry k() { L: L: ret; }", "L is declared twice"},
        {HEAD ".entry k() { .reg .u32 p; @p ret; }", "p is not a predicate"},
        {HEAD ".entry k() { t: .branchtargets t; ret; }", "not declared"},
        {HEAD ".entry k() { mov.u32 [1, 2; }", "expected ',' or ']'"},
        {HEAD ".entry k() { mov.u32 [[[[[[[[1]]]]]]]]; }", "nested too"},
        {HEAD ".entry k() { mov.u32 1/0; }", "division by zero"},
        {HEAD ".entry k() { mov.u32 0x; }", "expected an operand"},
        {HEAD ".entry k() { mov.u32 0f3F8; }", "expected an operand"},
        {HEAD ".entry k() { mov.u32 99999999999999999999; }", "an operand"},
        {HEAD ".entry k() { .reg .u32 %r<9999999>; }", "is outside 0 to"},
        {HEAD ".entry k() { ret;", "found the end of the text"},
        {HEAD ".alias a, b;", "a is not a function"},
        {HEAD ".section .debug_str { 1 2", "expected '}'"},
        {HEAD ".file 70000 \"x\"", "a file's number is outside"},
        {HEAD ".file 1 \"x", "expected a file's name in quotes"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        error[0] = '\0';
        struct ptx_module *m = read_bytes(rows[i].text, strlen(rows[i].text));
        assert_null(m);
        if (!strstr(error, rows[i].message))
            fail_msg("expected '%s' in '%s'", rows[i].message, error);
    }
}

static void deep_nesting_is_an_error(void **state)
{
    (void)state;
    static const struct {
        const char *before, *unit, *message;
    } rows[] = {
        {HEAD ".entry k() { ", "{", "nested scopes"},
        {HEAD ".entry k() { mov.u32 ", "(", "nested too deeply"},
        {HEAD ".entry k() { mov.u32 ", "-", "nested too deeply"},
        {HEAD ".entry k() { mov.u32 ", "1?", "nested too deeply"},
        {HEAD ".entry k() { mov.u32 ", "(.s64)", "nested too deeply"},
        {HEAD ".entry k() { mov.u32 ", "[", "nested too deeply"},
        {HEAD ".entry k() { call ", "(", "nested too deeply"},
        {HEAD ".global .u32 a = ", "{", "more braces"},
    };
    enum { UNITS = 100000 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t unit = strlen(rows[i].unit), n = strlen(rows[i].before);
        char *text = malloc(n + unit * UNITS + 1);
        assert_non_null(text);
        strcpy(text, rows[i].before);
        for (size_t k = 0; k < UNITS; k++, n += unit)
            strcpy(text + n, rows[i].unit);
        assert_null(read_bytes(text, n));
        if (!strstr(error, rows[i].message))
            fail_msg("expected '%s' in '%s'", rows[i].message, error);
        free(text);
    }
}

static void survives_any_damage(void **state)
{
    (void)state;
    static const char bytes[] = {'\0', ' ', '9', '{', '}', '"', '\xff', ';'};
    static char text[sizeof ptx_sample];
    size_t n = sizeof ptx_sample - 1, read = 0, tries = 0;
    for (size_t i = 0; i < n; i++) {
        ptx_free(read_bytes(ptx_sample, i));
        for (size_t k = 0; k < sizeof bytes; k += 2, tries++) {
            memcpy(text, ptx_sample, n);
            text[i] = bytes[(i + k) % sizeof bytes];
            struct ptx_module *m = read_bytes(text, n);
            read += m != NULL;
            ptx_free(m);
        }
    }
    /* Both ends were reached. */
    assert_in_range(read, tries / 100, tries - tries / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_nvcc_writes),
        cmocka_unit_test(instructions_read_as_written),
        cmocka_unit_test(inner_names_hide_outer_ones),
        cmocka_unit_test(a_body_never_falls_off),
        cmocka_unit_test(variables_have_bytes),
        cmocka_unit_test(initialisers_hold_addresses),
        cmocka_unit_test(parameters_lie_as_in_a_struct),
        cmocka_unit_test(a_declaration_and_a_definition_are_one),
        cmocka_unit_test(lines_lead_to_the_caller),
        cmocka_unit_test(errors_name_line_and_want),
        cmocka_unit_test(deep_nesting_is_an_error),
        cmocka_unit_test(survives_any_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
