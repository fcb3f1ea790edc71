// SPDX-License-Identifier: MIT
/*
 * rows_matrix.c: matrix instructions of a warp: mma, wmma, ldmatrix, stmatrix,
 * movmatrix.
 *
 * Every product is of small whole numbers, exact whatever the order of the
 * additions, against a triple loop; where an element lies is written down from
 * the ISA's formulas for element i of a fragment. How sums of other numbers are
 * cut off is tests/matrix, against an H200.
 */
#include "conformance.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum type { F16, BF16, TF32, E4M3, E5M2, S8, U8, S4, U4, F64, F32, S32, TYPES };
static const char *const type_names[TYPES] = {"f16", "bf16", "tf32", "e4m3",
                                              "e5m2", "s8", "u8", "s4", "u4",
                                              "f64", "f32", "s32"};
static const int type_bits[TYPES] = {16, 16, 32, 8, 8, 8, 8, 4, 4, 64, 32, 32};

enum { MOST = 32, K_MOST = 64, TEXT = 32768, REGISTERS = 8 };

struct product {
    int m, n, k;
    enum type a, b, c, d;
};

/* Numbers and their bits --------------------------------------------------- */

static uint64_t small_float(int v, int exponent_bias, int fraction)
{
    uint64_t size = (uint64_t)(v < 0 ? -v : v);
    int top = 0;
    if (size == 0)
        return 0;
    while (size >> (top + 1))
        top++;
    return (uint64_t)(v < 0) << 7 |
           (uint64_t)(top + exponent_bias) << fraction |
           (size << fraction >> top & ((1u << fraction) - 1));
}

static uint64_t bits_of(enum type type, int v)
{
    union value x = {0};
    switch (type) {
    case F16: x.f16 = (_Float16)v; return x.u16;
    case BF16: x.f32 = (float)v; return x.u32 >> 16;
    case E4M3: return small_float(v, 7, 3);
    case E5M2: return small_float(v, 15, 2);
    case F64: x.f64 = v; return x.u64;
    case TF32:
    case F32: x.f32 = (float)v; return x.u32;
    case S32: return (uint32_t)v;
    default: return (uint64_t)v & ((1u << type_bits[type]) - 1);
    }
}

/* -3 to 3, or 0 to 6. */
static int some(enum type type)
{
    int v = (int)(random_bits() % 7);
    return type == U8 || type == U4 ? v : v - 3;
}

struct matrices {
    int a[MOST][K_MOST], b[K_MOST][MOST], c[MOST][MOST];
    int64_t d[MOST][MOST];
};

/* ends: 32-bit sums near the ends of their range; they wrap or stop. */
static void fill(struct matrices *x, const struct product *p, bool ends,
                 bool stops)
{
    for (int i = 0; i < p->m; i++)
        for (int k = 0; k < p->k; k++)
            x->a[i][k] = some(p->a);
    for (int k = 0; k < p->k; k++)
        for (int j = 0; j < p->n; j++)
            x->b[k][j] = some(p->b);
    for (int i = 0; i < p->m; i++)
        for (int j = 0; j < p->n; j++) {
            int v = (int)(random_bits() % 101) - 50;
            x->c[i][j] = !ends ? v : v < 0 ? INT32_MIN - v : INT32_MAX - v;
            x->d[i][j] = x->c[i][j];
            for (int k = 0; k < p->k; k++)
                x->d[i][j] += x->a[i][k] * x->b[k][j];
            if (stops && x->d[i][j] > INT32_MAX)
                x->d[i][j] = INT32_MAX;
            if (stops && x->d[i][j] < INT32_MIN)
                x->d[i][j] = INT32_MIN;
            x->d[i][j] = (int32_t)x->d[i][j];
        }
}

/* Text --------------------------------------------------------------------- */

static char text[TEXT];
static size_t length;

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    length += (size_t)vsnprintf(text + length, TEXT - length, format, list);
    va_end(list);
}

