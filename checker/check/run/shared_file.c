// SPDX-License-Identifier: MIT
/*
 * shared_file.c: see shared_file.h.
 */
#include "shared_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

bool shared_write(int fd, const void *data, size_t n, size_t offset)
{
    const char *from = data;

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

bool shared_read(int fd, void *data, size_t n, size_t offset)
{
    char *to = data;

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

uint64_t shared_digest(const void *data, size_t n, uint64_t sum)
{
    const char *at = data;
    uint64_t word;

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
