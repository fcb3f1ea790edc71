// SPDX-License-Identifier: MIT
/*
 * fatbin_test.c: fat binaries: real, synthesised, wrong and damaged.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <lz4.h>

#include "fatbin_sample.h"
#include "simgpu/ptx/fatbin.h"

enum { HEADER = 16, ENTRY = 64, ROOM = 4096 };
enum { PTX = 1, ELF = 2 };
#define LZ4 UINT64_C(0x2000)
#define EXACT UINT64_C(0x100000)

struct image {
    uint8_t bytes[ROOM];
    size_t n;
};

static char error[256];
static size_t length;

static void put(uint8_t *at, uint64_t value, int width)
{
    for (int i = 0; i < width; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void start(struct image *image)
{
    memset(image, 0, sizeof *image);
    put(image->bytes, 0xBA55ED50, 4);
    put(image->bytes + 4, 1, 2);
    put(image->bytes + 6, HEADER, 2);
    image->n = HEADER;
}

static void add(struct image *image, int kind, uint32_t sm, uint64_t flags,
                const char *text)
{
    uint8_t *e = image->bytes + image->n;
    size_t size = strlen(text), packed = 0;
    if (flags & LZ4)
        packed = (size_t)LZ4_compress_default(text, (char *)e + ENTRY,
                                              (int)size, ROOM / 2);
    else
        memcpy(e + ENTRY, text, size);
    size_t payload = ((packed ? packed : size) + 7) / 8 * 8;
    put(e, (uint64_t)kind, 2);
    put(e + 4, ENTRY, 4);
    put(e + 8, payload, 8);
    put(e + 16, packed, 4);
    put(e + 28, sm, 4);
    put(e + 40, flags, 8);
    put(e + 56, packed ? size : 0, 8);
    image->n += ENTRY + payload;
    put(image->bytes + 8, image->n - HEADER, 8);
}

static char *read_image(const struct image *image, int cc)
{
    error[0] = '\0';
    return fatbin_ptx(image->bytes, image->n, cc, &length, error,
                      sizeof error);
}

static void expect_text(const struct image *image, int cc, const char *text)
{
    char *got = read_image(image, cc);
    assert_non_null(got);
    assert_string_equal(got, text);
    assert_int_equal(length, strlen(text));
    free(got);
}

static void expect_error(const struct image *image, int cc, const char *part)
{
    assert_null(read_image(image, cc));
    if (!strstr(error, part))
        fail_msg("expected '%s' in: %s", part, error);
}

static void reads_what_nvcc_embeds(void **state)
{
    (void)state;
    char *text = fatbin_ptx(fatbin_sample, sizeof fatbin_sample, 90, &length,
                            error, sizeof error);
    assert_non_null(text);
    assert_int_equal(strlen(text), length);
    assert_non_null(strstr(text, ".target sm_75"));
    assert_non_null(strstr(text, ".visible .entry _Z1kPf("));
    free(text);
}

static void reads_raw_and_lz4(void **state)
{
    (void)state;
    static const char repeated[] = "add add add add add add add add add add "
                                   "add add add add add add add add add add";
    struct image image;
    start(&image);
    add(&image, PTX, 75, 0, "raw text");
    expect_text(&image, 90, "raw text");
    start(&image);
    add(&image, PTX, 75, LZ4, repeated);
    expect_text(&image, 90, repeated);
}

static void picks_the_highest_that_fits(void **state)
{
    (void)state;
    struct image image;
    start(&image);
    add(&image, PTX, 75, 0, "75");
    add(&image, ELF, 90, 0, "machine code");
    add(&image, PTX, 90, EXACT, "90a");
    add(&image, PTX, 90, 0, "90");
    add(&image, PTX, 80, 0, "80");
    add(&image, PTX, 100, 0, "100");
    expect_text(&image, 75, "75");
    expect_text(&image, 86, "80");
    expect_text(&image, 90, "90a");
    expect_text(&image, 103, "100");
}

static void names_the_flag_when_there_is_no_ptx(void **state)
{
    (void)state;
    struct image image;
    start(&image);
    add(&image, ELF, 80, 0, "machine code");
    expect_error(&image, 90, "code=sm_NN alone");
    expect_error(&image, 90, "-dlto");
    add(&image, PTX, 100, 0, "new");
    expect_error(&image, 90, "compute_100");
    start(&image);
    add(&image, PTX, 90, EXACT, "exact");
    expect_error(&image, 100, "compute_90a");
    image.bytes[0] = 0;
    expect_error(&image, 90, "not a CUDA fat binary");
}

/* Several lie behind each other in a program built with -rdc=true. */
static void finds_length_and_source(void **state)
{
    (void)state;
    char name[16];
    uint8_t bytes[sizeof fatbin_sample + 8] = {0};
    memcpy(bytes, fatbin_sample, sizeof fatbin_sample);
    assert_int_equal(fatbin_length(bytes, sizeof bytes), sizeof fatbin_sample);
    assert_int_equal(fatbin_length(bytes, HEADER), 0);
    assert_int_equal(fatbin_length(bytes + 8, sizeof bytes - 8), 0);
    struct image image;
    start(&image);
    add(&image, PTX, 75, 0, "text of b.cu");
    fatbin_source(image.bytes, image.n, name, sizeof name);
    assert_string_equal(name, "");
    put(image.bytes + HEADER + 32, 56, 4); /* the header's last eight bytes */
    put(image.bytes + HEADER + 36, 4, 4);
    memcpy(image.bytes + HEADER + 56, "b.cu", 4);
    fatbin_source(image.bytes, image.n, name, sizeof name);
    assert_string_equal(name, "b.cu");
    fatbin_source(image.bytes, image.n, name, 3);
    assert_string_equal(name, "b.");
    put(image.bytes + HEADER + 36, ENTRY, 4); /* beyond the header */
    fatbin_source(image.bytes, image.n, name, sizeof name);
    assert_string_equal(name, "");
}

