// SPDX-License-Identifier: MIT
/*
 * link_test.c: modules joined into one: whom a name belongs to, what is left
 * out, and what does not fit together.
 */
#include "ptx_text.h"
#include "simgpu/ptx/link.h"

#define CALLEE(linkage, name, value)                                           \
    linkage " .func (.param .b32 r) " name "(.param .b32 p) {\n"               \
    "st.param.b32 [r], " value "; ret; }\n"
#define DECLARED(name)                                                         \
    ".extern .func (.param .b32 r) " name "(.param .b32 p);\n"
#define KERNEL(name, body)                                                     \
    ".visible .entry " name "() {\n.reg .b64 %rd<9>; .reg .b32 %r<9>;\n"       \
    body "ret; }\n"

enum { MOST = 4 };

struct linked {
    struct ptx_module *unit[MOST], *all;
    size_t n;
    struct ptx_link_error error;
};

static bool knows_printf(const char *name)
{
    return strcmp(name, "vprintf") == 0;
}

static void join(struct linked *l, const char *const *texts)
{
    *l = (struct linked){.n = 0};
    for (; texts[l->n]; l->n++) {
        l->unit[l->n] = read_text(texts[l->n]);
        assert_non_null(l->unit[l->n]);
    }
    l->all = ptx_link((const struct ptx_module *const *)l->unit, l->n,
                      knows_printf, &l->error);
}

static void leave(struct linked *l)
{
    ptx_free(l->all);
    for (size_t i = 0; i < l->n; i++)
        ptx_free(l->unit[i]);
}

#define JOIN(l, ...) join(l, (const char *const[]){__VA_ARGS__, NULL})

static void expect_failure(struct linked *l, enum ptx_link_kind kind,
                           const char *name, size_t unit, size_t other)
{
    assert_null(l->all);
    assert_int_equal(l->error.kind, kind);
    assert_string_equal(l->error.name, name);
    assert_int_equal(l->error.unit, unit);
    assert_int_equal(l->error.other, other);
    leave(l);
}

static const struct ptx_func *func(const struct linked *l, const char *name)
{
    for (size_t i = 0; i < l->all->n_funcs; i++)
        if (strcmp(l->all->funcs[i].name, name) == 0)
            return &l->all->funcs[i];
    return NULL;
}

static size_t count_vars(const struct linked *l, const char *name)
{
    size_t n = 0;
    for (size_t i = 0; i < l->all->n_vars; i++)
        n += strcmp(l->all->vars[i].name, name) == 0;
    return n;
}

/* The variable or function whose address the n-th instruction moves. */
static const struct ptx_operand *moved(const struct ptx_func *f, size_t n)
{
    assert_string_equal(f->insts[n].op, "mov");
    return &f->insts[n].operands[1];
}

static const struct ptx_var *moved_var(const struct linked *l,
                                       const struct ptx_func *f, size_t n)
{
    assert_int_equal(moved(f, n)->kind, PTX_VAR);
    return &l->all->vars[moved(f, n)->index];
}

static void a_name_is_its_definition(void **state)
{
    (void)state;
    struct linked l;
    JOIN(&l,
         HEAD ".extern .global .align 4 .b8 table[8];\n"
         ".extern .const .align 4 .b8 weights[];\n" DECLARED("f")
         KERNEL("k", "mov.u64 %rd1, table; mov.u64 %rd2, weights+4;\n"
                     "mov.u64 %rd3, f;\n"),
         HEAD ".visible .global .align 4 .b8 table[8] = {1, 2};\n"
         ".visible .const .align 4 .b8 weights[12] = {3};\n"
         CALLEE(".visible", "f", "7"));
    assert_non_null(l.all);
    const struct ptx_func *k = func(&l, "k");
    assert_int_equal(moved_var(&l, k, 0)->init[1], 2);
    assert_int_equal(moved_var(&l, k, 1)->bytes, 12);
    assert_int_equal(moved(k, 1)->bits, 4);
    assert_int_equal(moved(k, 2)->kind, PTX_FUNC);
    assert_true(l.all->funcs[moved(k, 2)->index].has_body);
    assert_int_equal(count_vars(&l, "table"), 1);
    leave(&l);
}

