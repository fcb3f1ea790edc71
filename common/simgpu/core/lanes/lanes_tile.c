// SPDX-License-Identifier: MIT
/*
 * lanes_tile.c: ldmatrix and stmatrix in shared memory, in vector code.
 *
 * A matrix has 8 rows of 16 bytes; lanes 8 m to 8 m + 7 give the addresses of
 * matrix m's rows, and lane 4 g + t gets or has word t of row g. So a row is
 * four neighbouring lanes of a register, and one access of 16 bytes by the lane
 * that gives its address. detail->op: how many matrices; p0: transposed.
 * Whatever is not plain goes to detail->slow before anything happened.
 */
#include "lanes_access.h"
#include "simgpu/core/access/tile_words.h"

enum { TILE = 8, ROW_BYTES = 16 }; /* rows, and halves in a row */

ACCESS_INLINE uint32_t row_lanes(const struct inst *i)
{
    return UINT32_MAX >> (LANES - TILE * i->detail->op);
}

typedef uint16_t halves[TILE][TILE];

/* [row][column] <-> [column][row] */
ACCESS_INLINE void transpose(const halves from, halves to)
{
    for (int row = 0; row < TILE; row++)
        for (int column = 0; column < TILE; column++)
            to[column][row] = from[row][column];
}

/* rows: the access of the lanes that give addresses. */
INLINE void observe_tile(struct warp *w, const struct inst *i,
                         struct access *rows, bool write, uintptr_t host)
{
    const struct detail *t = i->detail;
    struct access b;
    observe_costs(w, i, row_lanes(i), rows, ROW_BYTES, true, write, host);
    const struct run *r = run_of(w);
    if (!r->races)
        return;
    uint32_t bytes = i->p0 && r->narrow ? 2 : 4;
    for (uint32_t m = 0; m < t->op; m++)
        for (uint32_t part = 0; part < tile_parts(i->p0); part++) {
            access_init(&b, w, i, &t->access, PTX_SPACE_SHARED,
                        (uint32_t)FULL);
            for (uint32_t l = 0; l < LANES; l++) {
                struct tile_word x = tile_word(i->p0, part, l, bytes);
                b.addr[l] = rows->addr[TILE * m + x.row] + x.at;
            }
            b.bytes = bytes;
            b.stored = host;
            access_shape(&b, (uint32_t)FULL, (int)bytes);
            access_spread(&b);
            if (bytes == 4)
                observe_races(r, &b, 4, true, write);
            else
                access_raise_races(r, &b);
        }
}

HANDLER(ldmatrix)
{
    const struct detail *t = i->detail;
    struct window *win = &w->worker->windows[t->access.site];
    struct access b;
    halves rows, turned;
    uint32_t lanes = row_lanes(i);
    if (mask != (uint32_t)FULL)
        return t->slow(w, i, mask);
    read_addresses(w, i, lanes, ROW_BYTES, &b);
    access_spread(&b);
    if (!find_window(w, &b, ROW_BYTES, true, win) ||
        (run_of(w)->checks & CHECK_MEMORY &&
         !initialised(&b, win, ROW_BYTES, true)))
        return t->slow(w, i, mask);
    for (int m = 0; m < t->op; m++) {
        for (int g = 0; g < TILE; g++)
            __builtin_memcpy(rows[g],
                             (const void *)(win->host + b.addr[TILE * m + g]),
                             ROW_BYTES);
        if (i->p0)
            transpose(rows, turned);
        __builtin_memcpy(slot(w, t->slot[m]), i->p0 ? turned : rows,
                         sizeof rows);
    }
    observe_tile(w, i, &b, false, win->host);
    return i + 1;
}

HANDLER(stmatrix)
{
    const struct detail *t = i->detail;
    struct window *win = &w->worker->windows[t->access.site];
    struct access b;
    halves rows, turned;
    uint32_t lanes = row_lanes(i);
    if (mask != (uint32_t)FULL || w->worker->pending)
        return t->slow(w, i, mask);
    read_addresses(w, i, lanes, ROW_BYTES, &b);
    if (!find_window(w, &b, ROW_BYTES, true, win))
        return t->slow(w, i, mask);
    access_spread(&b);
    for (int m = 0; m < t->op; m++) {
        __builtin_memcpy(rows, slot(w, t->slot[m]), sizeof rows);
        if (i->p0)
            transpose(rows, turned);
        for (int g = 0; g < TILE; g++)
            __builtin_memcpy((void *)(win->host + b.addr[TILE * m + g]),
                             i->p0 ? turned[g] : rows[g], ROW_BYTES);
    }
    mark(&b, lanes, win, ROW_BYTES, true);
    observe_tile(w, i, &b, true, win->host);
    return i + 1;
}
