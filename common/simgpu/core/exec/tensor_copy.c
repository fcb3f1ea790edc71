// SPDX-License-Identifier: MIT
/*
 * tensor_copy.c: copies of boxes of tensors. Interface: tensor_copy.h.
 *
 * A tensor map (../../tensor_map.h) says where rows lie in global memory. In
 * shared memory a box is dense, row behind row; with a swizzle, rows begin as
 * many bytes apart as it spans, and bits 4 to 6 of an address are flipped by
 * bits 7 to 9, as wgmma expects (group.c). What lies beyond the tensor is
 * filled with zeros or NaN, and an mbarrier counts it; stores leave it out, but
 * for the rest of a row's last 16 bytes, which they write.
 *
 * Data are kept as the target will be: of a load, as shared memory between the
 * box's first byte and its last; of a store, row behind row.
 *
 * All of this, and where a box may begin, is as an H200 does it
 * (tests/hardware/boxes.cu).
 * Source: PTX ISA, "Tensors" and "cp.async.bulk.tensor".
 */
#include "tensor_copy.h"

#include <string.h>

#include "bulk_issue.h"
#include "simgpu/core/access/raise.h"
#include "simgpu/core/access/values.h"
#include "simgpu/core/state/finding.h"
#include "simgpu/core/state/matrix.h"
#include "simgpu/tensor_map.h"

enum { ROW_MOST = 256 * 8 }; /* bytes: so many elements of 64 bits */

struct box {
    bool stores;
    struct tensor_map map;
    int64_t at[TENSOR_RANKS];
    uint32_t count[TENSOR_RANKS];
    uint32_t size;  /* bytes of an element, */
    uint32_t row;   /* of a row, */
    uint32_t pitch; /* and from a row to the next, in shared memory */
    uint32_t rows;
    uint32_t begin; /* shared memory: the box's address, as far as swizzles
                       look at it */
};

/* A row of it: the bytes from `first` to `end` are moved. */
struct row {
    uint64_t address; /* of byte `first` */
    uint32_t first, end;
};

/* A GPU stops there. */
static bool refuse(const struct bulk_issue *s, const char *text)
{
    struct finding x = {0};
    snprintf(x.detail, sizeof x.detail, "%s", text);
    finding_add(s->w, s->i, s->lane, FIND_ILLEGAL, &x);
    fault_raise(s->w, FAULT_ILLEGAL);
    return false;
}

/* The copy engine cannot look where a thread's own memory lies, nor a block's.
 * nvcc puts a parameter into local memory when its address is taken and it is
 * no __grid_constant__. */
static bool map_is_reachable(const struct bulk_issue *s, uint64_t address)
{
    uint8_t space = place_space(&s->info->at_map, &address);
    if (space != PTX_SPACE_LOCAL && space != PTX_SPACE_SHARED)
        return true;
    return refuse(s, space == PTX_SPACE_LOCAL
                  ? "the tensor map lies in local memory, where nvcc copies a "
                    "parameter that is no __grid_constant__; the copy engine "
                    "cannot read it there"
                  : "the tensor map lies in shared memory, where the copy "
                    "engine cannot read it: it may be a __grid_constant__ "
                    "parameter, or in global or constant memory");
}

/* The map, as the program has it in memory. */
static bool read_map(const struct bulk_issue *s, struct tensor_map *x)
{
    struct access a;
    struct place places[LANES];
    uint64_t address = bulk_address_of(s, &s->info->map);
    bulk_begin(&a, s, &s->info->at_map, address, TENSOR_MAP_BYTES);
    if (!map_is_reachable(s, address) ||
        !bulk_locate(&a, s->lane, &places[s->lane]))
        return false;
    values_read(&a, places);
    memcpy(x, places[s->lane].host, sizeof *x);
    const char *wrong = tensor_map_check(x);
    if (wrong) {
        char text[128];
        snprintf(text, sizeof text, "no valid tensor map: %s", wrong);
        return refuse(s, text);
    }
    return x->rank == s->info->rank ||
           refuse(s, "the tensor map is of another rank than the instruction");
}

