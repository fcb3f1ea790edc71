// SPDX-License-Identifier: MIT
/*
 * text.c: growing strings and small file helpers; see text.h.
 */
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void give_up(const char *format, ...)
{
    va_list args;

    fflush(stdout);
    va_start(args, format);
    fputs("check: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

void *check_alloc(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size ? size : 1);

    if (!p)
        give_up("out of memory: %zu x %zu bytes were asked for", count, size);
    return p;
}

void text_add(struct text *text, const char *format, ...)
{
    va_list args;
    int n;
    char *s;

    va_start(args, format);
    n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    s = realloc(text->s, text->n + (size_t)n + 1);
    if (!s)
        give_up("out of memory for a report of %zu bytes", text->n + (size_t)n);
    va_start(args, format);
    vsnprintf(s + text->n, (size_t)n + 1, format, args);
    va_end(args);
    text->s = s;
    text->n += (size_t)n;
}

void text_free(struct text *text)
{
    free(text->s);
    *text = (struct text){0};
}

const char *text_get(const struct text *text)
{
    return text->s ? text->s : "";
}

void path_set(char path[PATH_BYTES], const char *format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(path, PATH_BYTES, format, args);
    va_end(args);
    if (n < 0 || n >= PATH_BYTES)
        give_up("a path is longer than %d bytes: %s", PATH_BYTES - 1, path);
}

/* Whoever opens a pipe otherwise waits for its writer. */
static FILE *open_regular(const char *path)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat st;

    if (fd < 0)
        return NULL;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        return fdopen(fd, "rb");
    close(fd);
    errno = EINVAL;
    return NULL;
}

bool file_read(const char *path, struct text *out)
{
    FILE *in = open_regular(path);
    char block[4096];
    size_t n;
    bool ok;

    if (!in)
        return false;
    while ((n = fread(block, 1, sizeof block, in)) > 0) {
        char *s = realloc(out->s, out->n + n + 1);

        if (!s)
            give_up("out of memory while reading %s", path);
        memcpy(s + out->n, block, n);
        out->s = s;
        out->n += n;
        out->s[out->n] = '\0';
    }
    ok = !ferror(in);
    fclose(in);
    return ok;
}

/* A device or a pipe (JSON=/dev/stdout) is written to, never replaced. */
static bool is_replaceable(const char *path)
{
    struct stat st;

    return lstat(path, &st) != 0 || S_ISREG(st.st_mode);
}

bool file_write(const char *path, const char *s, size_t n)
{
    bool replace = is_replaceable(path);
    char beside[PATH_BYTES];
    FILE *out;
    bool ok;
    int saved;

    if (replace)
        path_set(beside, "%s.%ld", path, (long)gettid());
    else
        path_set(beside, "%s", path);
    if (!dir_make_for(path) || !(out = fopen(beside, "wb")))
        return false;
    ok = fwrite(s, 1, n, out) == n;
    ok = fclose(out) == 0 && ok;
    ok = ok && (!replace || rename(beside, path) == 0);
    saved = errno;
    if (!ok && replace)
        unlink(beside);
    errno = saved;
    return ok;
}

bool file_is_special(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0 && !S_ISREG(s.st_mode);
}

bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool dir_make_for(const char *path)
{
    char part[PATH_BYTES];

    path_set(part, "%s", path);
    for (char *slash = strchr(part + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return false;
        *slash = '/';
    }
    return true;
}
