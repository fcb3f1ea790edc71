// SPDX-License-Identifier: MIT
/*
 * group.c: wgmma.mma_async. Interface: group.h.
 *
 * A descriptor says where a matrix lies in shared memory: bits 0 to 13 its
 * first address, 16 to 29 the leading and 32 to 45 the stride offset, all in
 * units of 16 bytes, and 62 to 63 how 16-byte chunks are swizzled: none, in
 * 128, 64 or 32 bytes. With w bytes in a swizzled row (16 where there are
 * none):
 *
 *   along k: row r lies at r % 8 * w + r / 8 * stride; a row's second chunk
 *            follows the first (without swizzle: leading offset behind it)
 *   along the other dimension m, of 16-bit elements: chunk c of m lies at
 *            c % (w / 16) * 16 + c / (w / 16) * leading, and k at
 *            k % 8 * w + k / 8 * stride (without swizzle leading and stride
 *            change places)
 *
 * Then the bits 4 to 6 of the address are flipped by bits 7 to 9, as many of
 * them as the swizzle has. A base offset (bits 49 to 51), for swizzled tiles
 * that begin amid a pattern, is refused: it was not tried on an H200.
 * Source: PTX ISA, "Matrix descriptor"; every layout was held to an H200
 * (tests/hardware/matrix.cu, layouts).
 */
#include "group.h"

#include <string.h>

#include "control.h"
#include "simgpu/core/access/bulk.h"
#include "simgpu/core/access/raise.h"
#include "simgpu/core/access/values.h"
#include "simgpu/core/lanes/ops.h"
#include "simgpu/core/state/finding.h"
#include "simgpu/core/state/observe.h"
#include "tile.h"
#include "sync.h"

enum {
    CHUNK = 16, CORE = 8,
    CHUNKS = 1 << 14, /* that descriptors can name */
};

/* Chunks that a product reads, a bit each. */
struct read_set {
    uint64_t bits[CHUNKS / 64];
};

struct layout {
    uint32_t begin, leading, stride, width, flips;
    bool along_k;
};

static struct layout layout_of(uint64_t descriptor, bool along_k)
{
    static const uint32_t widths[] = {16, 128, 64, 32};
    struct layout x = {
        .begin = (uint32_t)(descriptor & 0x3fff) << 4,
        .leading = (uint32_t)(descriptor >> 16 & 0x3fff) << 4,
        .stride = (uint32_t)(descriptor >> 32 & 0x3fff) << 4,
        .width = widths[descriptor >> 62], .along_k = along_k};
    x.flips = x.width / CHUNK - 1;
    return x;
}

static uint32_t swizzled(const struct layout *x, uint32_t at)
{
    return at ^ (at >> 7 & x->flips) << 4;
}

/* The chunk that holds byte `byte` of row `outer` of k, or element k of the
 * other dimension's chunk. */
static uint32_t chunk_along_k(const struct layout *x, int outer, int chunk)
{
    uint32_t at = x->begin + (uint32_t)outer % CORE * x->width +
                  (uint32_t)outer / CORE * x->stride;
    at += (uint32_t)chunk * (x->width == CHUNK ? x->leading : CHUNK);
    return swizzled(x, at);
}

static uint32_t chunk_across(const struct layout *x, int chunk, int k)
{
    uint32_t per = x->width / CHUNK, c = (uint32_t)chunk, row = (uint32_t)k;
    bool plain = x->width == CHUNK;
    uint32_t at = x->begin + c % per * CHUNK + row % CORE * x->width;
    at += c / per * (plain ? x->stride : x->leading);
    at += row / CORE * (plain ? x->leading : x->stride);
    return swizzled(x, at);
}

/* Chunks of 16 bytes into to, 32 at a time: one access each. */
static bool read_chunks(struct warp *w, const struct inst *i,
                        const uint32_t *at, int n, uint8_t (*to)[CHUNK],
                        struct read_set *set)
{
    for (int first = 0; first < n; first += LANES) {
        struct access a;
        struct place places[LANES];
        int lanes = n - first < LANES ? n - first : LANES;
        access_init(&a, w, i, &i->detail->access, PTX_SPACE_SHARED,
                    UINT32_MAX >> (LANES - lanes));
        for (int l = 0; l < lanes; l++)
            a.addr[l] = at[first + l];
        if (!access_places(&a, places))
            return false;
        values_read(&a, places);
        for (int l = 0; l < lanes; l++) {
            uint32_t chunk = at[first + l] / CHUNK;
            memcpy(to[first + l], places[l].host, CHUNK);
            set->bits[chunk / 64] |= 1ull << chunk % 64;
        }
        a.part = PART_ISSUED;
        access_facts(&a);
        access_raise(&a);
    }
    return true;
}

struct chunks {
    const uint8_t (*bytes)[CHUNK];
    bool along_k;
    int k, outer;
};

