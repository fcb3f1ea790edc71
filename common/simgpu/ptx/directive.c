// SPDX-License-Identifier: MIT
/*
 * directive.c: directives that modules and functions may contain: lines of the
 * source, pragmas, sections.
 *
 *   ptx_read_loc, ptx_read_file, ptx_read_pragma, ptx_skip_section
 */
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 1 << 16 };

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

enum { LOOK_BACK = 4096 }; /* what else was inlined there comes between */

/* The caller's own .loc comes before the inlined one, in the same function. */
static int32_t find_caller(struct reader *r, struct ptx_loc caller)
{
    const struct ptx_module *m = r->module;
    size_t far = m->n_locs - r->first_loc;
    size_t first = m->n_locs - (far < LOOK_BACK ? far : LOOK_BACK);
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

/* Sections and pragmas -------------------------------------------------- */

void ptx_skip_section(struct reader *r)
{
    while (r->token.kind != T_END && !reader_is(r, '{'))
        reader_next(r);
    reader_expect(r, '{');
    reader_skip_past(r, '}');
}

/* Two pragmas matter. One says which bytes of the next load are used: the
 * others may be padding that was never written. The other says that the loop
 * that begins here is not unrolled. */
static void read_hint(struct reader *r)
{
    static const char words[] = "used_bytes_mask ", rolled[] = "nounroll";
    size_t n = sizeof words - 1;
    const struct token *t = &r->token;
    char mask[16];
    if (t->kind == T_STRING && t->length == sizeof rolled - 1 &&
        strncmp(t->text, rolled, sizeof rolled - 1) == 0)
        r->stays_loop = true;
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
