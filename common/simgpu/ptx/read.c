// SPDX-License-Identifier: MIT
/*
 * read.c: reads a PTX module, from its .version to its last section.
 *
 *   ptx_read, ptx_free
 *   ptx_read_loc, ptx_read_file, ptx_read_pragma, ptx_skip_section
 *                        directives that functions may contain as well
 *
 * The text comes from an untrusted binary: every count is bounded, recursion
 * is limited, and the first error ends the reading.
 */
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 1 << 16 };
#define MAX_TEXT ((size_t)1 << 28) /* bytes per module */

/* Line information ------------------------------------------------------ */

static struct ptx_loc read_position(struct reader *r)
{
    struct ptx_loc loc = {.inlined_at = -1};
    loc.file = (int32_t)reader_int(r, "a file's number", 0, MAX_FILES - 1);
    loc.line = (int32_t)reader_int(r, "a line", 0, INT32_MAX);
    loc.column = (int32_t)reader_int(r, "a column", 0, INT32_MAX);
    return loc;
}

static int32_t add_loc(struct reader *r, struct ptx_loc loc)
{
    struct ptx_module *m = r->module;
    m->locs = reader_grow(r, m->locs, m->n_locs, &r->cap_locs,
                          sizeof *m->locs);
    m->locs[m->n_locs] = loc;
    return (int32_t)m->n_locs++;
}

enum { LOOK_BACK = 64 }; /* inlined calls nest less deeply */

/* The caller's own .loc comes shortly before the inlined one. */
static int32_t find_caller(struct reader *r, struct ptx_loc caller)
{
    const struct ptx_module *m = r->module;
    size_t first = m->n_locs > LOOK_BACK ? m->n_locs - LOOK_BACK : 0;
    for (size_t i = m->n_locs; i-- > first;)
        if (m->locs[i].file == caller.file && m->locs[i].line == caller.line &&
            m->locs[i].column == caller.column)
            return (int32_t)i;
    return add_loc(r, caller);
}

/* .loc 2 409 9, function_name $L__info_string0, inlined_at 1 37 3 */
void ptx_read_loc(struct reader *r)
{
    struct ptx_loc loc = read_position(r);
    while (reader_take(r, ',')) {
        struct name *key = reader_name(r, "function_name or inlined_at");
        if (strcmp(key->text, "inlined_at") == 0) {
            loc.inlined_at = find_caller(r, read_position(r));
        } else {
            reader_name(r, "a label");
            if (reader_take(r, '+'))
                reader_int(r, "an offset", 0, INT64_MAX);
        }
    }
    r->loc = add_loc(r, loc);
}

/* .file 1 "saxpy.cu", 1700000000, 1234 */
void ptx_read_file(struct reader *r)
{
    struct ptx_module *m = r->module;
    size_t index = (size_t)reader_int(r, "a file's number", 0, MAX_FILES - 1);
    if (r->token.kind != T_STRING)
        reader_expected(r, "a file's name in quotes");
    while (m->n_files <= index) {
        m->files = reader_grow(r, m->files, m->n_files, &r->cap_files,
                               sizeof *m->files);
        m->files[m->n_files++] = NULL;
    }
    m->files[index] = reader_intern(r, r->token)->text;
    reader_next(r);
    while (reader_take(r, ','))
        reader_int(r, "a time or a size", 0, INT64_MAX);
}

/* A .loc whose file has no .file refers to file 0 instead. */
static void check_files(struct reader *r)
{
    struct ptx_module *m = r->module;
    if (m->n_files == 0) {
        m->files = reader_alloc(r, 1, sizeof *m->files);
        m->n_files = 1;
    }
    for (size_t i = 0; i < m->n_locs; i++)
        if ((size_t)m->locs[i].file >= m->n_files)
            m->locs[i].file = 0;
}

/* Sections and pragmas -------------------------------------------------- */

void ptx_skip_section(struct reader *r)
{
    while (r->token.kind != T_END && !reader_is(r, '{'))
        reader_next(r);
    reader_expect(r, '{');
    reader_skip_past(r, '}');
}

/* Only one pragma matters: which bytes of the next load are used. The others
 * may be padding that was never written. */
