// SPDX-License-Identifier: MIT
/*
 * rows_group.c: wgmma, of every width and type, against a triple loop over
 * small whole numbers. One group of four warps; A from registers or by a
 * descriptor, B by a descriptor, both without swizzle. Other layouts, and how
 * sums are cut off, are tests/matrix, against an H200.
 */
#include "conformance.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum type { F16, BF16, TF32, E4M3, E5M2, S8, U8, F32, S32, TYPES };
static const char *const names[TYPES] = {"f16", "bf16", "tf32", "e4m3", "e5m2",
                                         "s8", "u8", "f32", "s32"};
static const int sizes[TYPES] = {2, 2, 4, 1, 1, 1, 1, 4, 4}; /* bytes */

enum { M = 64, N_MOST = 256, K_MOST = 32, GROUP = 128, TEXT = 1 << 16 };

static char text[TEXT];
static size_t length;

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    length += (size_t)vsnprintf(text + length, TEXT - length, format, list);
    va_end(list);
}

static uint32_t bits_of(enum type type, int v)
{
    union value x = {0}, h = {.f16 = (_Float16)v};
    x.f32 = (float)v;
    switch (type) {
    case F16: return h.u16;
    case BF16: return x.u32 >> 16;
    case TF32:
    case F32: return x.u32;
    case E5M2: return h.u16 >> 8;
    case E4M3: /* bias 7 for 127, three bits of fraction */
        return v ? (x.u32 >> 31) << 7 |
                       (((x.u32 >> 20 & 0x7ff) - ((127 - 7) << 3)) & 0x7f)
                 : 0;
    case S8:
    case U8: return (uint32_t)v & 0xff;
    default: return (uint32_t)v;
    }
}

static int a[M][K_MOST], b[N_MOST][K_MOST], c[M][N_MOST];

/* Rows of 8 by 16 bytes, one core behind the other: along k 128 bytes, along
 * the other dimension 256. */
static void lay_out(uint8_t *to, const int *from, int rows, int k,
                    enum type type)
{
    int size = sizes[type];
    for (int r = 0; r < rows; r++)
        for (int e = 0; e < k; e++) {
            int byte = e * size;
            uint32_t bits = bits_of(type, from[r * K_MOST + e]);
            memcpy(to + r / 8 * 256 + r % 8 * 16 + byte / 16 * 128 + byte % 16,
                   &bits, (size_t)size);
        }
}

/* ISA, "Register Fragments for wgmma": element i of thread t of D. */
static void place_d(int t, int i, int *row, int *column)
{
    *row = t / 32 * 16 + t % 32 / 4 + (i / 2 % 2) * 8;
    *column = i / 4 * 8 + t % 4 * 2 + i % 2;
}

static void fill(int n, int k, enum type ta, enum type tb)
{
    for (int r = 0; r < M; r++)
        for (int e = 0; e < k; e++)
            a[r][e] = (int)(random_bits() % 7) - (ta == U8 ? 0 : 3);
    for (int j = 0; j < n; j++)
        for (int e = 0; e < k; e++)
            b[j][e] = (int)(random_bits() % 7) - (tb == U8 ? 0 : 3);
    for (int r = 0; r < M; r++)
        for (int j = 0; j < n; j++)
            c[r][j] = (int)(random_bits() % 41) - 20;
}

/* Of A's registers, then of the sums: words as threads hold them. */
static void hold(uint32_t *words, int n, int k, enum type ta, enum type sum)
{
    int each = 4 / sizes[ta], packs = sum == F16 ? 2 : 1;
    memset(words, 0, GROUP * (size_t)(4 + n / 2) * sizeof *words);
    for (int t = 0; t < GROUP; t++) {
        for (int r = 0; r < 4; r++)
            for (int e = 0; e < each; e++) {
                int row = t / 32 * 16 + t % 32 / 4 + r % 2 * 8;
                int column = t % 4 * each + e + r / 2 * 4 * each;
                if (column < k)
                    words[r * GROUP + t] |= bits_of(ta, a[row][column])
                                            << e * 8 * sizes[ta];
            }
        for (int i = 0; i < n / 2; i++) {
            int row, column;
            place_d(t, i, &row, &column);
            words[(4 + i / packs) * GROUP + t] |=
                bits_of(sum, c[row][column]) << i % packs * 16;
        }
    }
}

static const char head[] =
    ".version 8.4\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 p_a, .param .u64 p_b, .param .u64 p_in, "
    ".param .u64 p_out)\n{\n"
    ".shared .align 1024 .b8 tile_a[2048], tile_b[8192];\n"
    ".reg .b32 %a<4>, %d<128>, %t, %s<4>, %r<4>; .reg .pred %p;\n"
    ".reg .b64 %pa, %pb, %pi, %po, %l<8>;\n"
    "ld.param.u64 %pa, [p_a]; ld.param.u64 %pb, [p_b];\n"
    "ld.param.u64 %pi, [p_in]; ld.param.u64 %po, [p_out];\n"
    "mov.u32 %t, %tid.x; mul.wide.u32 %l0, %t, 4;\n"
    "add.s64 %pa, %pa, %l0; add.s64 %pb, %pb, %l0;\n"
    "add.s64 %pi, %pi, %l0; add.s64 %po, %po, %l0;\n"
    "mov.u32 %s0, tile_a; mad.lo.u32 %s0, %t, 4, %s0;\n"
    "mov.u32 %s1, tile_b; mad.lo.u32 %s1, %t, 4, %s1;\n";

