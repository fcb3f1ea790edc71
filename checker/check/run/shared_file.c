// SPDX-License-Identifier: MIT
/*
 * shared_file.c: see shared_file.h. The digest of an array is that of its
 * pieces' digests, so that it does not matter who takes which piece.
 */
#include "shared_file.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/base/crew.h"
#include "check/base/text.h"

enum { PIECE = 1 << 20 }; /* a multiple of 8 bytes */

struct transfer {
    int fd;
    const char *from;
    char *to;
    size_t n, offset;
    uint64_t *digest; /* of each piece */
    atomic_bool failed;
};

static bool write_all(int fd, const char *from, size_t n, size_t offset)
{
    while (n > 0) {
        ssize_t done = pwrite(fd, from, n, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        from += done;
        offset += (size_t)done;
        n -= (size_t)done;
    }
    return true;
}

static bool read_all(int fd, char *to, size_t n, size_t offset)
{
    while (n > 0) {
        ssize_t done = pread(fd, to, n, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        to += done;
        offset += (size_t)done;
        n -= (size_t)done;
    }
    return true;
}

static uint64_t digest_of(const void *data, size_t n)
{
    const char *at = data;
    uint64_t word, sum = 0;

    for (; n > 0; at += sizeof word, n -= sizeof word) {
        word = 0;
        memcpy(&word, at, n < sizeof word ? n : sizeof word);
        sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 32;
        if (n < sizeof word)
            break;
    }
    return sum;
}

static size_t pieces(size_t n)
{
    return (n + PIECE - 1) / PIECE;
}

static size_t piece_bytes(const struct transfer *t, size_t i)
{
    size_t left = t->n - i * PIECE;

    return left < PIECE ? left : PIECE;
}

static void write_piece(void *context, size_t i)
{
    struct transfer *t = context;
    const char *from = t->from + i * PIECE;
    size_t n = piece_bytes(t, i);

    if (!write_all(t->fd, from, n, t->offset + i * PIECE))
        t->failed = true;
    t->digest[i] = digest_of(from, n);
}

static void read_piece(void *context, size_t i)
{
    struct transfer *t = context;

    if (!read_all(t->fd, t->to + i * PIECE, piece_bytes(t, i),
                  t->offset + i * PIECE))
        t->failed = true;
}

static void digest_piece(void *context, size_t i)
{
    static _Thread_local char piece[PIECE];
    struct transfer *t = context;
    size_t n = piece_bytes(t, i);

    if (read_all(t->fd, piece, n, t->offset + i * PIECE))
        t->digest[i] = digest_of(piece, n);
    else
        t->failed = true;
}

static void digest_memory(void *context, size_t i)
{
    struct transfer *t = context;

    t->digest[i] = digest_of(t->from + i * PIECE, piece_bytes(t, i));
}

/* With a digest of the whole. */
static bool transfer(struct transfer *t, void (*piece)(void *, size_t),
                     uint64_t *digest)
{
    size_t n = pieces(t->n);

    t->digest = check_alloc(n ? n : 1, sizeof *t->digest);
    crew_work(n, piece, t);
    *digest = digest_of(t->digest, n * sizeof *t->digest);
    free(t->digest);
    return !t->failed;
}

bool shared_write(int fd, const void *data, size_t n, size_t offset,
                  uint64_t *digest)
{
    struct transfer t = {.fd = fd, .from = data, .n = n, .offset = offset};

    return transfer(&t, write_piece, digest);
}

bool shared_read(int fd, void *data, size_t n, size_t offset)
{
    struct transfer t = {.fd = fd, .to = data, .n = n, .offset = offset};

    crew_work(pieces(n), read_piece, &t);
    return !t.failed;
}

bool shared_digest(int fd, size_t n, size_t offset, uint64_t *digest)
{
    struct transfer t = {.fd = fd, .n = n, .offset = offset};

    return transfer(&t, digest_piece, digest);
}

uint64_t digest_of_array(const void *data, size_t n)
{
    struct transfer t = {.from = data, .n = n};
    uint64_t digest = 0;

    transfer(&t, digest_memory, &digest);
    return digest;
}