/* Each unit's strong name is an alias of the other's weak one. */
static void aliases_in_a_circle_are_undefined(void **state)
{
    (void)state;
    struct linked l;
    JOIN(&l,
         HEAD CALLEE(".weak", "b", "1")
         ".visible .func (.param .b32 r) a(.param .b32 p);\n.alias a, b;\n"
         KERNEL("k", "mov.u64 %rd1, a;\n"),
         HEAD CALLEE(".weak", "a", "2")
         ".visible .func (.param .b32 r) b(.param .b32 p);\n.alias b, a;\n");
    expect_failure(&l, PTX_LINK_UNDEFINED, "b", 0, 0);
}

static void local_names_stay_apart(void **state)
{
    (void)state;
    struct linked l;
    JOIN(&l,
         HEAD ".global .align 1 .b8 text[2] = {65};\n" CALLEE("", "f", "1")
         KERNEL("k", "mov.u64 %rd1, text; mov.u64 %rd2, f;\n"),
         HEAD ".global .align 1 .b8 text[2] = {66};\n" CALLEE("", "f", "2")
         KERNEL("m", "mov.u64 %rd1, text; mov.u64 %rd2, f;\n"));
    assert_non_null(l.all);
    const struct ptx_func *k = func(&l, "k"), *m = func(&l, "m");
    assert_int_equal(moved_var(&l, k, 0)->init[0], 65);
    assert_int_equal(moved_var(&l, m, 0)->init[0], 66);
    assert_int_not_equal(moved(k, 1)->index, moved(m, 1)->index);
    const struct ptx_func *f = &l.all->funcs[moved(m, 1)->index];
    assert_int_equal(f->insts[0].operands[1].bits, 2);
    assert_int_equal(l.all->vars[f->params[0]].func, moved(m, 1)->index);
    leave(&l);
}

static void the_strongest_definition_wins(void **state)
{
    (void)state;
    struct linked l;
    JOIN(&l,
         HEAD ".common .global .align 4 .b8 c[4];\n"
         ".weak .global .align 4 .u32 w = 1;\n" CALLEE(".weak", "f", "1")
         KERNEL("k", "mov.u64 %rd1, c; mov.u64 %rd2, w; mov.u64 %rd3, f;\n"),
         HEAD ".common .global .align 4 .b8 c[16];\n"
         ".weak .global .align 4 .u32 w = 2;\n" CALLEE(".weak", "f", "2"),
         HEAD ".visible .global .align 4 .u32 w = 3;\n"
         ".common .global .align 4 .b8 c[8];\n"
         CALLEE(".visible", "f", "3"));
    assert_non_null(l.all);
    const struct ptx_func *k = func(&l, "k");
    assert_int_equal(moved_var(&l, k, 0)->bytes, 16);
    assert_int_equal(moved_var(&l, k, 1)->init[0], 3);
    const struct ptx_func *f = &l.all->funcs[moved(k, 2)->index];
    assert_int_equal(f->insts[0].operands[1].bits, 3);
    leave(&l);
}

/* Of two weak ones the first is taken, with variables of its own. */
static void one_of_equal_kernels_is_taken(void **state)
{
    (void)state;
    struct linked l;
    static const char twice[] =
        HEAD ".weak .entry k(.param .u64 p) {\n.reg .b64 %rd<9>;\n"
        ".shared .align 4 .b8 tile[64];\nmov.u64 %rd1, tile;\n"
        "ld.param.u64 %rd2, [p]; ret; }\n";
    JOIN(&l, twice, twice);
    assert_non_null(l.all);
    assert_int_equal(l.all->n_funcs, 1);
    assert_int_equal(count_vars(&l, "tile"), 1);
    assert_int_equal(moved_var(&l, func(&l, "k"), 0)->func, 0);
    assert_int_equal(func(&l, "k")->param_bytes, 8);
    leave(&l);
}

