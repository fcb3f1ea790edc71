// SPDX-License-Identifier: MIT
/*
 * tensor_map_test.c: which tensor maps are valid (simgpu/tensor_map.c), those
 * included that only a program which writes them itself can bring about; and
 * what follows from their members. tests/boxes holds them to an H200.
 */
#include "simgpu/tensor_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct tensor_map usual(void)
{
    return (struct tensor_map){
        .mark = TENSOR_MAP_MARK, .address = 1 << 20, .rank = 3,
        .type = MAP_BF16, .swizzle = MAP_SWIZZLE_128,
        .extent = {64, 32, 8, 1, 1}, .stride = {0, 128, 4096},
        .box = {64, 16, 3, 1, 1}, .step = {1, 1, 2, 1, 1}};
}

static void test_usual(void **state)
{
    (void)state;
    struct tensor_map x = usual();
    assert_null(tensor_map_check(&x));
    assert_int_equal(tensor_map_bytes(x.type), 2);
    assert_int_equal(tensor_map_count(&x, 0), 64);
    assert_int_equal(tensor_map_count(&x, 2), 2);
    assert_int_equal(tensor_map_span(&x), 128);
    x.swizzle = MAP_SWIZZLE_32;
    assert_int_equal(tensor_map_span(&x), 32);
    x.swizzle = MAP_SWIZZLE_NONE;
    assert_int_equal(tensor_map_span(&x), 0);
}

/* The step along rows counts for nothing. */
static void test_first_step(void **state)
{
    (void)state;
    struct tensor_map x = usual();
    x.step[0] = 2;
    assert_null(tensor_map_check(&x));
    assert_int_equal(tensor_map_count(&x, 0), 64);
}

#define WRONG(...)                                                            \
    do {                                                                      \
        struct tensor_map x = usual();                                        \
        __VA_ARGS__;                                                          \
        assert_non_null(tensor_map_check(&x));                                \
    } while (0)
#define RIGHT(...)                                                            \
    do {                                                                      \
        struct tensor_map x = usual();                                        \
        __VA_ARGS__;                                                          \
        assert_null(tensor_map_check(&x));                                    \
    } while (0)

static void test_members(void **state)
{
    (void)state;
    WRONG(x.mark++);
    WRONG(memset(&x, 0xff, sizeof x); x.mark = TENSOR_MAP_MARK);
    WRONG(x.rank = 0);
    WRONG(x.rank = 6);
    RIGHT(x.rank = 1; x.box[1] = 0);
    WRONG(x.type = MAP_TYPES);
    WRONG(x.swizzle = MAP_SWIZZLES);
    WRONG(x.address += 8);
    WRONG(x.address = 1ull << 57);
    RIGHT(x.fill_nan = 1);
    WRONG(x.fill_nan = 2);
    WRONG(x.fill_nan = 1; x.type = MAP_S32; x.box[0] = 32);
}

static void test_dimensions(void **state)
{
    (void)state;
    WRONG(x.extent[2] = 0);
    RIGHT(x.extent[2] = 1ull << 32);
    WRONG(x.extent[2] = (1ull << 32) + 1);
    RIGHT(x.stride[1] = 0);
    WRONG(x.stride[2] = 4104);
    RIGHT(x.stride[2] = (1ull << 40) - 16);
    WRONG(x.stride[2] = 1ull << 40);
    WRONG(x.box[1] = 0);
    RIGHT(x.box[1] = 256);
    WRONG(x.box[1] = 257);
    WRONG(x.step[1] = 0);
    RIGHT(x.step[1] = 8);
    WRONG(x.step[1] = 9);
}

static void test_rows(void **state)
{
    (void)state;
    WRONG(x.box[0] = 60);
    RIGHT(x.box[0] = 56);
    WRONG(x.box[0] = 72);
    RIGHT(x.box[0] = 72; x.swizzle = MAP_SWIZZLE_NONE);
    WRONG(x.swizzle = MAP_SWIZZLE_64);
    RIGHT(x.box[1] = 256; x.box[2] = 7; x.step[2] = 1);
    WRONG(x.box[1] = 256; x.box[2] = 8; x.step[2] = 1);
    RIGHT(x.box[1] = 256; x.box[2] = 8; x.step[2] = 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_usual), cmocka_unit_test(test_first_step),
        cmocka_unit_test(test_members), cmocka_unit_test(test_dimensions),
        cmocka_unit_test(test_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
