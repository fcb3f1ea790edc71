// SPDX-License-Identifier: MIT
/*
 * compare.c: compares a recorded table with the simulator's reports, as TAP.
 *
 *   compare TABLE.csv FOLDER EXPLAINED   FOLDER/N.json: report of data row N
 *
 * Each recorded column is a test of its own:
 *   exact    global and asynchronous requests and sectors must be equal; the
 *            hardware's loads include the reads of asynchronous copies, whose
 *            sectors EXPLAINED may name
 *   shared   if the hardware made as many shared requests as the PTX, its
 *            wavefronts without conflicts must be equal, and its conflicts
 *            equal ours, or exceed them by what it counts twice (see below);
 *            otherwise EXPLAINED must name the reason
 *
 * The hard idea: the hardware's conflict counter differs between two runs of
 * one kernel, because it includes wavefronts that waited for something else: up
 * to three in a thousand here, and more where asynchronous copies or matrix
 * instructions use the same banks. Wavefronts minus conflicts does not differ.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

enum { KEYS = 4, LINE = 4096, COLUMNS = 32, EXPLANATIONS = 64, NAME = 48 };
#define COUNTED_TWICE 3e-3 /* of the wavefronts */

struct explanation {
    char key[LINE]; /* "06 forward shared_load B3 H5 L37 K11" */
    char why[NAME];
    bool needed;
};

struct table {
    char *name[COLUMNS], *field[COLUMNS];
    int n;
    const json_t *report;
    struct explanation explained[EXPLANATIONS];
    int n_explained;
    const char *why; /* the last difference's; or "" */
    int tests, failures;
};

/* Sum of one counter over the launches of a report; -1: no such report. */
static double counted(const struct table *t, const char *counter)
{
    json_t *launches = json_object_get(t->report, "launches"), *launch;
    size_t i;
    double sum = 0;
    if (json_array_size(launches) == 0)
        return -1;
    json_array_foreach(launches, i, launch)
        sum += json_number_value(json_object_get(
            json_object_get(launch, "counters"), counter));
    return sum;
}

/* The hardware's count; -1: not recorded. */
static double recorded(const struct table *t, const char *counter)
{
    for (int i = KEYS; i < t->n; i++)
        if (strcmp(t->name[i], counter) == 0)
            return *t->field[i] ? atof(t->field[i]) : -1;
    return -1;
}

static void test(struct table *t, bool ok, const char *what, double want,
                 double got, const char *note)
{
    t->failures += !ok;
    printf("%sok %d - %s %s %s: %s %.0f", ok ? "" : "not ", ++t->tests,
           t->field[0], t->field[1], t->field[3], what, want);
    if (want != got)
        printf(", simulated %.0f", got);
    printf("%s%s\n", *note ? ": " : "", note);
}

static const char *explain(struct table *t, const char *direction)
{
    char key[LINE];
    snprintf(key, sizeof key, "%s %s %s %s", t->field[0], t->field[1],
             direction, t->field[3]);
    for (int i = 0; i < t->n_explained; i++)
        if (strcmp(t->explained[i].key, key) == 0) {
            t->explained[i].needed = true;
            return t->explained[i].why;
        }
    return NULL;
}

/*
 * also: a counter that the hardware includes in this one; or NULL. Where it is
 * known to be so, the hardware has more sectors in as many requests, as many
 * sectors in more requests, or more of both because blocks poll.
 */
static void exact(struct table *t, const char *counter, const char *also)
{
    double want = recorded(t, counter);
    double got = counted(t, counter) + (also ? counted(t, also) : 0);
    if (want < 0)
        return;
    bool sectors = !strcmp(counter, "global_load_sectors");
    const char *why =
        want > got && (sectors || !strcmp(counter, "global_load_requests"))
            ? explain(t, "global_load")
            : NULL;
    bool known = why && want <= 1.1 * got &&
                 (!strcmp(why, "polls") ||
                  !strcmp(why, sectors ? "more-sectors" : "split"));
    test(t, got == want || known, counter, want, got, known ? why : "");
}

static double named(double value(const struct table *, const char *),
                    const struct table *t, const char *direction,
                    const char *what)
{
    char counter[2 * NAME];
    snprintf(counter, sizeof counter, "%s_%s", direction, what);
    return value(t, counter);
}

/* The reason must fit the kind of difference. */
static void differs(struct table *t, const char *direction, double want,
                    double got)
{
    const char *why = explain(t, direction);
    bool fewer = want < got;
    bool ok = why && (fewer ? !strcmp(why, "merged") ||
                                  !strcmp(why, "sunk") ||
                                  !strcmp(why, "matrix") ||
                                  !strcmp(why, "cluster")
                            : !strcmp(why, "split"));
    char what[NAME];
    t->why = why ? why : "";
    snprintf(what, sizeof what, "%s_requests", direction);
    test(t, ok, what, want, got,
         why ? why : "not explained: see tests/hardware/explained");
}

