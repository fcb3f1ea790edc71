// SPDX-License-Identifier: MIT
/*
 * fatbin.c: finds the PTX in the fat binary that nvcc embeds in a host object.
 *
 *   fatbin_ptx      the text for the highest virtual architecture that fits
 *   fatbin_length, fatbin_source
 *
 * The format is not documented; this is what nvcc 13.0 writes: a header, then
 * entries, each with its own header and a payload. Every field is checked
 * against the number of bytes available.
 */
#include "fatbin.h"

#include <lz4.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { /* the header of the fat binary */
    FATBIN_MAGIC_AT = 0,
    FATBIN_HEADER_BYTES_AT = 6,
    FATBIN_SIZE_AT = 8,
    FATBIN_HEADER_BYTES = 16,
};

enum { /* the header of an entry */
    ENTRY_KIND_AT = 0,
    ENTRY_HEADER_BYTES_AT = 4,
    ENTRY_SIZE_AT = 8,
    ENTRY_COMPRESSED_AT = 16,
    ENTRY_SM_AT = 28,
    ENTRY_NAME_AT = 32,
    ENTRY_NAME_BYTES_AT = 36,
    ENTRY_FLAGS_AT = 40,
    ENTRY_ORIGINAL_AT = 56,
    ENTRY_HEADER_BYTES = 64,
};

#define FATBIN_MAGIC UINT32_C(0xBA55ED50)
#define KIND_PTX 1
#define FLAG_ZSTD UINT64_C(0x8000)
#define FLAG_LZ4 UINT64_C(0x2000)
#define FLAG_EXACT UINT64_C(0x100000) /* compute_90a: for that GPU only */
#define MAX_PTX_BYTES ((size_t)1 << 28)

struct entry {
    const uint8_t *payload;
    size_t size;       /* of the payload, as it lies there */
    size_t original;   /* of the decompressed text */
    uint32_t sm;       /* 75, 90 */
    uint64_t flags;
    uint16_t kind;
    const uint8_t *name; /* of the source; not terminated */
    size_t name_bytes;   /* 0: not known */
};

struct message {
    char *text;
    size_t size;
};

__attribute__((format(printf, 2, 3)))
static char *refuse(const struct message *message, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(message->text, message->size, format, list);
    va_end(list);
    return NULL;
}

/* A little-endian number of width 2, 4 or 8 bytes. */
static uint64_t field(const uint8_t *bytes, size_t at, int width)
{
    uint64_t value = 0;
    for (int i = width; i-- > 0;)
        value = value << 8 | bytes[at + (size_t)i];
    return value;
}

/* Reads the entry that begins at bytes. Returns its length; 0: malformed. */
static size_t read_entry(const uint8_t *bytes, size_t size, struct entry *e)
{
    if (size < ENTRY_HEADER_BYTES)
        return 0;
    uint64_t header = field(bytes, ENTRY_HEADER_BYTES_AT, 4);
    uint64_t payload = field(bytes, ENTRY_SIZE_AT, 8);
    uint64_t compressed = field(bytes, ENTRY_COMPRESSED_AT, 4);
    if (header < ENTRY_HEADER_BYTES || header > size ||
        payload > size - header || compressed > payload)
        return 0;
    uint64_t name = field(bytes, ENTRY_NAME_AT, 4);
    uint64_t name_bytes = field(bytes, ENTRY_NAME_BYTES_AT, 4);
    if (name > header || name_bytes > header - name)
        name_bytes = 0;
    *e = (struct entry){
        .payload = bytes + header,
        .size = (size_t)(compressed ? compressed : payload),
        .original = (size_t)field(bytes, ENTRY_ORIGINAL_AT, 8),
        .sm = (uint32_t)field(bytes, ENTRY_SM_AT, 4),
        .flags = field(bytes, ENTRY_FLAGS_AT, 8),
        .kind = (uint16_t)field(bytes, ENTRY_KIND_AT, 2),
        .name = bytes + (name_bytes ? name : 0),
        .name_bytes = (size_t)name_bytes,
    };
    return (size_t)(header + payload);
}

/* The result of searching all entries. */
struct choice {
    struct entry best;
    bool found;
    uint32_t refused; /* the lowest architecture among PTX that does not fit */
    bool refused_exact;
};

static bool fits(const struct entry *e, uint32_t cc)
{
    return e->flags & FLAG_EXACT ? e->sm == cc : e->sm <= cc;
}

static bool is_better(const struct entry *e, const struct entry *than)
{
    if (e->sm != than->sm)
        return e->sm > than->sm;
    return (e->flags & FLAG_EXACT) > (than->flags & FLAG_EXACT);
}