static void pointers_in_variables_are_followed(void **state)
{
    (void)state;
    struct linked l;
    JOIN(&l,
         HEAD ".extern .global .align 8 .u64 chosen;\n"
         KERNEL("k", "mov.u64 %rd1, chosen;\n"),
         HEAD DECLARED("f") ".extern .global .align 4 .b8 table[8];\n"
         ".visible .global .align 8 .u64 chosen[2] = "
         "{f, generic(table)+4};\n",
         HEAD ".visible .global .align 4 .b8 table[8];\n"
         CALLEE(".visible", "f", "5"));
    expect_failure(&l, PTX_LINK_DIFFERS, "chosen", 0, 1);
    JOIN(&l,
         HEAD ".extern .global .align 8 .u64 chosen[2];\n"
         KERNEL("k", "mov.u64 %rd1, chosen;\n"),
         HEAD DECLARED("f") ".extern .global .align 4 .b8 table[8];\n"
         ".visible .global .align 8 .u64 chosen[2] = "
         "{f, generic(table)+4};\n",
         HEAD ".visible .global .align 4 .b8 table[8];\n"
         CALLEE(".visible", "f", "5"));
    assert_non_null(l.all);
    const struct ptx_var *chosen = moved_var(&l, func(&l, "k"), 0);
    assert_int_equal(chosen->n_relocs, 2);
    assert_string_equal(l.all->funcs[chosen->relocs[0].func].name, "f");
    assert_true(l.all->funcs[chosen->relocs[0].func].has_body);
    assert_string_equal(l.all->vars[chosen->relocs[1].var].name, "table");
    assert_int_equal(chosen->relocs[1].addend, 4);
    leave(&l);
}

static void an_alias_is_a_definition(void **state)
{
    (void)state;
    struct linked l;
    JOIN(&l, HEAD DECLARED("f") KERNEL("k", "mov.u64 %rd1, f;\n"),
         HEAD ".visible .func (.param .b32 r) f(.param .b32 p);\n"
         CALLEE(".visible", "g", "9") ".alias f, g;\n");
    assert_non_null(l.all);
    const struct ptx_func *k = func(&l, "k");
    assert_string_equal(l.all->funcs[moved(k, 0)->index].name, "g");
    leave(&l);
}

static void what_nothing_reaches_is_left_out(void **state)
{
    (void)state;
    struct linked l;
    JOIN(&l, HEAD DECLARED("missing") KERNEL("k", "")
         ".shared .align 4 .b8 unused[64];\n"
         ".visible .func f() { call missing; ret; }\n",
         HEAD ".global .align 4 .b8 kept[4];\n");
    assert_non_null(l.all);
    assert_int_equal(l.all->n_funcs, 1);
    assert_int_equal(count_vars(&l, "unused"), 0);
    assert_int_equal(count_vars(&l, "kept"), 1);
    leave(&l);
}

/* Two calls share one list: neither may be renumbered twice. */
static void lists_of_targets_are_shared(void **state)
{
    (void)state;
    struct linked l;
    JOIN(&l, HEAD CALLEE("", "a", "1") KERNEL("j", "mov.u64 %rd1, a;\n"),
         HEAD CALLEE("", "a", "2") CALLEE("", "b", "3")
         KERNEL("k", "{\n.param .b32 p; .param .b32 r;\nt: .calltargets a, b;"
                     "\nmov.u64 %rd1, b;\ncall (r), %rd1, (p), t;\n"
                     "call (r), %rd1, (p), t;\n}\n"));
    assert_non_null(l.all);
    const struct ptx_func *k = func(&l, "k");
    for (size_t n = 1; n <= 2; n++) {
        const struct ptx_operand *list = &k->insts[n].operands[3];
        assert_int_equal(list->n_elems, 2);
        for (int i = 0; i < 2; i++) {
            const struct ptx_func *f = &l.all->funcs[list->elems[i].index];
            assert_int_equal(f->insts[0].operands[1].bits, 2 + i);
        }
    }
    leave(&l);
}

static void lines_keep_their_files(void **state)
{
    (void)state;
    struct linked l;
    JOIN(&l, HEAD KERNEL("k", ".loc 1 10 0\n") ".file 1 \"a.cu\"\n",
         HEAD KERNEL("m", ".loc 1 20 0\n"
                     ".loc 1 21 0, function_name $x, inlined_at 1 20 0\n")
         ".file 1 \"b.cu\"\n");
    assert_non_null(l.all);
    const struct ptx_inst *in = func(&l, "m")->insts;
    const struct ptx_loc *loc = &l.all->locs[in->loc];
    assert_string_equal(l.all->files[loc->file], "b.cu");
    assert_int_equal(loc->line, 21);
    assert_int_equal(l.all->locs[loc->inlined_at].line, 20);
    loc = &l.all->locs[func(&l, "k")->insts->loc];
    assert_string_equal(l.all->files[loc->file], "a.cu");
    leave(&l);
}

