// SPDX-License-Identifier: MIT
/*
 * written_test.c: which of a kernel's pointers its stores are computed from
 * (decode/written.c), instruction by instruction: the sets as text, a store
 * each, "x+any y".
 */
#include "engine_kernel.h"
#include "simgpu/core/decode/rows.h"
#include "simgpu/core/decode/row_words.h"
#include "simgpu/core/state/program.h"

enum { TEXT = 4096 };

static const char *name_of(const struct module *m, const struct pointer *p)
{
    if (p->of_param)
        return p->at == 0 ? "x" : p->at == 8 ? "y" : "?";
    for (size_t v = 0; v < m->n_variables; v++)
        if (m->variables[v].address == p->at)
            return m->variables[v].name;
    return "?";
}

static void add_name(char *text, const char *name)
{
    size_t n = strlen(text);
    if (n && text[n - 1] != ' ')
        strcat(text, "+");
    strcat(text, name);
}

static void say_set(char *text, const struct module *m,
                    const struct written *w, uint64_t set)
{
    if (*text)
        strcat(text, " ");
    if (!set)
        strcat(text, "-");
    for (uint32_t k = 0; k < POINTERS_MOST; k++)
        if (set >> k & 1)
            add_name(text, name_of(m, &w->pointer[k]));
    if (set & FROM_ELSEWHERE)
        add_name(text, "elsewhere");
    if (set & FROM_ANY)
        add_name(text, "any");
}

static const struct written *written_by(const struct sample *s,
                                        const char *function)
{
    const struct module *m = s->module;
    for (size_t f = 0; f < m->n_functions; f++)
        if (strcmp(m->functions[f].name, function) == 0)
            return m->functions[f].written;
    fail_msg("no function %s", function);
    return NULL;
}

static void reaches_in(const char *function, const char *before,
                       const char *body, const char *expected)
{
    struct sample s = sample_open(kernel(before, body), 0);
    const struct written *w = written_by(&s, function);
    char text[TEXT] = "";
    for (uint32_t k = 0; k < w->n_stores; k++)
        say_set(text, s.module, w, w->store[k]);
    if (strcmp(text, expected) != 0)
        fail_msg("\"%s\", not \"%s\", of: %s", text, expected, body);
    sample_close(&s);
}

static void reaches(const char *body, const char *expected)
{
    reaches_in("k", "", body, expected);
}

static void test_stores(void **state)
{
    (void)state;
    reaches("", "");
    reaches("st.global.u32 [%rd4], %r1;", "y");
    reaches("st.u32 [%rd4+8], %r1;", "y");
    reaches("st.global.u64 [%rd4], %rd1;", "y"); /* the value is none */
    reaches("st.global.u32 [%rd4], 1; st.global.u32 [%rd2], 2;", "y");
    reaches("st.global.u32 [%rd4], 1; st.global.u32 [%rd3], 2;", "y x");
    reaches("st.global.u32 [%rd4], 1; st.global.u32 [%rd3], 2;\n"
            "st.global.u32 [%rd1], 3;", "y x");
    reaches("red.global.add.u32 [%rd3], 1;", "x");
    reaches("ld.global.u32 %r5, [%rd3];", "");
    reaches("st.global.u32 [4096], 1;", "-");
}

static void test_stores_elsewhere(void **state)
{
    (void)state;
    reaches_in("k", TILE, "st.shared.u32 [tile], 1;", "");
    reaches_in("k", TILE, "mov.u64 %rd8, tile; st.u32 [%rd8], 1;",
               "elsewhere");
    reaches_in("k", TILE, "mov.u64 %rd8, tile;\n"
               "selp.b64 %rd8, %rd1, %rd8, %p1; st.u32 [%rd8], 1;",
               "x+elsewhere");
    reaches_in("k", ".const .align 4 .b8 c[16];\n",
               "mov.u64 %rd8, c; st.u32 [%rd8], 1;", "elsewhere");
    reaches(".local .align 4 .b8 l[16];\n"
            "mov.u64 %rd8, l; st.u32 [%rd8], 1;", "elsewhere");
    reaches("mov.b64 %rd8, k_x; st.u32 [%rd8], 1;", "any");
}

