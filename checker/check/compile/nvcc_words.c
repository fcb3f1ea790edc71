// SPDX-License-Identifier: MIT
/*
 * nvcc_words.c: reads compilers' messages; see nvcc_words.h.
 *
 * nvcc's own front end writes FILE(LINE): error: ..., the host compiler
 * FILE:LINE:COLUMN: error: ..., and both may print notes before it.
 */
#include "nvcc_words.h"

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

static bool first(const char *kind, const char *words, char *file,
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
                return true;
            }
        }
        p = *end ? end + 1 : end;
    }
    return false;
}

bool nvcc_first_error(const char *words, char *file, size_t file_size,
                      int *line, char *message, size_t message_size)
{
    return first("error", words, file, file_size, line, message,
                 message_size);
}

bool nvcc_first_warning(const char *words, char *file, size_t file_size,
                        int *line, char *message, size_t message_size)
{
    return first("warning", words, file, file_size, line, message,
                 message_size);
}

/* What a beginner can do about the commonest first errors. */
static const struct {
    const char *error;  /* part of nvcc's message */
    const char *advice;
} advices[] = {
    {"identifier \"printf\" is undefined",
     "Write #include <stdio.h> at the top of the file."},
    {"expected a \";\"",
     "Look at the end of the line before, too: it often lacks the \";\"."},
    {"\"cudaMalloc\" matches the argument list",
     "cudaMalloc takes the address of the pointer, &pointer, and a number of "
     "bytes."},
    {"incompatible with parameter of type \"void *\"",
     "Are the arguments in the right order? A copy takes its destination "
     "first."},
};

const char *nvcc_advice(const char *error)
{
    for (size_t i = 0; i < sizeof advices / sizeof *advices; i++)
        if (strstr(error, advices[i].error))
            return advices[i].advice;
    return NULL;
}

void nvcc_resources(const char *words, int *registers, int *spill_bytes)
{
    *registers = *spill_bytes = -1;
    for (const char *p = words; (p = strstr(p, "Used ")); p++) {
        int n;

        if (sscanf(p, "Used %d registers", &n) == 1 && n > *registers)
            *registers = n;
    }
    for (const char *p = words; (p = strstr(p, "bytes stack frame, ")); p++) {
        int stores, loads;

        if (sscanf(p, "bytes stack frame, %d bytes spill stores, %d bytes "
                   "spill loads", &stores, &loads) == 2) {
            if (*spill_bytes < 0)
                *spill_bytes = 0;
            *spill_bytes += stores + loads;
        }
    }
}

const char *nvcc_kernel(const char *words, char *kernel, size_t size,
                        int *registers)
{
    static const char begins[] = "Compiling entry function '";
    const char *at = words ? strstr(words, begins) : NULL, *end, *used;

    if (!at)
        return NULL;
    at += strlen(begins);
    end = strchr(at, '\'');
    used = end ? strstr(end, "Used ") : NULL;
    if (!used || (size_t)(end - at) >= size ||
        sscanf(used, "Used %d registers", registers) != 1)
        return NULL;
    memcpy(kernel, at, (size_t)(end - at));
    kernel[end - at] = '\0';
    return used;
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

bool nvcc_blames_disk(const char *words)
{
    while (*words) {
        size_t n = strcspn(words, "\n");

        if (has_sign(words, n) && !is_of_source(words, n))
            return true;
        words += n + (words[n] == '\n');
    }
    return false;
}