static void consider(struct choice *c, const struct entry *e, uint32_t cc)
{
    if (e->kind != KIND_PTX)
        return;
    if (!fits(e, cc)) {
        if (!c->refused || e->sm < c->refused) {
            c->refused = e->sm;
            c->refused_exact = e->flags & FLAG_EXACT;
        }
    } else if (!c->found || is_better(e, &c->best)) {
        c->best = *e;
        c->found = true;
    }
}

static char *explain_absence(const struct choice *c, uint32_t cc,
                             const struct message *message)
{
    if (c->refused)
        return refuse(message,
                      "the only PTX is for compute_%u%s, which this GPU "
                      "(compute capability %u.%u) cannot run: build with "
                      "-arch=compute_75, or a lower arch= in -gencode",
                      c->refused, c->refused_exact ? "a" : "", cc / 10,
                      cc % 10);
    return refuse(message,
                  "no PTX in this binary, only machine code: nvcc leaves the "
                  "PTX out with code=sm_NN alone (use code=compute_NN, or "
                  "-arch=sm_NN) and with -dlto (drop that flag)");
}

static bool decompress(const struct entry *e, char *text)
{
    if (e->flags & FLAG_ZSTD)
        return ZSTD_decompress(text, e->original, e->payload, e->size) ==
               e->original;
    return LZ4_decompress_safe((const char *)e->payload, text, (int)e->size,
                               (int)e->original) == (int)e->original;
}

static char *unpack(const struct entry *e, size_t *n,
                    const struct message *message)
{
    bool packed = e->flags & (FLAG_ZSTD | FLAG_LZ4);
    size_t length = packed ? e->original : e->size;
    if (length > MAX_PTX_BYTES || e->size > MAX_PTX_BYTES)
        return refuse(message, "PTX of %zu bytes is too large", length);
    char *text = malloc(length + 1);
    if (!text)
        return refuse(message, "out of memory for %zu bytes of PTX", length);
    if (packed && !decompress(e, text)) {
        free(text);
        return refuse(message, "the compressed PTX for compute_%u is damaged",
                      e->sm);
    }
    if (!packed)
        memcpy(text, e->payload, length);
    while (length && text[length - 1] == '\0') /* padding */
        length--;
    text[length] = '\0';
    *n = length;
    return text;
}

char *fatbin_ptx(const void *data, size_t size, int cc, size_t *n, char *error,
                 size_t error_size)
{
    const struct message message = {error, error_size};
    const uint8_t *bytes = data;
    if (!data || size < FATBIN_HEADER_BYTES ||
        field(bytes, FATBIN_MAGIC_AT, 4) != FATBIN_MAGIC)
        return refuse(&message,
                      "not a CUDA fat binary: built by a toolkit that is not "
                      "supported");
    size_t at = (size_t)field(bytes, FATBIN_HEADER_BYTES_AT, 2);
    uint64_t length = field(bytes, FATBIN_SIZE_AT, 8);
    if (at < FATBIN_HEADER_BYTES || at > size || length > size - at)
        return refuse(&message, "the CUDA fat binary is cut off");
    struct choice choice = {.found = false};
    size_t end = at + (size_t)length;
    while (at < end) {
        struct entry entry;
        size_t step = read_entry(bytes + at, end - at, &entry);
        if (!step)
            return refuse(&message, "the CUDA fat binary is damaged at byte "
                                    "%zu", at);
        consider(&choice, &entry, (uint32_t)cc);
        at += step;
    }
    if (!choice.found)
        return explain_absence(&choice, (uint32_t)cc, &message);
    return unpack(&choice.best, n, &message);
}

size_t fatbin_length(const void *data, size_t size)
{
    const uint8_t *bytes = data;
    if (size < FATBIN_HEADER_BYTES ||
        field(bytes, FATBIN_MAGIC_AT, 4) != FATBIN_MAGIC)
        return 0;
    size_t header = (size_t)field(bytes, FATBIN_HEADER_BYTES_AT, 2);
    uint64_t length = field(bytes, FATBIN_SIZE_AT, 8);
    if (header < FATBIN_HEADER_BYTES || header > size ||
        length > size - header)
        return 0;
    return header + (size_t)length;
}

void fatbin_source(const void *data, size_t size, char *name, size_t room)
{
    const uint8_t *bytes = data;
    size_t end = fatbin_length(data, size), step;
    struct entry entry;
    name[0] = '\0';
    if (!end)
        return;
    for (size_t at = (size_t)field(bytes, FATBIN_HEADER_BYTES_AT, 2);
         at < end && (step = read_entry(bytes + at, end - at, &entry));
         at += step)
        if (entry.name_bytes) {
            snprintf(name, room, "%.*s",
                     (int)(entry.name_bytes < room ? entry.name_bytes : room),
                     (const char *)entry.name);
            return;
        }
}