/* As many requests, and yet fewer passes: where it is known to be so. */
static void passes(struct table *t, const char *direction, const char *what,
                   double want, double got)
{
    const char *why = want < got ? explain(t, direction) : NULL;
    bool known = why && !strcmp(why, "fewer-passes");
    test(t, want == got || known, what, want, got, known ? why : "");
}

static void shared(struct table *t, const char *direction)
{
    double want = named(recorded, t, direction, "requests");
    double got = named(counted, t, direction, "requests");
    char what[NAME];
    if (want < 0 || (want == 0 && got == 0))
        return;
    if (want != got) {
        differs(t, direction, want, got);
        if (strcmp(t->why, "matrix") != 0)
            return; // other accesses, so other wavefronts
    }
    double waves = named(recorded, t, direction, "wavefronts");
    double extra = named(recorded, t, direction, "conflicts");
    double our_waves = named(counted, t, direction, "wavefronts");
    double our_extra = named(counted, t, direction, "conflicts");
    snprintf(what, sizeof what, "%s wavefronts without conflicts", direction);
    passes(t, direction, what, waves - extra, our_waves - our_extra);
    snprintf(what, sizeof what, "%s_conflicts", direction);
    bool beside = counted(t, "async_copy_requests") > 0 ||
                  counted(t, "bulk_load_bytes") > 0;
    test(t,
         extra >= our_extra &&
             (beside || extra - our_extra <= COUNTED_TWICE * waves),
         what, extra, our_extra,
         extra <= our_extra ? ""
         : beside           ? "waited for copies"
                            : "counted twice");
}

static void compare_row(struct table *t)
{
    static const char *const counters[][2] = {
        {"global_load_requests", "async_copy_fetches"},
        {"global_load_sectors", "async_copy_sectors"},
        {"global_store_requests", NULL},
        {"global_store_sectors", NULL},
        {"async_copy_requests", NULL},
        {"async_copy_sectors", NULL},
    };
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        exact(t, counters[i][0], counters[i][1]);
    shared(t, "shared_load");
    shared(t, "shared_store");
}

/* In place; an empty field stays one. */
static int split(char *line, char **field)
{
    int n = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *f; n < COLUMNS && (f = strsep(&line, ","));)
        field[n++] = f;
    return n;
}

static bool read_explained(struct table *t, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[LINE], chapter[8], kernel[NAME], direction[NAME];
    while (file && fgets(line, sizeof line, file)) {
        struct explanation *e = &t->explained[t->n_explained];
        int at = 0;
        line[strcspn(line, "\n")] = '\0';
        char *why = strrchr(line, ' ');
        if (line[0] == '#' || !why ||
            sscanf(line, "%7s %47s %47s %n", chapter, kernel, direction,
                   &at) != 3)
            continue;
        snprintf(e->why, sizeof e->why, "%s", why + 1);
        while (why > line && why[-1] == ' ')
            why--;
        snprintf(e->key, sizeof e->key, "%s %s %s %.*s", chapter, kernel,
                 direction, (int)(why - line - at), line + at);
        if (++t->n_explained == EXPLANATIONS)
            break;
    }
    if (file)
        fclose(file);
    return file != NULL;
}

static void find_stale(struct table *t)
{
    for (int i = 0; i < t->n_explained; i++)
        if (!t->explained[i].needed) {
            t->failures++;
            printf("not ok %d - %s: explained, and nothing differs\n",
                   ++t->tests, t->explained[i].key);
        }
}

static void compare_table(struct table *t, FILE *file, const char *folder)
{
    char line[LINE], head[LINE] = "", path[LINE];
    int row = 0, columns = 0;
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#')
            continue;
        if (!head[0]) {
            columns = split(strcpy(head, line), t->name);
            continue;
        }
        int n = split(line, t->field);
        t->n = n < columns ? n : columns;
        snprintf(path, sizeof path, "%.4000s/%d.json", folder, ++row);
        json_t *report = json_load_file(path, 0, NULL);
        t->report = report;
        compare_row(t);
        json_decref(report);
    }
}

int main(int argc, char **argv)
{
    static struct table t;
    if (argc != 4) {
        fprintf(stderr, "usage: compare TABLE.csv FOLDER EXPLAINED\n");
        return 2;
    }
    FILE *file = fopen(argv[1], "r");
    if (!file || !read_explained(&t, argv[3])) {
        perror(file ? argv[3] : argv[1]);
        return 2;
    }
    compare_table(&t, file, argv[2]);
    fclose(file);
    find_stale(&t);
    printf("1..%d\n", t.tests);
    return t.failures > 0 || t.tests == 0;
}
