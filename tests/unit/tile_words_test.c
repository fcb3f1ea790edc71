// SPDX-License-Identifier: MIT
/*
 * tile_words_test.c: whose each element of an ldmatrix tile is
 * (access/tile_words.h), against the PTX ISA's figures: element (r, c) is in
 * lane 4 r + c / 2, transposed in lane 4 c + r / 2, half r % 2.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "simgpu/core/access/tile_words.h"

enum { SIDE = 8, HALF = 2, WORD = 4 };

static void is_at(struct tile_word x, uint32_t row, uint32_t at)
{
    assert_int_equal(x.row, row);
    assert_int_equal(x.at, at);
}

static void test_each_element(void **state)
{
    (void)state;
    assert_int_equal(tile_parts(false), 1);
    assert_int_equal(tile_parts(true), 2);
    for (uint32_t r = 0; r < SIDE; r++)
        for (uint32_t c = 0; c < SIDE; c++) {
            uint32_t turned = 4 * c + r / 2, word = c / 2 * WORD;
            is_at(tile_word(false, 0, 4 * r + c / 2, WORD), r, word);
            is_at(tile_word(true, r % 2, turned, HALF), r, c * HALF);
            is_at(tile_word(true, r % 2, turned, WORD), r, word);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_element),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
