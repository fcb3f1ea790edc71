// SPDX-License-Identifier: MIT
/*
 * rounds_test.c: which loops judge/rounds.c asks about.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "check/judge/rounds.h"

static const struct {
    int loop, barrier, shuffle; /* the loop's line; the meetings', 0: none */
    const char *source;
} all[] = {
    {2, 3, 0, "int f() {\n"
              "for (int i = threadIdx.x; i < n; i += 256) {\n"
              "a[i] = 0; __syncthreads(); } }\n"},
    {3, 4, 4, "int row = blockIdx.x * 8 + threadIdx.y;\n"
              "\n"
              "for (int i = 0; i < row; i++) {\n"
              "__syncthreads(); x += __shfl_xor_sync(~0u, x, 1); }\n"},
    {6, 6, 0, "static __device__ float over_block(float x)\n"
              "{\n"
              "__syncthreads();\n"
              "}\n"
              "int left = n - threadIdx.x;\n"
              "while (left > 0) x += over_block(left--);\n"},
    {2, 3, 0, "int warp = threadIdx.x / 32;\n"
              "for (int i = warp; i < n; i += 8) {\n"
              "__syncthreads(); x += __shfl_xor_sync(~0u, x, 1); }\n"},
    {0, 0, 0, "for (int i = threadIdx.x; i < n; i += 256)\n"
              "tile[i] = a[i];\n"
              "__syncthreads();\n"},
    {0, 0, 0, "tile[threadIdx.x] = 0; int i = 0;\n"
              "for (int k = i; k < n; k += blockDim.x) {\n"
              "a[k + threadIdx.x] = 0; __syncthreads(); }\n"},
    {0, 0, 0, "for (int k = 0; k < n; k += threadIdx.x) { // threadIdx.x\n"
              "__syncthreads(); }\n"},
    {0, 0, 0, "for (int i = threadIdx.x; i < n; i++) { // __syncthreads()\n"
              "}\n"},
};

static void asks(const char *path, int loop, int line,
                 enum rounds_meeting meeting, size_t i)
{
    struct text advice = {0};
    char words[160];

    snprintf(words, sizeof words, "The loop at line %d begins or ends at an "
             "index of the thread's own, and threads meet in it (line %d)",
             loop, line);
    if (rounds_advise(&advice, path, meeting) != (line > 0) ||
        (line > 0 && !strstr(text_get(&advice), words)))
        fail_msg("%zu: %s", i, text_get(&advice));
    text_free(&advice);
}

static void loops(void **state)
{
    char path[] = "/tmp/rounds-XXXXXX";
    int file = mkstemp(path);

    (void)state;
    assert_true(file >= 0);
    close(file);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_true(file_write(path, all[i].source, strlen(all[i].source)));
        asks(path, all[i].loop, all[i].barrier, ROUNDS_BARRIER, i);
        asks(path, all[i].loop, all[i].shuffle, ROUNDS_SHUFFLE, i);
    }
    unlink(path);
}

static void no_source(void **state)
{
    struct text advice = {0};

    (void)state;
    assert_false(rounds_advise(&advice, NULL, ROUNDS_BARRIER));
    assert_false(rounds_advise(&advice, "/nowhere", ROUNDS_BARRIER));
    assert_int_equal(advice.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops),
        cmocka_unit_test(no_source),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
