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
    enum issue_class class;
} words[] = {
    {"mov", ISSUE_MOVE},
    {"cvt", ISSUE_MOVE},
    {"cvta", ISSUE_MOVE},
    {"selp", ISSUE_MOVE},
    {"prmt", ISSUE_INTEGER},
    {"setp", ISSUE_COMPARE},
    {"set", ISSUE_COMPARE},
    {"bra", ISSUE_CONTROL},
    {"brx", ISSUE_CONTROL},
    {"call", ISSUE_CONTROL},
    {"ret", ISSUE_CONTROL},
    {"exit", ISSUE_CONTROL},
    {"bar", ISSUE_BARRIER},
    {"barrier", ISSUE_BARRIER},
    {"membar", ISSUE_BARRIER},
    {"fence", ISSUE_BARRIER},
    {"shfl", ISSUE_EXCHANGE},
    {"vote", ISSUE_EXCHANGE},
    {"match", ISSUE_EXCHANGE},
    {"redux", ISSUE_EXCHANGE},
    {"activemask", ISSUE_EXCHANGE},
    {"atom", ISSUE_ATOMIC},
    {"red", ISSUE_ATOMIC},
    {"cp", ISSUE_GLOBAL},
    {"rcp", ISSUE_SPECIAL},
    {"sqrt", ISSUE_SPECIAL},
    {"rsqrt", ISSUE_SPECIAL},
    {"sin", ISSUE_SPECIAL},
    {"cos", ISSUE_SPECIAL},
    {"lg2", ISSUE_SPECIAL},
    {"ex2", ISSUE_SPECIAL},
    {"tanh", ISSUE_SPECIAL},
    {"div", ISSUE_SPECIAL},
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

static enum issue_class memory(const char *op)
{
    return has(op, ".shared")  ? ISSUE_SHARED
           : has(op, ".local") ? ISSUE_LOCAL
           : has(op, ".param") ? ISSUE_MOVE : ISSUE_GLOBAL;
}

enum issue_class issue_class_of(const char *op)
{
    if (first_word_is(op, "ld") || first_word_is(op, "st"))
        return memory(op);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (first_word_is(op, words[i].word))
            return words[i].class;
    return has(op, ".f64")                       ? ISSUE_FP64
           : has(op, ".f32") || has(op, ".f32x2") ? ISSUE_FP32
           : strstr(op, "f16")                   ? ISSUE_FP16 : ISSUE_INTEGER;
}

const char *issue_name(enum issue_class class)
{
    static const char *const names[] = {
#define X(name, word, clocks) word,
        ISSUE_CLASS_LIST(X)
#undef X
    };
    return names[class];
}

unsigned issue_clocks(enum issue_class class)
{
    static const unsigned clocks_of[] = {
#define X(name, word, clocks) clocks,
        ISSUE_CLASS_LIST(X)
#undef X
    };
    return clocks_of[class];
}
