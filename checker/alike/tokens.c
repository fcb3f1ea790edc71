// SPDX-License-Identifier: MIT
/*
 * tokens.c: see tokens.h.
 *
 * Code can hide where it still compiles: in a file that is included, in a
 * macro, in a literal that is assembled (asm), behind a line's end in the
 * middle of a word. So lines are joined first, files of the same folder are
 * read where they are included, and what stands in a long literal is split like
 * code.
 *
 * Names of the language and of CUDA say what the code does and stay; all other
 * names can be exchanged without changing it.
 */
#include "tokens.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "check/conf/holes.h"
#include "macros.h"

enum {
    MOST_BYTES = 4 << 20, /* far more than a hand-in may have */
    MOST_FILES = 64,
    MOST_TOKENS = 1 << 21,
    MOST_DEPTH = 32,         /* of literals in literals */
    MOST_SEARCHED = 1 << 30, /* bytes, for the ends of raw literals */
    LONG = 24                /* bytes of a literal that may hold code */
};

static void lex(struct tokens *t, const char *p, const char *folder,
                bool *inside);

/* In strcmp's order. */
static const char *const known[] = {
    "__device__", "__global__", "__half", "__ldg", "__nv_bfloat16",
    "__restrict__", "__shared__", "__shfl_down_sync", "__shfl_sync",
    "__shfl_up_sync", "__shfl_xor_sync", "__syncthreads", "__syncwarp",
    "atomicAdd", "blockDim", "blockIdx", "bool", "break", "case", "char",
    "const", "continue", "default", "define", "do", "double", "else", "endif",
    "enum", "expf", "extern", "false", "float", "float2", "float4", "fmaf",
    "fmaxf", "for", "goto", "gridDim", "if", "ifdef", "ifndef", "inline",
    "int", "int4", "long", "max", "min", "pragma", "return", "rsqrtf", "short",
    "signed", "size_t", "sizeof", "sqrtf", "static", "struct", "switch",
    "template", "threadIdx", "true", "typedef", "typename", "union",
    "unroll", "unsigned", "using", "void", "volatile", "warpSize", "while"};

static int compare_known(const void *key, const void *element)
{
    const struct token *t = key;
    const char *name = *(const char *const *)element;
    int order = strncmp(t->at, name, (size_t)t->length);

    return order ? order : -(name[t->length] != '\0');
}

static bool is_known(const struct token *t)
{
    return bsearch(t, known, sizeof known / sizeof *known, sizeof *known,
                   compare_known) != NULL;
}

static void *room(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);

    if (!p) {
        fputs("alike: no memory\n", stderr);
        exit(2);
    }
    return p;
}

/* As the compiler does before it looks for words. */
static void join_lines(char *text)
{
    char *to = text;

    for (const char *from = text; *from; from++)
        if (from[0] == '\\' && from[1] == '\n')
            from++;
        else if (from[0] == '\\' && from[1] == '\r' && from[2] == '\n')
            from += 2;
        else
            *to++ = *from;
    *to = '\0';
}

static char *read_all(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = f ? room(MOST_BYTES + 1, 1) : NULL;
    size_t n = f ? fread(text, 1, MOST_BYTES, f) : 0;
    bool ok = f && !ferror(f);

    if (f)
        fclose(f);
    for (size_t i = 0; i < n; i++) /* so that it is one string */
        if (text[i] == '\0')
            text[i] = ' ';
    if (ok)
        join_lines(text);
    if (!ok) {
        free(text);
        return NULL;
    }
    return text;
}

static const char *to_line_end(const char *p)
{
    while (*p && *p != '\n')
        p += *p == '\\' && p[1] ? 2 : 1;
    return p;
}

/* Behind what opens with two characters. A hole's marks are comments. */
static const char *skip_comment(const char *p, bool *inside)
{
    const char *end;

    if (p[1] == '/') {
        if (strncmp(p, HOLE_OPENS, strlen(HOLE_OPENS)) == 0)
            *inside = true;
        if (strncmp(p, HOLE_CLOSES, strlen(HOLE_CLOSES)) == 0)
            *inside = false;
        return to_line_end(p);
    }
    end = strstr(p + 2, "*/");
    return end ? end + 2 : p + strlen(p);
}

