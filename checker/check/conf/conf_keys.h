// SPDX-License-Identifier: MIT
/*
 * conf_keys.h: the keys of chapter.conf, and what their values may be.
 *
 *   conf_chapter_key   one KEY = VALUE of [chapter]
 *   conf_kernel_key    one of a kernel's section
 *   conf_refuse        an error of a line; returns false
 *   conf_copy          a value that is short enough
 *
 * Each returns false after an error, which struct conf_reader keeps.
 *
 * Circle with conf: the keys fill its struct.
 */
#ifndef CHECK_CONF_KEYS_H
#define CHECK_CONF_KEYS_H

#include <stdio.h>

#include "conf.h"

enum { CONF_SECTIONS = CONF_KERNELS + 1, CONF_SECTION_BYTES = 32 };

/* A file that is being read. */
struct conf_reader {
    FILE *in;
    const char *path;
    int line;
    int section_line[CONF_KERNELS];
    char seen[CONF_SECTIONS][CONF_SECTION_BYTES]; /* their names so far */
    int n_seen;
    struct conf *conf;
    char *error;
    size_t error_size;
    bool failed;
};

/* Keeps the first error; later ones often follow from it. */
bool conf_refuse(struct conf_reader *reader, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool conf_copy(struct conf_reader *reader, char *to, size_t size,
               const char *value);
bool conf_chapter_key(struct conf_reader *reader, const char *key,
                      const char *value);
bool conf_kernel_key(struct conf_reader *reader, struct kernel_conf *kernel,
                     const char *key, const char *value);

#endif
