// SPDX-License-Identifier: MIT
/*
 * depends.c: which files a build depends on; see depends.h.
 *
 * The headers that a source may include are listed before nvcc runs, used or
 * not: one that is added can take the place of another. What nvcc read besides
 * (`#include "taps.inc"`, a file of another folder) is known only after it ran,
 * from the make rule that it writes.
 */
#include "depends.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "check/base/sha256.h"

/* The folder of a path, "." for a bare name. */
static void folder_of(const char *path, char folder[PATH_BYTES])
{
    const char *slash = strrchr(path, '/');

    if (slash)
        path_set(folder, "%.*s", (int)(slash - path), path);
    else
        path_set(folder, ".");
}

static void add_matches(glob_t *files, const char *folder, const char *what,
                        bool first)
{
    char pattern[PATH_BYTES];

    path_set(pattern, "%s/%s", folder, what);
    glob(pattern, first ? 0 : GLOB_APPEND, NULL, files);
}

static void find_headers(const char *source, glob_t *files)
{
    char folder[PATH_BYTES];

    folder_of(source, folder);
    add_matches(files, "common/op", "*.h", true);
    add_matches(files, "common/op", "*.cuh", false);
    add_matches(files, folder, "*.h", false);
    add_matches(files, folder, "*.cuh", false);
}

bool depends_special(const char *source, char path[PATH_BYTES])
{
    const char *bad = file_is_special(source) ? source : NULL;
    glob_t files = {0};

    find_headers(source, &files);
    for (size_t i = 0; !bad && i < files.gl_pathc; i++)
        if (file_is_special(files.gl_pathv[i]))
            bad = files.gl_pathv[i];
    if (bad)
        path_set(path, "%s", bad);
    globfree(&files);
    return bad;
}

/* A line as sha256sum prints it; false, with the reason in its place. */
static bool add_sum(struct text *sums, const char *path)
{
    char hex[SHA256_HEX];
    struct sha256 s;

    sha256_begin(&s);
    if (!sha256_file(&s, path)) {
        text_add(sums, "%s: %s\n", path, strerror(errno));
        return false;
    }
    sha256_end(&s, hex);
    text_add(sums, "%s  %s\n", hex, path);
    return true;
}

bool depends_list(const char *source, struct text *sums)
{
    bool ok = add_sum(sums, source);
    glob_t files = {0};

    find_headers(source, &files);
    for (size_t i = 0; ok && i < files.gl_pathc; i++)
        ok = add_sum(sums, files.gl_pathv[i]);
    globfree(&files);
    return ok;
}

/* The next path of a make rule, unescaped; false at its end. */
static bool next_path(const char **rule, char path[PATH_BYTES])
{
    const char *s = *rule;
    size_t n = 0;

    while (*s == ' ' || *s == '\n' || (*s == '\\' && s[1] == '\n'))
        s += *s == '\\' ? 2 : 1;
    for (; *s && *s != ' ' && *s != '\n' && n + 1 < PATH_BYTES; s++) {
        if ((*s == '\\' && (s[1] == ' ' || s[1] == '#')) ||
            (*s == '$' && s[1] == '$'))
            s++;
        else if (*s == '\\' && s[1] == '\n')
            break;
        path[n++] = *s;
    }
    path[n] = '\0';
    *rule = s;
    return n > 0;
}

/* nvcc names its own headers by way of its program's folder. */
static bool is_toolkits(const struct toolkit *toolkit, const char *path)
{
    char own[PATH_BYTES];

    folder_of(toolkit->nvcc, own);
    return strncmp(path, own, strlen(own)) == 0 ||
           strncmp(path, "/usr/include/", strlen("/usr/include/")) == 0;
}

static bool is_listed(const struct text *sums, const char *path)
{
    char line[PATH_BYTES + 4];

    snprintf(line, sizeof line, "  %s\n", path);
    return strstr(text_get(sums), line) != NULL;
}

/* Neither edited nor made since. */
static bool is_older(const char *path, const struct timespec *begun)
{
    struct stat s;

    return stat(path, &s) == 0 &&
           (s.st_mtim.tv_sec < begun->tv_sec ||
            (s.st_mtim.tv_sec == begun->tv_sec &&
             s.st_mtim.tv_nsec <= begun->tv_nsec));
}

bool depends_read(const char *rule, const struct toolkit *toolkit,
                  const struct timespec *begun, struct text *sums)
{
    struct text all = {0};
    bool ok = file_read(rule, &all);
    const char *at = ok ? strstr(text_get(&all), " : ") : NULL;
    char path[PATH_BYTES];

    ok = at != NULL;
    for (at = ok ? at + 3 : ""; ok && next_path(&at, path);) {
        if (is_toolkits(toolkit, path) || is_listed(sums, path))
            continue;
        ok = is_older(path, begun) && add_sum(sums, path);
    }
    text_free(&all);
    return ok;
}

bool depends_same(const char *sums)
{
    enum { DIGEST = SHA256_HEX - 1 + 2 };
    struct text copy = {0}, now = {0};
    bool same = true;
    char *line, *save = NULL;

    text_add(&copy, "%s", sums);
    for (line = copy.s ? strtok_r(copy.s, "\n", &save) : NULL; line && same;
         line = strtok_r(NULL, "\n", &save))
        same = strlen(line) > DIGEST && add_sum(&now, line + DIGEST);
    same = same && strcmp(text_get(&now), sums) == 0;
    text_free(&copy);
    text_free(&now);
    return same;
}
