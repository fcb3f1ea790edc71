// SPDX-License-Identifier: MIT
/*
 * rows.c: runs a row's PTX line in three variants of a kernel.
 *
 *   row_begin     generates the inputs
 *   row_variant   chooses the active lanes of each warp
 *   row_run       builds the kernel, launches it, compares every lane
 *   row_end       reports
 */
#include "conformance.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "simgpu/core/engine.h"

enum { BLOCK = 256, TEXT = 8192, SHOWN = 3 };
#define SENTINEL UINT64_C(0xA5A5A5A5A5A5A5A5)

static const char *const variant_names[] = {"all lanes", "guarded",
                                            "branched"};

struct text {
    char bytes[TEXT];
    size_t n;
};

__attribute__((format(printf, 2, 3)))
static void put(struct text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(t->bytes + t->n, TEXT - t->n, format, list);
    va_end(list);
    t->n += n > 0 && (size_t)n < TEXT - t->n ? (size_t)n : 0;
}

static int width_of(const char *field)
{
    if (strcmp(field, "pred") == 0)
        return 1;
    return strcmp(field + 1, "64") == 0 ? 64
           : strcmp(field + 1, "16") == 0 ? 16 : 32;
}

static void declare(struct text *t, const char *name, int width)
{
    if (width == 1)
        put(t, ".reg .pred %s;\n", name);
    else
        put(t, ".reg .b%d %s;\n", width, name);
}

static void load(struct text *t, char name, int width)
{
    put(t, "ld.param.u64 %%l0, [p_%c]; add.u64 %%l0, %%l0, %%at;\n", name);
    if (width == 1)
        put(t, "ld.global.b32 %%t0, [%%l0]; setp.ne.b32 %%%c, %%t0, 0;\n",
            name);
    else
        put(t, "ld.global.b%d %%%c, [%%l0];\n", width, name);
}

static void prologue(struct text *t, const struct row *row, const int *widths)
{
    put(t, ".version 8.0\n.target sm_90\n.address_size 64\n"
           ".visible .entry k(.param .u64 p_a, .param .u64 p_b, "
           ".param .u64 p_c, .param .u64 p_out, .param .u64 p_mask)\n{\n"
           ".reg .pred %%q, %%p<4>; .reg .b16 %%h<4>;\n"
           ".reg .b32 %%t<8>, %%i, %%m; .reg .b64 %%l<8>, %%at;\n");
    declare(t, "%d", width_of(row->field));
    for (size_t i = 0; i < strlen(row->inputs); i++)
        declare(t, (char[]){'%', (char)('a' + i), '\0'}, widths[i]);
    put(t, "mov.u32 %%t0, %%ctaid.x; mov.u32 %%t1, %%ntid.x;\n"
           "mov.u32 %%t2, %%tid.x; mad.lo.s32 %%i, %%t0, %%t1, %%t2;\n"
           "mul.wide.u32 %%at, %%i, 8;\n"
           "ld.param.u64 %%l0, [p_mask]; shr.u32 %%t0, %%i, 5;\n"
           "mul.wide.u32 %%l1, %%t0, 4; add.u64 %%l0, %%l0, %%l1;\n"
           "ld.global.b32 %%m, [%%l0]; and.b32 %%t1, %%i, 31;\n"
           "shr.u32 %%t0, %%m, %%t1; and.b32 %%t0, %%t0, 1;\n"
           "setp.ne.b32 %%q, %%t0, 0;\n");
    for (size_t i = 0; i < strlen(row->inputs); i++)
        load(t, (char)('a' + i), widths[i]);
}

static void initial_result(struct text *t, int width)
{
    uint64_t bits = width == 64 ? SENTINEL : SENTINEL >> (64 - width);
    if (width == 1)
        put(t, "setp.ne.b32 %%d, %%i, %%i;\n");
    else
        put(t, "mov.b%d %%d, 0x%llx;\n", width, (unsigned long long)bits);
}

/* A guard goes before each instruction of the line. */
static void guarded(struct text *t, const char *ptx)
{
    while (*ptx) {
        size_t n = strcspn(ptx, ";") + 1;
        put(t, "@%%q %.*s\n", (int)n, ptx);
        ptx += n;
        ptx += strspn(ptx, " \n");
    }
}

static void epilogue(struct text *t, int width)
{
    put(t, "ld.param.u64 %%l0, [p_out]; add.u64 %%l0, %%l0, %%at;\n");
    if (width == 1)
        put(t, "selp.b32 %%t0, 1, 0, %%d; st.global.b32 [%%l0], %%t0;\n");
    else
        put(t, "st.global.b%d [%%l0], %%d;\n", width);
    put(t, "ret;\n}\n");
}

static void write_kernel(struct text *t, const struct row *row)
{
    int widths[INPUTS], width = width_of(row->field);
    for (size_t i = 0; i < strlen(row->inputs); i++)
        widths[i] = values_width(row->inputs[i]);
    prologue(t, row, widths);
    initial_result(t, width);
    if (row->variant == GUARDED)
        guarded(t, row->ptx);
    else if (row->variant == BRANCHED)
        put(t, "@!%%q bra SKIP;\n%s\nSKIP:\n", row->ptx);
    else
        put(t, "%s\n", row->ptx);
    epilogue(t, width);
}

