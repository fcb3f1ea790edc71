// SPDX-License-Identifier: MIT
/* digest.c: record_digest; see record.h. */
#include "record.h"

#include <string.h>

static bool is_nan(uint64_t bits, bool single)
{
    uint64_t infinity = single ? 0x7f800000u : 0x7ff0000000000000u;
    uint64_t sign = single ? 0x80000000u : 0x8000000000000000u;
    return (bits & (sign - 1)) > infinity;
}

/* FNV-1a over 64-bit words. */
uint64_t record_digest(const void *data, size_t n, const char *field)
{
    bool single = strcmp(field, "f32") == 0;
    bool floats = single || strcmp(field, "f64") == 0;
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t at = 0; at + 8 <= n; at += 8) {
        uint64_t word;
        memcpy(&word, (const char *)data + at, sizeof word);
        if (floats && is_nan(word, single))
            word = UINT64_MAX;
        hash = (hash ^ word) * 0x100000001b3u;
    }
    return hash;
}
