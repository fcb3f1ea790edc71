// SPDX-License-Identifier: MIT
/*
 * shared_layout_test.c: where shared arrays stand, beside what ptxas 13.0 made
 * of the same PTX (offsets read from its machine code for compute capability
 * 8.0, sizes from ptxas -v for 7.5 to 10.0); and what follows for wavefronts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "simgpu/core/decode/shared_layout.h"
#include "simgpu/core/state/program.h"
#include "engine_kernel.h"

enum { PERIOD = 1024, ARRAYS = 5, NOWHERE = -1 };

/* What ptxas gave arrays a to e of kernel k: offsets, and the whole. */
static void stand(const char *text, const int offset[ARRAYS], size_t whole)
{
    char error[256];
    struct ptx_module *p = ptx_read(text, strlen(text), error, sizeof error);
    if (!p)
        fail_msg("%s", error);
    struct shared_layouts *all = shared_layouts_open(p);
    int32_t k = 0;
    while (strcmp(p->funcs[k].name, "k"))
        k++;
    const struct shared_layout *layout = shared_layout_of(all, k);
    assert_int_equal(layout->static_bytes, whole);
    for (size_t n = 0; n < p->n_vars; n++) {
        const struct ptx_var *v = &p->vars[n];
        int i = v->name[0] - 'a';
        if (v->space != PTX_SPACE_SHARED || v->name[1] || i >= ARRAYS)
            continue;
        uint64_t at = layout->address[n];
        if (offset[i] == NOWHERE) {
            assert_int_equal(at, 0);
            continue;
        }
        assert_in_range(at, SHARED_START, SHARED_START + 64 * PERIOD);
        assert_int_equal((at - SHARED_START) % PERIOD, offset[i] % PERIOD);
        for (size_t m = 0; m < p->n_vars; m++)
            if (m != n && p->vars[m].space == PTX_SPACE_SHARED &&
                layout->address[m] > at)
                assert_true(layout->address[m] >= at + v->bytes + SHARED_GAP);
    }
    shared_layouts_close(all);
    ptx_free(p);
}

#define ENTRY ".visible .entry k() {\n.reg .b32 %r<9>;\n"
#define OTHER ".visible .entry other() {\n.reg .b32 %r<9>;\n"
#define NAME(x) "mov.u32 %r1, " #x ";\n"

static void in_declared_order_by_their_alignment(void **state)
{
    (void)state;
    static const int at[] = {0, 125, 232, 512, NOWHERE};
    stand(PTX_HEAD ENTRY
          ".shared .align 1 .b8 a[125]; .shared .align 1 .b8 b[100];\n"
          ".shared .align 8 .b8 c[156]; .shared .align 128 .b8 d[197];\n"
          NAME(d) NAME(b) NAME(c) NAME(a) "ret; }\n", at, 709);
}

static void what_is_named_comes_first(void **state)
{
    (void)state;
    static const int at[] = {12, 0, NOWHERE, 8, NOWHERE};
    stand(PTX_HEAD ".shared .align 4 .b8 c[20]; .shared .align 8 .b8 d[4];\n"
          ENTRY ".shared .align 4 .b8 a[12]; .shared .align 1 .b8 b[5];\n"
          NAME(d) NAME(b) "ret; }\n", at, 24);
}

static void the_module_s_follow_the_kernel_s(void **state)
{
    (void)state;
    static const int at[] = {0, 12, 20, 40, 48};
    stand(PTX_HEAD ".shared .align 4 .b8 c[20]; .shared .align 8 .b8 d[4];\n"
          ".shared .align 16 .b8 e[4];\n"
          ENTRY ".shared .align 4 .b8 a[12]; .shared .align 1 .b8 b[5];\n"
          NAME(a) NAME(e) NAME(b) NAME(d) NAME(c) "ret; }\n", at, 52);
}

