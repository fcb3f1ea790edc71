// SPDX-License-Identifier: MIT
/*
 * facts.c: lines for scripts; see facts.h. Each chapter.conf is read by
 * conf_read first: a file with a slip in it is an error and prints nothing.
 */
#include "facts.h"

#include <glob.h>
#include <ini.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/base/text.h"
#include "check/conf/conf.h"
#include "check/conf/holes.h"
#include "check/judge/verdict.h"

/* Calls `print` for each path that matches; false where one call says so. */
static bool each(const char *pattern, bool (*print)(const char *path))
{
    glob_t found;
    bool ok = true;

    if (glob(pattern, GLOB_BRACE, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            ok &= print(found.gl_pathv[i]);
    globfree(&found);
    return ok;
}

static bool print_verdicts(void)
{
    for (int v = 0; v < VERDICTS; v++)
        printf("%s\t%d\t%s\n", verdict_table[v].name,
               verdict_table[v].exit_code,
               verdict_table[v].right ? "right" : "wrong");
    return true;
}

static int print_key(void *number, const char *section, const char *key,
                     const char *value)
{
    printf("%s\t%s\t%s\t%s\n", (const char *)number, section, key, value);
    return 1;
}

/* path: "chapters/05-dwconv-coalesced/chapter.conf" */
static bool print_chapter(const char *path)
{
    struct conf conf;
    char error[512], number[3];

    if (!conf_read(path, &conf, error, sizeof error)) {
        fprintf(stderr, "check: %s\n", error);
        return false;
    }
    snprintf(number, sizeof number, "%s", path + strlen("chapters/"));
    return ini_parse(path, print_key, number) == 0;
}

static bool print_holes(const char *path)
{
    struct hole holes[HOLES_MAX];
    int n = holes_find(path, holes);

    for (int i = 0; i < n; i++)
        printf("%s\t%s\t%d\t%d\n", path, holes[i].name, holes[i].line,
               holes[i].last_line);
    return n >= 0;
}

static void print_leaf(const char *path, const json_t *value)
{
    char *text = NULL;

    if (json_is_null(value))
        return;
    if (!json_is_string(value))
        text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    printf("%s\t", path);
    for (const char *at = text ? text : json_string_value(value); *at; at++)
        putchar(*at == '\t' || *at == '\n' ? ' ' : *at);
    putchar('\n');
    free(text);
}

static void print_json(const char *path, json_t *value)
{
    char inner[PATH_BYTES];
    const char *slash = *path ? "/" : "", *key, *name;
    json_t *child;
    size_t i;

    if (json_is_object(value)) {
        json_object_foreach(value, key, child) {
            path_set(inner, "%s%s%s", path, slash, key);
            print_json(inner, child);
        }
    } else if (json_is_array(value)) {
        json_array_foreach(value, i, child) {
            name = json_string_value(json_object_get(child, "name"));
            if (name)
                path_set(inner, "%s%s%s", path, slash, name);
            else
                path_set(inner, "%s%s%zu", path, slash, i + 1);
            print_json(inner, child);
        }
    } else {
        print_leaf(path, value);
    }
}

static bool print_file(const char *path)
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);

    if (!root) {
        fprintf(stderr, "check: %s:%d: %s\n", path, error.line, error.text);
        return false;
    }
    print_json("", root);
    json_decref(root);
    return true;
}

static bool print(const char *what)
{
    size_t n = strlen(what);

    if (strcmp(what, "verdicts") == 0)
        return print_verdicts();
    if (strcmp(what, "chapters") == 0)
        return each("chapters/[0-9][0-9]-*/chapter.conf", print_chapter);
    if (strcmp(what, "holes") == 0)
        return each("{chapters,solutions}/[0-9][0-9]-*/*.{cu,c}", print_holes);
    if (n > 5 && strcmp(what + n - 5, ".json") == 0)
        return print_file(what);
    fprintf(stderr, "check: --facts is verdicts, chapters, holes or FILE.json, "
                    "not: %s\n", what);
    return false;
}

int facts_print(const char *what, const char *root)
{
    if (chdir(root) != 0) {
        fprintf(stderr, "check: no folder %s\n", root);
        return 2;
    }
    return print(what) ? 0 : 2;
}
