// SPDX-License-Identifier: MIT
/*
 * tables.c: the device's time from the top down and from the bottom up.
 *
 *   profile_tables
 *
 * A path is a phase, a phase within it, and so on, down to a kernel. An event's
 * time belongs to its whole path and to every beginning of it, once.
 */
#include "profile/profile.h"

#include <stdlib.h>
#include <string.h>

enum { PATH = 512, ROWS = 2048 };

struct row {
    char path[PATH];
    int depth, calls;
    double ms, memory_ms, bytes;
};

struct table {
    struct row *rows;
    int n;
};

static void add_row(struct table *t, const char *path, size_t length,
                    int depth, const struct profile_event *e)
{
    struct row *row = t->rows;

    while (row < t->rows + t->n && (strncmp(row->path, path, length) != 0 ||
                                    row->path[length] != '\0'))
        row++;
    if (row == t->rows + ROWS || length >= PATH)
        return; /* the sum's line shows that something is left out */
    if (row == t->rows + t->n) {
        *row = (struct row){.depth = depth};
        memcpy(row->path, path, length);
        t->n++;
    }
    row->calls++;
    row->ms += e->ms;
    row->memory_ms += e->memory_ms;
    row->bytes += e->bytes;
}

static void add_path(struct table *t, const char *path,
                     const struct profile_event *e)
{
    int depth = 0;

    for (size_t i = 1; i <= strlen(path); i++)
        if (path[i] == ';' || path[i] == '\0')
            add_row(t, path, i, depth++, e);
}

static void reversed(const char *phases, char *to)
{
    char parts[PATH], *part;

    snprintf(parts, sizeof parts, "%s", phases);
    while ((part = strrchr(parts, ';'))) {
        strcat(strcat(to, ";"), part + 1);
        *part = '\0';
    }
    if (*parts)
        strcat(strcat(to, ";"), parts);
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct row *)a)->path, ((const struct row *)b)->path);
}

static void print(const struct table *t, double whole, FILE *to)
{
    double sum = 0;

    fprintf(to, "  %10s %6s %6s %10s %10s\n", "ms", "%", "calls", "memory ms",
            "MB");
    for (int i = 0; i < t->n; i++) {
        const struct row *r = &t->rows[i];
        const char *name = strrchr(r->path, ';');

        fprintf(to, "  %10.4f %6.1f %6d %10.4f %10.3f  %*s%s\n", r->ms,
                whole > 0 ? 100 * r->ms / whole : 0.0, r->calls, r->memory_ms,
                r->bytes * 1e-6, 2 * r->depth, "", name ? name + 1 : r->path);
        sum += r->depth ? 0 : r->ms;
    }
    fprintf(to, "  %10.4f         of %.4f in all\n", sum, whole);
}

static struct table table_of(const struct profile *p, bool top_down)
{
    struct table t = {calloc(ROWS + 1, sizeof *t.rows), 0};
    char path[2 * PATH];

    if (!t.rows)
        abort();
    for (size_t i = 0; i < p->n; i++) {
        const struct profile_event *e = &p->events[i];

        if (e->clock != PROFILE_DEVICE)
            continue;
        if (strlen(e->phases) + strlen(e->name) + 2 > PATH)
            continue;
        if (top_down) {
            snprintf(path, sizeof path, "%s%s%s", e->phases,
                     *e->phases ? ";" : "", e->name);
        } else {
            snprintf(path, sizeof path, "%s", e->name);
            reversed(e->phases, path);
        }
        add_path(&t, path, e);
    }
    qsort(t.rows, (size_t)t.n, sizeof *t.rows, by_path);
    return t;
}

void profile_tables(const struct profile *p, FILE *to)
{
    for (int top_down = 1; top_down >= 0; top_down--) {
        struct table t = table_of(p, top_down);

        fprintf(to, "%s, the device's time, %s%s\n",
                top_down ? "From the top down" : "From the bottom up",
                p->predicted ? "PREDICTED for " : "measured",
                p->predicted ? p->gpu : "");
        print(&t, p->device_ms, to);
        free(t.rows);
    }
}
