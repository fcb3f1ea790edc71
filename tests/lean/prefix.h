// SPDX-License-Identifier: MIT
/*
 * prefix.h: what `-include cuda_runtime.h` brings, kept for the next source.
 *
 *   prefix_take   its text; from now on argv includes its macros alone, so
 *                 what g++ -E writes belongs behind this text. NULL, with argv
 *                 as it was, where it is not to be had.
 */
#ifndef LEAN_PREFIX_H
#define LEAN_PREFIX_H

/* argv, of g++ -E, ends with the source, -o and a file. */
char *prefix_take(int argc, char **argv);

/* A file's text behind a '\n'; NULL if it cannot be read. */
char *prefix_read(const char *path);

#endif
