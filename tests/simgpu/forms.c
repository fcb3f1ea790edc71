// SPDX-License-Identifier: MIT
/*
 * forms.c: records which of the decoder's spellings the conformance rows used.
 *
 *   forms_note      an instruction of a kernel that ran
 *   every_form_is_tested
 *
 * The decoder's rows have counters of their own; this file counts the patterns
 * of decode_forms.c, each alternative in each brace separately.
 */
#include "conformance.h"

#include <string.h>

#include "simgpu/core/decode/decode_forms.h"
#include "simgpu/ptx/ptx.h"

enum { FORMS_MOST = 128, TEXT_MOST = 640 };

/* By pattern and by the place in it. */
static bool taken[FORMS_MOST][TEXT_MOST];

static void note(const char *alternative)
{
    const char *const *forms;
    size_t n = decode_forms(&forms);
    for (size_t k = 0; k < n; k++)
        if (alternative >= forms[k] &&
            alternative <= forms[k] + strlen(forms[k]))
            taken[k][alternative - forms[k]] = true;
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
            form_known(text, note);
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

void every_form_is_tested(void)
{
    const char *const *forms;
    size_t n = decode_forms(&forms), missing = 0;
    for (size_t k = 0; k < n && n <= FORMS_MOST; k++)
        missing += strlen(forms[k]) >= TEXT_MOST
                       ? 1 : missing_of(forms[k], taken[k]);
    tap(missing == 0 && n <= FORMS_MOST,
        "every spelling of decode_forms.c has a conformance row");
}