static void refuses_lengths_beyond_the_bytes(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        uint64_t value;
        int width;
        const char *part;
    } rows[] = {
        {8, 1 << 20, 8, "cut off"},
        {8, UINT64_MAX, 8, "cut off"},
        {8, 3, 8, "damaged"},
        {6, 8, 2, "cut off"},
        {HEADER + 4, 0, 4, "damaged"},
        {HEADER + 4, UINT32_MAX, 4, "damaged"},
        {HEADER + 8, UINT64_MAX, 8, "damaged"},
        {HEADER + 16, 4000, 4, "damaged"},
        {HEADER + 56, 39, 8, "damaged"},
        {HEADER + 56, 41, 8, "damaged"},
        {HEADER + 56, UINT64_MAX, 8, "too large"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct image image;
        start(&image);
        add(&image, PTX, 75, LZ4, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
        put(image.bytes + rows[i].at, rows[i].value, rows[i].width);
        expect_error(&image, 90, rows[i].part);
    }
}

/* In a block of just that size, so that the sanitizer sees any step beyond. */
static void try_bytes(const uint8_t *bytes, size_t n)
{
    uint8_t *copy = malloc(n ? n : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, n);
    char name[8];
    free(fatbin_ptx(copy, n, 90, &length, error, sizeof error));
    fatbin_source(copy, n, name, sizeof name);
    assert_true(fatbin_length(copy, n) <= n);
    free(copy);
}

static void survives_any_damage(void **state)
{
    (void)state;
    uint8_t bytes[sizeof fatbin_sample];
    for (size_t i = 0; i < sizeof bytes; i++) {
        try_bytes(fatbin_sample, i);
        for (int bit = 0; bit < 8; bit++) {
            memcpy(bytes, fatbin_sample, sizeof bytes);
            bytes[i] ^= (uint8_t)(1 << bit);
            try_bytes(bytes, sizeof bytes);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_nvcc_embeds),
        cmocka_unit_test(reads_raw_and_lz4),
        cmocka_unit_test(picks_the_highest_that_fits),
        cmocka_unit_test(names_the_flag_when_there_is_no_ptx),
        cmocka_unit_test(finds_length_and_source),
        cmocka_unit_test(refuses_lengths_beyond_the_bytes),
        cmocka_unit_test(survives_any_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
