// SPDX-License-Identifier: MIT
/*
 * ptx_text.h: PTX read from text, and instructions written back as text, for
 * the PTX reader's tests.
 *
 *   read_text, read_bytes, read_body
 *   find_func, find_var
 *   expect_inst   how a whole instruction reads
 */
#ifndef PTX_TEXT_H
#define PTX_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ptx_sample.h"
#include "simgpu/ptx/ptx.h"

static char error[256];

/* From a block of just that size: a step beyond it is seen. */
static inline struct ptx_module *read_bytes(const char *text, size_t n)
{
    char *copy = malloc(n ? n : 1);
    assert_non_null(copy);
    memcpy(copy, text, n);
    struct ptx_module *m = ptx_read(copy, n, error, sizeof error);
    free(copy);
    return m;
}

static inline struct ptx_module *read_text(const char *text)
{
    struct ptx_module *m = read_bytes(text, strlen(text));
    if (!m)
        fail_msg("%s", error);
    return m;
}

#define HEAD ".version 8.0\n.target sm_75, debug\n.address_size 64\n"

/* A module whose kernel has this body. */
static inline struct ptx_module *read_body(const char *body)
{
    static const char format[] =
        HEAD ".global .align 4 .b8 g[64];\n"
             ".func f(.param .b32 f_a);\n"
             ".visible .entry k(.param .u64 k_x) {\n"
             ".reg .pred %%p<4>; .reg .b32 %%r<8>; .reg .b64 %%rd<4>;\n"
             "%s\n}\n";
    size_t room = sizeof format + strlen(body);
    char *text = malloc(room);
    assert_non_null(text);
    snprintf(text, room, format, body);
    struct ptx_module *m = read_bytes(text, strlen(text));
    free(text);
    return m;
}

static inline const struct ptx_func *find_func(const struct ptx_module *m,
                                               const char *name)
{
    for (size_t i = 0; i < m->n_funcs; i++)
        if (strcmp(m->funcs[i].name, name) == 0)
            return &m->funcs[i];
    fail_msg("no function %s", name);
    return NULL;
}

static inline const struct ptx_var *find_var(const struct ptx_module *m,
                                             const char *name)
{
    for (size_t i = 0; i < m->n_vars; i++)
        if (strcmp(m->vars[i].name, name) == 0)
            return &m->vars[i];
    fail_msg("no variable %s", name);
    return NULL;
}

/* How a whole instruction reads, so that a row of a table can say it. ----- */

struct writer {
    char text[512];
    size_t n;
};

__attribute__((format(printf, 2, 3)))
static inline void say(struct writer *w, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(w->text + w->n, sizeof w->text - w->n, format, list);
    va_end(list);
    assert_true(n >= 0 && (size_t)n < sizeof w->text - w->n);
    w->n += (size_t)n;
}

static inline void say_operand(struct writer *w, const struct ptx_module *m,
                               const struct ptx_func *f,
                               const struct ptx_operand *o);

static inline void say_elems(struct writer *w, const struct ptx_module *m,
                             const struct ptx_func *f,
                             const struct ptx_operand *o,
                             const char *brackets)
{
    say(w, "%c", brackets[0]);
    for (size_t i = 0; i < o->n_elems; i++) {
        say(w, i ? " " : "");
        say_operand(w, m, f, &o->elems[i]);
    }
    if (o->kind == PTX_ADDRESS)
        say(w, "%+lld", (long long)o->bits);
    say(w, "%c", brackets[1]);
}

static inline void say_operand(struct writer *w, const struct ptx_module *m,
                               const struct ptx_func *f,
                               const struct ptx_operand *o)
{
    static const char *const brackets[] = {
        [PTX_ADDRESS] = "[]", [PTX_VECTOR] = "{}", [PTX_LIST] = "()",
        [PTX_PAIR] = "||"};
    if (o->negated)
        say(w, "!");
    switch (o->kind) {
    case PTX_REG:
        assert_in_range(o->index, 0, f->n_regs - 1);
        say(w, "%s", f->regs[o->index].name);
        break;
    case PTX_SPECIAL: say(w, "special:%s", o->name); break;
    case PTX_INT: say(w, "%lld", (long long)o->bits); break;
    case PTX_F32: say(w, "f%08llx", (long long)o->bits); break;
    case PTX_F64: say(w, "d%016llx", (long long)o->bits); break;
    case PTX_VAR:
        say(w, "&%s%+lld", m->vars[o->index].name, (long long)o->bits);
        break;
    case PTX_FUNC: say(w, "func:%s", m->funcs[o->index].name); break;
    case PTX_LABEL: say(w, "@%d", o->index); break;
    case PTX_SINK: say(w, "_"); break;
    default: say_elems(w, m, f, o, brackets[o->kind]);
    }
}

static inline void say_inst(struct writer *w, const struct ptx_module *m,
                            const struct ptx_func *f,
                            const struct ptx_inst *inst)
{
    w->n = 0;
    if (inst->guard >= 0)
        say(w, "@%s%s ", inst->guard_negated ? "!" : "",
            f->regs[inst->guard].name);
    say(w, "%s", inst->op);
    for (int i = 0; i < inst->n_suffixes; i++)
        say(w, ".%s", inst->suffix[i]);
    for (int i = 0; i < inst->n_operands; i++) {
        say(w, " ");
        say_operand(w, m, f, &inst->operands[i]);
    }
}

static inline void expect_inst(const struct ptx_module *m, const char *func,
                               size_t index, const char *text)
{
    const struct ptx_func *f = find_func(m, func);
    struct writer w;
    assert_in_range(index, 0, f->n_insts - 1);
    say_inst(&w, m, f, &f->insts[index]);
    assert_string_equal(w.text, text);
}

#endif
