// SPDX-License-Identifier: MIT
/*
 * read.c: reads a PTX module, from its .version to its last section.
 *
 *   ptx_read, ptx_free
 *
 * The text comes from an untrusted binary: every count is bounded, recursion
 * is limited, and the first error ends the reading.
 */
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TEXT ((size_t)1 << 28) /* bytes per module */

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
        r->module->debug |= strcmp(
            reader_name(r, "a target's option")->text, "debug") == 0;
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
    enum ptx_linkage linkage;
} directives[] = {
    {"version", read_version, 0},   {"target", read_target, 0},
    {"address_size", skip_line, 0}, {"file", ptx_read_file, 0},
    {"loc", ptx_read_loc, 0},       {"section", ptx_skip_section, 0},
    {"pragma", ptx_read_pragma, 0}, {"alias", ptx_read_alias, 0},
    {"extern", read_external, PTX_EXTERN},
    {"visible", read_linked, PTX_VISIBLE},
    {"weak", read_linked, PTX_WEAK},
    {"common", read_linked, PTX_COMMON},
};

static void read_item(struct reader *r)
{
    r->linkage = PTX_LOCAL;
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
        if (reader_take_dot(r, directives[i].name)) {
            r->linkage = (uint8_t)directives[i].linkage;
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