static void dynamic_shared_memory_needs_no_definition(void **state)
{
    (void)state;
    struct linked l;
    static const char one[] =
        HEAD ".extern .shared .align 16 .b8 buffer[];\n"
        KERNEL("k", "mov.u64 %rd1, buffer;\n");
    static const char two[] =
        HEAD ".extern .shared .align 16 .b8 buffer[];\n"
        ".extern .func (.param .b32 r) vprintf(.param .b64 p);\n"
        KERNEL("m", "mov.u64 %rd1, buffer; mov.u64 %rd2, vprintf;\n");
    JOIN(&l, one, two);
    assert_non_null(l.all);
    assert_int_equal(moved_var(&l, func(&l, "m"), 0)->bytes, 0);
    assert_false(func(&l, "vprintf")->has_body);
    leave(&l);
}

static void says_what_does_not_fit(void **state)
{
    (void)state;
    struct linked l;
    JOIN(&l, HEAD KERNEL("k", ""), HEAD KERNEL("k", ""));
    expect_failure(&l, PTX_LINK_TWICE, "k", 1, 0);
    JOIN(&l, HEAD ".visible .global .u32 v;\n", HEAD KERNEL("k", ""),
         HEAD ".visible .global .u32 v;\n");
    expect_failure(&l, PTX_LINK_TWICE, "v", 2, 0);
    JOIN(&l, HEAD KERNEL("j", ""),
         HEAD DECLARED("f") KERNEL("k", "mov.u64 %rd1, f;\n"));
    expect_failure(&l, PTX_LINK_UNDEFINED, "f", 1, 1);
    JOIN(&l, HEAD KERNEL("j", ""),
         HEAD ".extern .global .u32 v;\n" KERNEL("k", "mov.u64 %rd1, v;\n"));
    expect_failure(&l, PTX_LINK_UNDEFINED, "v", 1, 1);
    JOIN(&l, HEAD ".extern .const .u32 v;\n" KERNEL("k", "mov.u64 %rd1, v;\n"),
         HEAD ".visible .global .u32 v;\n");
    expect_failure(&l, PTX_LINK_DIFFERS, "v", 0, 1);
    JOIN(&l, HEAD ".extern .func f(.param .b64 p);\n"
         KERNEL("k", "mov.u64 %rd1, f;\n"),
         HEAD ".visible .func f(.param .b32 p) { ret; }\n");
    expect_failure(&l, PTX_LINK_DIFFERS, "f", 0, 1);
    JOIN(&l, HEAD ".visible .global .u32 f;\n",
         HEAD ".visible .func f(.param .b32 p) { ret; }\n");
    expect_failure(&l, PTX_LINK_DIFFERS, "f", 1, 0);
}

static void the_newest_header_is_kept(void **state)
{
    (void)state;
    struct linked l;
    JOIN(&l, ".version 8.1\n.target sm_90\n" KERNEL("k", ""),
         ".version 8.10\n.target sm_100\n", ".version 7.9\n.target sm_75\n");
    assert_non_null(l.all);
    assert_int_equal(l.all->version_minor, 10);
    assert_string_equal(l.all->target, "sm_100");
    leave(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_is_its_definition),
        cmocka_unit_test(aliases_in_a_circle_are_undefined),
        cmocka_unit_test(local_names_stay_apart),
        cmocka_unit_test(the_strongest_definition_wins),
        cmocka_unit_test(one_of_equal_kernels_is_taken),
        cmocka_unit_test(pointers_in_variables_are_followed),
        cmocka_unit_test(an_alias_is_a_definition),
        cmocka_unit_test(what_nothing_reaches_is_left_out),
        cmocka_unit_test(lists_of_targets_are_shared),
        cmocka_unit_test(lines_keep_their_files),
        cmocka_unit_test(dynamic_shared_memory_needs_no_definition),
        cmocka_unit_test(says_what_does_not_fit),
        cmocka_unit_test(the_newest_header_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