/* Loads may begin before the tensor, stores may not. */
static bool starts_well(const struct bulk_issue *s, const struct box *x)
{
    if (x->at[0] * x->size % TENSOR_CHUNK)
        return refuse(s, "along rows a box begins at a multiple of 16 bytes: "
                         "its first coordinate is in between");
    for (int d = 0; d < x->map.rank; d++)
        if (x->stores && x->at[d] < 0)
            return refuse(s, "a box that is stored may not begin before the "
                             "tensor: a coordinate is negative");
    return true;
}

static bool read_box(const struct bulk_issue *s, struct box *x, bool stores)
{
    if (!read_map(s, &x->map))
        return false;
    x->stores = stores;
    x->begin = 0;
    x->size = tensor_map_bytes(x->map.type);
    x->rows = 1;
    for (int d = 0; d < TENSOR_RANKS; d++) {
        bool there = d < x->map.rank;
        x->count[d] = there ? tensor_map_count(&x->map, d) : 1;
        x->at[d] = there ? (int32_t)bulk_operand(s, s->info->at[d], false) : 0;
        x->rows *= d ? x->count[d] : 1;
    }
    x->row = x->count[0] * x->size;
    x->pitch = x->map.swizzle ? tensor_map_span(&x->map) : x->row;
    return starts_well(s, x);
}

/* Byte n of the box's shared memory, as rows count it, is that far from the
 * box's address. Chunks stay whole. */
static uint32_t swizzled(const struct box *x, uint32_t n)
{
    uint32_t flips = x->map.swizzle ? x->pitch / TENSOR_CHUNK - 1 : 0;
    uint32_t at = x->begin + n;
    return (at ^ (at >> 7 & flips) << 4) - x->begin;
}

/* Row n; first == end: none of it lies in the tensor. */
static struct row row_at(const struct box *x, uint32_t n)
{
    struct row r = {.address = x->map.address};
    for (int d = 1; d < x->map.rank; d++) {
        int64_t c = x->at[d] + (int64_t)(n % x->count[d]) * x->map.step[d];
        n /= x->count[d];
        if (c < 0 || (uint64_t)c >= x->map.extent[d])
            return (struct row){0};
        r.address += (uint64_t)c * x->map.stride[d];
    }
    int64_t first = x->at[0] < 0 ? -x->at[0] : 0;
    int64_t end = (int64_t)x->map.extent[0] - x->at[0];
    end = end < x->count[0] ? end : x->count[0];
    if (first >= end)
        return (struct row){0};
    r.address += (uint64_t)(x->at[0] + first) * x->size;
    r.first = (uint32_t)first * x->size;
    r.end = (uint32_t)end * x->size;
    if (x->stores)
        r.end = (r.end + TENSOR_CHUNK - 1) / TENSOR_CHUNK * TENSOR_CHUNK;
    return r;
}

static bool is_dense(const struct box *x)
{
    return x->row == x->pitch;
}

/* Adds what shared memory holds of bytes first to end of row n. A chunk is a
 * piece, or continues the last one. */
static void add_chunks(const struct box *x, struct bulk_pieces *to,
                       uint32_t n, uint32_t first, uint32_t end)
{
    while (first < end) {
        uint32_t stop = (first / TENSOR_CHUNK + 1) * TENSOR_CHUNK;
        uint32_t bytes = (stop < end ? stop : end) - first;
        uint32_t at = swizzled(x, n * x->pitch + first);
        struct bulk_piece *last = to->n ? &to->list[to->n - 1] : NULL;
        if (last && last->address + last->bytes == at)
            last->bytes += bytes;
        else
            bulk_add(to, at, at, bytes);
        first += bytes;
    }
}

/* Loads -------------------------------------------------------------------- */