static const char head[] =
    ".version 8.4\n.target sm_90\n.address_size 64\n"
    ".visible .entry k(.param .u64 p_a, .param .u64 p_b, .param .u64 p_c, "
    ".param .u64 p_d)\n{\n"
    ".shared .align 128 .b8 tile_a[4096], tile_b[4096], tile_c[4096];\n"
    ".reg .b32 %a<9>, %b<9>, %c<9>, %d<9>, %t, %s<4>, %r<8>;\n"
    ".reg .f64 %A<9>, %B<9>, %C<9>, %D<9>; .reg .pred %p;\n"
    ".reg .b64 %pa, %pb, %pc, %pd, %l<4>;\n"
    "ld.param.u64 %pa, [p_a]; ld.param.u64 %pb, [p_b];\n"
    "ld.param.u64 %pc, [p_c]; ld.param.u64 %pd, [p_d];\n"
    "mov.u32 %t, %tid.x;\n";

static void begin(void)
{
    length = 0;
    put("%s", head);
}

/* "{%a0, %a1}" */
static void put_registers(char letter, int n)
{
    put("{");
    for (int r = 0; r < n; r++)
        put("%s%%%c%d", r ? ", " : "", letter, r);
    put("}");
}

static const uint32_t one[3] = {1, 1, 1}, warp[3] = {LANES, 1, 1};

static bool run(void)
{
    static const enum buffer params[] = {ROW_A, ROW_B, ROW_C, ROW_OUT};
    put("ret;\n}\n");
    return run_ptx(text, one, warp, 0, params, 4);
}

/* Fragments of mma --------------------------------------------------------- */

/* Registers, [register][lane], of 4 or 8 bytes. */
struct registers {
    uint64_t word[REGISTERS][LANES];
    int n, bytes;
};

static void set(struct registers *r, int lane, int i, int each, int bits,
                uint64_t value)
{
    r->word[i / each][lane] |= value << i % each * bits;
}

static int each_of(enum type type)
{
    return type_bits[type] > 32 ? 1 : 32 / type_bits[type];
}

/* Element i of lane l: ISA, "Matrix Fragments for mma.m16n8k16" and others. */
static void place_a(int m, int each, int l, int i, int *row, int *column)
{
    bool below = m == 16 && i / each % 2; /* registers take turns */
    *row = l / 4 + (below ? 8 : 0);
    *column = l % 4 * each + i % each + i / each / (m / 8) * 4 * each;
}

static void place_b(int each, int l, int i, int *row, int *column)
{
    *row = l % 4 * each + i % each + i / each * 4 * each;
    *column = l / 4;
}

static void place_c(int l, int i, int *row, int *column)
{
    *row = l / 4 + (i >= 2 ? 8 : 0);
    *column = l % 4 * 2 + (i & 1);
}

static void fragments(const struct matrices *x, const struct product *p,
                      struct registers *a, struct registers *b,
                      struct registers *c, struct registers *d)
{
    int row, column, ea = each_of(p->a), eb = each_of(p->b);
    int ec = p->c == F16 ? 2 : 1;
    memset(a, 0, sizeof *a), memset(b, 0, sizeof *b);
    memset(c, 0, sizeof *c), memset(d, 0, sizeof *d);
    for (int l = 0; l < LANES; l++) {
        for (int i = 0; i < p->m * p->k / LANES; i++) {
            place_a(p->m, ea, l, i, &row, &column);
            set(a, l, i, ea, type_bits[p->a],
                bits_of(p->a, x->a[row][column]));
        }
        for (int i = 0; i < p->k * p->n / LANES; i++) {
            place_b(eb, l, i, &row, &column);
            set(b, l, i, eb, type_bits[p->b],
                bits_of(p->b, x->b[row][column]));
        }
        for (int i = 0; i < p->m * p->n / LANES; i++) {
            place_c(l, i, &row, &column);
            set(c, l, i, ec, 16, bits_of(p->c, x->c[row][column]));
            set(d, l, i, ec, 16, bits_of(p->d, (int)x->d[row][column]));
        }
    }
    a->n = p->m * p->k / LANES / ea;
    b->n = p->k * p->n / LANES / eb;
    c->n = d->n = p->m * p->n / LANES / ec;
    a->bytes = b->bytes = c->bytes = d->bytes = p->a == F64 ? 8 : 4;
}

static void send(enum buffer to, const struct registers *r)
{
    static uint32_t narrow[REGISTERS * LANES];
    if (r->bytes == 8) {
        device_write(to, r->word, sizeof r->word);
        return;
    }
    for (int k = 0; k < REGISTERS * LANES; k++)
        narrow[k] = (uint32_t)r->word[k / LANES][k % LANES];
    device_write(to, narrow, sizeof narrow);
}

