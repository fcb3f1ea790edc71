// SPDX-License-Identifier: MIT
/*
 * demangle.c: the names that nvcc gives to kernels and their variables, made
 * readable.
 *
 *   dev_demangle   "_Z4gemmILi16EEvPf" -> "gemm<16>"
 *                  "_ZZ1kPKfPfiE4tile" -> "tile"
 *
 * Reads the part of the Itanium C++ ABI's mangling that kernels meet: nested
 * names, anonymous namespaces, templates over types and integers, variables
 * local to a function. Parameters are read (they may stand before a local
 * name) but not printed. The one hard idea: `out` is NULL while reading what
 * is not printed, so that one set of functions does both. Anything else, a
 * printed substitution included, gives the name back as it came.
 * Source: Itanium C++ ABI, "External Names (a.k.a. Mangling)".
 */
#include "device.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *at;
    FILE *out;   /* NULL: read only */
    int depth;
    bool failed;
};

enum { MAX_DEPTH = 64 };

static void read_type(struct reader *r);
static void read_encoding(struct reader *r);

static bool take(struct reader *r, const char *prefix)
{
    size_t n = strlen(prefix);
    if (r->failed || strncmp(r->at, prefix, n) != 0)
        return false;
    r->at += n;
    return true;
}

static void fail(struct reader *r)
{
    r->failed = true;
}

static void put(struct reader *r, const char *text)
{
    if (r->out && !r->failed)
        fputs(text, r->out);
}

static bool enter(struct reader *r)
{
    if (++r->depth > MAX_DEPTH)
        fail(r);
    return !r->failed;
}

/* <source-name>: a length and that many characters. */
static void read_source_name(struct reader *r)
{
    size_t n = 0;
    while (isdigit((unsigned char)*r->at) && n < SIMWIRE_MAX_NAME)
        n = 10 * n + (size_t)(*r->at++ - '0');
    if (n == 0 || strnlen(r->at, n) < n) {
        fail(r);
        return;
    }
    if (strncmp(r->at, "_GLOBAL__N_", strlen("_GLOBAL__N_")) == 0)
        put(r, "(anonymous)");
    else if (r->out)
        fprintf(r->out, "%.*s", (int)n, r->at);
    r->at += n;
}

/* S_, S0_, St, Sa ...: never printed, as we keep no table of them. */
static void read_substitution(struct reader *r)
{
    if (r->out)
        fail(r);
    if (*r->at && strchr("tabsiod", *r->at)) {
        bool std = *r->at++ == 't';
        if (std && isdigit((unsigned char)*r->at))
            read_source_name(r);
        return;
    }
    while (isdigit((unsigned char)*r->at) || isupper((unsigned char)*r->at))
        r->at++;
    if (!take(r, "_"))
        fail(r);
}

/* L <type> <value> E: 16, -1, true. The type is read, not printed. */
static void read_literal(struct reader *r)
{
    bool is_bool = *r->at == 'b';
    FILE *out = r->out;
    r->out = NULL;
    read_type(r);
    r->out = out;
    if (take(r, "n"))
        put(r, "-");
    const char *digits = r->at;
    while (isalnum((unsigned char)*r->at) && *r->at != 'E')
        r->at++;
    int n = (int)(r->at - digits);
    if (is_bool)
        put(r, n == 1 && *digits == '1' ? "true" : "false");
    else if (r->out)
        fprintf(r->out, "%.*s", n, digits);
    if (n == 0 || !take(r, "E"))
        fail(r);
}

static void read_template_arguments(struct reader *r)
{
    put(r, "<");
    for (bool first = true; !r->failed && !take(r, "E"); first = false) {
        if (!first)
            put(r, ", ");
        if (take(r, "L"))
            read_literal(r);
        else
            read_type(r);
    }
    put(r, ">");
}

static void read_unqualified(struct reader *r)
{
    take(r, "L"); /* internal linkage */
    if (isdigit((unsigned char)*r->at))
        read_source_name(r);
    else
        fail(r); /* operators, constructors, lambdas */
}

/* N ... E */
static void read_nested(struct reader *r, bool *is_template)
{
    while (*r->at && strchr("rVK", *r->at))
        r->at++;
    for (bool first = true; !r->failed && !take(r, "E"); first = false) {
        if (take(r, "I")) {
            read_template_arguments(r);
            *is_template = true;
            continue;
        }
        if (!first)
            put(r, "::");
        *is_template = false;
        if (take(r, "S"))
            read_substitution(r);
        else
            read_unqualified(r);
    }
}

