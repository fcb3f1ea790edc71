// SPDX-License-Identifier: MIT
/*
 * results.c: what `make bench` keeps, as JSON with its provenance.
 *
 *   bench-results peers FILE KEY=VALUE...   from a peer's lines on stdin
 *   bench-results values FILE KEY=VALUE...  from `NAME NUMBER` lines on stdin
 *   bench-results stamp FILE KEY=VALUE...   a JSON file that is there already
 *   bench-results extend FILE KEY=VALUE...  the same: what it lacks, from JSON
 *                                           on stdin
 *
 * KEY=VALUE: gpu, driver, toolkit, date, commit, command: the "provenance" of
 * the file. FILE is written whole or not at all. A peer's lines:
 *
 *   version WHAT VALUE
 *   label   PEER WORDS                  as the book's tables call it
 *   shape   NAME SHAPE                  what it was asked for
 *   row     SHAPE/PATH/PEER MEDIAN LOW HIGH SAMPLES ERROR [SCRATCH]
 *           milliseconds; bytes of device memory beyond inputs and results
 *   absent  SHAPE/PATH/PEER WHY
 *
 * Any other line is an error: a program that says something else has gone
 * wrong. A peer without a single row leaves an earlier file as it is: that the
 * library is missing here takes nothing away from what was measured.
 */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 4096, MOST_WORDS = 9 };

static void fail(const char *what, const char *about)
    __attribute__((noreturn));
static void fail(const char *what, const char *about)
{
    fprintf(stderr, "bench-results: %s: %s\n", what, about);
    exit(1);
}

/* A line's words; the last one may be the rest of the line. */
struct words {
    int n;
    char *word[MOST_WORDS];
    char whole[LINE_BYTES], split[LINE_BYTES];
};

/* Reads a line and splits it; a row has seven or eight words, and the third one
 * of any other line is its rest. False at the end. */
static bool next_line(struct words *w)
{
    char *at = w->split;
    int most = 3;

    if (!fgets(w->whole, sizeof w->whole, stdin))
        return false;
    if (!strchr(w->whole, '\n') && !feof(stdin))
        fail("a line is too long", w->whole);
    w->whole[strcspn(w->whole, "\r\n")] = '\0';
    strcpy(w->split, w->whole);
    if (strncmp(w->whole, "row ", 4) == 0)
        most = MOST_WORDS;
    for (w->n = 0; w->n < most && *(at += strspn(at, " ")); w->n++) {
        w->word[w->n] = at;
        if (w->n + 1 < most) {
            at += strcspn(at, " ");
            if (*at)
                *at++ = '\0';
        }
    }
    return true;
}

static json_t *number(const char *text, const char *line)
{
    char *end;
    double value = strtod(text, &end);

    if (end == text || *end || !isfinite(value))
        fail("no number", line);
    return value == floor(value) && fabs(value) < 1e15
               ? json_integer((json_int_t)value) : json_real(value);
}

static void append(json_t *root, const char *list, json_t *item)
{
    json_array_append_new(json_object_get(root, list), item);
}

/* "study/forward/fft" -> "fft"; ours for a chapter's stage. */
static const char *peer_of(const char *name)
{
    const char *peer = strrchr(name, '/');

    peer = peer ? peer + 1 : name;
    return strncmp(peer, "chapter-", 8) == 0 ? "ours" : peer;
}

static bool has_label(const json_t *root, const char *peer)
{
    const json_t *label;
    size_t i;

    json_array_foreach(json_object_get(root, "labels"), i, label)
        if (strcmp(json_string_value(json_object_get(label, "name")), peer) ==
            0)
            return true;
    return false;
}

static json_t *row(const json_t *root, const struct words *w)
{
    json_t *row;

    if (!has_label(root, peer_of(w->word[1])))
        fail("no label line comes before", w->whole);
    row = json_pack("{ss s{so so so} so so}", "name", w->word[1], "ms",
                     "median", number(w->word[2], w->whole),
                     "low", number(w->word[3], w->whole),
                     "high", number(w->word[4], w->whole),
                     "samples", number(w->word[5], w->whole),
                     "error", number(w->word[6], w->whole));
    if (w->n > 7)
        json_object_set_new(row, "scratch_bytes",
                            number(w->word[7], w->whole));
    return row;
}

