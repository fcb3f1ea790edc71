// SPDX-License-Identifier: MIT
/*
 * issue.c: instructions by kind of work. Interface: issue.h.
 *
 * By the opcode's first word, and by its suffix where one word does several
 * kinds: mul.f32 and mul.lo.s32, ld.global and ld.shared.
 */
#include "issue.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const struct {
    const char *word;
    enum mix mix;
} words[] = {
    {"mov", MIX_MOVE},      {"cvt", MIX_MOVE},      {"cvta", MIX_MOVE},
    {"selp", MIX_MOVE},     {"prmt", MIX_INTEGER},  {"setp", MIX_COMPARE},
    {"set", MIX_COMPARE},   {"bra", MIX_CONTROL},   {"brx", MIX_CONTROL},
    {"call", MIX_CONTROL},  {"ret", MIX_CONTROL},   {"exit", MIX_CONTROL},
    {"bar", MIX_BARRIER},   {"barrier", MIX_BARRIER},
    {"membar", MIX_BARRIER}, {"fence", MIX_BARRIER},
    {"shfl", MIX_EXCHANGE}, {"vote", MIX_EXCHANGE}, {"match", MIX_EXCHANGE},
    {"redux", MIX_EXCHANGE}, {"activemask", MIX_EXCHANGE},
    {"atom", MIX_ATOMIC},   {"red", MIX_ATOMIC},    {"cp", MIX_GLOBAL},
    {"rcp", MIX_SPECIAL},   {"sqrt", MIX_SPECIAL},  {"rsqrt", MIX_SPECIAL},
    {"sin", MIX_SPECIAL},   {"cos", MIX_SPECIAL},   {"lg2", MIX_SPECIAL},
    {"ex2", MIX_SPECIAL},   {"tanh", MIX_SPECIAL},  {"div", MIX_SPECIAL},
};

static bool first_word_is(const char *op, const char *word)
{
    size_t n = strlen(word);
    return strncmp(op, word, n) == 0 && (op[n] == '.' || op[n] == '\0');
}

static bool has(const char *op, const char *suffix)
{
    size_t n = strlen(suffix);
    for (const char *p = op; (p = strstr(p, suffix)); p++)
        if (p[n] == '.' || p[n] == '\0')
            return true;
    return false;
}

static enum mix memory(const char *op)
{
    return has(op, ".shared")  ? MIX_SHARED
           : has(op, ".local") ? MIX_LOCAL
           : has(op, ".param") ? MIX_MOVE : MIX_GLOBAL;
}

enum mix mix_class(const char *op)
{
    if (first_word_is(op, "ld") || first_word_is(op, "st"))
        return memory(op);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (first_word_is(op, words[i].word))
            return words[i].mix;
    return has(op, ".f64")                       ? MIX_FP64
           : has(op, ".f32") || has(op, ".f32x2") ? MIX_FP32
           : strstr(op, "f16")                   ? MIX_FP16 : MIX_INTEGER;
}

const char *mix_name(enum mix mix)
{
    static const char *const names[] = {
#define X(name, word, clocks) word,
        MIX_CLASSES(X)
#undef X
    };
    return names[mix];
}

unsigned mix_clocks(enum mix mix)
{
    static const unsigned clocks_of[] = {
#define X(name, word, clocks) clocks,
        MIX_CLASSES(X)
#undef X
    };
    return clocks_of[mix];
}
