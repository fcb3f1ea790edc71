// SPDX-License-Identifier: MIT
/*
 * slots_test.c: registers share storage, and none loses its value. Random
 * functions are walked along random ways: every write of a register marks the
 * bytes of its slot, and every read must find its own mark there.
 */
#include "ptx_text.h"
#include "forms_of.h"
#include "simgpu/core/decode/cfg.h"

/* PTX functions have their registers declared: %p, %r, %rd, %q by number. */
#define REGS_EACH 6
#define DECLARE                                                                \
    HEAD ".visible .entry k(.param .u64 k_x) {\n.reg .pred %p<6>;\n"           \
         ".reg .b32 %r<6>; .reg .b64 %rd<6>; .reg .b128 %q<6>;\n"              \
         ".reg .b16 %h<6>;\n"

struct registers {
    struct ptx_module *m;
    const struct ptx_func *f;
    struct cfg *g;
    uint32_t slot[128], bytes;
    bool unset[128];
};

static struct registers frame_of(const char *declarations, const char *body)
{
    static char text[65536];
    struct registers x = {0};
    snprintf(text, sizeof text, "%s%s\n}\n", declarations, body);
    x.m = read_text(text);
    x.f = find_func(x.m, "k");
    assert_true(x.f->n_regs <= 128);
    const struct form **forms = forms_of(x.f);
    x.g = cfg_build(x.f, forms);
    x.bytes = slots_assign(x.f, x.g, forms, x.slot, x.unset);
    free(forms);
    return x;
}

static void frame_free(struct registers *x)
{
    cfg_free(x->g);
    ptx_free(x->m);
}

static int32_t reg_named(const struct registers *x, const char *name)
{
    for (size_t r = 0; r < x->f->n_regs; r++)
        if (strcmp(x->f->regs[r].name, name) == 0)
            return (int32_t)r;
    fail_msg("no register %s", name);
    return -1;
}

static uint32_t bytes_of(const struct ptx_reg *r)
{
    if (r->type.class == PTX_PRED)
        return 4;
    return r->type.bits == 128 ? 512 : r->type.bits == 64 ? 256 : 128;
}

static bool share(const char *body, const char *a, const char *b)
{
    struct registers x = frame_of(DECLARE, body);
    bool same = x.slot[reg_named(&x, a)] == x.slot[reg_named(&x, b)];
    frame_free(&x);
    return same;
}

static void test_one_after_the_other(void **state)
{
    (void)state;
    assert_true(share("mov.u32 %r1, 1; st.global.u32 [%rd1], %r1;\n"
                      "mov.u32 %r2, 2; st.global.u32 [%rd1], %r2; ret;",
                      "%r1", "%r2"));
    assert_false(share("mov.u32 %r1, 1; mov.u32 %r2, 2;\n"
                       "add.s32 %r3, %r1, %r2;\n"
                       "st.global.u32 [%rd1], %r3; ret;", "%r1", "%r2"));
}

/* A handler reads a lane's operands before it writes that lane's result: the
 * result may lie where an operand was. Not so where the result is a vector, or
 * goes to memory. */
static void test_result_in_an_operands_place(void **state)
{
    (void)state;
    assert_true(share("mov.u32 %r1, 1; add.s32 %r2, %r1, %r1;\n"
                      "st.global.u32 [%rd1], %r2; ret;", "%r1", "%r2"));
    assert_false(share("ld.global.u64 %rd2, [%rd1];\n"
                       "ld.global.v2.u64 {%rd3, %rd4}, [%rd2];\n"
                       "st.global.u64 [%rd1], %rd3; ret;", "%rd2", "%rd3"));
}

static void test_a_value_over_a_loop(void **state)
{
    (void)state;
    assert_false(share("mov.u32 %r1, 1;\nL: mov.u32 %r2, 2;\n"
                       "st.global.u32 [%rd1], %r1;\n"
                       "st.global.u32 [%rd1], %r2; @%p1 bra L; ret;",
                       "%r1", "%r2"));
}

/* Of a guarded write: lanes without the predicate keep the value before. */
static void test_guarded_write(void **state)
{
    (void)state;
    assert_false(share("mov.u32 %r1, 1;\nmov.u32 %r2, 2;\n"
                       "st.global.u32 [%rd1], %r2; @%p1 mov.u32 %r1, 3;\n"
                       "st.global.u32 [%rd1], %r1; ret;", "%r1", "%r2"));
}

static void test_read_before_written(void **state)
{
    (void)state;
    struct registers x = frame_of(DECLARE,
                              "@%p1 mov.u32 %r1, 1; mov.u32 %r2, 2;\n"
                              "@%p2 bra L; mov.u32 %r3, 3;\n"
                              "L: add.s32 %r4, %r1, %r3;\n"
                              "st.global.u32 [%rd1], %r4; ret;");
    assert_true(x.unset[reg_named(&x, "%p1")]);
    assert_true(x.unset[reg_named(&x, "%r1")]);
    assert_false(x.unset[reg_named(&x, "%r2")]);
    assert_true(x.unset[reg_named(&x, "%r3")]);
    assert_false(x.unset[reg_named(&x, "%r4")]);
    assert_true(x.unset[reg_named(&x, "%rd1")]);
    assert_false(x.unset[reg_named(&x, "%r5")]); /* never named */
    frame_free(&x);
}

