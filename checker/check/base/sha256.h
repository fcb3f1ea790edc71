// SPDX-License-Identifier: MIT
/*
 * sha256.h: digests of files (FIPS 180-4).
 *
 *   sha256_begin, sha256_add, sha256_end   of bytes in pieces
 *   sha256_file                            adds all that a file holds
 *
 * A check takes some forty digests. A process of `sha256sum` for each cost a
 * fifth of what nvcc takes for a small kernel.
 */
#ifndef CHECK_SHA256_H
#define CHECK_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHA256_BLOCK = 64, SHA256_HEX = 65 };

struct sha256 {
    uint32_t state[8];
    uint64_t bytes;
    unsigned char block[SHA256_BLOCK]; /* the first bytes % SHA256_BLOCK */
};

void sha256_begin(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *data, size_t n);
/* 64 hex digits. */
void sha256_end(struct sha256 *s, char hex[SHA256_HEX]);
/* False, with errno: it cannot be read, or is a pipe, a device or a folder. */
bool sha256_file(struct sha256 *s, const char *path);

#endif
