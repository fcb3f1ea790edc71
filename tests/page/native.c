// SPDX-License-Identifier: MIT
/*
 * native.c: the page's interface to the engine as a native program, so that a
 * test can compare it with the WebAssembly one. Reads a call per line, its
 * words separated by tabs; "load" names a file. Prints each call's result.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simgpu/page/page.h"

enum { MOST = 16, LINE = 1 << 16 };

static char *word[MOST];

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "native: no such call or file: %s\n", what);
    exit(1);
}

static uint32_t n(int k)
{
    return (uint32_t)strtoul(word[k], NULL, 10);
}

static const char *load(const char *path)
{
    enum { LARGEST = 4 << 20 };
    static char text[LARGEST];
    FILE *f = fopen(path, "rb");
    if (!f)
        die(path);
    text[fread(text, 1, LARGEST - 1, f)] = '\0';
    fclose(f);
    return page_load(text);
}

static bool call_number(const char *name, uint32_t *result)
{
    if (!strcmp(name, "alloc"))
        *result = page_alloc(n(1));
    else if (!strcmp(name, "fill"))
        *result = (uint32_t)page_fill(n(1), n(2), n(3), n(4), n(5));
    else if (!strcmp(name, "set"))
        *result = (uint32_t)page_set(n(1), n(2), n(3));
    else if (!strcmp(name, "get"))
        *result = page_get(n(1), n(2));
    else if (!strcmp(name, "cluster"))
        *result = (uint32_t)page_cluster(n(1), n(2), n(3));
    else if (!strcmp(name, "params"))
        *result = (uint32_t)page_params(word[1]);
    else if (!strcmp(name, "point"))
        *result = (uint32_t)page_point(n(1), n(2), n(3));
    else
        return false;
    return true;
}

static const char *call_text(const char *name)
{
    return !strcmp(name, "open") ? page_open(n(1), n(2))
         : !strcmp(name, "load") ? load(word[1])
         : !strcmp(name, "launch") ? page_launch(word[1], n(2), n(3), n(4),
                                                 n(5), n(6), n(7), n(8))
         : !strcmp(name, "whole") ? page_whole(word[1], n(2), n(3), n(4), n(5),
                                               n(6), n(7), n(8))
         : !strcmp(name, "step") ? page_step(n(1), n(2))
         : !strcmp(name, "run") ? page_run(n(1))
         : !strcmp(name, "look") ? page_look()
         : !strcmp(name, "end") ? page_end()
                                : (die(name), NULL);
}

int main(void)
{
    static char line[LINE];
    while (fgets(line, sizeof line, stdin)) {
        uint32_t number;
        int k = 0;
        line[strcspn(line, "\n")] = '\0';
        for (char *at = line; at && k < MOST; k++) {
            word[k] = at;
            at = strchr(at, '\t');
            if (at)
                *at++ = '\0';
        }
        if (call_number(word[0], &number))
            printf("%u\n", number);
        else
            printf("%s\n", call_text(word[0]));
    }
    page_close();
    return 0;
}
