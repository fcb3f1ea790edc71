// SPDX-License-Identifier: MIT
/*
 * demangle.c: the names that nvcc gives to kernels and their variables, as the
 * source has them.
 *
 *   dev_demangle   "_Z4gemmILi16EEvPf" -> "gemm<16>"
 *                  "_ZZ1kPKfPfiE4tile" -> "tile"
 *
 * The C++ runtime reads the name; what a message has no use for is left out:
 * a template's return type, parameters, anonymous namespaces, and the function
 * that a variable is local to. A name that the runtime cannot read is given
 * back as it came.
 */
#include "device.h"

#include <stdlib.h>
#include <string.h>

/* Of the C++ runtime (Itanium C++ ABI). Returns memory of malloc, or NULL. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *size,
                     int *status);

static void remove_all(char *text, const char *part)
{
    size_t n = strlen(part);
    while ((text = strstr(text, part)))
        memmove(text, text + n, strlen(text + n) + 1);
}

static bool opens(char c)
{
    return c == '(' || c == '<' || c == '[' || c == '{';
}

static bool closes(char c)
{
    return c == ')' || c == '>' || c == ']' || c == '}';
}

/* Cuts at the parameters: the last ( that is in no other bracket. */
static void cut_parameters(char *name)
{
    char *at = NULL;
    int depth = 0;
    for (char *p = name; *p; p++) {
        if (*p == '(' && depth == 0)
            at = p;
        depth += opens(*p) - closes(*p);
    }
    if (at && at > name)
        *at = '\0';
}

/* What follows the last separator that is in no bracket. */
static const char *last_part(const char *name, const char *separator)
{
    const char *part = name;
    size_t n = strlen(separator);
    int depth = 0;
    for (const char *p = name; *p; p++) {
        depth += opens(*p) - closes(*p);
        if (depth == 0 && strncmp(p, separator, n) == 0)
            part = p + n;
    }
    return part;
}

char *dev_demangle(const char *mangled)
{
    int status = 0;
    char *name = strncmp(mangled, "_Z", 2) == 0
                     ? __cxa_demangle(mangled, NULL, NULL, &status)
                     : NULL;
    if (!name)
        return strdup(mangled);
    remove_all(name, "(anonymous namespace)::");
    if (strstr(name, "operator")) /* has brackets of its own */
        return name;
    bool local = strncmp(mangled, "_ZZ", 3) == 0;
    if (!local)
        cut_parameters(name);
    char *short_name = strdup(local ? last_part(name, "::")
                                    : last_part(name, " "));
    free(name);
    return short_name;
}
