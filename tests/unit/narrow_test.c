// SPDX-License-Identifier: MIT
/*
 * narrow_test.c: addresses of constants, which the machine computes in 32 bits
 * (decode/narrow.c): how many instructions are issued for them.
 */
#include "engine_sample.h"
#include "simgpu/core/state/form.h"
#include "simgpu/core/state/program.h"

static struct sample open_kernel(const char *body)
{
    char text[2048];
    snprintf(text, sizeof text,
             PTX_HEAD ".const .align 4 .b8 table[1024];\n"
             ".visible .entry k(.param .u64 k_x) {\n"
             ".reg .b32 %%r<9>; .reg .b64 %%rd<9>; .reg .pred %%p<3>;\n"
             "mov.u32 %%r1, %%tid.x;\n%s\nret; }\n", body);
    return sample_open(text, 0);
}

/* Of the 64-bit arithmetic of the kernel. */
static unsigned slots(const char *body)
{
    struct sample s = open_kernel(body);
    const struct function *f = s.kernel->function;
    unsigned sum = 0;
    for (size_t i = 0; i < f->n_sources; i++) {
        const char *op = f->sources[i].op;
        if (strncmp(op, "mul", 3) == 0 || strncmp(op, "add", 3) == 0 ||
            strncmp(op, "shl", 3) == 0 || strncmp(op, "cvt", 3) == 0)
            sum += issue_slots(f->sources[i].form->work);
    }
    sample_close(&s);
    return sum;
}

#define TABLE "mov.u64 %rd2, table;"
#define ADDRESS "mul.wide.u32 %rd1, %r1, 4;" TABLE "add.s64 %rd3, %rd2, %rd1;"
#define LOAD "ld.const.u32 %r2, [%rd3];"

/* A shift; the table's place is part of the load. */
static void an_index_costs_a_shift(void **state)
{
    (void)state;
    assert_int_equal(slots(ADDRESS LOAD), 1);
    assert_int_equal(slots(ADDRESS LOAD "ld.const.u32 %r3, [%rd3+8];"), 1);
    assert_int_equal(slots(ADDRESS "add.s64 %rd4, %rd3, 64;"
                           "ld.const.u32 %r2, [%rd4];"), 1);
    assert_int_equal(slots("cvt.u64.u32 %rd5, %r1; shl.b64 %rd1, %rd5, 2;"
                           TABLE "add.s64 %rd3, %rd2, %rd1;" LOAD), 1);
}

/* Two indices are added. */
static void a_sum_of_two_costs_an_addition(void **state)
{
    (void)state;
    assert_int_equal(slots(ADDRESS "mul.wide.u32 %rd4, %r1, 64;"
                           "add.s64 %rd3, %rd3, %rd4;" LOAD), 3);
}

/* Whatever else reads a register needs all of it. */
static void what_others_read_is_wide(void **state)
{
    (void)state;
    assert_int_equal(slots(ADDRESS "ld.global.u32 %r2, [%rd3];"), 4);
    assert_int_equal(slots(ADDRESS LOAD "ld.global.u32 %r3, [%rd3];"), 4);
    assert_int_equal(slots(ADDRESS LOAD "st.global.u64 [%rd3], %rd1;"), 4);
    assert_int_equal(slots(ADDRESS LOAD "setp.eq.u64 %p1, %rd1, 0;"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_index_costs_a_shift),
        cmocka_unit_test(a_sum_of_two_costs_an_addition),
        cmocka_unit_test(what_others_read_is_wide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
