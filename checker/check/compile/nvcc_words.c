// SPDX-License-Identifier: MIT
/*
 * nvcc_words.c: reads compilers' messages; see nvcc_words.h.
 *
 * nvcc's own front end writes FILE(LINE): error: ..., the host compiler
 * FILE:LINE:COLUMN: error: ..., and both may print notes before it.
 */
#include "nvcc_words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* FILE(LINE) or FILE:LINE[:COLUMN] just before ": error". */
static bool place(const char *line, const char *error, char *file, size_t size,
                  int *number)
{
    const char *at = memchr(line, '(', (size_t)(error - line));
    size_t n;

    if (!at)
        at = memchr(line, ':', (size_t)(error - line));
    if (!at || at == line)
        return false;
    *number = atoi(at + 1);
    n = (size_t)(at - line);
    if (*number < 1 || n >= size)
        return false;
    memcpy(file, line, n);
    file[n] = '\0';
    return true;
}

/* Returns where the message ends; NULL: there is none of this kind. */
static const char *first(const char *kind, const char *words, char *file,
                         size_t file_size, int *line, char *message,
                         size_t message_size)
{
    for (const char *p = words; p && *p;) {
        const char *end = p + strcspn(p, "\n");
        const char *error = strstr(p, kind);

        if (error && error < end && error - p >= 2 && error[-1] == ' ') {
            const char *text = strchr(error, ':');

            /* "fatal error" and "catastrophic error" have a word before. */
            if (text && text < end &&
                place(p, error, file, file_size, line)) {
                text += 1 + strspn(text + 1, " ");
                snprintf(message, message_size, "%.*s", (int)(end - text),
                         text);
                return end;
            }
        }
        p = *end ? end + 1 : end;
    }
    return NULL;
}

bool nvcc_first_error(const char *words, char *file, size_t file_size,
                      int *line, char *message, size_t message_size)
{
    return first("error", words, file, file_size, line, message,
                 message_size) != NULL;
}

const char *nvcc_warning(const char *words, char *file, size_t file_size,
                         int *line, char *message, size_t message_size)
{
    return first("warning", words, file, file_size, line, message,
                 message_size);
}