static bool received(const struct registers *want)
{
    static uint64_t got[REGISTERS * LANES];
    int wrong = 0;
    device_read(ROW_OUT, got, sizeof got, "");
    for (int k = 0; k < want->n * LANES; k++) {
        uint64_t is = want->bytes == 8 ? got[k] : ((uint32_t *)got)[k];
        uint64_t should = want->word[k / LANES][k % LANES];
        if (is != should && wrong++ < 3)
            tap_say("register %d of lane %d: want %llx, got %llx", k / LANES,
                    k % LANES, (unsigned long long)should,
                    (unsigned long long)is);
    }
    return !wrong;
}

static void put_loads(char letter, char pointer, const struct registers *r)
{
    put("mul.wide.u32 %%l0, %%t, %d; add.s64 %%l0, %%l0, %%p%c;\n", r->bytes,
        pointer);
    for (int k = 0; k < r->n; k++)
        put("ld.global.%s %%%c%d, [%%l0+%d];\n", r->bytes == 8 ? "f64" : "b32",
            letter, k, k * LANES * r->bytes);
}

static void put_stores(char letter, const struct registers *r)
{
    put("mul.wide.u32 %%l0, %%t, %d; add.s64 %%l0, %%l0, %%pd;\n", r->bytes);
    for (int k = 0; k < r->n; k++)
        put("st.global.%s [%%l0+%d], %%%c%d;\n", r->bytes == 8 ? "f64" : "b32",
            k * LANES * r->bytes, letter, k);
}

static void mma(const struct product *p, const char *before, const char *types,
                bool ends)
{
    static struct matrices x;
    static struct registers a, b, c, d;
    char name[128];
    bool wide = p->a == F64;
    fill(&x, p, ends, *before != 0 && before[1] == 's');
    fragments(&x, p, &a, &b, &c, &d);
    send(ROW_A, &a);
    send(ROW_B, &b);
    send(ROW_C, &c);
    begin();
    put_loads(wide ? 'A' : 'a', 'a', &a);
    put_loads(wide ? 'B' : 'b', 'b', &b);
    put_loads(wide ? 'C' : 'c', 'c', &c);
    snprintf(name, sizeof name, "mma.sync.aligned.m%dn%dk%d.row.col%s%s", p->m,
             p->n, p->k, before, types);
    put("%s ", name);
    put_registers(wide ? 'D' : 'd', d.n);
    put(", ");
    put_registers(wide ? 'A' : 'a', a.n);
    put(", ");
    put_registers(wide ? 'B' : 'b', b.n);
    put(", ");
    put_registers(wide ? 'C' : 'c', c.n);
    put(";\n");
    put_stores(wide ? 'D' : 'd', &d);
    tap_case(run() && received(&d), name);
}

static void mma_of(int m, int k, enum type a, enum type b, enum type sum,
                   const char *before)
{
    char types[40];
    snprintf(types, sizeof types, ".%s.%s.%s.%s", type_names[sum],
             type_names[a], type_names[b], type_names[sum]);
    mma(&(struct product){m, 8, k, a, b, sum, sum}, before, types,
        sum == S32 && random_bits() % 2);
}

static void integers(int m, int k, enum type first)
{
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            mma_of(m, k, first + a, first + b, S32, "");
            mma_of(m, k, first + a, first + b, S32, ".satfinite");
        }
}

static void products(void)
{
    static const int shapes[][2] = {{16, 8}, {16, 16}};
    for (int s = 0; s < 2; s++) {
        mma_of(16, shapes[s][1], F16, F16, F32, "");
        mma_of(16, shapes[s][1], F16, F16, F16, "");
        mma_of(16, shapes[s][1], BF16, BF16, F32, "");
    }
    mma_of(16, 4, TF32, TF32, F32, "");
    mma_of(16, 8, TF32, TF32, F32, "");
    for (int a = E4M3; a <= E5M2; a++)
        for (int b = E4M3; b <= E5M2; b++)
            mma_of(16, 32, a, b, F32, "");
    integers(8, 16, S8);
    integers(16, 16, S8);
    integers(16, 32, S8);
    integers(8, 32, S4);
    integers(16, 32, S4);
    integers(16, 64, S4);
    for (int rounds = 0; rounds < 2; rounds++) {
        const char *before = rounds ? ".rn" : "";
        mma_of(8, 4, F64, F64, F64, before);
        mma_of(16, 4, F64, F64, F64, before);
        mma_of(16, 8, F64, F64, F64, before);
        mma_of(16, 16, F64, F64, F64, before);
    }
}

