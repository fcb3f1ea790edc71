// SPDX-License-Identifier: MIT
/*
 * forms.c: which rows and spellings of the decoder the conformance rows have
 * used.
 *
 *   forms_note            the instructions of a kernel that ran
 *   every_row_is_tested   each row decoded an instruction
 *   every_form_is_tested  and each alternative of each pattern was written
 */
#include "conformance.h"

#include <string.h>

#include "simgpu/core/decode/row_words.h"
#include "simgpu/ptx/ptx.h"

enum { ROWS_MOST = 1024, TEXT_MOST = 640 };

/* The k-th row's pattern, or "": its spelling is no pattern. */
static const char *pattern(size_t k)
{
    bool is_pattern;
    const char *words = row_words(k, &is_pattern);
    return is_pattern ? words : "";
}

/* By row and by the place in its pattern. */
static bool taken[ROWS_MOST][TEXT_MOST];

static void note(const char *alternative)
{
    for (size_t k = 0; k < row_count(); k++) {
        const char *form = pattern(k);
        if (alternative >= form && alternative <= form + strlen(form))
            taken[k][alternative - form] = true;
    }
}

/* Whether a text was noted before: what is noted of it never changes, and most
 * instructions of most kernels are the same few. */
static bool is_known(const char *text)
{
    enum { ROOM = 1 << 14 };
    static char *known[ROOM];
    uint32_t at = 2166136261u; /* FNV-1a */
    for (const char *c = text; *c; c++)
        at = (at ^ (unsigned char)*c) * 16777619u;
    for (size_t n = 0; n < ROOM; n++, at++) {
        char **place = &known[at % ROOM];
        if (!*place) {
            *place = strdup(text);
            return false;
        }
        if (strcmp(*place, text) == 0)
            return true;
    }
    return false;
}

void forms_note(const struct ptx_module *ptx)
{
    char text[256];
    for (size_t f = 0; f < ptx->n_funcs; f++)
        for (size_t i = 0; i < ptx->funcs[f].n_insts; i++) {
            const struct ptx_inst *in = &ptx->funcs[f].insts[i];
            char *end = stpcpy(text, in->op);
            for (int s = 0; s < in->n_suffixes; s++)
                end = stpcpy(stpcpy(end, "."), in->suffix[s]);
            for (size_t k = is_known(text) ? row_count() : 0; k < row_count();
                 k++)
                row_matches(pattern(k), text, note);
        }
}

/* Where an alternative begins: the pattern's start, behind '{' and ','. */
static bool begins(const char *form, size_t at)
{
    return at == 0 || form[at - 1] == '{' || form[at - 1] == ',';
}

static size_t missing_of(const char *form, const bool *was_taken)
{
    size_t missing = 0;
    for (size_t at = 0; form[at]; at++) {
        if (!begins(form, at) || was_taken[at])
            continue;
        size_t n = strcspn(form + at, "{},");
        tap_say("no conformance row for '%.*s' of %s", (int)n, form + at,
                form);
        missing++;
    }
    return missing;
}

void every_row_is_tested(void)
{
    size_t missing = 0;
    for (size_t k = 0; k < row_count(); k++) {
        if (row_was_taken(k))
            continue;
        bool is_pattern;
        tap_say("no conformance row for %s, modifiers %#x",
                row_words(k, &is_pattern), row_needs(k));
        missing++;
    }
    tap_case(missing == 0, "every row of decode_table.c has a conformance row");
}

void every_form_is_tested(void)
{
    size_t missing = row_count() > ROWS_MOST;
    for (size_t k = 0; k < row_count() && k < ROWS_MOST; k++) {
        const char *form = pattern(k);
        missing += strlen(form) >= TEXT_MOST ? 1 : missing_of(form, taken[k]);
    }
    tap_case(missing == 0,
        "every spelling of decode_table.c has a conformance row");
}