static void test_through_registers(void **state)
{
    (void)state;
    reaches("add.s64 %rd8, %rd1, %rd2; st.global.u32 [%rd8], 1;", "x+y");
    reaches("selp.b64 %rd8, %rd1, %rd2, %p1; st.global.u32 [%rd8], 1;",
            "x+y");
    /* Whatever the order of the instructions. */
    reaches("st.global.u32 [%rd8], 1; mov.u64 %rd8, %rd9;\n"
            "mov.u64 %rd9, %rd10; mov.u64 %rd10, %rd1;", "x");
    /* 32 bits hold no pointer. */
    reaches("cvt.u32.u64 %r5, %rd1; cvt.u64.u32 %rd8, %r5;\n"
            "add.s64 %rd8, %rd8, %rd2; st.global.u32 [%rd8], 1;", "y");
    reaches("mov.u64 %rd8, 4096; st.global.u32 [%rd8], 1;", "-");
}

/* Where lanes meet again stands an instruction of the engine's own. */
static void test_where_lanes_meet(void **state)
{
    (void)state;
    reaches("setp.eq.u32 %p1, %r2, 0; @%p1 bra L; mov.u32 %r5, 1;\n"
            "L: mov.u64 %rd8, %rd1; @%p1 bra M; mov.u32 %r5, 2;\n"
            "M: st.global.u32 [%rd8], 1;", "x");
    reaches("setp.eq.u32 %p1, %r2, 0; @%p1 bra L;\n"
            "st.shared.u32 [%r5], 1;\n"
            "L: ld.global.u64 %rd8, [%rd1]; @%p1 bra M;\n"
            "st.shared.u32 [%r5], 1; M: st.global.u32 [%rd8], 1;", "x+any");
}

/* What written.c takes for granted. */
static void test_rows(void **state)
{
    (void)state;
    for (size_t k = 0; k < row_count(); k++) {
        const char *p = row_at(k)->form.operands;
        struct row_operand o = {0};
        for (int n = 0; p && *p && n < 64; n++) {
            p = row_operand(p, &o);
            assert_true(n == 0 || !o.written);
        }
    }
}

static void test_halves(void **state)
{
    (void)state;
    reaches("mov.b64 {%r5, %r6}, %rd1; mov.b64 %rd8, {%r5, %r6};\n"
            "st.global.u32 [%rd8], 1;", "any");
    reaches("mov.b64 %rd8, {%rs1, %rs2, %rs3, %rs4};\n"
            "st.global.u32 [%rd8], 1;", "any");
    /* Whole pointers in one register of 128 bits. */
    reaches(".reg .b128 %q; mov.b128 %q, {%rd1, %rd2};\n"
            "mov.b128 {%rd8, %rd9}, %q; st.global.u32 [%rd9], 1;", "x+y");
}

/* From memory comes anything; from the kernel's parameters, what they hold. */
static void test_loads(void **state)
{
    (void)state;
    reaches("ld.global.u64 %rd8, [%rd1]; st.global.u32 [%rd8], 1;", "x+any");
    reaches("ld.global.v2.u64 {%rd8, %rd9}, [%rd1];\n"
            "st.global.u32 [%rd9], 1;", "x+any");
    reaches_in("k", TILE, "ld.shared.u64 %rd8, [tile];\n"
               "st.global.u32 [%rd8], 1;", "elsewhere+any");
    reaches("atom.global.add.u64 %rd8, [%rd1], %rd2;\n"
            "st.global.u32 [%rd8], 1;", "x x+y+any");
    reaches("ld.param.u64 %rd8, [k_y]; st.global.u32 [%rd8], 1;", "y");
    reaches("ld.param.u64 %rd8, [k_x+8]; st.global.u32 [%rd8], 1;", "y");
    reaches("ld.param.v2.u64 {%rd8, %rd9}, [k_x];\n"
            "st.global.u32 [%rd8], 1; st.global.u32 [%rd9], 1;", "x y");
    reaches("mov.b64 %rd10, k_x; ld.param.u64 %rd8, [%rd10];\n"
            "st.global.u32 [%rd8], 1;", "any");
    reaches("ld.param.u32 %r5, [k_x]; ld.param.v2.u32 {%r6, %r7}, [k_x];\n"
            "mov.b64 %rd8, {%r6, %r7}; st.global.u32 [%rd8], 1;", "any");
}