static void read_hint(struct reader *r)
{
    static const char words[] = "used_bytes_mask ";
    size_t n = sizeof words - 1;
    const struct token *t = &r->token;
    char mask[16];
    if (t->kind != T_STRING || t->length <= n ||
        t->length >= n + sizeof mask || strncmp(t->text, words, n) != 0)
        return;
    snprintf(mask, sizeof mask, "%.*s", (int)(t->length - n), t->text + n);
    r->used_bytes = (uint32_t)strtoul(mask, NULL, 0);
}

void ptx_read_pragma(struct reader *r)
{
    do {
        read_hint(r);
        if (r->token.kind == T_STRING)
            reader_next(r);
    } while (reader_take(r, ','));
    reader_skip_past(r, ';');
}

static void skip_line(struct reader *r)
{
    reader_next(r);
}

/* The module ------------------------------------------------------------ */

static void read_version(struct reader *r)
{
    char text[16];
    int n = snprintf(text, sizeof text, "%.*s",
                     (int)(r->token.length < 15 ? r->token.length : 15),
                     r->token.text);
    if (n <= 0 || sscanf(text, "%d.%d", &r->module->version_major,
                         &r->module->version_minor) != 2)
        reader_expected(r, "a version such as 9.0");
    reader_next(r);
}

static void read_target(struct reader *r)
{
    r->module->target = reader_name(r, "a target such as sm_75")->text;
    while (reader_take(r, ','))
        reader_name(r, "a target's option");
}

static void read_external(struct reader *r)
{
    if (reader_is_dot(r, "func") || reader_is_dot(r, "entry"))
        ptx_read_function(r);
    else
        ptx_read_variables(r, true);
}

static void read_linked(struct reader *r)
{
    if (reader_is_dot(r, "func") || reader_is_dot(r, "entry"))
        ptx_read_function(r);
    else
        ptx_read_variables(r, false);
}

static const struct {
    const char *name;
    void (*read)(struct reader *r); /* after the name */
} directives[] = {
    {"version", read_version},   {"target", read_target},
    {"address_size", skip_line}, {"file", ptx_read_file},
    {"loc", ptx_read_loc},       {"section", ptx_skip_section},
    {"pragma", ptx_read_pragma}, {"alias", ptx_read_alias},
    {"extern", read_external},   {"visible", read_linked},
    {"weak", read_linked},       {"common", read_linked},
};

static void read_item(struct reader *r)
{
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
        if (reader_take_dot(r, directives[i].name)) {
            directives[i].read(r);
            return;
        }
    if (reader_is_dot(r, "func") || reader_is_dot(r, "entry") ||
        ptx_is_variable_space(&r->token))
        read_linked(r);
    else if (!reader_take(r, ';'))
        reader_expected(r, "a directive");
}

static void read_module(struct reader *r, const char *text, size_t n)
{
    if (n > MAX_TEXT)
        reader_fail(r, "a text of more than %zu bytes", MAX_TEXT);
    if (!names_open(&r->names, r->arena))
        reader_fail(r, "out of memory");
    lex_open(&r->lexer, text, n);
    reader_next(r);
    if (!reader_is_dot(r, "version"))
        reader_expected(r, ".version");
    while (r->token.kind != T_END)
        read_item(r);
    if (!r->module->target)
        reader_expected(r, ".target");
    ptx_apply_aliases(r);
    check_files(r);
}

struct ptx_module *ptx_read(const char *text, size_t n, char *error,
                            size_t error_size)
{
    struct reader *r = NULL;
    struct arena *arena = arena_open();
    if (arena)
        r = arena_alloc(arena, 1, sizeof *r);
    if (r)
        r->module = arena_alloc(arena, 1, sizeof *r->module);
    if (!r || !r->module) {
        snprintf(error, error_size, "PTX: out of memory");
        arena_close(arena);
        return NULL;
    }
    r->arena = r->module->arena = arena;
    r->func = r->loc = -1;
    r->token.line = 1;
    r->error = error;
    r->error_size = error_size;
    if (setjmp(r->failed)) {
        arena_close(arena);
        return NULL;
    }
    read_module(r, text, n);
    return r->module;
}

void ptx_free(struct ptx_module *module)
{
    if (module)
        arena_close(module->arena);
}