static void put_tile(char pointer, int shared, int bytes)
{
    for (int at = 0; at < bytes; at += 4 * GROUP)
        put("ld.global.b32 %%r0, [%%p%c+%d]; st.shared.b32 [%%s%d+%d], %%r0;\n",
            pointer, at, shared, at);
}

/* Leading offset 128, stride 256 bytes, in units of 16. */
static void put_descriptor(int to, const char *tile)
{
    put("mov.u32 %%r1, %s; shr.u32 %%r1, %%r1, 4; cvt.u64.u32 %%l%d, %%r1;\n"
        "or.b64 %%l%d, %%l%d, 0x1000080000;\n", tile, to, to, to);
}

/* by: 0, A in registers, D = AB + D; 1, A by a descriptor, and a predicate that
 * is set; 2, the predicate is not; 3, both matrices negated. */
static void product(int n, int k, enum type ta, enum type tb, enum type sum,
                    const char *ends, int by)
{
    static uint8_t tile_a[2048], tile_b[8192];
    static uint32_t in[GROUP * 132], want[GROUP * 132], got[GROUP * 132];
    static const enum buffer params[] = {ROW_A, ROW_B, GROUP_IN, GROUP_OUT};
    int n_d = n / 2 / (sum == F16 ? 2 : 1);
    bool halves = ta == F16 || ta == BF16;
    char name[120];
    fill(n, k, ta, tb);
    memset(tile_a, 0, sizeof tile_a);
    memset(tile_b, 0, sizeof tile_b);
    lay_out(tile_a, a[0], M, k, ta);
    lay_out(tile_b, b[0], n, k, tb);
    hold(in, n, k, ta, sum);
    for (int r = 0; r < M; r++)
        for (int j = 0; j < n; j++) {
            int all = by == 2 ? 0 : c[r][j];
            for (int e = 0; e < k; e++)
                all += a[r][e] * b[j][e] * (by == 3 ? -1 : 1);
            c[r][j] = all;
        }
    hold(want, n, k, ta, sum);
    device_write(ROW_A, tile_a, sizeof tile_a);
    device_write(ROW_B, tile_b, sizeof tile_b);
    length = 0;
    put("%s", head);
    put_tile('a', 0, sizeof tile_a);
    put_tile('b', 1, sizeof tile_b);
    put_descriptor(1, "tile_a");
    put_descriptor(2, "tile_b");
    put("fence.proxy.async.shared::cta; bar.sync 0;\n");
    for (int r = 0; r < 4; r++)
        put("ld.global.b32 %%a%d, [%%pi+%d];\n", r, r * GROUP * 4);
    for (int r = 0; r < n_d; r++)
        put("ld.global.b32 %%d%d, [%%pi+%d];\n", r, (4 + r) * GROUP * 4);
    put("setp.%s.u32 %%p, %%t, 1000;\nwgmma.fence.sync.aligned;\n",
        by == 2 ? "gt" : "lt");
    snprintf(name, sizeof name,
             "wgmma.mma_async.sync.aligned.m64n%dk%d.%s.%s.%s%s", n, k,
             names[sum], names[ta], names[tb], ends);
    put("%s {", name);
    for (int r = 0; r < n_d; r++)
        put("%s%%d%d", r ? ", " : "", r);
    put("}, %s, %%l2, %s", by == 0 ? "{%a0, %a1, %a2, %a3}" : "%l1",
        by == 0 ? "1" : "%p");
    if (sum != S32)
        put(", %d, 1%s", by == 3 ? -1 : 1,
            !halves ? "" : by == 0 ? ", 0" : ", 0, 0");
    put(";\nwgmma.commit_group.sync.aligned;\n"
        "wgmma.wait_group.sync.aligned 0;\n");
    for (int r = 0; r < n_d; r++)
        put("st.global.b32 [%%po+%d], %%d%d;\n", r * GROUP * 4, r);
    put("ret;\n}\n");
    device_write(GROUP_IN, in, sizeof in);
    device_write(GROUP_OUT, got, sizeof got);
    bool ok = run_ptx(text, (const uint32_t[]){1, 1, 1},
                      (const uint32_t[]){GROUP, 1, 1}, 0, params, 4);
    if (ok)
        device_read(GROUP_OUT, got, GROUP * (size_t)n_d * sizeof *got, "");
    int wrong = 0;
    for (int k2 = 0; ok && k2 < GROUP * n_d; k2++)
        if (got[k2] != want[k2 + 4 * GROUP] && wrong++ < 3)
            tap_say("register %d of thread %d: want %x, got %x", k2 / GROUP,
                    k2 % GROUP, want[k2 + 4 * GROUP], got[k2]);
    tap_case(ok && !wrong, name);
}

void rows_group(void)
{
    int turn = 0;
    for (int n = 8; n <= N_MOST; n += 8) {
        product(n, 16, F16, F16, F32, "", turn++ % 4);
        product(n, 16, F16, F16, F16, "", turn++ % 4);
        product(n, 16, BF16, BF16, F32, "", turn++ % 4);
        product(n, 8, TF32, TF32, F32, "", turn++ % 4);
        for (int x = E4M3; x <= E5M2; x++)
            for (int y = E4M3; y <= E5M2; y++) {
                product(n, 32, x, y, F32, "", turn++ % 4);
                product(n, 32, x, y, F16, "", turn++ % 4);
            }
        if (n > 32 && n % 16)
            continue;
        for (int x = S8; x <= U8; x++)
            for (int y = S8; y <= U8; y++) {
                product(n, 32, x, y, S32, "", turn++ % 3);
                product(n, 32, x, y, S32, ".satfinite", turn++ % 3);
            }
    }
}