/* Elements of so many bytes, those of one k side by side, and `stride` of them
 * to the next k. */
ACCESS_INLINE void unpack(const struct chunks *x, const int size, uint32_t *to,
                          int stride)
{
    for (int e = 0; e < x->k; e++)
        for (int r = 0; r < x->outer; r++) {
            const uint8_t *from =
                x->along_k ? x->bytes[2 * r] + e * size
                           : x->bytes[r / CORE * x->k + e] + r % CORE * size;
            uint32_t bits = 0;
            memcpy(&bits, from, (size_t)size);
            to[e * stride + r] = bits;
        }
}

/* outer rows of A, or columns of B, from `from` on: bits of each element, those
 * of one k side by side, and `stride` of them to the next k. */
static bool read_matrix(struct warp *w, const struct inst *i, uint64_t from_at,
                        bool along_k, uint8_t type, int k, int from, int outer,
                        uint32_t *to, int stride, struct read_set *set)
{
    static _Thread_local uint32_t at[2 * GROUP_COLUMNS];
    static _Thread_local uint8_t bytes[2 * GROUP_COLUMNS][CHUNK];
    struct layout x = layout_of(from_at, along_k);
    int bits = tensor_bits(type), size = bits / 8, n = 0;
    if (along_k)
        for (int r = 0; r < outer; r++)
            for (int c = 0; c < 2; c++)
                at[n++] = chunk_along_k(&x, from + r, c);
    else
        for (int c = 0; c < outer / CORE; c++)
            for (int row = 0; row < k; row++)
                at[n++] = chunk_across(&x, from / CORE + c, row);
    if (!read_chunks(w, i, at, n, bytes, set))
        return false;
    struct chunks all = {bytes, along_k, k, outer};
    if (size == 1)
        unpack(&all, 1, to, stride);
    else if (size == 2)
        unpack(&all, 2, to, stride);
    else
        unpack(&all, 4, to, stride);
    return true;
}

static void read_rows(struct warp *w, const struct group *g,
                      uint32_t (*to)[GROUP_ROWS])
{
    struct matrix x = {.m = GROUP_ROWS, .k = g->k, .a_type = g->a_type};
    int bits = tensor_bits(g->a_type);
    for (int r = 0; r < GROUP_ROWS; r++)
        for (int k = 0; k < g->k; k++) {
            struct matrix_place at = matrix_a(&x, r, k);
            uint32_t word = ((uint32_t *)slot(w, g->a[at.reg]))[at.lane];
            to[k][r] = bits == 32 ? word
                                  : word >> at.place * bits &
                                        ((1u << bits) - 1);
        }
}

static void negate(uint32_t *x, int n, uint8_t type)
{
    for (int e = 0; e < n; e++)
        x[e] ^= 1u << (tensor_bits(type) - 1);
}

static bool adds(struct warp *w, const struct group *g)
{
    uint32_t value = *(uint32_t *)slot(w, g->adds);
    return g->adds_is_predicate ? value & 1 : value != 0;
}

/* Until its group is waited for, these bytes must stay. */
static void start_reading(struct warp *w, const struct inst *i,
                          const struct read_set *set)
{
    struct bulk *x = bulk_new(w, i, 0, 0);
    x->product = true;
    x->from = w->worker;
    x->group = w->product_groups;
    for (uint32_t c = 0; c < CHUNKS; c++) {
        if (set->bits[c / 64] >> c % 64 == 0) {
            c |= 63;
            continue;
        }
        if (!(set->bits[c / 64] >> c % 64 & 1))
            continue;
        struct bulk_piece *last =
            x->source.n ? &x->source.list[x->source.n - 1] : NULL;
        if (last && last->address + last->bytes == c * CHUNK)
            last->bytes += CHUNK;
        else
            bulk_add(&x->source, c * CHUNK, 0, CHUNK);
    }
    bulk_start(x);
}

static uint64_t descriptor(struct warp *w, uint32_t at)
{
    return *(uint64_t *)slot(w, at);
}

static bool has_base_offset(struct warp *w, const struct inst *i)
{
    const struct group *g = i->detail->group;
    uint64_t all = descriptor(w, g->b) |
                   (g->from_registers ? 0 : descriptor(w, g->a[0]));
    struct finding x = {.detail = "wgmma with a base offset in a descriptor "
                                  "(bits 49 to 51)"};
    if (!(all >> 49 & 7))
        return false;
    finding_add(w, i, 0, FIND_UNSUPPORTED, &x);
    fault_raise(w, FAULT_UNSUPPORTED);
    return true;
}

enum { GROUP_WARPS = 4 };

void group_did(struct warp *w, struct together *x, const struct inst *i)
{
    x->n++;
    x->at = i;
    x->in = w->leaf->frame->function;
}

