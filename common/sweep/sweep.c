// SPDX-License-Identifier: MIT
/*
 * sweep.c: reads and writes sweeps; see sweep.h.
 */
#include "sweep/sweep.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_BYTES = 512, FIELDS = SWEEP_DIMS + 5 };

static const char *const set_names[] = {
#define X(name) #name,
    SWEEP_SETS(X)
#undef X
};

static const char *const outcome_names[] = {
#define X(name) #name,
    SWEEP_OUTCOMES(X)
#undef X
};

static const struct about_field {
    const char *name;
    size_t at;
    bool must;
} about_fields[] = {
#define X(name, must) {#name, offsetof(struct sweep_about, name), must},
    SWEEP_ABOUT(X)
#undef X
};
enum { ABOUT = sizeof about_fields / sizeof *about_fields };

static char *about_at(const struct sweep_about *about, int field)
{
    return (char *)about + about_fields[field].at;
}

/* Reading ---------------------------------------------------------------- */

struct reader {
    const char *path;
    int line;
    struct sweep *sweep;
    bool columns; /* their names have been read */
    char *error;
    size_t error_size;
};

static bool fail(struct reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool fail(struct reader *r, const char *format, ...)
{
    int n = snprintf(r->error, r->error_size, "%s:%d: ", r->path, r->line);
    va_list args;

    va_start(args, format);
    if (n > 0 && (size_t)n < r->error_size)
        vsnprintf(r->error + n, r->error_size - (size_t)n, format, args);
    va_end(args);
    return false;
}

static int index_of(const char *word, const char *const *names, int n)
{
    for (int i = 0; i < n; i++)
        if (strcmp(word, names[i]) == 0)
            return i;
    return -1;
}

/* Cuts a line at its tabs. */
static int split(char *line, char *fields[FIELDS + 1])
{
    int n = 0;

    for (char *rest = line, *field; (field = strsep(&rest, "\t"));)
        if (n <= FIELDS)
            fields[n++] = field;
    return n;
}

static bool read_about(struct reader *r, char *line)
{
    char *tab = strchr(line, '\t');

    if (!tab)
        return fail(r, "after # stand a name, a tab and a value");
    *tab = '\0';
    for (int i = 0; i < ABOUT; i++)
        if (strcmp(line, about_fields[i].name) == 0) {
            snprintf(about_at(&r->sweep->about, i), SWEEP_TEXT, "%s", tab + 1);
            return true;
        }
    return fail(r, "nothing is called \"%s\" here", line);
}

static bool read_columns(struct reader *r, char *fields[], int n)
{
    struct sweep *s = r->sweep;

    s->n_dims = n - 5;
    if (s->n_dims < 1 || s->n_dims > SWEEP_DIMS ||
        strcmp(fields[0], "set") != 0 || strcmp(fields[n - 1], "ms") != 0)
        return fail(r, "the columns are: set, the extents, kernel, repeat, "
                    "outcome, ms");
    for (int i = 0; i < s->n_dims; i++)
        snprintf(s->dim_name[i], SWEEP_NAME, "%s", fields[1 + i]);
    r->columns = true;
    return true;
}

void sweep_keep(struct sweep *s, const struct sweep_row *row)
{
    enum { STEP = 256 };

    if (s->n_rows % STEP == 0) {
        s->rows = realloc(s->rows, (size_t)(s->n_rows + STEP) *
                                       sizeof *s->rows);
        if (!s->rows)
            abort();
    }
    s->rows[s->n_rows++] = *row;
}

static bool read_row(struct reader *r, char *fields[], int n)
{
    const int dims = r->sweep->n_dims;
    struct sweep_row row = {.ms = NAN};
    int set = index_of(fields[0], set_names, SWEEP_N_SETS), outcome;
    char *end;

    if (n != dims + 5)
        return fail(r, "a row has %d columns, not %d", dims + 5, n);
    outcome = index_of(fields[dims + 3], outcome_names, SWEEP_N_OUTCOMES);
    if (set < 0 || outcome < 0)
        return fail(r, "no set, or no outcome, is called so");
    row.set = (enum sweep_set)set;
    row.outcome = (enum sweep_outcome)outcome;
    for (int i = 0; i < dims; i++)
        if ((row.dim[i] = atoi(fields[1 + i])) < 1)
            return fail(r, "%s is at least 1", r->sweep->dim_name[i]);
    snprintf(row.kernel, sizeof row.kernel, "%s", fields[dims + 1]);
    row.repeat = atoi(fields[dims + 2]);
    if (row.outcome == SWEEP_ok) {
        row.ms = strtod(fields[dims + 4], &end);
        if (*end || !(row.ms > 0) || isinf(row.ms))
            return fail(r, "\"%s\" is no time", fields[dims + 4]);
    } else if (strcmp(fields[dims + 4], "-") != 0) {
        snprintf(row.why, sizeof row.why, "%s", fields[dims + 4]);
    }
    sweep_keep(r->sweep, &row);
    return true;
}

static bool read_line(struct reader *r, char *line)
{
    char *fields[FIELDS + 1];
    int n;

    if (line[0] == '#')
        return read_about(r, line + 1 + (line[1] == ' '));
    n = split(line, fields);
    return r->columns ? read_row(r, fields, n) : read_columns(r, fields, n);
}

bool sweep_read(const char *path, struct sweep *sweep, char *error,
                size_t error_size)
{
    struct reader r = {.path = path, .sweep = sweep, .error = error,
                       .error_size = error_size};
    FILE *file = fopen(path, "r");
    char line[LINE_BYTES];
    bool ok = file != NULL;

    memset(sweep, 0, sizeof *sweep);
    if (!file)
        snprintf(error, error_size, "there is no %s", path);
    while (ok && fgets(line, sizeof line, file)) {
        size_t n = strlen(line);

        r.line++;
        if (line[n - 1] != '\n')
            ok = fail(&r, "half a line; the next sweep into this file cuts it "
                      "off");
        line[n - 1] = '\0';
        ok = ok && read_line(&r, line);
    }
    if (file)
        fclose(file);
    if (ok && !r.columns)
        ok = fail(&r, "it has no line with the names of the columns");
    if (!ok)
        sweep_free(sweep);
    return ok;
}

void sweep_free(struct sweep *sweep)
{
    free(sweep->rows);
    sweep->rows = NULL;
    sweep->n_rows = 0;
}

/* Adding ----------------------------------------------------------------- */

/* What an interrupted run left behind its last whole line. */
static bool cut_half_line(const char *path)
{
    FILE *file = fopen(path, "r");
    long at = 0, whole = 0;

    if (!file)
        return false;
    for (int c; (c = getc(file)) != EOF;) {
        at++;
        if (c == '\n')
            whole = at;
    }
    fclose(file);
    return whole == at || truncate(path, whole) == 0;
}

static bool is_same(const struct sweep *there, const struct sweep *wanted,
                    const char *path, char *error, size_t error_size)
{
    for (int i = 0; i < ABOUT; i++) {
        const char *old = about_at(&there->about, i);
        const char *new = about_at(&wanted->about, i);

        if (about_fields[i].must && strcmp(old, new) != 0) {
            snprintf(error, error_size,
                     "the rows of %s have %s %s; now it is %s. Give another "
                     "file, TO=FILE, or delete this one", path,
                     about_fields[i].name, old, new);
            return false;
        }
    }
    for (int i = 0; i < wanted->n_dims; i++)
        if (there->n_dims != wanted->n_dims ||
            strcmp(there->dim_name[i], wanted->dim_name[i]) != 0) {
            snprintf(error, error_size, "%s has other extents", path);
            return false;
        }
    return true;
}

static bool write_head(FILE *file, const struct sweep *s)
{
    for (int i = 0; i < ABOUT; i++)
        fprintf(file, "# %s\t%s\n", about_fields[i].name,
                about_at(&s->about, i));
    fprintf(file, "set");
    for (int i = 0; i < s->n_dims; i++)
        fprintf(file, "\t%s", s->dim_name[i]);
    fprintf(file, "\tkernel\trepeat\toutcome\tms\n");
    return fflush(file) == 0;
}

FILE *sweep_open(const char *path, const struct sweep *wanted,
                 struct sweep *sweep, char *error, size_t error_size)
{
    bool is_new = access(path, F_OK) != 0;
    FILE *file;

    *sweep = *wanted;
    sweep->rows = NULL;
    sweep->n_rows = 0;
    if (!is_new && (!cut_half_line(path) ||
                    !sweep_read(path, sweep, error, error_size)))
        return NULL;
    if (!is_new && !is_same(sweep, wanted, path, error, error_size)) {
        sweep_free(sweep);
        return NULL;
    }
    file = fopen(path, "a");
    if (!file || (is_new && !write_head(file, sweep))) {
        snprintf(error, error_size, "%s cannot be written", path);
        sweep_free(sweep);
        if (file)
            fclose(file);
        return NULL;
    }
    return file;
}

/* One write: a buffer larger than any line, flushed at its end. */
bool sweep_add(FILE *file, struct sweep *sweep, const struct sweep_row *row)
{
    fprintf(file, "%s", set_names[row->set]);
    for (int i = 0; i < sweep->n_dims; i++)
        fprintf(file, "\t%d", row->dim[i]);
    fprintf(file, "\t%s\t%d\t%s\t", row->kernel, row->repeat,
            outcome_names[row->outcome]);
    if (row->outcome == SWEEP_ok)
        fprintf(file, "%.9g\n", row->ms);
    else
        fprintf(file, "%s\n", row->why[0] ? row->why : "-");
    sweep_keep(sweep, row);
    return fflush(file) == 0;
}

static bool same_shape(const int *a, const int *b)
{
    return memcmp(a, b, SWEEP_DIMS * sizeof *a) == 0;
}

static bool is_of_shape(const struct sweep_row *row,
                        const struct sweep_row *of)
{
    return row->set == of->set && same_shape(row->dim, of->dim);
}

struct sweep sweep_of_shape(const struct sweep *sweep,
                            const struct sweep_row *of)
{
    struct sweep rows = *sweep;

    rows.rows = NULL;
    rows.n_rows = 0;
    for (int i = 0; i < sweep->n_rows; i++)
        if (is_of_shape(&sweep->rows[i], of))
            sweep_keep(&rows, &sweep->rows[i]);
    return rows;
}

const struct sweep_row *sweep_find(const struct sweep *sweep,
                                   const struct sweep_row *of)
{
    for (int i = 0; i < sweep->n_rows; i++) {
        const struct sweep_row *r = &sweep->rows[i];

        if (r->repeat == of->repeat && is_of_shape(r, of) &&
            strcmp(r->kernel, of->kernel) == 0)
            return r;
    }
    return NULL;
}