#define CALLED                                                                 \
    ".func f() {\n.reg .b32 %r<9>; .shared .align 8 .b8 c[40];\n" NAME(c)      \
    "ret; }\n"

static void a_function_s_count_where_it_is_called(void **state)
{
    (void)state;
    static const int called[] = {0, 12, 24, NOWHERE, NOWHERE};
    static const int alone[] = {0, 12, NOWHERE, NOWHERE, NOWHERE};
    stand(PTX_HEAD CALLED ENTRY
          ".shared .align 4 .b8 a[12]; .shared .align 1 .b8 b[5];\n"
          NAME(a) NAME(b) "call.uni f;\nret; }\n", called, 64);
    stand(PTX_HEAD CALLED ENTRY
          ".shared .align 4 .b8 a[12]; .shared .align 1 .b8 b[5];\n"
          NAME(a) NAME(b) "ret; }\n", alone, 17);
}

/* Rounded up also in a kernel that does not name it. */
static void dynamic_memory_rounds_the_end(void **state)
{
    (void)state;
    static const int at[] = {0, 12, 32, NOWHERE, NOWHERE};
    static const int wide[] = {0, 12, 128, NOWHERE, NOWHERE};
    stand(PTX_HEAD ".extern .shared .align 4 .b8 c[];\n" ENTRY
          ".shared .align 4 .b8 a[12]; .shared .align 1 .b8 b[5];\n"
          NAME(a) NAME(b) NAME(c) "ret; }\n", at, 32);
    stand(PTX_HEAD ".extern .shared .align 128 .b8 c[];\n" ENTRY
          ".shared .align 4 .b8 a[12]; .shared .align 1 .b8 b[5];\n"
          NAME(a) NAME(b) "ret; }\n", wide, 128);
}

/* Another kernel's arrays are not this one's, also where both share one. */
static void each_kernel_has_its_own(void **state)
{
    (void)state;
    static const int at[] = {0, NOWHERE, 16, NOWHERE, NOWHERE};
    stand(PTX_HEAD ".shared .align 8 .b8 c[16];\n" OTHER
          ".shared .align 4 .b8 b[300];\n" NAME(b) NAME(c) "ret; }\n"
          ENTRY ".shared .align 4 .b8 a[12];\n" NAME(a) NAME(c) "ret; }\n",
          at, 32);
}

/* Half of a warp in each array: a[33] ends within a bank row, so that a packed
 * b begins at bank 1, and b[31] in the bank of a[0]. */
static void two_arrays_meet_in_a_bank(void **state)
{
    (void)state;
    struct buffers b;
    prepare(&b, "",
            ".shared .align 4 .b8 a[132]; .shared .align 4 .b8 b[132];\n"
            "mov.u32 %r5, a; mov.u32 %r6, b;\n"
            "shl.b32 %r7, %r2, 2; add.u32 %r8, %r5, %r7;\n"
            "st.shared.u32 [%r8], %r2; add.u32 %r9, %r6, %r7;\n"
            "st.shared.u32 [%r9], %r2; bar.sync 0;\n"
            "setp.lt.u32 %p1, %r2, 16; selp.u32 %r10, %r8, %r9, %p1;\n"
            "ld.shared.u32 %r11, [%r10]; st.global.u32 [%rd4], %r11;\n", 32);
    const struct launch_report *r = run(&b, 1, 32);
    clean(r);
    assert_int_equal(r->counters.shared_load_wavefronts, 2);
    assert_int_equal(r->counters.shared_store_wavefronts, 2);
    sample_close(&b.s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_declared_order_by_their_alignment),
        cmocka_unit_test(what_is_named_comes_first),
        cmocka_unit_test(the_module_s_follow_the_kernel_s),
        cmocka_unit_test(a_function_s_count_where_it_is_called),
        cmocka_unit_test(dynamic_memory_rounds_the_end),
        cmocka_unit_test(each_kernel_has_its_own),
        cmocka_unit_test(two_arrays_meet_in_a_bank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
