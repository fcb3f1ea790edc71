// SPDX-License-Identifier: MIT
/*
 * items.c: see items.h.
 *
 * The hard idea: a name that nobody writes changes no meaning. All overloads
 * and specialisations of a name stay or go together. What is not plainly a
 * declaration with a name of its own stays with the first of its names, or
 * always.
 */
#include "items.h"

#include <stdlib.h>
#include <string.h>

#include "tokens.h"

/* An item that a name brings with it; next: 1 + its place, 0: the last. */
struct use {
    int item, next;
};

struct name {
    const char *s;
    int n, uses; /* 1 + the place of the first */
    bool wanted, keyword;
};

enum { NAMES = 1 << 16 }; /* the headers have some 8,000 */

struct item *items_list;
int items_n;
static struct use *uses;
static struct name names[NAMES];
static int *todo;
static int n_uses, n_names, n_todo;

/* Words before a parenthesis that is no list of parameters. */
static const char *const with_parens[] = {
    "__attribute__", "__attribute", "__declspec", "noexcept", "alignas",
    "decltype", "__decltype", "throw", "asm", "__asm__", "__asm", "sizeof",
    "alignof", "__alignof", "__alignof__", "explicit", "static_assert",
    "requires", "__typeof__", NULL};
/* Words that name nothing. */
static const char *const keywords[] = {
    "using", "typedef", "struct", "class", "union", "enum", "extern", "static",
    "inline", "const", "constexpr", "volatile", "unsigned", "signed", "int",
    "long", "short", "char", "float", "double", "void", "bool", "auto",
    "template", "typename", "operator", "true", "false", "noexcept",
    "__attribute__", "__extension__", "__inline", "__inline__", "namespace",
    "public", "private", "protected", "return", "if", "else", "for", "while",
    "do", "sizeof", "decltype", "this", "static_cast", "reinterpret_cast",
    "__restrict", "__restrict__", "device_builtin", "host", "device",
    "__const", "__volatile__", "__asm__", "asm", NULL};
static const char *const classes[] = {"struct", "class", "union", "enum", NULL};


/* Names ------------------------------------------------------------------- */

static struct name *name_of(const struct token *t)
{
    unsigned h = 2166136261u;
    struct name *n;

    for (int i = 0; i < t->n; i++)
        h = (h ^ (unsigned char)t->s[i]) * 16777619u;
    for (n = names + h % NAMES; n->s; n = n + 1 < names + NAMES ? n + 1 : names)
        if (n->n == t->n && memcmp(n->s, t->s, (size_t)t->n) == 0)
            return n;
    if (++n_names == NAMES)
        exit(1);
    n->s = t->s;
    n->n = t->n;
    return n;
}

static void brings(const struct token *t, int item)
{
    struct name *n = name_of(t);

    if (n->keyword)
        return;
    uses = tokens_room(uses, n_uses, sizeof *uses);
    uses[n_uses++] = (struct use){item, n->uses};
    n->uses = n_uses;
}

static void keep(int item)
{
    if (items_list[item].kept)
        return;
    items_list[item].kept = true;
    todo = tokens_room(todo, n_todo, sizeof *todo);
    todo[n_todo++] = item;
}

static void want(const struct token *t)
{
    struct name *n = name_of(t);

    if (n->wanted)
        return;
    n->wanted = true;
    for (int i = n->uses; i; i = uses[i - 1].next)
        keep(uses[i - 1].item);
}

/* Declarations ------------------------------------------------------------ */

/* Behind the bracket that closes the one at i. */
static int after_bracket(int i)
{
    int depth = 0;

    for (; i < tokens_n; i++) {
        if (strchr("([{", tokens_list[i].kind))
            depth++;
        else if (strchr(")]}", tokens_list[i].kind) && --depth == 0)
            return i + 1;
    }
    return i;
}

/* 1 for <, -1 for > at i, 0 where they compare or point: `f(x) < 2`. */
static int angle(int i)
{
    const char *s = tokens_list[i].s;

    if (tokens_list[i].kind == '<')
        return s[1] != '=' && i > 0 && tokens_list[i - 1].kind == 'a';
    return tokens_list[i].kind == '>' && s[1] != '=' && s[-1] != '-' ? -1 : 0;
}

