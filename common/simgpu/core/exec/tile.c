// SPDX-License-Identifier: MIT
/*
 * tile.c: ldmatrix, stmatrix, movmatrix, and the loads and stores of wmma.
 * Interface: tile.h; lanes/lanes_tile.c explains a tile's rows.
 *
 * wmma leaves open which instructions a load becomes. Here it is one access per
 * register, of the elements that lie side by side in memory: what the hardware
 * does where neighbouring elements of a fragment are neighbours in memory.
 */
#include "tile.h"

#include <string.h>

#include "control.h"
#include "load_store.h"
#include "simgpu/core/access/raise.h"
#include "simgpu/core/access/tile_words.h"
#include "simgpu/core/access/values.h"
#include "simgpu/core/state/finding.h"
#include "sync.h"

enum { TILE = 8, ROW_BYTES = 16 };

/* The rows' places, each by its lane; false: the launch ended. */
static bool find_rows(struct access *a, struct warp *w, const struct inst *i,
                      struct place rows[LANES])
{
    uint32_t lanes = UINT32_MAX >> (LANES - TILE * i->detail->op);
    access_begin(a, w, i, lanes);
    if (!access_places(a, rows))
        return false;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        if (rows[l].space == PTX_SPACE_SHARED)
            continue;
        struct finding x = {.space = rows[l].space,
                            .address = rows[l].address, .bytes = ROW_BYTES};
        snprintf(x.detail, sizeof x.detail,
                 "a row of a matrix lies in shared memory only");
        place_about(w, x.space, x.address, &x);
        access_finding(a, l, FIND_OUT_OF_BOUNDS, &x);
        fault_raise(w, FAULT_ADDRESS);
        return false;
    }
    return true;
}

/* After the bytes moved. */
static void raise_parts(const struct access *a, const struct place *places)
{
    struct access part[PARTS];
    int n = access_split(a, places, part);
    for (int k = 0; k < n; k++) {
        const struct place *p = &places[first_lane(part[k].mask)];
        part[k].stored = (uintptr_t)p->host - (uintptr_t)p->address;
        access_raise(&part[k]);
    }
}

/* The same of rows: what they cost, and which lanes touch which words. */
static void raise_rows(const struct access *a, const struct place *rows)
{
    const struct inst *i = a->inst;
    struct access part[PARTS], words = *a;
    struct place at[LANES];
    int n = access_split(a, rows, part);
    for (int k = 0; k < n; k++)
        access_raise_costs(&part[k]);
    words.mask = (uint32_t)FULL;
    words.bytes = i->p0 && run_of(a->warp)->narrow ? 2 : 4;
    for (uint32_t m = 0; m < i->detail->op; m++)
        for (uint32_t p = 0; p < tile_parts(i->p0); p++) {
            for (uint32_t l = 0; l < LANES; l++) {
                struct tile_word x = tile_word(i->p0, p, l, words.bytes);
                at[l] = rows[TILE * m + x.row];
                at[l].address += x.at;
                at[l].host += x.at;
            }
            n = access_split(&words, at, part);
            for (int k = 0; k < n; k++) {
                const struct place *q = &at[first_lane(part[k].mask)];
                part[k].stored = (uintptr_t)q->host - (uintptr_t)q->address;
                access_raise_races(run_of(a->warp), &part[k]);
            }
        }
}

/* Half e of word t of row g, or of column g. */
static uint32_t half_place(bool turned, int g, int t, int e, int *at)
{
    int row = turned ? 2 * t + e : g, column = turned ? g : 2 * t + e;
    *at = 2 * column;
    return (uint32_t)row;
}

const struct inst *op_tile_load(struct warp *w, const struct inst *i,
                                uint32_t mask)
{
    struct access a;
    struct place rows[LANES];
    if (mask != (uint32_t)FULL)
        return sync_whole(w, i, mask);
    if (!find_rows(&a, w, i, rows))
        return NULL;
    values_read(&a, rows);
    for (int m = 0; m < i->detail->op; m++) {
        uint32_t *d = slot(w, i->detail->slot[m]);
        for (int l = 0; l < LANES; l++) {
            uint32_t word = 0;
            for (int e = 0; e < 2; e++) {
                uint16_t half;
                int at;
                uint32_t row = half_place(i->p0, l / 4, l % 4, e, &at);
                memcpy(&half, rows[TILE * (uint32_t)m + row].host + at,
                       sizeof half);
                word |= (uint32_t)half << 16 * e;
            }
            d[l] = word;
        }
    }
    raise_rows(&a, rows);
    return i + 1;
}

const struct inst *op_tile_store(struct warp *w, const struct inst *i,
                                 uint32_t mask)
{
    struct access a;
    struct place rows[LANES];
    if (mask != (uint32_t)FULL)
        return sync_whole(w, i, mask);
    if (!find_rows(&a, w, i, rows))
        return NULL;
    for (int m = 0; m < i->detail->op; m++) {
        const uint32_t *s = slot(w, i->detail->slot[m]);
        for (int l = 0; l < LANES; l++)
            for (int e = 0; e < 2; e++) {
                uint16_t half = (uint16_t)(s[l] >> 16 * e);
                int at;
                uint32_t row = half_place(i->p0, l / 4, l % 4, e, &at);
                memcpy(rows[TILE * (uint32_t)m + row].host + at, &half,
                       sizeof half);
            }
    }
    raise_rows(&a, rows);
    values_written(&a, rows);
    return i + 1;
}

