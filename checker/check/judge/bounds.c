// SPDX-License-Identifier: MIT
/*
 * bounds.c: see bounds.h.
 *
 * The source may show a likely slip, or the lines that the index comes from;
 * where it does not, all that leads past an end is listed.
 */
#include "bounds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dims.h"
#include "host_pointer.h"
#include "origins.h"
#include "said.h"
#include "slips.h"
#include "stride.h"

/* The line of the learner's that leads to it: its own, or the call's; 0: it is
 * in another file. */
static int own_line(const json_t *f, const struct arrays *a)
{
    const json_t *called = json_object_get(f, "called");
    const json_t *sites[] = {called, f};

    for (int i = called ? 0 : 1; a->source && i < 2; i++) {
        const char *file = finding_str(sites[i], "file");

        if (*file && strcmp(said_file(a, file), a->source) == 0)
            return (int)finding_num(sites[i], "line");
    }
    return 0;
}

static const char *name_of(const json_t *f, const struct arrays *a)
{
    const char *name = target_on_chip(f) ? finding_str(f, "array")
                                         : target_array(f, a);

    return name ? name : "";
}

/* Another of the operator's arrays is indexed on the line, too. */
static bool names_another(const json_t *f, const struct arrays *a,
                          const char *name)
{
    struct text line = {0};
    bool found = false;
    char indexed[64];

    said_line(&line, a->source, said_file(a, finding_str(f, "file")),
              finding_num(f, "line"));
    for (int i = 0; i < a->op->n_buffers; i++) {
        snprintf(indexed, sizeof indexed, "%s[", a->op->buffers[i].name);
        found |= strcmp(a->op->buffers[i].name, name) != 0 &&
                 strstr(text_get(&line), indexed);
    }
    text_free(&line);
    return found;
}

/* The lines that the index is worked out in. */
static bool say_origins(struct text *t, const json_t *f, const struct arrays *a)
{
    return origins_say(t, a->source, own_line(f, a), name_of(f, a));
}

/* Of several elements at once. */
static bool advise_vector(struct text *advice, const json_t *f,
                          const struct arrays *a)
{
    long long element;
    size_t each;
    int i;

    if (!target_past(f, a, &i, &element))
        return false;
    each = type_row[a->op->buffers[i].type].bytes;
    if (finding_num(f, "bytes") <= (long long)each)
        return false;
    text_add(advice, "One such access takes %lld elements of %s. Does each "
                     "index count what its array is made of, vectors of so "
                     "many or single elements, and each bound and each divisor "
                     "the same? And are the elements that make no whole vector "
                     "taken one by one?",
             finding_num(f, "bytes") / (long long)each,
             a->op->buffers[i].name);
    return true;
}

/* Where the source shows a likely slip, that is the next step, and no list. */
static void advise_past(struct text *t, struct text *advice, const json_t *f,
                        const struct arrays *a, const char *name)
{
    bool origins;

    if (slips_advise(advice, a->source ? a->source : "")) {
        text_add(advice, "If that is meant, work out the index for the thread "
                         "named above: which guard should have kept it from "
                         "this access?");
        return;
    }
    if (stride_advise(advice, f, a) ||
        dims_advise(advice, a->launch, a->source))
        return;
    origins = say_origins(t, f, a);
    if (origins_advise(advice, a->source, own_line(f, a), name_of(f, a))) {
        text_add(advice, "If not, work out the index for the thread named "
                         "above.");
        return;
    }
    if (advise_vector(advice, f, a))
        return;
    text_add(advice, "Is a guard missing, or does it let this thread in? Of n "
                     "elements the last is n - 1: `i < n`. Otherwise the index "
                     "is wrong: work it out for this thread%s",
             origins ? ", line by line. Is each bound, each factor and each "
                       "divisor that of its own index?"
                     : ".");
    if (origins && slips_in_order(a->source))
        return;
    text_add(advice, " Or the launch passes the arguments in another order "
                     "than the kernel's");
    if (name && names_another(f, a, name))
        text_add(advice, " (%s is the launcher's name for the array)", name);
    text_add(advice, ".");
}

