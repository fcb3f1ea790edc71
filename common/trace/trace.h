// SPDX-License-Identifier: MIT
/*
 * trace.h: the parts of bin/trace, which makes `make trace` and `make lines`
 * of what `check --inspect` wrote.
 *
 *   read.c      access_read: one access of the traced warp, from JSON
 *   picture.c   picture_draw: that access, as SVG
 *   listing.c   listing_print: the source with what each line costs
 *   page.c      page_print: both as one HTML page
 *   main.c      which of them
 */
#ifndef TRACE_H
#define TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

enum { LANES = 32, WORD = 4, SECTOR = 32, CACHE_LINE = 128, BANKS = 32 };

struct access {
    const char *op;          /* "ld.global.f32" */
    int line;                /* of the source; 0: not known */
    bool shared, write, atomic;
    uint32_t mask, bytes;    /* active lanes; bytes a lane */
    uint64_t address[LANES]; /* global: from the array's start */
    const char *array;       /* NULL: in no array that we know */
    int times;               /* it came in a row, at other places */
};

/* What the accesses of a kernel have in common goes to one: same line, same
 * lanes, same distances. Returns how many there are, at most `most`. */
int access_read(const json_t *kernel, struct access *list, int most);

/* Inline SVG, `id` unique in its page; alone: a file of its own. */
void picture_draw(const struct access *a, int id);
int picture_height(const struct access *a);
/* "32 sectors, 4 of their 32 bytes used": the access in words. */
void picture_words(const struct access *a, char *text, size_t size);

/* Counts of one line of a source. */
struct costs {
    double issued, lanes, requests, sectors, missed, shared, wavefronts,
        conflicts;
};
/* Sums over the kernel's launches; false: the line did nothing. */
bool costs_of(const json_t *kernel, int line, struct costs *c);
double costs_issued(const json_t *kernel);
/* Text, 80 columns. */
void listing_print(const json_t *kernel);
void page_print(const json_t *root, const json_t *kernel);

const char *str(const json_t *object, const char *key);
/* Line n of the kernel's source follows line n - 1; NULL past the last. The
 * caller frees both. */
char **source_lines(const char *path, int *n);
void source_free(char **lines, int n);

#endif