static void add_line(json_t *root, const struct words *w)
{
    const char *kind = w->n ? w->word[0] : "";

    if (strcmp(kind, "row") == 0 && (w->n == 7 || w->n == 8))
        append(root, "rows", row(root, w));
    else if (w->n != 3)
        fail("not understood", w->whole);
    else if (strcmp(kind, "version") == 0)
        json_object_set_new(json_object_get(root, "versions"), w->word[1],
                            json_string(w->word[2]));
    else if (strcmp(kind, "label") == 0)
        append(root, "labels", json_pack("{ss ss}", "name", w->word[1],
                                         "label", w->word[2]));
    else if (strcmp(kind, "shape") == 0)
        append(root, "shapes", json_pack("{ss ss}", "name", w->word[1],
                                         "shape", w->word[2]));
    else if (strcmp(kind, "absent") == 0)
        append(root, "absent", json_pack("{ss ss}", "name", w->word[1], "why",
                                         w->word[2]));
    else
        fail("not understood", w->whole);
}

static json_t *read_peer(json_t *provenance)
{
    json_t *root = json_pack("{si sO s{} s[] s[] s[] s[]}", "version", 2,
                             "provenance", provenance, "versions", "labels",
                             "shapes", "rows", "absent");
    static struct words w;

    while (next_line(&w))
        add_line(root, &w);
    return root;
}

static json_t *read_values(json_t *provenance)
{
    json_t *root = json_object();
    static struct words w;

    while (next_line(&w)) {
        if (w.n != 2)
            fail("not NAME NUMBER", w.whole);
        json_object_set_new(root, w.word[0], number(w.word[1], w.whole));
    }
    if (json_object_size(root) == 0)
        fail("no value", "on standard input");
    json_object_set(root, "provenance", provenance);
    return root;
}

static json_t *read_file(const char *path, json_t *provenance)
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);

    if (!json_is_object(root))
        fail(path, error.text);
    json_object_set(root, "provenance", provenance);
    return root;
}

static void write_file(const char *path, const json_t *root)
{
    char part[LINE_BYTES];
    int n = snprintf(part, sizeof part, "%s.part", path);

    if (n < 0 || (size_t)n >= sizeof part ||
        json_dump_file(root, part, JSON_INDENT(2)) != 0 ||
        rename(part, path) != 0)
        fail("cannot be written", path);
}

/* What is there stays, with its provenance. What is added has its own: under
 * "added", by its name. */
static json_t *extend_file(const char *path, json_t *provenance)
{
    json_error_t error, why;
    json_t *root = json_load_file(path, 0, &error), *value;
    json_t *more = json_loadf(stdin, 0, &why);
    json_t *added = json_object_get(root, "added");
    const char *key;

    if (!json_is_object(root))
        fail(path, error.text);
    if (!json_is_object(more))
        fail("standard input", why.text);
    if (!added)
        json_object_set_new(root, "added", added = json_object());
    json_object_foreach(more, key, value)
        if (!json_object_get(root, key)) {
            json_object_set(root, key, value);
            json_object_set(added, key, provenance);
        }
    if (json_object_size(added) == 0)
        json_object_del(root, "added");
    json_decref(more);
    return root;
}

/* Whether nothing was measured now, but something was before. */
static bool keeps_earlier(const char *path, const json_t *root)
{
    json_t *earlier = json_load_file(path, 0, NULL);
    bool keeps = json_array_size(json_object_get(root, "rows")) == 0 &&
                 json_array_size(json_object_get(earlier, "rows")) > 0;
    const json_t *why = json_array_get(json_object_get(root, "absent"), 0);

    json_decref(earlier);
    if (keeps)
        fprintf(stderr, "%s stays as it was: %s\n", path,
                why ? json_string_value(json_object_get(why, "why"))
                    : "no row was measured");
    return keeps;
}

static json_t *read_provenance(char **words)
{
    json_t *provenance = json_object();

    for (; *words; words++) {
        char *equals = strchr(*words, '=');

        if (!equals || !equals[1])
            fail("not KEY=VALUE", *words);
        *equals = '\0';
        json_object_set_new(provenance, *words, json_string(equals + 1));
    }
    return provenance;
}

int main(int argc, char **argv)
{
    json_t *provenance, *root;

    if (argc < 4) {
        fprintf(stderr, "bench-results peers|values|stamp|extend FILE "
                        "KEY=VALUE...\n");
        return 2;
    }
    provenance = read_provenance(argv + 3);
    if (strcmp(argv[1], "peers") == 0)
        root = read_peer(provenance);
    else if (strcmp(argv[1], "values") == 0)
        root = read_values(provenance);
    else if (strcmp(argv[1], "stamp") == 0)
        root = read_file(argv[2], provenance);
    else if (strcmp(argv[1], "extend") == 0)
        root = extend_file(argv[2], provenance);
    else
        fail("peers, values, stamp or extend, not", argv[1]);
    if (strcmp(argv[1], "peers") != 0 || !keeps_earlier(argv[2], root))
        write_file(argv[2], root);
    json_decref(root);
    json_decref(provenance);
    return 0;
}