/* The same for `<`; behind that alone if it compares after all. */
static int after_angle(int from)
{
    int depth = 0, i = from;

    while (i < tokens_n && !strchr(";{}", tokens_list[i].kind)) {
        if (strchr("([", tokens_list[i].kind)) {
            i = after_bracket(i);
            continue;
        }
        depth += angle(i++);
        if (depth == 0)
            return i;
    }
    return from + 1;
}

/* Behind what says nothing of a declaration's name, if that begins at i. */
static int after_attribute(int i)
{
    if (i + 1 >= tokens_n)
        return i;
    if (tokens_list[i].kind == '[' || (tokens_list[i].kind == 'a' &&
        tokens_list[i + 1].kind == '(' &&
        token_is_one_of(tokens_list + i, with_parens)))
        return after_bracket(tokens_list[i].kind == '[' ? i : i + 1);
    if (token_is(tokens_list + i, "template") && tokens_list[i + 1].kind == '<')
        return after_angle(i + 1);
    return i;
}

/* Behind the name of a class that is declared at i: -1 if none is, since only
 * its name is used there. */
static int class_name(int i)
{
    int next;

    i++;
    if (token_is(tokens_list + i, "class") ||
        token_is(tokens_list + i, "struct"))
        i++;
    while ((next = after_attribute(i)) != i)
        i = next;
    while (i + 3 < tokens_n && tokens_list[i + 1].kind == ':' &&
           tokens_list[i + 2].kind == ':')
        i += 3;
    if (i + 1 >= tokens_n || tokens_list[i].kind != 'a' ||
        (!strchr("{:;<", tokens_list[i + 1].kind) &&
         !token_is(tokens_list + i + 1, "final")))
        return -1;
    return i + 1;
}

/* Each name in an item may be one that it declares. */
static void declares_all(int item, int end)
{
    for (int i = items_list[item].first; i < end; i++)
        if (tokens_list[i].kind == 'a')
            brings(tokens_list + i, item);
}

/* Whether a parameter's name, not its type, stands at i. */
static bool names_parameter(int i)
{
    return strchr(",)", tokens_list[i + 1].kind) &&
           !strchr("(,<", tokens_list[i - 1].kind) &&
           !token_is(tokens_list + i - 1, "const");
}

/* An operator of no type that is wanted is not called either. The parameters of
 * its template are no types. Nothing is known if none is left. */
static void declares_operator(int item, int open)
{
    int begin = items_list[item].first, end = after_attribute(begin);
    int close = after_bracket(open), n = n_uses;

    for (int i = open; i < close; i++) {
        int k = begin;

        while (k < end && name_of(tokens_list + k) != name_of(tokens_list + i))
            k++;
        if (k == end && tokens_list[i].kind == 'a' && !names_parameter(i))
            brings(tokens_list + i, item);
    }
    if (n == n_uses)
        keep(item);
}

/* The name before i, be it of a specialisation; -1 if it is not plain. */
static int name_before(int i, int first)
{
    int depth = 0;

    for (i--; i > first; i--) {
        depth -= angle(i);
        if (depth == 0 && tokens_list[i].kind != '<')
            break;
    }
    return i > first && tokens_list[i].kind == 'a' &&
           !name_of(tokens_list + i)->keyword ? i : -1;
}

/* What is known of a declaration. */
struct shape {
    int name, tag, open; /* tokens: its own name, its class's, an operator's
                            parameters; -1: none */
    bool function, class, value, plain, list, enumerates;
};

/* Behind `operator` and its sign, at its parameters. */
static int parameters_of_operator(int i)
{
    for (i++; i + 2 < tokens_n; i++)
        if (tokens_list[i].kind == '(' &&
            !(tokens_list[i + 1].kind == ')' && tokens_list[i + 2].kind == '('))
            break;
    return i;
}

/* Takes in what stands at i, outside all brackets; returns what follows. */
static int take(struct shape *d, int i, int first)
{
    const struct token *t = tokens_list + i;
    int next = after_attribute(i);

    if (next != i)
        return next;
    if (t->kind == '(') {
        if (!d->class && !d->value && !d->function) {
            d->function = true;
            d->name = name_before(i, first);
            d->plain = d->name >= 0;
        }
        return after_bracket(i);
    }
    if (t->kind == '{')
        return after_bracket(i);
    if (d->function || d->value)
        return i + 1;
    if (angle(i) > 0)
        return after_angle(i);
    if (t->kind == '=' && t->s[1] != '=' && !strchr("=!<>", t->s[-1])) {
        d->value = true;
        d->name = name_before(i, first);
    } else if (t->kind == ',') {
        d->list = true;
    } else if (token_is(t, "operator")) {
        d->function = true;
        d->open = parameters_of_operator(i);
        return d->open;
    } else if (token_is_one_of(t, classes) && !d->class) {
        next = class_name(i);
        d->enumerates = d->enumerates || token_is(t, "enum");
        d->class = next > 0 || tokens_list[i + 1].kind == '{';
        d->tag = next > 0 ? next - 1 : -1;
        return next > 0 ? next : i + 1;
    }
    return i + 1;
}

