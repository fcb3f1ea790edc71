// SPDX-License-Identifier: MIT
/*
 * pages_test.c: what memory costs of which a part is touched.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "simgpu/host/pages.h"

enum { ARRAY = 256 << 20, STRIDE = 1 << 20 };

static uint64_t touch(volatile char *array)
{
    uint64_t before = pages_resident();

    for (size_t at = 0; at < ARRAY; at += STRIDE)
        array[at] = 1;
    return pages_resident() - before;
}

/* 256 pages, whatever pages the system gives to others: where it gives large
 * ones to all, the blocks that stand for a launch were refused for touching
 * gigabytes. */
static void sparse_arrays_stay_small(void **state)
{
    char *zeros = pages_zero(ARRAY), *reserve = pages_reserve(ARRAY);
    char *grown = pages_grow(pages_zero(pages_bytes()), pages_bytes(), ARRAY);

    (void)state;
    assert_true(touch(zeros) < ARRAY / 16);
    assert_non_null(reserve);
    assert_true(pages_open(reserve, ARRAY));
    assert_true(touch(reserve) < ARRAY / 16);
    assert_true(touch(grown) < ARRAY / 16);
    pages_free(zeros, ARRAY);
    pages_free(reserve, ARRAY);
    pages_free(grown, ARRAY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sparse_arrays_stay_small),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