/* An index may come of a quotient by 0, or a remainder. */
static bool say_divisor(struct text *t, struct text *advice, const json_t *f,
                        const struct arrays *a)
{
    static const char words[] = "the thread divided by 0 at ";
    const char *at = strstr(finding_str(f, "detail"), words);
    const char *line = at ? strrchr(at, ':') : NULL;

    if (!line)
        return false;
    at += strlen(words);
    text_add(t, "  after it divided by 0 at %s\n", at);
    if (strncmp(at, said_base(a->source), (size_t)(line - at)) == 0)
        said_line(t, a->source, a->source, atoll(line + 1));
    text_add(advice, "Why is the divisor on line %s zero here? A quotient of "
                     "integers is rounded down: round up where a part counts, "
                     "(n + size - 1) / size.", line + 1);
    return true;
}

/* An extern __shared__ array has the bytes that the launch gives. */
static bool is_of_launch(const json_t *f, const struct arrays *a)
{
    struct text source = {0};
    bool found;

    if (strcmp(finding_str(f, "space"), "shared") != 0 || !a->source ||
        !a->launch || !*finding_str(f, "array") ||
        finding_num(f, "array_bytes") !=
            finding_num(a->launch, "dynamic_shared"))
        return false;
    found = file_read(a->source, &source) &&
            strstr(text_get(&source), "extern __shared__");
    text_free(&source);
    return found;
}

static void advise_on_chip(struct text *t, struct text *advice,
                           const json_t *f, const struct arrays *a)
{
    if (dims_advise(advice, a->launch, a->source))
        return;
    say_origins(t, f, a);
    origins_advise(advice, a->source, own_line(f, a), name_of(f, a));
    if (is_of_launch(f, a))
        text_add(advice, "%s has as many bytes as the launch's third argument "
                         "says, %lld: <<<blocks, threads, bytes, stream>>>. "
                         "Are they bytes, and not elements, and enough of "
                         "them? ", finding_str(f, "array"),
                 finding_num(f, "array_bytes"));
    else
        text_add(advice, "Is the array too small? ");
    text_add(advice, "Count what a block puts in it, halo and padding "
                     "included. If it is large enough, the index is wrong: "
                     "work it out for the thread named above.");
}

static void advise_below(struct text *advice, const json_t *f,
                         const struct arrays *a)
{
    struct text line = {0};

    text_add(advice, "The index fell below 0. Work it out for the thread named "
                     "above: which `if`, or which end of a loop, should have "
                     "kept it from this access?");
    said_source(&line, f, a);
    if (strstr(text_get(&line), " - "))
        text_add(advice, " Or is a - on that line meant to be a +?");
    text_free(&line);
}

void bounds_advise(struct text *t, struct text *advice, const json_t *f,
                   const struct arrays *a)
{
    if (say_divisor(t, advice, f, a))
        return;
    if ((target_is_far(f, a) || finding_num(f, "offset") < 0) &&
        finding_num(f, "allocation") > 0)
        say_origins(t, f, a);
    if (target_is_far(f, a) && target_wraps(f, a))
        text_add(advice, "The index is unsigned and fell below 0, which makes "
                         "it about 2^32. Work it out for the thread named "
                         "above: which `if` should have kept it from this "
                         "access?");
    else if (target_is_far(f, a))
        text_add(advice, "The index is far off: work it out for the thread "
                         "named above. Does it fall below 0, or is it "
                         "multiplied by too much?");
    else if (target_is_null(f) ||
        (!target_on_chip(f) && finding_num(f, "allocation") <= 0))
        host_pointer_advise(advice, a->source ? a->source : "");
    else if (finding_num(f, "offset") < 0)
        advise_below(advice, f, a);
    else if (target_on_chip(f))
        advise_on_chip(t, advice, f, a);
    else if (target_workspace(f, a))
        text_add(advice, "The workspace has as many bytes as the function "
                         "%s returns: bytes, not elements. If that is enough, "
                         "the index is wrong: work it out for the thread named "
                         "above.", a->op->workspace);
    else
        advise_past(t, advice, f, a, target_array(f, a));
}
