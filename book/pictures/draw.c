// SPDX-License-Identifier: MIT
/*
 * draw.c: the lessons' pictures, as SVG on stdout.
 *
 *   draw NAME    one of those that `draw` alone lists
 *
 * The vocabulary of colours and shapes is README.md's.
 */
#include <stdio.h>
#include <string.h>

#include "pictures.h"

static const struct {
    const char *(*name)(size_t i);
    void (*draw)(size_t i);
} TABLES[] = {
    {accesses_name, accesses_draw},
    {scenes_name, scenes_draw},
    {ladder_name, ladder_draw},
    {product_name, product_draw},
    {anatomy_name, anatomy_draw},
    {occupancy_name, occupancy_draw},
    {map_name, map_draw},
    {depth_name, depth_draw},
    {cover_name, cover_draw},
};

int main(int argc, char **argv)
{
    for (size_t t = 0; t < sizeof TABLES / sizeof *TABLES; t++)
        for (size_t i = 0; TABLES[t].name(i); i++)
            if (argc < 2)
                puts(TABLES[t].name(i));
            else if (!strcmp(argv[1], TABLES[t].name(i))) {
                TABLES[t].draw(i);
                return 0;
            }
    if (argc >= 2)
        fprintf(stderr, "draw: no picture %s\n", argv[1]);
    return argc >= 2;
}