/* wmma: through memory, so that fragments do not show ---------------------- */

/* rows x columns, in memory by rows or by columns, step apart. */
static void lay_out(uint8_t *to, const int *from, int from_step, int rows,
                    int columns, bool by_columns, int step, enum type type)
{
    size_t bytes = (size_t)type_bits[type] / 8;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            uint64_t bits = bits_of(type, from[i * from_step + j]);
            size_t at = (size_t)(by_columns ? j * step + i : i * step + j);
            memcpy(to + at * bytes, &bits, bytes);
        }
}

static int step_of(int rows, int columns, bool by_columns, int more)
{
    return (by_columns ? rows : columns) + more;
}

static const char *const spaces[] = {".global", ".shared", ".shared::cta", ""};

/* 4 KiB from one of the arrays to shared memory, or back. */
static void put_copy(const char *tile, char pointer, bool back)
{
    put("mov.u32 %%s3, %s; mad.lo.u32 %%s3, %%t, 4, %%s3;\n"
        "mul.wide.u32 %%l0, %%t, 4; add.s64 %%l0, %%l0, %%p%c;\n", tile,
        pointer);
    for (int k = 0; k < 4096 / 4 / LANES; k++)
        if (back)
            put("ld.shared.b32 %%r0, [%%s3+%d]; "
                "st.global.b32 [%%l0+%d], %%r0;\n", 128 * k, 128 * k);
        else
            put("ld.global.b32 %%r0, [%%l0+%d]; "
                "st.shared.b32 [%%s3+%d], %%r0;\n", 128 * k, 128 * k);
}

static int fragment_registers(enum type type, int elements)
{
    return type == F16 ? 8 : elements / LANES / each_of(type);
}

static int sum_registers(enum type type, int elements)
{
    return elements / LANES / (type == F16 ? 2 : 1);
}

static const char *layout(bool by_columns)
{
    return by_columns ? "col" : "row";
}

