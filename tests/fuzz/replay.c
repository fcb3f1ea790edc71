// SPDX-License-Identifier: MIT
/*
 * replay.c: runs a reader on files without libFuzzer.
 *
 *   replay [-n DAMAGED] FILE...   each file, then DAMAGED variants of it:
 *                                 truncated, a byte changed, a piece repeated
 *
 * The damage depends only on the file's number, so failures are reproducible.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static uint32_t drawn;

static size_t draw(size_t below)
{
    drawn = drawn * 1664525u + 1013904223u; // Numerical Recipes' generator
    return below ? (drawn >> 8) % below : 0;
}

// Not a byte more than the input, so that reading past it is seen.
static uint8_t *exactly(const uint8_t *from, size_t n)
{
    uint8_t *data = malloc(n ? n : 1);

    if (!data) {
        perror("replay");
        exit(2);
    }
    memcpy(data, from, n);
    return data;
}

static void give(const uint8_t *from, size_t n)
{
    uint8_t *data = exactly(from, n);

    LLVMFuzzerTestOneInput(data, n);
    free(data);
}

static void damage(const uint8_t *from, size_t n)
{
    uint8_t *data = exactly(from, n);
    size_t at = draw(n), to = draw(n), room = n - (at > to ? at : to);
    size_t length = draw(room < 64 ? room : 64);

    switch (draw(3)) {
    case 0: n = at; break;
    case 1:
        if (n)
            data[at] = (uint8_t)draw(256);
        break;
    default: memmove(data + to, data + at, length); break;
    }
    give(data, n);
    free(data);
}

static int replay(const char *path, long damaged)
{
    FILE *file = fopen(path, "rb");
    long size;

    if (!file || fseek(file, 0, SEEK_END) || (size = ftell(file)) < 0) {
        perror(path);
        return 1;
    }
    rewind(file);

    uint8_t *data = malloc((size_t)size + 1);
    size_t n = data ? fread(data, 1, (size_t)size, file) : 0;
    int failed = !data || n != (size_t)size;

    fclose(file);
    if (failed)
        perror(path);
    else
        give(data, n);
    for (long i = 0; !failed && i < damaged; i++)
        damage(data, n);
    free(data);
    return failed;
}

int main(int argc, char **argv)
{
    int first = 1, failed = 0;
    long damaged = 0;

    if (argc > 2 && !strcmp(argv[1], "-n")) {
        damaged = atol(argv[2]);
        first = 3;
    }
    if (first >= argc) {
        fprintf(stderr, "usage: replay [-n DAMAGED] FILE...\n");
        return 2;
    }
    for (int i = first; i < argc; i++) {
        drawn = (uint32_t)i;
        failed |= replay(argv[i], damaged);
    }
    return failed;
}