/* Under which names an item is found. */
static void enter(const struct shape *d, int item)
{
    int first = items_list[item].first, end = items_list[item].end;
    bool extension = token_is(tokens_list + first, "__extension__");
    bool type = token_is(tokens_list + first + extension, "typedef");
    int last = name_before(end - 1, first);

    if (token_is(tokens_list + first, "using") &&
        token_is(tokens_list + first + 1, "namespace"))
        keep(item);
    else if (d->open >= 0)
        declares_operator(item, d->open);
    else if (d->function && !type && d->plain)
        brings(tokens_list + d->name, item);
    else if (d->function && !type)
        keep(item);
    else if (d->enumerates || (type && (d->function || d->list || last < 0)))
        declares_all(item, end);
    else if (type) {
        brings(tokens_list + last, item);
        if (d->tag >= 0)
            brings(tokens_list + d->tag, item);
    } else if (d->tag >= 0 || (d->value && d->name >= 0))
        brings(tokens_list + (d->tag >= 0 ? d->tag : d->name), item);
    else if (!d->list && last >= 0)
        brings(tokens_list + last, item);
    else
        declares_all(item, end);
}

/* Reads the declaration at i into a new item; returns what follows. */
static int declaration(int i, int item)
{
    struct shape d = {-1, -1, -1, .plain = true};
    int first = i;

    while (i < tokens_n && !strchr(";}", tokens_list[i].kind)) {
        bool body = tokens_list[i].kind == '{' && d.function && !d.value;

        i = take(&d, i, first);
        if (body && !token_is(tokens_list + first, "typedef"))
            goto end;
    }
    i++;
end:
    items_list[item].end = i < tokens_n ? i : tokens_n;
    enter(&d, item);
    return items_list[item].end;
}

/* Behind the brace that opens a namespace or extern "C" at i, or i. */
static int after_opening(int i)
{
    int at = i;

    if (token_is(tokens_list + at, "inline"))
        at++;
    if (token_is(tokens_list + at, "namespace")) {
        while (at < tokens_n && !strchr("{;", tokens_list[at].kind))
            at++;
        return at < tokens_n ? at + 1 : i;
    }
    if (i + 2 < tokens_n && token_is(tokens_list + i, "extern") &&
        tokens_list[i + 1].kind == '1' && tokens_list[i + 2].kind == '{')
        return i + 3;
    return i;
}

/* A directive that speaks of the declaration behind it. */
static bool leads(const struct token *t)
{
    static const char words[] = "#pragma nv_exec_check_disable";

    return t->kind == '#' && strncmp(t->s, words, strlen(words)) == 0;
}

static void divide(void)
{
    for (int i = 0, next; i < tokens_n; i = next) {
        int item = items_n, from = leads(tokens_list + i) ? i + 1 : i;

        items_list = tokens_room(items_list, items_n, sizeof *items_list);
        items_list[items_n++] = (struct item){.first = from};
        next = from + 1;
        if (from < tokens_n && !strchr("#;}", tokens_list[from].kind) &&
            (next = after_opening(from)) == from) {
            next = declaration(from, item);
            if (!tokens_list[from].header || !tokens_list[next - 1].header)
                keep(item);
        } else {
            keep(item);
        }
        items_list[item] = (struct item){i, next < tokens_n ? next : tokens_n,
                                    items_list[item].kept};
    }
}

void items_choose(const char *const *wanted)
{
    for (const char *const *k = keywords; *k; k++)
        name_of(&(struct token){.s = *k, .n = (int)strlen(*k)})->keyword = true;
    divide();
    for (; *wanted; wanted++)
        want(&(struct token){.s = *wanted, .n = (int)strlen(*wanted)});
    while (n_todo > 0) {
        struct item it = items_list[todo[--n_todo]];

        for (int i = it.first; i < it.end; i++)
            if (tokens_list[i].kind == 'a')
                want(tokens_list + i);
    }
}