/* Warp m of w's group did only so many. */
static void say_incomplete(struct warp *w, const struct together *x,
                           const char *what, uint32_t m, uint32_t n)
{
    struct worker *k = w->worker;
    struct finding f = {.kind = FIND_BARRIER, .count = 1,
                        .kernel = k->run->kernel->info.name,
                        .at = finding_site(finding_source(x->in, x->at))};
    memcpy(f.block, w->block->id, sizeof f.block);
    finding_thread(w, 0, f.at.thread);
    snprintf(f.detail, sizeof f.detail,
             "the four warps of a warpgroup do %s together: warp %u did %u, "
             "warp %u did %u", what, w->index, x->n, m, n);
    found_add(k, &f, k->order);
    fault_raise(w, FAULT_BARRIER);
}

/* Did warp m of w's group do it as often as w? A product needs all four warps,
 * setmaxnreg those that the block has. */
static bool judge_pair(struct warp *w, uint32_t m)
{
    const struct block *b = w->block;
    uint32_t products = m < b->n_warps ? b->warps[m].product.n : 0;
    uint32_t resized = m < b->n_warps ? b->warps[m].resize.n : w->resize.n;
    if (products < w->product.n)
        say_incomplete(w, &w->product, "wgmma", m, products);
    else if (resized < w->resize.n)
        say_incomplete(w, &w->resize, "setmaxnreg", m, resized);
    else
        return true;
    return false;
}

void group_judge(struct worker *k)
{
    struct block *b = &k->block;
    for (uint32_t n = 0; n < b->n_warps; n++) {
        struct warp *w = &b->warps[n];
        uint32_t first = n / GROUP_WARPS * GROUP_WARPS, m = first;
        if (!w->product.n && !w->resize.n)
            continue;
        while (m < first + GROUP_WARPS)
            if (!judge_pair(w, m++))
                return;
    }
}

const struct inst *op_group_product(struct warp *w, const struct inst *i,
                                    uint32_t mask)
{
    static _Thread_local _Alignas(64) struct group_factors f;
    struct read_set set = {0};
    const struct group *g = i->detail->group;
    if (mask != (uint32_t)FULL)
        return sync_whole(w, i, mask);
    if (has_base_offset(w, i))
        return NULL;
    int first = (int)(w->index % GROUP_WARPS) * GROUP_ROWS;
    if (!w->product.n && run_of(w)->checks & CHECK_COUNTERS)
        w->worker->counters.loads_by_multipliers += w->bulk_loads;
    group_did(w, &w->product, i);
    if (g->from_registers)
        read_rows(w, g, f.a);
    else if (!read_matrix(w, i, descriptor(w, g->a[0]), g->a_along_k,
                          g->a_type, g->k, first, GROUP_ROWS, f.a[0],
                          GROUP_ROWS, &set))
        return NULL;
    if (!read_matrix(w, i, descriptor(w, g->b), g->b_along_k, g->b_type, g->k,
                     0, g->n, f.b[0], GROUP_COLUMNS, &set))
        return NULL;
    if (g->a_negative)
        negate(f.a[0], GROUP_ROWS * g->k, g->a_type);
    if (g->b_negative)
        negate(f.b[0], GROUP_COLUMNS * g->k, g->b_type);
    uint8_t *counters = (uint8_t *)&w->worker->counters;
    *(uint64_t *)(counters + g->counter) += g->ops;
    struct matrix x = {.m = GROUP_ROWS, .k = g->k, .op = TENSOR_WGMMA,
                       .a_type = g->a_type, .b_type = g->b_type,
                       .c_type = g->d_type, .d_type = g->d_type,
                       .saturates = g->saturates};
    run_of(w)->engine->lanes->group(w, &x, &f, g->d, g->n, adds(w, g));
    start_reading(w, i, &set);
    return i + 1;
}

/* Orders nothing here, where a product is there at once. */
const struct inst *op_group_fence(struct warp *w, const struct inst *i,
                                  uint32_t mask)
{
    return mask == (uint32_t)FULL ? i + 1 : sync_whole(w, i, mask);
}

const struct inst *op_group_commit(struct warp *w, const struct inst *i,
                                   uint32_t mask)
{
    if (mask != (uint32_t)FULL)
        return sync_whole(w, i, mask);
    w->product_groups++;
    return i + 1;
}

/* imm: how many of the last groups may go on. The warp's lanes have waited
 * together, so one of them may speak for all. */
const struct inst *op_group_wait(struct warp *w, const struct inst *i,
                                 uint32_t mask)
{
    if (mask != (uint32_t)FULL)
        return sync_whole(w, i, mask);
    for (struct bulk *x = w->block->bulks; x; x = x->next)
        if (x->product && x->by == w &&
            x->group + (uint64_t)i->imm < w->product_groups)
            bulk_land(x, 0);
    bulks_sweep(w->block);
    observe_sync(w, FULL);
    return i + 1;
}
