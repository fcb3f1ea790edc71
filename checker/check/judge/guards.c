// SPDX-License-Identifier: MIT
/*
 * guards.c: see guards.h.
 *
 * Which names hold a thread's index follows from what they were given; and only
 * those are looked at, against what is none.
 */
#include "guards.h"

#include <ctype.h>
#include <string.h>

#include "code.h"

/* A name that was given a value made of threadIdx, blockIdx or such a name. */
struct given {
    const char *name;
    size_t n;
    int depth;   /* of braces */
    bool plain;  /* no array or call stands there, */
    bool index;  /* but threadIdx or blockIdx */
};

/* Those in scope where p stands. */
struct walk {
    const char *source, *p;
    struct given given[64];
    int n, depth;
};

static const struct given *given_of(const struct walk *w, const char *name,
                                    size_t n)
{
    for (int i = w->n - 1; i >= 0; i--)
        if (w->given[i].n == n && strncmp(w->given[i].name, name, n) == 0)
            return &w->given[i];
    return NULL;
}

static size_t name_length(const char *p, const char *end)
{
    size_t n = 0;

    while (p + n < end && code_is_name(p[n]))
        n++;
    return n;
}

static bool is_builtin(const char *name, size_t n)
{
    return (n == 9 && strncmp(name, "threadIdx", n) == 0) ||
           (n == 8 && strncmp(name, "blockIdx", n) == 0);
}

/* The expression from p to end. *plain, *index: as in struct given. */
static bool is_made_of(const struct walk *w, const char *p, const char *end,
                       bool *plain, bool *index)
{
    bool direct = false, indirect = false;

    *plain = true;

    while (p < end) {
        size_t n = name_length(p, end);

        direct |= is_builtin(p, n);
        indirect |= n > 0 && given_of(w, p, n);
        *plain &= *p != '[' && (n == 0 || p[n] != '(');
        p += n > 0 ? n : 1;
    }
    *index = direct && *plain;
    return direct || indirect;
}

static bool is_threads(const struct walk *w, const char *p, const char *end)
{
    bool plain, index;

    return is_made_of(w, p, end, &plain, &index);
}

/* Where the value that begins at p ends. */
static const char *value_end(const char *p)
{
    int depth = 0;

    for (; *p && *p != ';'; p++) {
        depth += (*p == '(') - (*p == ')');
        if (depth < 0 || (depth == 0 && *p == ','))
            break;
    }
    return p;
}

/* NAME = VALUE or NAME += VALUE, whose = p stands on. */
static void note_given(struct walk *w)
{
    const char *end = w->p, *begin;
    bool plain, index;

    if (w->p[1] == '=' || end == w->source || strchr("=!<>", end[-1]))
        return;
    if (strchr("+-*/%&|^", end[-1]))
        end--;
    while (end > w->source && isspace((unsigned char)end[-1]))
        end--;
    for (begin = end; begin > w->source && code_is_name(begin[-1]); begin--)
        ;
    if (begin == end || begin == w->source || strchr(".>", begin[-1]) ||
        w->n == (int)(sizeof w->given / sizeof *w->given) ||
        !is_made_of(w, w->p + 1, value_end(w->p + 1), &plain, &index))
        return;
    w->given[w->n++] = (struct given){.name = begin,
                                      .n = (size_t)(end - begin),
                                      .depth = w->depth,
                                      .plain = plain,
                                      .index = index};
}

/* Behind a condition: return; at once. */
static bool returns(const char *p)
{
    p = code_skip_space(p);
    if (*p == '{')
        p = code_skip_space(p + 1);
    return strncmp(p, "return;", strlen("return;")) == 0;
}

/* The left side, which ends at sign, is one of the thread's indices alone.
 * leaves: made of threadIdx or blockIdx at first hand. */
static bool is_index(const struct walk *w, const char *open, const char *sign,
                     bool leaves)
{
    const char *end = sign, *begin, *before;
    const struct given *given;

    while (end > open && isspace((unsigned char)end[-1]))
        end--;
    begin = end;
    while (begin > open && code_is_name(begin[-1]))
        begin--;
    given = given_of(w, begin, (size_t)(end - begin));
    for (before = begin; isspace((unsigned char)before[-1]); before--)
        ;
    return given && (leaves ? given->index : given->plain) &&
           strchr("(&|", before[-1]);
}

/* Nothing but .N or ->N stands there. */
static bool is_member(const char *from, const char *end)
{
    from += *from == '.' ? 1 : strncmp(from, "->", 2) == 0 ? 2 : 0;
    return code_is_plain(from, end);
}

/* A parameter of the kernel that p stands in, or a member of one: n, s.N. */
static bool is_parameter(const struct walk *w, const char *from,
                         const char *end)
{
    const char *kernel = NULL, *open, *close;
    size_t n = name_length(from, end);
    struct code_names list;

    for (const char *p = w->source; (p = strstr(p, "__global__")) && p < w->p;
         p++)
        kernel = p;
    open = kernel ? strchr(kernel, '(') : NULL;
    close = open ? code_closing(open) : NULL;
    if (!close)
        return false;
    list = code_names(open, close, false);
    for (int i = 0; i < list.n; i++)
        if (strlen(list.name[i]) == n && strncmp(list.name[i], from, n) == 0)
            return is_member(from + n, end);
    return false;
}

