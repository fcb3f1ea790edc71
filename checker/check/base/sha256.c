// SPDX-License-Identifier: MIT
/*
 * sha256.c: SHA-256 as FIPS 180-4 states it; see sha256.h. The names of its
 * section 6.2 are kept: a to h, T1, T2, W.
 */
#include "sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first 32 bits of the fractional parts of the cube roots of the first 64
 * primes, and below, of the square roots of the first 8. */
static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static const uint32_t first_state[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static uint32_t rotr(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static void schedule(uint32_t W[64], const unsigned char *block)
{
    for (int t = 0; t < 16; t++)
        W[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < 64; t++) {
        uint32_t x = W[t - 15], y = W[t - 2];

        W[t] = W[t - 16] + (rotr(x, 7) ^ rotr(x, 18) ^ x >> 3) + W[t - 7] +
               (rotr(y, 17) ^ rotr(y, 19) ^ y >> 10);
    }
}

static void compress(uint32_t state[8], const unsigned char *block)
{
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    uint32_t W[64];

    schedule(W, block);
    for (int t = 0; t < 64; t++) {
        uint32_t T1 = h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) +
                      ((e & f) ^ (~e & g)) + K[t] + W[t];
        uint32_t T2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) +
                      ((a & b) ^ (a & c) ^ (b & c));

        h = g;
        g = f;
        f = e;
        e = d + T1;
        d = c;
        c = b;
        b = a;
        a = T1 + T2;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
}

void sha256_begin(struct sha256 *s)
{
    memcpy(s->state, first_state, sizeof s->state);
    s->bytes = 0;
}

void sha256_add(struct sha256 *s, const void *data, size_t n)
{
    const unsigned char *at = data;

    while (n > 0) {
        size_t used = s->bytes % SHA256_BLOCK, part = SHA256_BLOCK - used;

        if (part > n)
            part = n;
        if (part == SHA256_BLOCK) {
            compress(s->state, at);
        } else {
            memcpy(s->block + used, at, part);
            if (used + part == SHA256_BLOCK)
                compress(s->state, s->block);
        }
        s->bytes += part;
        at += part;
        n -= part;
    }
}

void sha256_end(struct sha256 *s, char hex[SHA256_HEX])
{
    static const unsigned char padding[SHA256_BLOCK] = {0x80};
    uint64_t bits = s->bytes * 8;
    size_t used = s->bytes % SHA256_BLOCK;
    unsigned char length[8];

    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    /* Up to where the length ends a block. */
    sha256_add(s, padding, (used < 56 ? 56 : 120) - used);
    sha256_add(s, length, sizeof length);
    for (int i = 0; i < 8; i++)
        snprintf(hex + 8 * i, 9, "%08x", s->state[i]);
}

bool sha256_file(struct sha256 *s, const char *path)
{
    static const size_t piece = 1 << 16;
    unsigned char bytes[1 << 16];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    ssize_t n = -1;

    if (fd < 0)
        return false;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        close(fd);
        errno = EINVAL;
        return false;
    }
    while ((n = read(fd, bytes, piece)) != 0) {
        if (n < 0 && errno != EINTR)
            break;
        if (n > 0)
            sha256_add(s, bytes, (size_t)n);
    }
    close(fd);
    return n == 0;
}