const struct inst *op_tile_turn(struct warp *w, const struct inst *i,
                                uint32_t mask)
{
    const uint32_t *from = slot(w, i->a);
    uint32_t to[LANES];
    if (mask != (uint32_t)FULL)
        return sync_whole(w, i, mask);
    for (int l = 0; l < LANES; l++) {
        int g = l / 4, t = l % 4;
        uint32_t low = from[8 * t + g / 2] >> g % 2 * 16 & 0xffff;
        uint32_t high = from[8 * t + 4 + g / 2] >> g % 2 * 16 & 0xffff;
        to[l] = low | high << 16;
    }
    memcpy(slot(w, i->d), to, sizeof to);
    return i + 1;
}

const struct inst *op_product_late(struct warp *w, const struct inst *i,
                                   uint32_t mask)
{
    return sync_whole(w, i, mask);
}

/* wmma --------------------------------------------------------------------- */

/* How many elements of a register lie side by side. */
static int run_of_elements(const struct fragment *f)
{
    bool rows_run = f->role != FRAGMENT_B; /* elements of a row are in one */
    int pack = f->role == FRAGMENT_SUM && f->type != TENSOR_F16
                   ? 1 : tensor_pack(f->type);
    return rows_run != f->by_columns ? pack : 1;
}

/* Of each lane's elements from place p on in a register: how far from the
 * matrix's beginning they are, in elements. */
static void find_offsets(const struct fragment *f, const uint32_t *stride,
                         int reg, int p, uint64_t offset[LANES])
{
    const struct matrix *x = &f->shape;
    int rows = f->role == FRAGMENT_B ? x->k : x->m;
    int columns = f->role == FRAGMENT_A ? x->k : x->n;
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++) {
            struct matrix_place at =
                f->role == FRAGMENT_A   ? matrix_a(x, row, column)
                : f->role == FRAGMENT_B ? matrix_b(x, row, column)
                                        : matrix_sum(x, row, column, f->type);
            if (at.reg != reg || at.place != p)
                continue;
            uint64_t step = stride[at.lane];
            offset[at.lane] = f->by_columns
                                  ? (uint64_t)column * step + (uint64_t)row
                                  : (uint64_t)row * step + (uint64_t)column;
        }
}

/* Element p of a register, and those beside it, to or from memory. */
static bool move_elements(struct warp *w, const struct inst *i,
                          const struct fragment *f, int reg, int p)
{
    struct access a;
    struct place places[LANES];
    uint64_t offset[LANES] = {0};
    int bits = tensor_bits(f->type), bytes = i->detail->size;
    uint8_t *regs = slot(w, f->reg[reg]);
    int width = bits > 32 ? 8 : 4, at = p * bits / 8;
    access_begin(&a, w, i, FULL);
    find_offsets(f, slot(w, f->stride), reg, p, offset);
    for (int l = 0; l < LANES; l++)
        a.addr[l] += offset[l] * (uint64_t)bits / 8;
    if (!access_places(&a, places))
        return false;
    if (!a.form->write)
        values_read(&a, places);
    for (int l = 0; l < LANES; l++) {
        uint8_t *in = regs + width * l + at;
        if (a.form->write)
            memcpy(places[l].host, in, (size_t)bytes);
        else
            memcpy(in, places[l].host, (size_t)bytes);
    }
    raise_parts(&a, places);
    if (a.form->write)
        values_written(&a, places);
    return true;
}

static bool move_fragment(struct warp *w, const struct inst *i)
{
    const struct fragment *f = i->detail->fragment;
    int pack = f->role == FRAGMENT_SUM && f->type != TENSOR_F16
                   ? 1 : tensor_pack(f->type);
    for (int r = 0; r < f->n_held; r++)
        for (int p = 0; p < pack; p += run_of_elements(f))
            if (!move_elements(w, i, f, r, p))
                return false;
    return true;
}

const struct inst *op_fragment_load(struct warp *w, const struct inst *i,
                                    uint32_t mask)
{
    const struct fragment *f = i->detail->fragment;
    if (mask != (uint32_t)FULL)
        return sync_whole(w, i, mask);
    if (!move_fragment(w, i))
        return NULL;
    for (int r = f->n_held; r < f->n; r++)
        memcpy(slot(w, f->reg[r]), slot(w, f->reg[r % f->n_held]),
               sizeof(uint32_t) * LANES);
    return i + 1;
}

const struct inst *op_fragment_store(struct warp *w, const struct inst *i,
                                     uint32_t mask)
{
    if (mask != (uint32_t)FULL)
        return sync_whole(w, i, mask);
    return move_fragment(w, i) ? i + 1 : NULL;
}