#define PUT                                                                    \
    ".func put(.param .b64 to, .param .b32 what) {\n"                          \
    ".reg .b64 %q; .reg .b32 %v;\n"                                            \
    "ld.param.u64 %q, [to]; ld.param.u32 %v, [what];\n"                        \
    "st.global.u32 [%q], %v; ret; }\n"

static void test_calls(void **state)
{
    static const char body[] =
        "{ .param .b64 to; .param .b32 what; st.param.b64 [to], %rd3;\n"
        "st.param.b32 [what], %r1; call.uni put, (to, what); }\n";
    (void)state;
    reaches_in("put", PUT, body, "any");
    reaches_in("k", PUT, body, "any");
    reaches_in("k", PUT, "st.global.u32 [%rd4], 1;", "y");
}

static void test_variables(void **state)
{
    static const char before[] = ".global .align 8 .b8 g[64];\n"
                                 ".global .align 8 .b8 h[64];\n";
    (void)state;
    reaches_in("k", before, "mov.u64 %rd8, h; st.global.u32 [%rd8], 1;", "h");
    reaches_in("k", before, "st.global.u32 [g], 1;", "g");
    reaches_in("k", before, "mov.u64 %rd8, g; mov.u64 %rd9, h; mov.u64\n"
               "%rd10, g; add.s64 %rd8, %rd8, %rd9;\n"
               "add.s64 %rd8, %rd8, %rd10; add.s64 %rd8, %rd8, %rd1;\n"
               "st.global.u32 [%rd8], 1;", "x+g+h");
}

/* Variables g0, g1, ..., and a body that does something with each. */
static const struct written *many(struct sample *s, int n, const char *each)
{
    static char before[TEXT], body[TEXT * 2];
    *before = *body = '\0';
    for (int k = 0; k < n; k++) {
        snprintf(before + strlen(before), sizeof before - strlen(before),
                 ".global .b32 g%d;\n", k);
        snprintf(body + strlen(body), sizeof body - strlen(body), each, k);
    }
    *s = sample_open(kernel(before, body), 0);
    return written_by(s, "k");
}

/* More sets, or more pointers, than there is room for: anything. */
static void test_many_stores(void **state)
{
    struct sample s;
    (void)state;
    for (int more = 0; more < 2; more++) {
        const struct written *w =
            many(&s, STORES_MOST + more, "st.global.u32 [g%d], 1;\n");
        assert_int_equal(w->n_stores, STORES_MOST);
        assert_int_equal(w->store[0], more ? FROM_ANY | 4 : 4);
        assert_int_equal(w->store[STORES_MOST - 1],
                         1ull << (STORES_MOST + 1));
        sample_close(&s);
    }
}

static void test_many_pointers(void **state)
{
    struct sample s;
    (void)state;
    for (int more = 0; more < 2; more++) { /* and two parameters */
        const struct written *w =
            many(&s, POINTERS_MOST - 2 + more,
                 "mov.u64 %%rd9, g%d; add.s64 %%rd8, %%rd8, %%rd9;\n"
                 "st.global.u32 [%%rd8], 1;\n");
        assert_int_equal(w->n_pointers, POINTERS_MOST);
        assert_int_equal(w->store[0],
                         (more ? FROM_ANY : 0) | (FROM_ELSEWHERE - 4));
        sample_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stores),
        cmocka_unit_test(test_stores_elsewhere),
        cmocka_unit_test(test_through_registers),
        cmocka_unit_test(test_where_lanes_meet),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_halves),
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_many_stores),
        cmocka_unit_test(test_many_pointers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