/* The working set of a long straight line stays small. */
static void test_frame_is_as_big_as_what_lives(void **state)
{
    char body[8192];
    size_t n = 0;
    (void)state;
    for (int k = 1; k < 100; k++)
        n += (size_t)snprintf(body + n, sizeof body - n,
                              "add.s32 %%r%d, %%r%d, 1;\n", k, k - 1);
    snprintf(body + n, sizeof body - n, "ret;");
    struct registers x =
        frame_of(HEAD ".entry k() { .reg .b32 %r<100>;\n", body);
    assert_int_equal(x.bytes, 64 + 128 + 256 + 512);
    frame_free(&x);
    x = frame_of(DECLARE, "add.s32 %r3, %r1, %r2; add.s32 %r3, %r3, %r4;\n"
                          "add.s64 %rd3, %rd1, %rd2; ret;");
    assert_int_equal(x.bytes, 64 + 3 * 128 + 2 * 256 + 512);
    frame_free(&x);
    n = 0;
    for (int k = 3; k < 99; k += 3) /* three that live side by side */
        for (int m = k; m < k + 3; m++)
            n += (size_t)snprintf(body + n, sizeof body - n,
                                  "add.s32 %%r%d, %%r%d, 1;\n", m, m - 3);
    snprintf(body + n, sizeof body - n, "ret;");
    x = frame_of(HEAD ".entry k() { .reg .b32 %r<100>;\n", body);
    assert_int_equal(x.bytes, 64 + 3 * 128 + 256 + 512);
    frame_free(&x);
}

/* Who is read by anyone: a source, an address, an element, a guard; not what is
 * only written. */
static void test_who_is_read(void **state)
{
    static const struct { const char *name; bool is; } cases[] = {
        {"%rd1", true}, {"%r1", true}, {"%r2", false}, {"%r3", true},
        {"%r4", true}, {"%r5", false}, {"%p1", true}, {"%rd2", true},
        {"%rd3", false}, {"%p2", false},
    };
    bool read[128] = {false};
    (void)state;
    struct registers x = frame_of(
        DECLARE, "ld.global.v2.u32 {%r1, %r2}, [%rd1]; mov.u32 %r3, %r1;\n"
                 "st.global.v2.u32 [%rd2], {%r3, %r4};\n"
                 "@%p1 mov.u32 %r5, 1; ret;");
    const struct form **forms = forms_of(x.f);
    slots_read(x.f, forms, read);
    free(forms);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_int_equal(read[reg_named(&x, cases[k].name)], cases[k].is);
    frame_free(&x);
}

/* Random functions -------------------------------------------------------- */

static uint32_t next(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 16) % below;
}

struct text {
    char *at;
    size_t n, room;
    uint32_t *seed;
};

/* #: a register's number; !: a label's. */
static void put(struct text *t, const char *pattern, uint32_t labels)
{
    for (const char *p = pattern; *p && t->n + 8 < t->room; p++) {
        if (*p == '#' || *p == '!')
            t->n += (size_t)snprintf(t->at + t->n, t->room - t->n, "%u",
                                     next(t->seed, *p == '!' ? labels
                                                             : REGS_EACH));
        else
            t->at[t->n++] = *p;
    }
    t->at[t->n] = '\0';
}

static void write_random(struct text *t, uint32_t labels)
{
    static const char *const kinds[] = {
        "add.s32 %r#, %r#, %r#;\n", "mov.u32 %r#, 1;\n",
        "add.s64 %rd#, %rd#, %rd#;\n", "mov.u64 %rd#, 5;\n",
        "setp.lt.s32 %p#, %r#, %r#;\n", "cvt.u64.u32 %rd#, %r#;\n",
        "ld.global.u32 %r#, [%rd#];\n", "st.global.u32 [%rd#], %r#;\n",
        "ld.global.v2.u64 {%rd#, %rd#}, [%rd#+8];\n",
        "st.global.v2.u32 [%rd#], {%r#, %r#};\n",
        "setp.lt.s32 %p#|%p#, %r#, %r#;\n", "mov.b128 %q#, {%rd#, %rd#};\n",
        "mov.b128 {%rd#, %rd#}, %q#;\n", "mov.u16 %h#, 1;\n",
        "cvt.u32.u16 %r#, %h#;\n", "red.global.add.u32 [%rd#], %r#;\n",
        "atom.global.add.u32 %r#, [%rd#], %r#;\n",
        "mov.b64 %rd#, {%r#, %r#};\n",
        "selp.b32 %r#, %r#, %r#, %p#;\n",
    };
    for (uint32_t b = 0; b < labels; b++) {
        t->n += (size_t)snprintf(t->at + t->n, t->room - t->n, "B%u:\n", b);
        for (uint32_t k = next(t->seed, 6); k > 0; k--) {
            if (next(t->seed, 4) == 0)
                put(t, "@%p# ", labels);
            put(t, kinds[next(t->seed, sizeof kinds / sizeof *kinds)], labels);
        }
        if (next(t->seed, 3))
            put(t, "@%p# bra B!;\n", labels);
    }
    put(t, "ret;", labels);
}

