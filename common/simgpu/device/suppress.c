// SPDX-License-Identifier: MIT
/*
 * suppress.c: findings that a program's owner knows and does not want to see.
 *
 *   dev_suppress_read   a file of them
 *   dev_suppressed      is this finding one of them?
 *   dev_print_suppressed   how many there were, and which lines matched none
 *
 * A line is `KIND PLACE # REASON`: the kind as reports write it; a file and
 * line (`kernels/sum.cu:31`, also the other access of a race) or a kernel's
 * readable name; and why the finding may stand, which must be given. Other
 * lines are empty or begin with '#'.
 */
#include "device.h"

#include "../core/words.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct dev_suppression {
    char *kind, *place;
    int row;          /* in the file */
    bool used;
};

static char *trimmed(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    for (size_t n = strlen(text); n && isspace((unsigned char)text[n - 1]);)
        text[--n] = '\0';
    return text;
}

static bool is_kind(const char *word)
{
    for (int kind = 0; kind < N_FINDING_KINDS; kind++)
        if (strcmp(word, engine_finding_word((enum finding_kind)kind)) == 0)
            return true;
    return false;
}

static bool keep(struct dev_suppressions *s, const char *kind,
                 const char *place, int row)
{
    struct dev_suppression *list =
        realloc(s->list, (s->n + 1) * sizeof *list);
    if (!list)
        return false;
    s->list = list;
    list[s->n] = (struct dev_suppression){.kind = strdup(kind),
                                          .place = strdup(place), .row = row};
    return list[s->n].kind && list[s->n++].place;
}

/* NULL, or what is wrong with the line. */
static const char *read_line(struct dev_suppressions *s, char *line, int row)
{
    char *kind = trimmed(line), *reason = strstr(kind, " #");
    if (!*kind || *kind == '#')
        return NULL;
    if (!reason || !*trimmed(reason + 2))
        return "a reason must follow, behind ' # '";
    *reason = '\0';
    char *place = kind + strcspn(kind, " \t");
    if (*place)
        *place++ = '\0';
    place = trimmed(place);
    if (!*place)
        return "a place must follow the kind: FILE:LINE or a kernel's name";
    if (!is_kind(kind))
        return "no finding is of this kind";
    return keep(s, kind, place, row) ? NULL : "out of memory";
}

bool dev_suppress_read(struct dev_suppressions *s, const char *path,
                       char *error, size_t error_size)
{
    FILE *file = fopen(path, "r");
    const char *wrong = file ? NULL : strerror(errno);
    char *line = NULL;
    size_t room = 0;
    int row = 0;
    while (!wrong && getline(&line, &room, file) >= 0)
        wrong = read_line(s, line, ++row);
    if (!wrong && ferror(file)) /* a folder, for one */
        wrong = strerror(errno);
    s->path = strdup(path);
    if (!s->path)
        wrong = "out of memory";
    if (wrong)
        snprintf(error, error_size, "%s:%d: %s", path, row, wrong);
    free(line);
    if (file)
        fclose(file);
    return !wrong;
}

/* "sum.cu:31" names that line of any file "…/sum.cu". */
static bool is_at(const char *place, const struct site *site)
{
    const char *colon = strrchr(place, ':');
    if (!colon || !site->file || atoi(colon + 1) != site->line)
        return false;
    size_t n = (size_t)(colon - place), all = strlen(site->file);
    if (n > all)
        return false;
    const char *tail = site->file + (all - n);
    return memcmp(place, tail, n) == 0 && (all == n || tail[-1] == '/');
}

static bool is_named(const char *place, const char *mangled)
{
    if (!mangled)
        return false;
    char *name = dev_demangle(mangled);
    bool same = strcmp(place, name) == 0 || strcmp(place, mangled) == 0;
    free(name);
    return same;
}

bool dev_suppressed(struct dev_suppressions *s, const struct finding *f)
{
    bool any = false;
    for (size_t k = 0; k < s->n; k++) {
        struct dev_suppression *x = &s->list[k];
        bool match = strcmp(x->kind, engine_finding_word(f->kind)) == 0 &&
                     (is_at(x->place, &f->at) || is_at(x->place, &f->other) ||
                      is_named(x->place, f->kernel));
        x->used |= match;
        any |= match;
    }
    return any;
}

void dev_print_suppressed(const struct dev_suppressions *s, size_t n,
                          FILE *out)
{
    if (n)
        fprintf(out, "simgpu: %zu finding%s suppressed by %s\n", n,
                n == 1 ? "" : "s", s->path);
    for (size_t k = 0; k < s->n; k++)
        if (!s->list[k].used)
            fprintf(out, "simgpu: %s:%d: nothing was found that this "
                    "suppresses: %s %s\n", s->path, s->list[k].row,
                    s->list[k].kind, s->list[k].place);
}