static const char *to_quote(const char *p)
{
    char quote = *p++;

    while (*p && *p != quote && *p != '\n')
        p += *p == '\\' && p[1] ? 2 : 1;
    return *p == quote ? p + 1 : p;
}

static bool in_word(unsigned char c)
{
    return isalnum(c) || c == '_' || c >= 0x80;
}

/* What two characters stand for, such as %: for #; NULL: themselves. */
static const char *digraph(const char *p)
{
    static const char *const pair[] = {"%:#", "<:[", ":>]", "<%{", "%>}"};

    if (strncmp(p, "<::", 3) == 0 && p[3] != ':' && p[3] != '>')
        return NULL; /* a < in C++, and a name of the outermost space */
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
        if (strncmp(p, pair[i], 2) == 0)
            return pair[i] + 2;
    return NULL;
}

/* The end of the token that begins at p. */
static const char *one(const char *p, struct token *t)
{
    const char *from = p, *other = digraph(p);
    unsigned char c = (unsigned char)*p;

    if (isdigit(c) || (c == '.' && isdigit((unsigned char)p[1]))) {
        t->kind = TOKEN_NUMBER;
        while (in_word((unsigned char)*p) || *p == '.' ||
               ((*p == '+' || *p == '-') && strchr("eEpP", p[-1])))
            p++;
    } else if (in_word(c)) {
        t->kind = TOKEN_WORD;
        while (in_word((unsigned char)*p))
            p++;
    } else if (c == '"' || c == '\'') {
        t->kind = TOKEN_STRING;
        p = to_quote(p);
    } else {
        t->kind = TOKEN_MARK;
        p += other ? 2 : 1;
    }
    t->at = other ? other : from;
    t->length = other ? 1 : (int)(p - from);
    return p;
}

static bool is_mark(const struct token *t, char c)
{
    return t->kind == TOKEN_MARK && *t->at == c;
}

static bool is_member(const struct tokens *t)
{
    const struct token *last = t->n > 0 ? t->token + t->n - 1 : NULL;

    if (t->n > 1 && is_mark(last, '>') && is_mark(last - 1, '-'))
        return last->at == last[-1].at + 1;
    return last && is_mark(last, '.');
}

void tokens_add(struct tokens *t, const struct token *token)
{
    if (t->n == MOST_TOKENS) {
        t->spent = true;
        return;
    }
    if (t->n == t->room) {
        t->room = t->room ? 2 * t->room : 1024;
        t->token = realloc(t->token, (size_t)t->room * sizeof *t->token);
        if (!t->token) {
            fputs("alike: no memory\n", stderr);
            exit(2);
        }
    }
    t->token[t->n++] = *token;
}

static bool is_read(const struct tokens *t, const char *path)
{
    for (int i = 0; i < t->files; i++)
        if (strcmp(t->path[i], path) == 0)
            return true;
    return false;
}

/* The folder of path, with its slash. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup("");
}

/* Once each, in the place where it is named first. */
static bool read_file(struct tokens *t, const char *path, bool *inside)
{
    char *text = is_read(t, path) || t->files == MOST_FILES ? NULL
                                                            : read_all(path);
    char *folder;

    if (!text)
        return false;
    t->text = realloc(t->text, (size_t)(t->files + 1) * sizeof *t->text);
    t->path = realloc(t->path, (size_t)(t->files + 1) * sizeof *t->path);
    folder = folder_of(path);
    if (!t->text || !t->path || !folder)
        exit(2);
    t->text[t->files] = text;
    t->path[t->files++] = strdup(path);
    lex(t, text, folder, inside);
    free(folder);
    return true;
}

/* name: of a file beside the one that includes it, whatever path it has there.
 * The workbook's headers are elsewhere, and nobody's work. */