/* What a test of the thread's index against an extent may say by mistake. */
static const struct test {
    const char *sign;
    bool returns;    /* behind the condition */
    bool limit;      /* only against a parameter of the kernel */
    const char *asks;
} tests[] = {
    {"<", true, false, "Line %d returns if `%.*s`: is that test the wrong way "
                       "round? "},
    {">", true, true, "Line %d returns if `%.*s`, and goes on where the two "
                      "are equal: is >= meant? "},
    {"<=", false, true, "Line %d lets a thread in if `%.*s`, and so where the "
                        "two are equal: is < meant? "},
    {">", false, true, "Line %d lets a thread in if `%.*s`: is that test the "
                       "wrong way round? "},
};

/* The comparison in [open, close) that stands before any &&, if it is one
 * alone. *n: its length. */
static const char *sign_in(const char *open, const char *close, size_t *n)
{
    const char *found = NULL;

    for (const char *p = open; p < close && *p != '&'; p++) {
        if (!strchr("<>", *p) || p[-1] == '-')
            continue;
        if (found || p[1] == *p)
            return NULL;
        found = p;
        *n = p[1] == '=' ? 2 : 1;
    }
    return found;
}

/* A ; right behind a condition, which ends the statement. */
static bool look_behind(struct text *advice, const struct walk *w,
                        const char *open, const char *close)
{
    if (*code_skip_space(close + 1) != ';')
        return false;
    text_add(advice, "The ; on line %d, right behind `if (%.*s)`, ends it: "
             "what follows is done by every thread. ",
             code_line(w->source, close), (int)(close - open - 1), open + 1);
    return true;
}

/* Two of the thread's indices against their ends, joined by the wrong sign:
 * (row >= M && col >= N) return, or (row < M || col < N). */
static bool look_at_both(struct text *advice, const struct walk *w,
                         const char *open, const char *close)
{
    bool leaves = returns(close + 1);
    const char *sign = leaves ? " >= " : " < ";
    const char *join = memmem(open, (size_t)(close - open),
                              leaves ? " && " : " || ", 4);
    const char *left, *right;

    if (!join)
        return false;
    left = memmem(open, (size_t)(join - open), sign, strlen(sign));
    right = memmem(join, (size_t)(close - join), sign, strlen(sign));
    if (!left || !right || !is_index(w, open, left, leaves) ||
        !is_index(w, open, right, leaves))
        return false;
    text_add(advice, "Line %d %s if `%.*s`: is %s meant there? ",
             code_line(w->source, w->p),
             leaves ? "returns" : "lets a thread in",
             (int)(close - open - 1), open + 1, leaves ? "||" : "&&");
    return true;
}

/* Below 0 is no slip, nor is a test of anything but the thread's index against
 * what is none. */
static bool look_at_if(struct text *advice, const struct walk *w,
                       const char *open)
{
    const char *close = code_closing(open), *sign, *right, *end;
    size_t n = 0, length = close ? (size_t)(close - open - 1) : 0;
    bool leaves = close && returns(close + 1);

    if (!close || length > CODE_NAME_BYTES)
        return false;
    if (look_behind(advice, w, open, close) ||
        look_at_both(advice, w, open, close))
        return true;
    sign = sign_in(open + 1, close, &n);
    if (!sign || memmem(open, length, "||", 2) ||
        !is_index(w, open, sign, leaves))
        return false;
    right = code_skip_space(sign + n);
    end = memmem(right, (size_t)(close - right), "&&", 2);
    end = end ? end : close;
    if (!code_is_name(*right) || isdigit((unsigned char)*right) ||
        is_threads(w, right, end))
        return false;
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (strlen(tests[i].sign) == n && tests[i].sign[0] == *sign &&
            tests[i].returns == leaves &&
            (!tests[i].limit || is_parameter(w, right, end))) {
            text_add(advice, tests[i].asks, code_line(w->source, w->p),
                     (int)length, open + 1);
            return true;
        }
    return false;
}

static bool is_word(const char *source, const char *p, const char *word)
{
    size_t n = strlen(word);

    return strncmp(p, word, n) == 0 && !code_is_name(p[n]) &&
           (p == source || !code_is_name(p[-1]));
}

bool guards_advise(struct text *advice, const char *source)
{
    struct walk w = {.source = source};

    for (w.p = source; *w.p; w.p++) {
        w.depth += (*w.p == '{') - (*w.p == '}');
        while (w.n > 0 && w.given[w.n - 1].depth > w.depth)
            w.n--;
        if (*w.p == '=')
            note_given(&w);
        if (is_word(source, w.p, "if") && *code_skip_space(w.p + 2) == '(' &&
            look_at_if(advice, &w, code_skip_space(w.p + 2)))
            return true;
    }
    return false;
}