/* space: into spaces; columns: a bit for A, B, and the sums. */
static void wmma(const struct product *p, const char *types, int space,
                 unsigned columns, bool steps)
{
    static struct matrices x;
    static uint8_t bytes[3][4096], got[4096], want[4096];
    bool ca = columns & 1, cb = columns >> 1 & 1, cc = columns >> 2 & 1;
    bool in_shared = space == 1 || space == 2, wide = p->a == F64;
    bool stops = strstr(types, "satfinite");
    char shape[32], name[160], to[3][8];
    int more = steps ? 16 / (type_bits[p->a] / 8) : 0;
    int sa = step_of(p->m, p->k, ca, more), sb = step_of(p->k, p->n, cb, more);
    int sc = step_of(p->m, p->n, cc, steps ? 8 : 0);
    fill(&x, p, p->c == S32 && stops, stops);
    memset(bytes, 0, sizeof bytes);
    memset(want, 0, sizeof want);
    lay_out(bytes[0], x.a[0], K_MOST, p->m, p->k, ca, sa, p->a);
    lay_out(bytes[1], x.b[0], MOST, p->k, p->n, cb, sb, p->b);
    lay_out(bytes[2], x.c[0], MOST, p->m, p->n, cc, sc, p->c);
    static int d[MOST][MOST];
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++)
            d[i][j] = (int)x.d[i][j];
    lay_out(want, d[0], MOST, p->m, p->n, cc, sc, p->d);
    for (int k = 0; k < 3; k++)
        device_write(ROW_A + k, bytes[k], sizeof bytes[k]);
    memset(got, 0, sizeof got);
    device_write(ROW_OUT, got, sizeof got);
    begin();
    for (int k = 0; k < 3; k++)
        snprintf(to[k], sizeof to[k], in_shared ? "%%s%d" : "%%p%c",
                 in_shared ? k : 'a' + k);
    if (in_shared) {
        put_copy("tile_a", 'a', false);
        put_copy("tile_b", 'b', false);
        put_copy("tile_c", 'c', false);
        put("bar.warp.sync -1;\nmov.u32 %%s0, tile_a; mov.u32 %%s1, tile_b; "
            "mov.u32 %%s2, tile_c;\n");
    }
    snprintf(shape, sizeof shape, "m%dn%dk%d", p->m, p->n, p->k);
    put("wmma.load.a.sync.aligned.%s.%s%s.%s ", layout(ca), shape,
        spaces[space], type_names[p->a]);
    put_registers(wide ? 'A' : 'a', fragment_registers(p->a, p->m * p->k));
    if (more)
        put(", [%s], %d;\n", to[0], sa);
    else
        put(", [%s];\n", to[0]);
    put("wmma.load.b.sync.aligned.%s.%s%s.%s ", layout(cb), shape,
        spaces[space], type_names[p->b]);
    put_registers(wide ? 'B' : 'b', fragment_registers(p->b, p->k * p->n));
    put(", [%s], %d;\n", to[1], sb);
    put("wmma.load.c.sync.aligned.%s.%s%s.%s ", layout(cc), shape,
        spaces[space], type_names[p->c]);
    put_registers(wide ? 'C' : 'c', sum_registers(p->c, p->m * p->n));
    put(", [%s], %d;\n", to[2], sc);
    snprintf(name, sizeof name, "wmma.mma.sync.aligned.%s.%s.%s%s", layout(ca),
             layout(cb), shape, types);
    put("%s ", name);
    put_registers(wide ? 'D' : 'd', sum_registers(p->d, p->m * p->n));
    put(", ");
    put_registers(wide ? 'A' : 'a', fragment_registers(p->a, p->m * p->k));
    put(", ");
    put_registers(wide ? 'B' : 'b', fragment_registers(p->b, p->k * p->n));
    put(", ");
    put_registers(wide ? 'C' : 'c', sum_registers(p->c, p->m * p->n));
    put(";\nbar.warp.sync -1;\n");
    put("wmma.store.d.sync.aligned.%s.%s%s.%s [%s], ", layout(cc), shape,
        spaces[space], type_names[p->d], in_shared ? to[2] : "%pd");
    put_registers(wide ? 'D' : 'd', sum_registers(p->d, p->m * p->n));
    put(", %d;\n", sc);
    if (in_shared) {
        put("bar.warp.sync -1;\n");
        put_copy("tile_c", 'd', true);
    }
    bool ok = run();
    if (ok) {
        device_read(ROW_OUT, got, sizeof got, "");
        size_t size = (size_t)type_bits[p->d] / 8;
        for (int i = 0; i < p->m; i++)
            for (int j = 0; j < p->n; j++) {
                size_t at = (size_t)(cc ? j * sc + i : i * sc + j) * size;
                ok &= memcmp(got + at, want + at, size) == 0;
            }
    }
    snprintf(name + strlen(name), sizeof name - strlen(name), " %s",
             spaces[space]);
    tap_case(ok, name);
}

static void wmma_of(int m, int n, int k, enum type a, enum type c, enum type d,
                    const char *types)
{
    const struct product p = {m, n, k, a, a, c, d};
    for (int space = 0; space < 4; space++) {
        unsigned columns = (unsigned)space ^ ((unsigned)space >> 1) * 4;
        wmma(&p, types, space, columns, space % 2);
        wmma(&p, types, space, columns ^ 7, space % 2);
    }
}

static void wmmas(void)
{
    static const int shapes[][2] = {{16, 16}, {32, 8}, {8, 32}};
    for (int s = 0; s < 3; s++) {
        int m = shapes[s][0], n = shapes[s][1];
        wmma_of(m, n, 16, F16, F32, F32, ".f32.f32");
        wmma_of(m, n, 16, F16, F16, F16, ".f16.f16");
        wmma_of(m, n, 16, F16, F16, F32, ".f32.f16");
        wmma_of(m, n, 16, F16, F32, F16, ".f16.f32");
        wmma_of(m, n, 16, BF16, F32, F32, ".f32.bf16.bf16.f32");
        wmma_of(m, n, 16, S8, S32, S32, ".s32.s8.s8.s32");
        wmma_of(m, n, 16, U8, S32, S32, ".s32.u8.u8.s32");
        wmma_of(m, n, 16, S8, S32, S32, ".s32.s8.s8.s32.satfinite");
    }
    wmma_of(16, 16, 8, TF32, F32, F32, ".f32.tf32.tf32.f32");
    wmma_of(8, 8, 4, F64, F64, F64, ".f64.f64.f64.f64");
    wmma_of(8, 8, 4, F64, F64, F64, ".rn.f64.f64.f64.f64");
    wmma_of(8, 8, 4, F64, F64, F64, ".f64.f64.f64.f64.rn");
}

