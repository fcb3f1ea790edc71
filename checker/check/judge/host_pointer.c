// SPDX-License-Identifier: MIT
/*
 * host_pointer.c: two ways in which a beginner passes a host address without
 * seeing a pointer; see host_pointer.h.
 *
 * It reads the source as text, line by line, and only to choose a sentence.
 */
#include "host_pointer.h"

#include <ctype.h>
#include <string.h>

#include "code.h"

/* "table" of "__device__ float table[64];": what stands before [, = or ;. */
static bool variable_of(const char *line, size_t n, char *name, size_t size)
{
    size_t end = 0, begin;

    while (end < n && !strchr("[=;(", line[end]))
        end++;
    if (end == n || line[end] == '(')
        return false;
    while (end > 0 && isspace((unsigned char)line[end - 1]))
        end--;
    for (begin = end; begin > 0 && code_is_name(line[begin - 1]); begin--)
        ;
    if (begin == end || end - begin >= size)
        return false;
    memcpy(name, line + begin, end - begin);
    name[end - begin] = '\0';
    return true;
}

/* A variable of the device, by its qualifier. */
static bool find_variable(const char *source, char *name, size_t size)
{
    static const char *const qualifiers[] = {"__device__ ", "__constant__ "};

    for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers; i++)
        for (const char *p = source; (p = strstr(p, qualifiers[i]));) {
            p += strlen(qualifiers[i]);
            if (variable_of(p, strcspn(p, "\n"), name, size))
                return true;
        }
    return false;
}

/* A kernel's parameter that is a reference: "struct shape &s". */
static bool has_reference(const char *source)
{
    for (const char *p = source; (p = strstr(p, "__global__"));) {
        const char *open = strchr(p, '(');
        const char *end = open ? strchr(open, ')') : NULL;

        if (end && memchr(open, '&', (size_t)(end - open)))
            return true;
        p += strlen("__global__");
    }
    return false;
}

void host_pointer_advise(struct text *advice, const char *path)
{
    struct text source = {0};
    char name[64];

    if (file_read(path, &source) && has_reference(text_get(&source)))
        text_add(advice, "A kernel's parameter is a reference (&): to an "
                 "object of the host, which the GPU cannot reach. Pass it by "
                 "value: take the & out.");
    else if (find_variable(text_get(&source), name, sizeof name))
        text_add(advice, "Is %s passed to the kernel? In host code its name "
                 "stands for a host address. A kernel uses it by name, without "
                 "a parameter; cudaGetSymbolAddress gives a pointer to it.",
                 name);
    else
        text_add(advice, "Is the pointer you pass a device pointer, and the "
                 "right one?");
    text_free(&source);
}