struct row *row_begin(const char *field, const char *inputs, const char *ptx)
{
    static struct row row;
    row = (struct row){.field = field, .inputs = inputs, .ptx = ptx,
                       .tolerance = -1, .ok = true};
    for (size_t i = 0; i < strlen(inputs); i++)
        values_fill(inputs[i], (int)i, row.in[i]);
    return &row;
}

void row_variant(struct row *row, enum variant variant)
{
    static const uint32_t some[] = {0x00000001, 0x80000000, 0x7fffffff,
                                    0x55555555, 0xffff0000, 0x0000fffe,
                                    0x12345678, 0xfffffffe, 0x00018000};
    row->variant = variant;
    for (size_t w = 0; w < WARPS; w++)
        row->active[w] = variant == ALL_LANES
                             ? UINT32_MAX
                             : some[w % (sizeof some / sizeof *some)];
}

static bool near(const struct row *row, double want, double got)
{
    if (isnan(want) || isinf(want))
        return isnan(want) ? isnan(got) : got == want;
    return fabs(got - want) <= row->tolerance * fmax(fabs(want), 1e-30);
}

static bool same_bits(const struct row *row, union value want,
                      union value got)
{
    int width = width_of(row->field);
    uint64_t bits = UINT64_MAX >> (64 - (width == 1 ? 32 : width));
    return (want.u64 & bits) == (got.u64 & bits);
}

/* A NaN may be any NaN (PTX ISA: its payload is not specified). */
static bool equal(const struct row *row, union value want, union value got)
{
    if (strcmp(row->field, "f32") == 0) {
        if (row->tolerance >= 0)
            return near(row, (double)want.f32, (double)got.f32);
        return want.u32 == got.u32 || (isnan(want.f32) && isnan(got.f32));
    }
    if (strcmp(row->field, "f64") == 0) {
        if (row->tolerance >= 0)
            return near(row, want.f64, got.f64);
        return want.u64 == got.u64 || (isnan(want.f64) && isnan(got.f64));
    }
    if (strcmp(row->field, "f16") == 0 && isnan((float)want.f16))
        return isnan((float)got.f16);
    return same_bits(row, want, got);
}

/* An exact result beyond the format's range may be infinite, or the last
 * number before. */
static bool in_bound(const struct row *row, int k, union value got)
{
    bool single = strcmp(row->field, "f32") == 0;
    double value = single ? (double)got.f32 : got.f64, x = row->exact[k];
    if (isnan(x) || isinf(x))
        return isnan(x) ? isnan(value) : value == x;
    if (single && isinf(value))
        return fabs(x) + row->allowed[k] > 0x1.fffffep127 &&
               (value > 0) == (x > 0);
    return fabs(value - x) <= row->allowed[k];
}

static void compare(struct row *row, const union value *got)
{
    int shown = 0;
    for (int k = 0; k < THREADS; k++) {
        bool on = row->active[k / LANES] >> k % LANES & 1;
        bool was_pred = width_of(row->field) == 1;
        union value off = {.u64 = was_pred ? 0 : SENTINEL};
        union value want = on ? row->want[k] : off;
        bool same = !on            ? same_bits(row, off, got[k])
                    : row->bounded ? in_bound(row, k, got[k])
                                   : equal(row, want, got[k]);
        if (same || (on && row->any[k]))
            continue;
        row->ok = false;
        if (shown++ < SHOWN)
            tap_say("%s, lane %d (%s): a=%#llx b=%#llx c=%#llx want %#llx, "
                    "got %#llx", variant_names[row->variant], k % LANES,
                    on ? "on" : "off",
                    (unsigned long long)row->in[0][k].u64,
                    (unsigned long long)row->in[1][k].u64,
                    (unsigned long long)row->in[2][k].u64,
                    (unsigned long long)want.u64,
                    (unsigned long long)got[k].u64);
    }
}

void row_run(struct row *row)
{
    enum { BYTES = THREADS * sizeof(union value) };
    static const enum buffer params[] = {ROW_A, ROW_B, ROW_C, ROW_OUT,
                                         ROW_MASK};
    static union value got[THREADS];
    struct text text = {.n = 0};
    for (size_t i = 0; i < INPUTS; i++)
        device_write(params[i], row->in[i], BYTES);
    device_write(ROW_MASK, row->active, sizeof row->active);
    memset(got, 0, sizeof got);
    device_write(ROW_OUT, got, BYTES);
    write_kernel(&text, row);
    const uint32_t grid[3] = {THREADS / BLOCK, 1, 1}, block[3] = {BLOCK, 1, 1};
    if (!run_ptx(text.bytes, grid, block, 0, params,
                 sizeof params / sizeof *params)) {
        row->ok = false;
        return;
    }
    device_read(ROW_OUT, got, BYTES, row->field);
    compare(row, got);
}

void row_end(struct row *row)
{
    tap_case(row->ok, row->ptx);
}
