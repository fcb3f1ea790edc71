// SPDX-License-Identifier: MIT
/*
 * rows.c: from an instruction's words to its row. Interface: rows.h.
 *
 * A module has a few hundred spellings and perhaps a million instructions, so
 * each spelling is looked up in the table once and then found by its hash.
 */
#include "rows.h"

#include <stdlib.h>
#include <string.h>

#include "simgpu/core/lanes/scalar.h"

/* Operands ----------------------------------------------------------------- */

const char *row_operand(const char *p, struct row_operand *o)
{
    *o = (struct row_operand){0};
    if (*p == '=' || *p == '+') {
        o->written = true;
        o->kept = *p++ == '+';
    }
    if (!*p)
        return NULL;
    o->kind = *p++;
    if (p[0] == '|') {
        o->paired = true;
        p += 2;
    }
    o->repeated = *p == '*';
    o->optional = *p == '?' || o->repeated;
    return p + o->optional;
}

/* Whether so many operands fit. */
static bool takes(const struct row *r, uint16_t n_operands)
{
    struct row_operand o;
    unsigned least = 0, most = 0;
    bool endless = false;
    for (const char *p = r->form.operands; (p = row_operand(p, &o));) {
        least += !o.optional;
        most++;
        endless |= o.repeated;
    }
    return n_operands >= least && (endless || n_operands <= most);
}

/* Patterns ----------------------------------------------------------------- */

/* What follows the braces that are open. */
struct rest {
    const char *pattern;
    const struct rest *next;
};

static const char *end_of(const char *p)
{
    int depth = 0;
    for (; *p; p++) {
        if (depth == 0 && (*p == ',' || *p == '}'))
            return p;
        depth += (*p == '{') - (*p == '}');
    }
    return p;
}

static bool match(const char *p, const char *text, const struct rest *rest,
                  row_took *took)
{
    for (; *p && *p != ',' && *p != '}'; p++, text++) {
        if (*p == '{') {
            const char *close = p, *from = p + 1;
            do
                close = end_of(close + 1);
            while (*close == ',');
            const struct rest after = {close + 1, rest};
            for (; from <= close; from = end_of(from) + 1)
                if (match(from, text, &after, took)) {
                    if (took)
                        took(from);
                    return true;
                }
            return false;
        }
        if (*p != *text)
            return false;
    }
    return rest ? match(rest->pattern, text, rest->next, took) : !*text;
}

bool row_matches(const char *pattern, const char *text, row_took *took)
{
    bool begins = pattern[0] == text[0] || pattern[0] == '{';
    if (!begins || !match(pattern, text, NULL, took))
        return false;
    if (took)
        took(pattern);
    return true;
}

/* Spellings ---------------------------------------------------------------- */

enum { TEXT_MOST = 1024, FEWEST = 256 };

struct spellings {
    struct arena *arena;
    struct spelling *entry; /* open addressing; text NULL: free */
    size_t n, room;         /* room: a power of two */
};

static void *allocate(size_t n, size_t size)
{
    void *p = calloc(n, size);
    if (!p)
        abort();
    return p;
}

struct spellings *spellings_open(struct arena *arena)
{
    struct spellings *s = allocate(1, sizeof *s);
    s->arena = arena;
    s->room = FEWEST;
    s->entry = allocate(s->room, sizeof *s->entry);
    return s;
}

void spellings_close(struct spellings *s)
{
    free(s->entry);
    free(s);
}

static char *append(char *to, const char *end, const char *word)
{
    while (*word && to < end)
        *to++ = *word++;
    *to = '\0';
    return to;
}

/* What is too long for text is of no row, whatever is cut off. */
static void whole_text(const struct ptx_inst *in, char text[TEXT_MOST])
{
    const char *end = text + TEXT_MOST - 1;
    char *at = append(text, end, in->op);
    for (int k = 0; k < in->n_suffixes; k++)
        at = append(append(at, end, "."), end, in->suffix[k]);
}

static uint32_t modifier(const char *word)
{
    static const struct { const char *word; uint32_t mod; } mods[] = {
        {"ftz", MOD_FTZ}, {"sat", MOD_SAT}, {"rn", MOD_HAS_ROUND},
        {"rz", MOD_HAS_ROUND | ROUND_ZERO << 2},
        {"rm", MOD_HAS_ROUND | ROUND_DOWN << 2},
        {"rp", MOD_HAS_ROUND | ROUND_UP << 2}, {"NaN", MOD_NAN},
        {"xorsign", MOD_XORSIGN}, {"abs", MOD_ABS},
        {"rni", MOD_INTEGER}, {"rzi", MOD_INTEGER | ROUND_ZERO << 2},
        {"rmi", MOD_INTEGER | ROUND_DOWN << 2},
        {"rpi", MOD_INTEGER | ROUND_UP << 2},
    };
    for (size_t k = 0; k < sizeof mods / sizeof *mods; k++)
        if (strcmp(mods[k].word, word) == 0)
            return mods[k].mod;
    return 0;
}

