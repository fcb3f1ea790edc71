// SPDX-License-Identifier: MIT
/*
 * names.c: interned names, each with a stack of bindings.
 *
 *   names_open, names_intern, names_push, names_pop, names_bind, names_here,
 *   names_visible
 *
 * A look-up computes one hash of the text. Closing a scope removes its
 * bindings, which makes those visible that they hid.
 */
#include "names.h"

#include <string.h>

enum { FIRST_BUCKETS = 1024 };

bool names_open(struct names *names, struct arena *arena)
{
    *names = (struct names){.arena = arena, .n_buckets = FIRST_BUCKETS};
    names->buckets = arena_alloc(arena, FIRST_BUCKETS, sizeof(struct name *));
    return names->buckets != NULL;
}

/* FNV-1a. */
static size_t hash(const char *text, size_t n)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)text[i]) * 1099511628211u;
    return (size_t)(h ^ h >> 32);
}

static void rehash(struct names *names)
{
    size_t n = names->n_buckets * 4;
    struct name **buckets = arena_alloc(names->arena, n, sizeof *buckets);
    if (!buckets)
        return; /* slower, but still correct */
    for (size_t i = 0; i < names->n_buckets; i++) {
        for (struct name *e = names->buckets[i], *next; e; e = next) {
            next = e->next;
            struct name **b = &buckets[hash(e->text, e->length) % n];
            e->next = *b;
            *b = e;
        }
    }
    names->buckets = buckets;
    names->n_buckets = n;
}

static struct name *add(struct names *names, const char *text, size_t n)
{
    struct name *e = arena_alloc(names->arena, 1, sizeof *e);
    char *copy = arena_alloc(names->arena, n + 1, 1);
    if (!e || !copy)
        return NULL;
    memcpy(copy, text, n);
    *e = (struct name){.text = copy, .length = n};
    if (++names->n_names > names->n_buckets * 2)
        rehash(names);
    struct name **b = &names->buckets[hash(text, n) % names->n_buckets];
    e->next = *b;
    *b = e;
    return e;
}

struct name *names_intern(struct names *names, const char *text, size_t n)
{
    struct name *e = names->buckets[hash(text, n) % names->n_buckets];
    while (e && !(e->length == n && memcmp(e->text, text, n) == 0))
        e = e->next;
    return e ? e : add(names, text, n);
}

bool names_push(struct names *names)
{
    if (names->depth + 1 >= MAX_SCOPES)
        return false;
    names->scopes[++names->depth] = NULL;
    return true;
}

void names_pop(struct names *names)
{
    for (struct binding *b = names->scopes[names->depth]; b; b = b->next)
        b->name->meaning = b->outer;
    names->depth--;
}

struct binding *names_bind(struct names *names, struct name *name,
                           enum binding_kind kind, int32_t index)
{
    struct binding *b = arena_alloc(names->arena, 1, sizeof *b);
    if (!b)
        return NULL;
    *b = (struct binding){.kind = kind, .index = index, .name = name,
                          .depth = names->depth, .outer = name->meaning,
                          .next = names->scopes[names->depth]};
    name->meaning = b;
    names->scopes[names->depth] = b;
    return b;
}

struct binding *names_here(const struct names *names, const struct name *name)
{
    struct binding *b = name->meaning;
    return b && b->depth == names->depth ? b : NULL;
}

struct binding *names_visible(const struct name *name)
{
    return name->meaning;
}