/* Z <encoding> E <name> [discriminator]: only the inner name is printed. */
static void read_local(struct reader *r, bool *is_template)
{
    FILE *out = r->out;
    r->out = NULL;
    read_encoding(r);
    r->out = out;
    if (!take(r, "E")) {
        fail(r);
        return;
    }
    *is_template = false;
    read_unqualified(r);
    if (take(r, "_"))
        while (isdigit((unsigned char)*r->at) || *r->at == '_')
            r->at++;
}

static void read_name(struct reader *r, bool *is_template)
{
    if (!enter(r))
        return;
    *is_template = false;
    if (take(r, "N")) {
        read_nested(r, is_template);
    } else if (take(r, "Z")) {
        read_local(r, is_template);
    } else {
        if (take(r, "S"))
            read_substitution(r);
        else
            read_unqualified(r);
        if (take(r, "I")) {
            read_template_arguments(r);
            *is_template = true;
        }
    }
    r->depth--;
}

static const struct builtin {
    char code;
    const char *name;
} builtins[] = {
    {'v', "void"}, {'b', "bool"}, {'c', "char"}, {'a', "signed char"},
    {'h', "unsigned char"}, {'s', "short"}, {'t', "unsigned short"},
    {'i', "int"}, {'j', "unsigned"}, {'l', "long"}, {'m', "unsigned long"},
    {'x', "long long"}, {'y', "unsigned long long"}, {'f', "float"},
    {'d', "double"}, {'e', "long double"}, {'w', "wchar_t"},
    {'z', "..."},
};

static bool read_builtin(struct reader *r)
{
    for (size_t i = 0; i < sizeof builtins / sizeof builtins[0]; i++) {
        if (*r->at == builtins[i].code) {
            put(r, builtins[i].name);
            r->at++;
            return true;
        }
    }
    return false;
}

/* A <number> _ <type>: an array; F ... E: a function. Read, never printed. */
static void read_compound(struct reader *r)
{
    if (r->out)
        fail(r);
    if (take(r, "A")) {
        while (isdigit((unsigned char)*r->at))
            r->at++;
        if (take(r, "_"))
            read_type(r);
        else
            fail(r);
    } else if (take(r, "F")) {
        while (!r->failed && !take(r, "E"))
            read_type(r);
    } else {
        fail(r);
    }
}

static void read_type(struct reader *r)
{
    static const char *const suffix[][2] = {
        {"P", "*"}, {"R", "&"}, {"O", "&&"}, {"K", " const"},
        {"V", " volatile"}, {"r", ""},
    };
    bool is_template;
    if (!enter(r))
        return;
    for (size_t i = 0; i < sizeof suffix / sizeof suffix[0]; i++) {
        if (take(r, suffix[i][0])) {
            read_type(r);
            put(r, suffix[i][1]);
            r->depth--;
            return;
        }
    }
    if (isdigit((unsigned char)*r->at) || *r->at == 'N' || *r->at == 'Z') {
        read_name(r, &is_template);
    } else if (take(r, "S")) {
        read_substitution(r);
        if (take(r, "I"))
            read_template_arguments(r);
    } else if (take(r, "T")) {
        read_substitution(r); /* spelt alike: T_, T0_ */
    } else if (!read_builtin(r)) {
        read_compound(r);
    }
    r->depth--;
}

/* <name> <parameters>; a template's begin with its return type. */
static void read_encoding(struct reader *r)
{
    bool is_template = false;
    read_name(r, &is_template);
    FILE *out = r->out;
    r->out = NULL;
    while (!r->failed && *r->at && *r->at != 'E')
        read_type(r);
    r->out = out;
}

char *dev_demangle(const char *mangled)
{
    if (strncmp(mangled, "_Z", 2) != 0)
        return strdup(mangled);
    char *text = NULL;
    size_t n = 0;
    struct reader r = {.at = mangled + 2, .out = open_memstream(&text, &n)};
    if (!r.out)
        return strdup(mangled);
    read_encoding(&r);
    fclose(r.out);
    if (!r.failed && *r.at == '\0')
        return text;
    free(text);
    return strdup(mangled);
}