static void read_beside(struct tokens *t, const char *folder, const char *name,
                        int length, bool *inside)
{
    char path[4096];
    struct stat info;
    const char *slash = memrchr(name, '/', (size_t)length);

    if (slash) {
        length -= (int)(slash + 1 - name);
        name = slash + 1;
    }
    if (snprintf(path, sizeof path, "%s%.*s", folder, length, name) >=
            (int)sizeof path ||
        lstat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return;
    read_file(t, path, inside);
}

static int is_source(const struct dirent *file)
{
    static const char *const ends[] = {".cuh", ".h", ".cu", ".c"};
    const char *end = strrchr(file->d_name, '.');

    for (size_t i = 0; end && i < sizeof ends / sizeof *ends; i++)
        if (strcmp(end, ends[i]) == 0)
            return 1;
    return 0;
}

/* A macro names the file: which, only the compiler knows. */
static void read_all_beside(struct tokens *t, const char *folder, bool *inside)
{
    struct dirent **file;
    int n = t->all_beside ? 0 : scandir(*folder ? folder : ".", &file,
                                        is_source, alphasort);

    if (n <= 0)
        return;
    t->all_beside = true;
    for (int i = 0; i < n; i++) {
        read_beside(t, folder, file[i]->d_name, (int)strlen(file[i]->d_name),
                    inside);
        free(file[i]);
    }
    free(file);
}

/* Behind blanks and comments, which may stand between a directive's words. */
static const char *to_word(const char *p)
{
    bool outer = false;

    for (;;) {
        p += strspn(p, " \t\v\f\r");
        if (strncmp(p, "/*", 2) != 0)
            return p;
        p = skip_comment(p, &outer);
    }
}

/* At `#`: behind the line if it is an #include, else NULL. */
static const char *include(struct tokens *t, const char *p, const char *folder)
{
    bool outer = false;

    p = to_word(p + (*p == '#' ? 1 : 2));
    if (strncmp(p, "include", 7) == 0)
        p = to_word(p + 7);
    else if (strncmp(p, "import", 6) == 0)
        p = to_word(p + 6);
    else
        return NULL;
    if (*p == '"')
        read_beside(t, folder, p + 1, (int)strcspn(p + 1, "\"\n"), &outer);
    else if (*p != '<')
        read_all_beside(t, folder, &outer);
    return p + strcspn(p, "\n");
}

/* The contents of a literal, and the place behind it. */
struct literal {
    const char *from, *to, *end;
};

/* The same, of a raw literal whose contents begin at from. */
static bool find_end(struct tokens *t, const char *from, const char *close,
                     struct literal *l)
{
    const char *to = strstr(from, close);

    t->searched += to ? (size_t)(to - from) : strlen(from);
    t->spent |= t->searched > MOST_SEARCHED;
    *l = (struct literal){from, to, to ? to + strlen(close) : NULL};
    return to != NULL;
}

/* At R"x(...)x", whatever stands before the R. False: it is none. */
static bool is_raw(struct tokens *t, const char *p, struct literal *l)
{
    static const char *const marks[] = {"R\"", "LR\"", "uR\"", "UR\"", "u8R\""};
    char close[20];

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t n = strlen(marks[i]), delimiter;

        if (strncmp(p, marks[i], n) != 0)
            continue;
        delimiter = strcspn(p + n, "( )\\\n");
        if (delimiter > 16 || p[n + delimiter] != '(')
            return false;
        snprintf(close, sizeof close, ")%.*s\"", (int)delimiter, p + n);
        return find_end(t, p + n + delimiter + 1, close, l);
    }
    return false;
}

/* Or a part of a longer one: behind another, or before it. */
static bool is_long(const char *p, bool follows, struct literal *l)
{
    if (*p != '"')
        return false;
    l->from = p + 1;
    l->end = to_quote(p);
    l->to = l->end - (l->end > l->from && l->end[-1] == '"');
    return follows || l->to - l->from >= LONG ||
           l->end[strspn(l->end, " \t\r\n")] == '"';
}

/* As if the literal's contents stood there; deep in others, one string. */
static const char *open_literal(struct tokens *t, const struct literal *l,
                                const char *folder, bool *inside)
{
    struct token whole = {.kind = TOKEN_STRING,
                          .at = l->from,
                          .length = (int)(l->to - l->from),
                          .inside = *inside};
    char *to = (char *)(uintptr_t)l->to; /* of a text that is ours */
    char kept = *to;

    if (t->depth == MOST_DEPTH) {
        tokens_add(t, &whole);
        return l->end;
    }
    *to = '\0';
    t->depth++;
    lex(t, l->from, folder, inside);
    t->depth--;
    *to = kept;
    return l->end;
}