/* "forward" of "_Z7forwardPKfS0_", "_ZL7forwardi"; "": it is no such name. */
static void plain_name(const char *mangled, char *name, size_t size)
{
    const char *p = mangled + strcspn(mangled, "0123456789'");
    size_t n = (size_t)atoi(p);

    p += strspn(p, "0123456789");
    name[0] = '\0';
    if (n > 0 && n < size && n <= strlen(p))
        snprintf(name, size, "%.*s", (int)n, p);
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The name, as a whole word before a bracket, in a declaration's head. */
static const char *named(const char *head, const char *end, const char *name)
{
    size_t n = strlen(name);

    for (const char *at = strstr(head, name); at && at < end;
         at = strstr(at + 1, name))
        if (!is_word(at[-1]) && at[n + strspn(at + n, " \t\n")] == '(')
            return at;
    return NULL;
}

/* Where a source defines the kernel; 0: nowhere. __launch_bounds__(n) may
 * stand before its name. */
static int line_of_kernel(const char *source, const char *name)
{
    int line = 1;

    for (const char *p = strstr(source, "__global__"); p && *name;
         p = strstr(p + 1, "__global__")) {
        const char *at = named(p, p + strcspn(p, "{;"), name);

        for (const char *c = source; at && c < at; c++)
            line += *c == '\n';
        if (at)
            return line;
    }
    return 0;
}

bool nvcc_ptxas_error(const char *words, const char *source, int *line,
                      char *message, size_t message_size)
{
    const char *error = strstr(words, "ptxas error");
    const char *text = error ? strchr(error, ':') : NULL, *kernel;
    char name[128] = "";

    if (!text)
        return false;
    text += 1 + strspn(text + 1, " ");
    kernel = strstr(text, "'_Z");
    if (kernel && kernel < text + strcspn(text, "\n"))
        plain_name(kernel + 1, name, sizeof name);
    *line = line_of_kernel(source, name);
    if (*line)
        text = kernel + strcspn(kernel + 1, "'") + 2;
    snprintf(message, message_size, "%s%s%.*s", *line ? "kernel " : "",
             *line ? name : "", (int)strcspn(text, "\n"), text);
    return *line > 0;
}

#define FRAME                                                                  \
    "%d bytes stack frame, %d bytes spill stores, %d bytes spill loads"

/* Bytes of registers that a thread keeps in memory: each is stored once or more
 * often, and has its place in the frame, where arrays are, too. */
static int spilled(const struct nvcc_kernel *k)
{
    return k->stores < k->frame ? k->stores : k->frame;
}

void nvcc_resources(const char *words, int *registers, int *spill_bytes)
{
    *registers = *spill_bytes = -1;
    for (const char *p = words; (p = strstr(p, "Used ")); p++) {
        int n;

        if (sscanf(p, "Used %d registers", &n) == 1 && n > *registers)
            *registers = n;
    }
    for (const char *p = words; (p = strstr(p, " bytes stack frame, ")); p++) {
        struct nvcc_kernel k = {.frame = 0};
        int most;

        while (p > words && p[-1] != '\n')
            p--;
        if (sscanf(p, FRAME, &k.frame, &k.stores, &k.loads) == 3) {
            most = spilled(&k);
            *spill_bytes = most > *spill_bytes ? most : *spill_bytes;
        }
        p = strstr(p, " bytes stack frame, ");
    }
}

/* Between `words` and `end`, the first line on a frame. */
static void read_frame(const char *words, const char *end,
                       struct nvcc_kernel *k)
{
    const char *at = strstr(words, " bytes stack frame, ");

    if (!at || at >= end)
        return;
    while (at > words && at[-1] != '\n')
        at--;
    if (sscanf(at, FRAME, &k->frame, &k->stores, &k->loads) != 3)
        k->frame = k->stores = k->loads = 0;
}

const char *nvcc_kernel(const char *words, struct nvcc_kernel *kernel)
{
    static const char begins[] = "Compiling entry function '";
    const char *at = words ? strstr(words, begins) : NULL, *end, *used;
    struct nvcc_kernel k = {.registers = 0};

    if (!at)
        return NULL;
    at += strlen(begins);
    end = strchr(at, '\'');
    used = end ? strstr(end, "Used ") : NULL;
    if (!used || (size_t)(end - at) >= sizeof k.name ||
        sscanf(used, "Used %d registers", &k.registers) != 1)
        return NULL;
    memcpy(k.name, at, (size_t)(end - at));
    read_frame(end, used, &k);
    *kernel = k;
    return used;
}

static void cut_at(char *text, const char *words)
{
    char *at = strstr(text, words);

    if (at)
        *at = '\0';
}

/* "ptxas info    : (C7514) Potential Performance Loss: ... in the function 'f'"
 */
int nvcc_wgmma(const char *words, char *message, size_t message_size)
{
    static const char begins[] = "(C75";

    for (const char *p = words; (p = strstr(p, begins)); p++) {
        const char *line = p, *text = strstr(p, ") ");
        int n = atoi(p + strlen("(C"));

        while (line > words && line[-1] != '\n')
            line--;
        if (strncmp(line, "ptxas ", strlen("ptxas ")) != 0 || !text)
            continue;
        text += strlen(") ");
        snprintf(message, message_size, "%.*s", (int)strcspn(text, "\n'"),
                 text);
        cut_at(message, " in function ");
        cut_at(message, " in the function ");
        return n;
    }
    return 0;
}

/* About a line of a source, "a.cu(7): error" or "a.cu:7:1: error", or such a
 * line itself: what it says is the source's author's. */
static bool is_of_source(const char *line, size_t n)
{
    for (size_t i = 0; i + 1 < n; i++) {
        size_t digits = 0;

        if (line[i] != ':' && line[i] != '(' && line[i] != ' ')
            continue;
        while (i + 1 + digits < n && line[i + 1 + digits] >= '0' &&
               line[i + 1 + digits] <= '9')
            digits++;
        if (digits == 0 || i + 1 + digits >= n)
            continue;
        if (line[i] == ' ' ? i + 2 + digits < n &&
                                 memcmp(line + i + 1 + digits, " |", 2) == 0
                           : line[i + 1 + digits] == (line[i] == ':' ? ':'
                                                                     : ')'))
            return true;
    }
    return false;
}

static bool has_sign(const char *line, size_t n)
{
    static const char *const signs[] = {
        "No space left on device", "Read-only file system",
        "Disk quota exceeded", "Permission denied", "nvcc fatal",
    };

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (memmem(line, n, signs[i], strlen(signs[i])))
            return true;
    return false;
}

/* Whoever writes a source can put any line into nvcc's output, by line ends in
 * the text of an assertion or in a file's name. An error at a place comes of
 * it: where there is one, no line is taken for the machine's. */
static bool has_error_at_place(const char *words)
{
    char file[4096], message[8];
    int line;

    return nvcc_first_error(words, file, sizeof file, &line, message,
                            sizeof message);
}

/* "cc1plus: fatal error: /proc/1/environ: Permission denied": a source names a
 * file that it may not read, by __has_include even without a place. What a
 * compiler cannot write is said otherwise: "can't open", "when writing". */
static bool is_unreadable(const char *line, size_t n)
{
    static const char begins[] = "cc1plus: fatal error: /";

    return n > strlen(begins) && memcmp(line, begins, strlen(begins)) == 0 &&
           memmem(line, n, "Permission denied", strlen("Permission denied"));
}

bool nvcc_blames_disk(const char *words)
{
    if (has_error_at_place(words))
        return false;
    while (*words) {
        size_t n = strcspn(words, "\n");

        if (has_sign(words, n) && !is_of_source(words, n) &&
            !is_unreadable(words, n))
            return true;
        words += n + (words[n] == '\n');
    }
    return false;
}

/* "nvcc error   : 'ptxas' died due to signal 11 (Invalid memory reference)":
 * what a source makes a compiler print begins with a place, or blanks. */
bool nvcc_crashed(const char *words)
{
    static const char *const parts[] = {"'ptxas'", "'cicc'"};
    static const char *const ends[] = {"signal 4 ", "signal 7 ", "signal 8 ",
                                       "signal 11 "};

    if (has_error_at_place(words))
        return false;
    for (; *words; words += *words == '\n') {
        size_t n = strcspn(words, "\n");
        bool part = false, end = false;

        if (strncmp(words, "nvcc error", strlen("nvcc error")) == 0) {
            for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
                part |= memmem(words, n, parts[i], strlen(parts[i])) != NULL;
            for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
                end |= memmem(words, n, ends[i], strlen(ends[i])) != NULL;
        }
        if (part && end)
            return true;
        words += n;
    }
    return false;
}

/* "... at line 29 of /tmp/add.cu", of the first error alone. */
bool nvcc_origin(const char *words, const char *source, int *line)
{
    const char *end = strstr(words, "\n\n");
    char behind[4096];
    const char *at = words;

    snprintf(behind, sizeof behind, " of %s\n", source);
    while ((at = strstr(at, " at line ")) && (!end || at < end)) {
        int n, used = 0;

        at += strlen(" at line ");
        if (sscanf(at, "%d%n", &n, &used) == 1 &&
            strncmp(at + used, behind, strlen(behind)) == 0) {
            *line = n;
            return true;
        }
    }
    return false;
}

void nvcc_cut(const char *words, const char *source, struct text *out)
{
    while (*words) {
        size_t n = strcspn(words, "\n");

        if (!memmem(words, n, "instantiation of ",
                    strlen("instantiation of ")) ||
            memmem(words, n, source, strlen(source)))
            text_add(out, "%.*s\n", (int)n, words);
        words += n + (words[n] == '\n');
    }
}