/* To the nearest of 10 bits of fraction, ties to even; one NaN. */
static uint32_t round_tf32(uint32_t x)
{
    enum { DROPPED = 13 };
    uint32_t half = (1u << (DROPPED - 1)) - 1, magnitude = x & 0x7fffffff;
    if (magnitude > 0x7f800000)
        return 0x7fffe000;
    return (x + half + (x >> DROPPED & 1)) & ~((1u << DROPPED) - 1);
}

static void convert(const struct box *x, uint8_t *data, uint32_t bytes)
{
    if (x->map.type != MAP_TF32 && x->map.type != MAP_TF32_FTZ)
        return;
    for (uint32_t at = 0; at < bytes; at += sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, data + at, sizeof word);
        word = round_tf32(word);
        memcpy(data + at, &word, sizeof word);
    }
}

static void fill(const struct box *x, uint8_t *row)
{
    static const uint8_t nan[] = {0xf7, 0x7f}; /* in each half of a number */
    for (uint32_t at = 0; at < x->row; at++)
        row[at] = x->map.fill_nan ? nan[at % 2] : 0;
}

/* Global memory's bytes of a row, into data. */
static bool load_row(const struct bulk_issue *s, const struct box *x,
                     const struct row *r, uint8_t *data)
{
    struct access a;
    struct place places[LANES];
    bulk_begin(&a, s, &s->info->source, r->address, r->end - r->first);
    if (!bulk_locate(&a, s->lane, &places[s->lane]))
        return false;
    values_read(&a, places);
    memcpy(data + r->first, places[s->lane].host, a.bytes);
    convert(x, data + r->first, a.bytes);
    access_raise(&a);
    return true;
}

static bool load_rows(const struct bulk_issue *s, const struct box *x,
                      struct bulk *like)
{
    uint8_t row[ROW_MOST];
    for (uint32_t n = 0; n < x->rows; n++) {
        struct row r = row_at(x, n);
        fill(x, row);
        if (r.first < r.end && !load_row(s, x, &r, row))
            return false;
        for (uint32_t at = 0; at < x->row; at += TENSOR_CHUNK)
            memcpy(like->data + swizzled(x, n * x->pitch + at), row + at,
                   TENSOR_CHUNK);
        if (!is_dense(x))
            add_chunks(x, &like->target, n, 0, x->row);
    }
    if (is_dense(x))
        bulk_add(&like->target, 0, 0, x->rows * x->pitch);
    return true;
}

static void count_copy(const struct bulk_issue *s)
{
    if (run_of(s->w)->checks & CHECK_COUNTERS)
        s->w->worker->counters.bulk_copies++;
}

/* Swizzles hold only there. */
static bool target_fits(const struct bulk_issue *s, uint32_t bytes)
{
    struct access a;
    struct place p;
    const struct access_form *to = &s->i->detail->access;
    uint64_t address = bulk_address_of(s, &s->info->to);
    bulk_begin(&a, s, to, address, bytes);
    return address % to->align == 0 || place_of(&a, s->lane, &p);
}

static bool load_lane(struct bulk_issue *s)
{
    struct box x;
    if (!read_box(s, &x, false) || !target_fits(s, x.rows * x.pitch))
        return false;
    count_copy(s);
    s->bytes = x.rows * x.pitch;
    x.begin = (uint32_t)bulk_address_of(s, &s->info->to);
    struct bulk *like = bulk_new(s->w, s->i, s->lane, s->bytes);
    like->bytes = x.rows * x.row;
    bool goes_on = load_rows(s, &x, like) && bulk_to_shared(s, like);
    bulk_drop(like);
    return goes_on;
}

const struct inst *op_tensor_load(struct warp *w, const struct inst *i,
                                  uint32_t mask)
{
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        struct bulk_issue s = {w, i, i->detail->bulk, first_lane(rest), 0};
        if (!load_lane(&s))
            return NULL;
    }
    return i + 1;
}

/* Stores ------------------------------------------------------------------- */

/* The pieces of shared memory that stores read, and of global memory that they
 * write. */