static void lex(struct tokens *t, const char *p, const char *folder,
                bool *inside)
{
    struct literal literal;
    const char *behind;
    bool first = true, follows = false;

    while (*p && !t->spent) {
        struct token next = {.inside = *inside, .member = is_member(t),
                             .first = first};

        if (isspace((unsigned char)*p)) {
            first |= *p++ == '\n';
        } else if (*p == '\\') { /* in a literal: \n */
            p += p[1] ? 2 : 1;
        } else if (*p == '/' && (p[1] == '/' || p[1] == '*')) {
            p = skip_comment(p, inside);
        } else if (first && (*p == '#' || strncmp(p, "%:", 2) == 0) &&
                   (behind = include(t, p, folder))) {
            p = behind;
        } else if (is_raw(t, p, &literal) ||
                   is_long(p, follows, &literal)) {
            p = open_literal(t, &literal, folder, inside);
            first = false;
            follows = true;
        } else {
            p = one(p, &next);
            tokens_add(t, &next);
            first = follows = false;
        }
    }
}

bool tokens_read(struct tokens *t, const char *path)
{
    bool inside = false;

    *t = (struct tokens){0};
    if (!read_file(t, path, &inside) || t->spent)
        return false;
    macros_expand(t);
    for (int i = 0; i < t->n; i++)
        t->n_inside += t->token[i].inside;
    return true;
}

void tokens_free(struct tokens *t)
{
    for (int i = 0; i < t->files; i++) {
        free(t->text[i]);
        free(t->path[i]);
    }
    free(t->text);
    free(t->path);
    free(t->token);
}

static bool is_same(const struct token *a, const struct token *b)
{
    return a->length == b->length && a->member == b->member &&
           memcmp(a->at, b->at, (size_t)a->length) == 0;
}

static bool is_fixed(const struct tokens *fixed, const struct token *word)
{
    for (int i = 0; fixed && i < fixed->n; i++)
        if (!fixed->token[i].inside && is_same(&fixed->token[i], word))
            return true;
    return false;
}

/* Each own name points to its first appearance: a table with open addressing,
 * so that a megabyte of names costs no more than a megabyte. */
struct names {
    const struct token **slot;
    int *number;
    size_t size; /* a power of two */
    int n;
};

static uint64_t mix(uint64_t hash, const char *at, int length)
{
    for (int i = 0; i < length; i++) /* FNV-1a */
        hash = (hash ^ (unsigned char)at[i]) * 0x100000001b3u;
    return hash;
}

/* Of threadIdx, of a float4. */
static bool is_lane(const struct token *word)
{
    return word->member && word->length == 1 && strchr("xyzw", *word->at);
}

/* Its number: 0 for a name that keeps its word. */
static int number_of(struct names *names, const struct token *word,
                     const struct tokens *fixed)
{
    size_t i = mix(0xcbf29ce484222325u, word->at, word->length) &
               (names->size - 1);

    while (names->slot[i] && !is_same(names->slot[i], word))
        i = (i + 1) & (names->size - 1);
    if (!names->slot[i]) {
        names->slot[i] = word;
        names->number[i] =
            is_known(word) || is_fixed(fixed, word) ? 0 : ++names->n;
    }
    return names->number[i];
}

char *tokens_form(const struct tokens *t, bool inside,
                  const struct tokens *fixed)
{
    struct names names = {.size = 16};
    size_t bytes = 1;
    char *form, *end;

    for (int i = 0; i < t->n; i++)
        bytes += (size_t)t->token[i].length + 12;
    form = end = room(bytes, 1);
    while (names.size < (size_t)t->n * 2)
        names.size *= 2;
    names.slot = room(names.size, sizeof *names.slot);
    names.number = room(names.size, sizeof *names.number);
    for (int i = 0; i < t->n; i++) {
        const struct token *token = &t->token[i];
        int number = 0;

        if (inside && !token->inside)
            continue;
        if (token->kind == TOKEN_WORD && !is_lane(token))
            number = number_of(&names, token, fixed);
        if (number)
            end += sprintf(end, "$%d ", number);
        else
            end += sprintf(end, "%.*s ", token->length, token->at);
    }
    free(names.slot);
    free(names.number);
    return form;
}

void tokens_kinds(const struct tokens *t, uint64_t *hash)
{
    for (int i = 0; i < t->n; i++) {
        const struct token *token = &t->token[i];
        bool literal = token->kind == TOKEN_MARK ||
                       (token->kind == TOKEN_WORD && is_known(token));

        hash[i] = mix(0xcbf29ce484222325u, token->at,
                      literal ? token->length : 0) +
                  (uint64_t)token->kind * 0x9e3779b97f4a7c15u;
    }
}