/* The text without its modifiers, which are returned. */
static uint32_t split(const char *text, char words[TEXT_MOST])
{
    uint32_t mods = 0;
    char *to = words;
    for (const char *word = text, *end; word; word = end ? end + 1 : NULL) {
        char copy[TEXT_MOST];
        end = strchr(word, '.');
        size_t n = end ? (size_t)(end - word) : strlen(word);
        memcpy(copy, word, n);
        copy[n] = '\0';
        uint32_t mod = word == text ? 0 : modifier(copy);
        mods |= mod;
        if (!mod)
            to = stpcpy(stpcpy(to, to == words ? "" : "."), copy);
    }
    return mods;
}

static bool fits(const struct row *r, const struct spelling *s,
                 const char *words)
{
    if (!takes(r, s->n_operands))
        return false;
    if (r->decode)
        return row_matches(r->form.words, s->text, NULL);
    return (s->mods & r->needs) == r->needs &&
           (s->mods & ~(r->needs | r->allows)) == 0 &&
           strcmp(r->form.words, words) == 0;
}

const struct row *spelling_next(const struct spelling *s,
                                const struct row *row)
{
    char words[TEXT_MOST];
    size_t first = row ? (size_t)(row - row_at(0)) + 1 : 0;
    split(s->text, words);
    for (size_t k = first; k < row_count(); k++)
        if (fits(row_at(k), s, words))
            return row_at(k);
    return NULL;
}

static size_t hash(const char *text, uint16_t n)
{
    uint64_t h = 0xcbf29ce484222325ull ^ n; /* FNV-1a */
    for (; *text; text++)
        h = (h ^ (uint8_t)*text) * 0x100000001b3ull;
    return (size_t)(h ^ h >> 32);
}

/* Where the spelling is, or would be. */
static struct spelling *place_of_spelling(const struct spellings *s,
                                          const char *text, uint16_t n)
{
    size_t at = hash(text, n) & (s->room - 1);
    while (s->entry[at].text && (s->entry[at].n_operands != n ||
                                 strcmp(s->entry[at].text, text) != 0))
        at = (at + 1) & (s->room - 1);
    return &s->entry[at];
}

static void grow(struct spellings *s)
{
    struct spellings bigger = {s->arena, NULL, s->n, 2 * s->room};
    bigger.entry = allocate(bigger.room, sizeof *bigger.entry);
    for (size_t k = 0; k < s->room; k++)
        if (s->entry[k].text)
            *place_of_spelling(&bigger, s->entry[k].text,
                               s->entry[k].n_operands) = s->entry[k];
    free(s->entry);
    *s = bigger;
}

struct spelling spelling_of(struct spellings *s, const struct ptx_inst *in)
{
    char text[TEXT_MOST], words[TEXT_MOST];
    whole_text(in, text);
    struct spelling *e = place_of_spelling(s, text, in->n_operands);
    if (e->text)
        return *e;
    if (2 * ++s->n > s->room) {
        grow(s);
        e = place_of_spelling(s, text, in->n_operands);
    }
    char *copy = arena_alloc(s->arena, strlen(text) + 1, 1);
    if (!copy)
        abort();
    *e = (struct spelling){.text = strcpy(copy, text),
                           .mods = split(text, words),
                           .n_operands = in->n_operands};
    e->row = spelling_next(e, NULL);
    return *e;
}

/* For tests ---------------------------------------------------------------- */

enum { ROWS_MOST = 1024 };
static bool taken[ROWS_MOST];

void row_take(const struct row *r)
{
    size_t k = (size_t)(r - row_at(0));
    if (k < ROWS_MOST)
        taken[k] = true;
}

bool row_was_taken(size_t k)
{
    return k < ROWS_MOST && taken[k];
}

const char *row_words(size_t k, bool *is_pattern)
{
    *is_pattern = row_at(k)->decode;
    return row_at(k)->form.words;
}

uint32_t row_needs(size_t k)
{
    return row_at(k)->needs;
}
