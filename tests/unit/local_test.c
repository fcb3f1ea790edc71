// SPDX-License-Identifier: MIT
/*
 * local_test.c: arrays in local memory, and what of them leaves L1.
 */
#include "engine_sample.h"

static uint64_t local_read, local_written; /* sectors of device memory */

/* A block of 1024 threads. Each writes its array of local memory, and then
 * reads it; sampled: one of as many blocks as there are multiprocessors. */
static struct traffic local_arrays(uint32_t bytes, bool sampled)
{
    static char text[2048];
    snprintf(text, sizeof text,
             PTX_HEAD ".visible .entry k(.param .u64 k_x, .param .u64 k_y) {\n"
             ".local .align 4 .b8 mine[%u]; .reg .b64 %%rd<8>;\n"
             ".reg .b32 %%r<8>; .reg .pred %%p<2>;\n"
             "mov.u64 %%rd1, mine; mov.u32 %%r1, 0;\n"
             "W: cvt.u64.u32 %%rd2, %%r1; add.u64 %%rd3, %%rd1, %%rd2;\n"
             "st.local.u32 [%%rd3], %%r1; add.u32 %%r1, %%r1, 4;\n"
             "setp.lt.u32 %%p1, %%r1, %u; @%%p1 bra W; mov.u32 %%r1, 0;\n"
             "R: cvt.u64.u32 %%rd2, %%r1; add.u64 %%rd3, %%rd1, %%rd2;\n"
             "ld.local.u32 %%r2, [%%rd3]; add.u32 %%r1, %%r1, 4;\n"
             "setp.lt.u32 %%p1, %%r1, %u; @%%p1 bra R;\n"
             "ret; }\n", bytes, bytes, bytes);
    struct sample s = sample_open(text, CHECK_TRAFFIC);
    uint64_t params[2] = {0};
    struct launch l = {.grid = {sampled ? 132 : 1, 1, 1},
                       .block = {1024, 1, 1}, .sample = sampled,
                       .params = params};
    engine_launch(s.engine, s.kernel, &l, &s.report);
    assert_int_equal(s.report.fault, FAULT_NONE);
    const struct traffic *now = s.report.traffic;
    struct traffic t = *now;
    local_read = local_written = 0;
    for (size_t k = 0; k < now->n_arrays; k++)
        if (now->arrays[k].id == TRAFFIC_LOCAL) {
            local_read = now->arrays[k].read_sectors;
            local_written = now->arrays[k].write_sectors;
        }
    sample_close(&s);
    return t;
}

/* Local memory that L1 (256 KiB) holds never leaves it. Of 1 MiB three quarters
 * must leave as it is written, and all of it is read from L2: when the first
 * word is read, the last ones are in L1. A multiprocessor's share of L2 (465
 * KiB) cannot hold it either. */
static void local_memory_overflows(void **state)
{
    enum { SECTORS_OF_ALL = 1 << 20 >> 5 };
    struct traffic t = local_arrays(64, false);
    (void)state;
    assert_int_equal(t.l2_read_sectors + t.l2_write_sectors, 0);
    assert_int_equal(t.local_sectors, 2 * 64 * 1024 / 32);
    t = local_arrays(1024, false);
    assert_true(t.l2_read_sectors > SECTORS_OF_ALL * 9 / 10);
    assert_true(t.l2_write_sectors > SECTORS_OF_ALL * 7 / 10 &&
                t.l2_write_sectors <= SECTORS_OF_ALL);
    assert_int_equal(local_read + local_written, 0); /* L2 has it */
    t = local_arrays(1024, true);
    assert_true(local_read > SECTORS_OF_ALL / 2);
    assert_true(local_written > SECTORS_OF_ALL / 4);
    t = local_arrays(256, true);
    assert_int_equal(local_read + local_written, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(local_memory_overflows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
