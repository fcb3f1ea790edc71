// SPDX-License-Identifier: MIT
/*
 * trace.h: the parts of bin/trace, which draws and prints a file of
 * `check --inspect` for `make trace` and `make lines`.
 *
 *   read.c      trace_*: accesses, costs and source lines, from JSON
 *   picture.c   picture_draw: one access, as SVG
 *   listing.c   listing_print: the source with the cost of each line
 *   page.c      page_print: both as one HTML page
 *   main.c      the command line
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
    int line;                /* of the source; 0: unknown */
    bool shared, write, atomic;
    uint32_t mask, bytes;    /* active lanes; bytes per lane */
    uint64_t address[LANES]; /* global: relative to the array's start */
    const char *array;       /* NULL: unknown */
    int times;               /* how often it occurs, with shifted addresses */
};

/* The kernel's accesses; those with the same line, lanes and distances between
 * addresses are merged. Returns their number, at most `most`. */
int trace_accesses(const json_t *kernel, struct access *list, int most);

/* Inline SVG; id: unique within the page. */
void picture_draw(const struct access *a, int id);
int picture_height(const struct access *a);
/* "32 sectors of 32 bytes, 128 of their 1024 bytes used": the cost in words. */
void picture_words(const struct access *a, char *text, size_t size);

/* Counts of one line of a source. */
struct costs {
    double issued, lanes, requests, sectors, missed, shared, wavefronts,
        conflicts;
};
/* Sums over the kernel's launches; false: the line issued no instruction. */
bool trace_costs(const json_t *kernel, int line, struct costs *c);
double trace_issued(const json_t *kernel);
/* As text of 80 columns. */
void listing_print(const json_t *kernel);
void page_print(const json_t *root, const json_t *kernel);

const char *trace_str(const json_t *object, const char *key);
/* The lines of a file, *n of them; trace_source_free frees them. */
char **trace_source(const char *path, int *n);
void trace_source_free(char **lines, int n);

#endif
