// SPDX-License-Identifier: MIT
/*
 * prefix.c: see prefix.h.
 *
 * cuda_runtime.h and what it includes take g++ 60 ms, are the same in front of
 * each source, and leave nothing behind but declarations and macros. So g++
 * reads them once per set of options, before an empty source, and -dD keeps the
 * macros apart: build/lean/KEY.ii is the text, KEY.h all #define and #undef in
 * their order, which take 3 ms. Which of them are of system headers is kept,
 * too, since g++ marks what comes of such.
 *
 * A header that changed later than these files were written makes them anew.
 * `#pragma once` and __COUNTER__ would not be kept; no such header is included.
 */
#include "prefix.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH = 4096 };

struct prefix {
    char *text, *macros, *folder;
};

static char *format(const char *how, ...)
{
    va_list args;
    char *s;

    va_start(args, how);
    if (vasprintf(&s, how, args) < 0)
        exit(1);
    va_end(args);
    return s;
}

char *prefix_read(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = NULL;
    long n;

    if (f && fseek(f, 0, SEEK_END) == 0 && (n = ftell(f)) >= 0 &&
        (text = malloc((size_t)n + 2))) {
        *text++ = '\n';
        rewind(f);
        text[fread(text, 1, (size_t)n, f)] = '\0';
    }
    if (f)
        fclose(f);
    return text;
}

static int find(char **argv, const char *word)
{
    for (int i = 1; argv[i]; i++)
        if (strcmp(argv[i], word) == 0)
            return i;
    return 0;
}

static void add(uint64_t *key, const char *s)
{
    do
        *key = (*key ^ (unsigned char)*s) * 0x100000001b3u;
    while (*s++);
}

/* Beside build/bin, by all options and the folder that they start from; false
 * if there is no such place. */
static bool find_place(struct prefix *p, int argc, char **argv)
{
    uint64_t key = 0xcbf29ce484222325u;
    char own[PATH], here[PATH];
    ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);

    if (n <= 0 || !getcwd(here, sizeof here))
        return false;
    own[n] = '\0';
    for (int up = 0; up < 2; up++)
        if (strrchr(own, '/'))
            *strrchr(own, '/') = '\0';
    add(&key, here);
    for (int i = 1; i < argc - 3; i++)
        add(&key, argv[i]);
    p->folder = format("%s/lean", own);
    mkdir(p->folder, 0777);
    p->text = format("%s/%016lx.ii", p->folder, (unsigned long)key);
    p->macros = format("%s/%016lx.h", p->folder, (unsigned long)key);
    return true;
}

static bool is_before(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec < b->tv_sec ||
           (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

/* Has no file that the text names changed since it was written? */
static bool is_fresh(const char *text, const struct stat *written)
{
    char path[PATH];
    struct stat s;

    for (const char *at = text; (at = strstr(at, "\n# ")); at++) {
        const char *name = at + strcspn(at + 1, "\"\n") + 2;
        size_t n = strcspn(name, "\"\n");

        if (name[-1] != '"' || name[0] != '/' || n >= PATH)
            continue;
        memcpy(path, name, n);
        path[n] = '\0';
        if (strcmp(path, "/dev/null") != 0 &&
            (stat(path, &s) != 0 || !is_before(&s.st_ctim, &written->st_mtim)))
            return false;
    }
    return true;
}

static bool read_headers(char **argv, int argc, const char *out)
{
    char **all = calloc((size_t)argc + 2, sizeof *all);
    pid_t child;
    int status;

    if (!all)
        return false;
    memcpy(all, argv, (size_t)argc * sizeof *all);
    all[0] = "g++";
    all[argc - 3] = "/dev/null";
    all[argc - 1] = (char *)out;
    all[argc] = "-dD";
    child = fork();
    if (child == 0) {
        execvp(all[0], all);
        _exit(127);
    }
    free(all);
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* " 3" of a system header's line `# 1 "file" 1 3`, " 3 4" of one in C. */
static const char *kind_of(const char *flags)
{
    if (!strchr(flags, '3'))
        return "";
    return strchr(flags, '4') ? " 3 4" : " 3";
}

/* Those of <built-in> and <command-line>, which each source has anyway, have no
 * file of their own. */
static void write_macros(FILE *text, FILE *macros, char *all)
{
    const char *kind = "", *was = "";
    bool of_file = false;
    char *line = all, *end;

    for (; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        if (line[0] == '#' && line[1] == ' ' && strchr(line, '"')) {
            of_file = strchr(line, '"')[1] == '/';
            kind = kind_of(strrchr(line, '"'));
        } else if (strncmp(line, "#define ", 8) == 0 ||
                   strncmp(line, "#undef ", 7) == 0) {
            if (of_file && strcmp(kind, was) != 0)
                fprintf(macros, "# 1 \"macros\"%s\n", was = kind);
            if (of_file)
                fprintf(macros, "%s\n", line);
            line = end;
        }
        fprintf(text, "%s\n", line);
    }
}

static bool put(const char *from, const char *to, FILE *f)
{
    return fclose(f) == 0 && rename(from, to) == 0;
}

static void make(const struct prefix *p, char **argv, int argc)
{
    char *folder = format("%s/XXXXXX", p->folder), *all = NULL;
    char *out, *text, *macros;
    FILE *t = NULL, *m = NULL;

    if (!mkdtemp(folder))
        return;
    out = format("%s/all.ii", folder);
    text = format("%s/text", folder);
    macros = format("%s/macros", folder);
    if (read_headers(argv, argc, out) && (all = prefix_read(out)) &&
        (t = fopen(text, "w")) && (m = fopen(macros, "w"))) {
        write_macros(t, m, all);
        if (put(macros, p->macros, m))
            put(text, p->text, t);
    }
    unlink(out);
    unlink(text);
    unlink(macros);
    rmdir(folder);
}

static char *kept(const struct prefix *p)
{
    struct stat s;
    char *text = stat(p->text, &s) == 0 && access(p->macros, R_OK) == 0
                     ? prefix_read(p->text)
                     : NULL;

    return text && is_fresh(text - 1, &s) ? text : NULL;
}

char *prefix_take(int argc, char **argv)
{
    static struct prefix p;
    int include = find(argv, "-include");
    char *text;

    if (!include || strcmp(argv[include + 1], "cuda_runtime.h") != 0 ||
        find(argv, "-o") != argc - 2 || !find_place(&p, argc, argv))
        return NULL;
    text = kept(&p);
    if (!text) {
        make(&p, argv, argc);
        text = kept(&p);
    }
    if (text)
        argv[include + 1] = p.macros;
    return text;
}