static void store_rows(const struct box *x, struct bulk *like)
{
    bool whole = is_dense(x);
    for (uint32_t n = 0; n < x->rows; n++) {
        struct row r = row_at(x, n);
        whole &= r.first == 0 && r.end == x->row;
        if (r.first < r.end)
            bulk_add(&like->target, r.address, n * x->row + r.first,
                     r.end - r.first);
    }
    if (whole)
        bulk_add(&like->source, 0, 0, x->rows * x->pitch);
    for (uint32_t n = 0; n < x->rows && !whole; n++) {
        struct row r = row_at(x, n);
        add_chunks(x, &like->source, n, r.first, r.end);
    }
}

/* Shared memory's bytes, row behind row. base: where they begin. */
static void gather(const struct box *x, const uint8_t *base, uint8_t *data)
{
    for (uint32_t n = 0; n < x->rows; n++)
        for (uint32_t at = 0; at < x->row; at += TENSOR_CHUNK)
            memcpy(data + n * x->row + at,
                   base + swizzled(x, n * x->pitch + at), TENSOR_CHUNK);
}

/* Each of the pieces was written before. */
static void check_values(const struct access *whole, const struct place *p,
                         const struct bulk_pieces *pieces, int lane)
{
    struct place places[LANES];
    struct access a = *whole;
    for (uint32_t n = 0; n < pieces->n; n++) {
        places[lane] = *p;
        places[lane].host += pieces->list[n].address;
        places[lane].first += pieces->list[n].address;
        places[lane].address += pieces->list[n].address;
        a.bytes = pieces->list[n].bytes;
        a.addr[lane] = places[lane].address;
        values_read(&a, places);
    }
}

static bool read_tile(const struct bulk_issue *s, struct box *x,
                      struct bulk *like)
{
    struct access a;
    struct place p;
    bulk_begin(&a, s, &s->info->source, bulk_address_of(s, &s->info->from),
               s->bytes);
    if (!bulk_locate(&a, s->lane, &p))
        return false;
    x->begin = (uint32_t)p.address;
    store_rows(x, like);
    check_values(&a, &p, &like->source, s->lane);
    gather(x, p.host, like->data);
    bulk_raise(&a, &like->source, p.address, PART_ISSUED, 0);
    like->from = s->w->worker;
    for (uint32_t n = 0; n < like->source.n; n++)
        like->source.list[n].address += p.address;
    return true;
}

static bool store_lane(struct bulk_issue *s)
{
    struct box x;
    if (!read_box(s, &x, true))
        return false;
    const struct detail *how = s->info->reduces
                                   ? &s->info->combines[x.map.type] : NULL;
    if (how && !how->size)
        return refuse(s, "this reduction does not exist for the tensor map's "
                         "element type");
    count_copy(s);
    s->bytes = x.rows * x.pitch;
    struct bulk *like = bulk_new(s->w, s->i, s->lane, s->bytes);
    like->bytes = x.rows * x.row;
    like->reduce = how ? bulk_reduce : NULL;
    like->how = how;
    bool goes_on = read_tile(s, &x, like) && bulk_to_global(s, like);
    bulk_drop(like);
    return goes_on;
}

const struct inst *op_tensor_store(struct warp *w, const struct inst *i,
                                   uint32_t mask)
{
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        struct bulk_issue s = {w, i, i->detail->bulk, first_lane(rest), 0};
        if (!store_lane(&s))
            return NULL;
    }
    return i + 1;
}

const struct inst *op_tensor_prefetch(struct warp *w, const struct inst *i,
                                      uint32_t mask)
{
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        struct bulk_issue s = {w, i, i->detail->bulk, first_lane(rest), 0};
        struct box x;
        if (!read_box(&s, &x, false))
            return NULL;
    }
    return i + 1;
}

const struct inst *op_tensor_map(struct warp *w, const struct inst *i,
                                 uint32_t mask)
{
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        struct bulk_issue s = {w, i, i->detail->bulk, first_lane(rest), 0};
        if (!map_is_reachable(&s, bulk_address_of(&s, &s.info->map)))
            return NULL;
    }
    return i + 1;
}