struct walk {
    const struct registers *x;
    int owner[1 << 14];   /* of each byte of the frame: register + 1 */
    bool written[128];
    const char *text;
};

static void mark(struct walk *w, int32_t reg, bool is_read)
{
    uint32_t at = w->x->slot[reg], n = bytes_of(&w->x->f->regs[reg]);
    assert_true(at % n == 0 || at % 64 == 0);
    assert_true(at + n <= w->x->bytes);
    if (is_read && !w->written[reg] && !w->x->unset[reg])
        fail_msg("%s is read unwritten, in\n%s", w->x->f->regs[reg].name,
                 w->text);
    for (uint32_t k = at; k < at + n; k++) {
        if (is_read && w->written[reg] && w->owner[k] != reg + 1)
            fail_msg("%s was overwritten, in\n%s", w->x->f->regs[reg].name,
                     w->text);
        if (!is_read)
            w->owner[k] = reg + 1;
    }
    w->written[reg] |= !is_read;
}

/* Reads, or writes, all registers of an operand. */
static void touch(struct walk *w, const struct ptx_operand *o, bool is_read)
{
    if (o->kind == PTX_REG)
        mark(w, o->index, is_read);
    for (uint16_t k = 0; k < o->n_elems; k++)
        touch(w, &o->elems[k], is_read);
}

static bool has_result(const struct ptx_inst *i)
{
    return i->n_operands && strcmp(i->op, "st") && strcmp(i->op, "red") &&
           strcmp(i->op, "bra") && strcmp(i->op, "ret");
}

/* One instruction, for a lane that has its predicate or has not. Results of
 * several registers may be written before all operands are read. */
static void step(struct walk *w, const struct ptx_inst *i, bool runs)
{
    bool result = has_result(i);
    bool wide = result && i->operands[0].kind != PTX_REG;
    if (i->guard >= 0)
        mark(w, i->guard, true);
    for (uint16_t k = result; runs && k < i->n_operands; k++)
        touch(w, &i->operands[k], true);
    if (runs && result)
        touch(w, &i->operands[0], false);
    for (uint16_t k = result; runs && wide && k < i->n_operands; k++) {
        const struct ptx_operand *o = &i->operands[k];
        bool again = o->kind == PTX_REG || o->n_elems;
        for (uint16_t e = 0; again && e < i->operands[0].n_elems; e++)
            again = i->operands[0].elems[e].index != o->index &&
                    (!o->n_elems || i->operands[0].elems[e].index !=
                                        o->elems[0].index);
        if (again)
            touch(w, o, true);
    }
}

static void walk(struct walk *w, uint32_t *seed)
{
    const struct ptx_func *f = w->x->f;
    memset(w->owner, 0, sizeof w->owner);
    memset(w->written, 0, sizeof w->written);
    for (size_t at = 0, steps = 0; at < f->n_insts && steps < 300; steps++) {
        const struct ptx_inst *i = &f->insts[at];
        bool runs = i->guard < 0 || next(seed, 2);
        step(w, i, runs);
        if (strcmp(i->op, "ret") == 0)
            return;
        at = runs && strcmp(i->op, "bra") == 0 ? (size_t)i->operands[0].index
                                               : at + 1;
    }
}

static void test_random_ways(void **state)
{
    static char body[8192];
    static struct walk w;
    uint32_t seed = 11;
    (void)state;
    for (int round = 0; round < 300; round++) {
        struct text t = {body, 0, sizeof body, &seed};
        write_random(&t, 2 + next(&seed, 6));
        struct registers x = frame_of(DECLARE, body);
        assert_true(x.bytes <= sizeof w.owner / sizeof *w.owner);
        w.x = &x;
        w.text = body;
        for (int k = 0; k < 20; k++)
            walk(&w, &seed);
        frame_free(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_after_the_other),
        cmocka_unit_test(test_result_in_an_operands_place),
        cmocka_unit_test(test_a_value_over_a_loop),
        cmocka_unit_test(test_guarded_write),
        cmocka_unit_test(test_read_before_written),
        cmocka_unit_test(test_frame_is_as_big_as_what_lives),
        cmocka_unit_test(test_who_is_read),
        cmocka_unit_test(test_random_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