/* ldmatrix, stmatrix, movmatrix -------------------------------------------- */

enum { ROWS = 8, HALVES = 8 };

/* Rows lie stride bytes apart: 16 without a conflict, and with a gap. Where
 * transposed, element (i, j) is what lies at (j, i). */
static void tiles(int n, bool turned, const char *space, bool stores)
{
    static uint16_t memory[2048], want[2048];
    static struct registers d;
    char name[96];
    int stride = n == 2 ? 48 : 16;
    bool generic = !*space;
    for (size_t k = 0; k < sizeof memory / sizeof *memory; k++)
        memory[k] = (uint16_t)random_bits();
    memset(&d, 0, sizeof d);
    d.n = n;
    d.bytes = 4;
    memcpy(want, memory, sizeof want);
    for (int m = 0; m < n; m++)
        for (int l = 0; l < LANES; l++)
            for (int e = 0; e < 2; e++) {
                int i = l / 4, j = 2 * (l % 4) + e;
                int row = turned ? j : i, column = turned ? i : j;
                int at = (m * ROWS + row) * stride / 2 + column;
                if (stores) /* register m is word m of the lane */
                    want[at] = memory[2 * (m * LANES + l) + e];
                d.word[m][l] |= (uint64_t)memory[at] << 16 * e;
            }
    device_write(ROW_A, memory, sizeof memory);
    begin();
    put_copy("tile_a", 'a', false);
    put("bar.warp.sync -1;\nmov.u32 %%s0, tile_a; "
        "mad.lo.u32 %%s0, %%t, %d, %%s0;\n", stride);
    if (generic)
        put("cvt.u64.u32 %%l1, %%s0; cvta.shared.u64 %%l1, %%l1;\n");
    snprintf(name, sizeof name, "%s.sync.aligned.m8n8.x%d%s%s.b16",
             stores ? "stmatrix" : "ldmatrix", n, turned ? ".trans" : "",
             space);
    const char *at = generic ? "%l1" : "%s0";
    if (stores) {
        put_loads('d', 'a', &d);
        put("%s [%s], ", name, at);
        put_registers('d', n);
        put(";\nbar.warp.sync -1;\n");
        put_copy("tile_a", 'd', true);
    } else {
        put("%s ", name);
        put_registers('d', n);
        put(", [%s];\n", at);
        put_stores('d', &d);
    }
    bool ok = run();
    if (ok && stores) {
        device_read(ROW_OUT, memory, sizeof memory, "");
        ok = memcmp(memory, want, sizeof want) == 0;
    } else if (ok) {
        ok = received(&d);
    }
    tap_case(ok, name);
}

static void turn(void)
{
    static struct registers a, d;
    memset(&a, 0, sizeof a);
    memset(&d, 0, sizeof d);
    a.n = d.n = 1;
    a.bytes = d.bytes = 4;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < HALVES; j++) {
            uint64_t half = random_bits() & 0xffff;
            a.word[0][4 * i + j / 2] |= half << j % 2 * 16;
            d.word[0][4 * j + i / 2] |= half << i % 2 * 16;
        }
    send(ROW_A, &a);
    begin();
    put_loads('a', 'a', &a);
    put("movmatrix.sync.aligned.m8n8.trans.b16 %%d0, %%a0;\n");
    put_stores('d', &d);
    tap_case(run() && received(&d), "movmatrix.sync.aligned.m8n8.trans.b16");
}

void rows_matrix(void)
{
    static const char *const of_shared[] = {".shared", ".shared::cta", ""};
    products();
    wmmas();
    for (int stores = 0; stores < 2; stores++)
        for (int s = 0; s < 3; s++)
            for (int n = 1; n <= 4; n *= 2) {
                tiles(n, false, of_shared[s], stores);
                tiles(n, true, of_shared[s], stores);
            }
    turn();
}
