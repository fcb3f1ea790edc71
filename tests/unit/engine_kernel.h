// SPDX-License-Identifier: MIT
/*
 * engine_kernel.h: kernels of a few lines of PTX, for the engine's tests.
 *
 *   prepare    the kernel's body, and an array to read and one to write
 *   run, clean, computes
 */
#ifndef ENGINE_KERNEL_H
#define ENGINE_KERNEL_H

#include "engine_sample.h"

/* A kernel k(x, y): %rd1, %rd2 the pointers, %r1 the thread in the grid,
 * %r2 the thread in the block, %rd3, %rd4 its words of x and y. */
#define KERNEL                                                                 \
    PTX_HEAD "%s\n.visible .entry k(.param .u64 k_x, .param .u64 k_y) {\n"     \
             ".reg .pred %%p<8>; .reg .b32 %%r<32>; .reg .b64 %%rd<32>;\n"     \
             ".reg .f32 %%f<8>; .reg .b16 %%rs<8>;\n"                          \
             "ld.param.u64 %%rd1, [k_x]; ld.param.u64 %%rd2, [k_y];\n"         \
             "mov.u32 %%r2, %%tid.x; mov.u32 %%r3, %%ntid.x;\n"                \
             "mov.u32 %%r4, %%ctaid.x; mad.lo.s32 %%r1, %%r4, %%r3, %%r2;\n"   \
             "mul.wide.s32 %%rd5, %%r1, 4; add.s64 %%rd3, %%rd1, %%rd5;\n"     \
             "add.s64 %%rd4, %%rd2, %%rd5;\n"                                  \
             "%s\n ret; }\n.file 1 \"k.cu\"\n"

static inline const char *kernel(const char *before, const char *body)
{
    static char text[16384];
    snprintf(text, sizeof text, KERNEL, before, body);
    return text;
}

#define TILE ".shared .align 4 .b8 tile[192];\n"
enum { MANY = 1024 };

struct buffers {
    struct sample s;
    uint64_t params[2];
    uint32_t x[MANY], y[MANY];
    size_t n;
};

/* x[i] = 3 i + 1 on the device; y not written. */
static inline void prepare(struct buffers *b, const char *before,
                           const char *body, size_t n)
{
    b->s = sample_open(kernel(before, body), CHECK_ALL);
    b->n = n;
    for (size_t i = 0; i < n; i++)
        b->x[i] = (uint32_t)(3 * i + 1);
    b->params[0] = sample_array(&b->s, b->x, n * 4);
    b->params[1] = sample_array(&b->s, NULL, n * 4);
}

static inline const struct launch_report *
run(struct buffers *b, uint32_t blocks, uint32_t threads)
{
    const struct launch_report *r =
        sample_run(&b->s, blocks, threads, b->params);
    engine_read(b->s.engine, b->y, b->params[1], b->n * 4);
    return r;
}

static inline void clean(const struct launch_report *r)
{
    if (r->n_findings)
        fail_msg("finding of kind %d, line %d, thread %u: %s",
                 (int)r->findings[0].kind, r->findings[0].at.line,
                 r->findings[0].at.thread[0], r->findings[0].detail);
    assert_int_equal(r->fault, FAULT_NONE);
}

/* Runs 2 blocks of 48 threads; y[i] must be expected(i). */
static inline void computes(const char *before, const char *body,
                            uint32_t (*expected)(uint32_t))
{
    struct buffers b;
    prepare(&b, before, body, 96);
    clean(run(&b, 2, 48));
    for (uint32_t i = 0; i < 96; i++)
        if (b.y[i] != expected(i))
            fail_msg("y[%u] is %u, not %u", i, b.y[i], expected(i));
    sample_close(&b.s);
}

#endif
