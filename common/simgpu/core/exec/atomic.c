// SPDX-License-Identifier: MIT
/*
 * atomic.c: atom and red.
 *
 *   op_atomic, atomic_known
 *
 * Every lane's operation is an atomic of the host, by compare-and-swap on 2, 4
 * or 8 bytes, so that blocks on different cores agree; one of 128 bits holds a
 * lock. Of a vector each element is an operation of its own.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "simgpu/core/lanes/half.h"
#include "simgpu/core/lanes/nan.h"
#include "control.h"
#include "load_store.h"
#include "move.h"
#include "spin.h"
#include "still.h"
#include "simgpu/core/access/raise.h"
#include "simgpu/core/access/values.h"
#include "simgpu/host/threads.h"

static bool is_float(const struct detail *t)
{
    return t->type_class == PTX_FLOAT || t->type_class == PTX_BFLOAT;
}

bool atomic_known(const struct detail *t)
{
    bool swaps = t->op == ATOM_EXCH || t->op == ATOM_CAS;
    bool extreme = t->op == ATOM_MIN || t->op == ATOM_MAX;
    if (t->size * t->n > 16 || (t->n > 1 && !is_float(t)))
        return false;
    if (t->size == 16)
        return swaps;
    if (is_float(t))
        return t->op == ATOM_ADD ||
               (extreme && t->n > 1 && t->type_bits == 16);
    if (t->size == 2)
        return t->op == ATOM_CAS;
    return t->size == 4 || (t->op != ATOM_INC && t->op != ATOM_DEC);
}

/* A subnormal becomes zero with its sign. */
static float flushed(float x)
{
    return fabsf(x) < FLT_MIN ? copysignf(0, x) : x;
}

/* In global memory a NaN stays as it is; in shared memory it becomes quiet. */
static uint64_t add_double(bool in_global, uint64_t x, uint64_t y)
{
    double a, b;
    memcpy(&a, &x, 8);
    memcpy(&b, &y, 8);
    if (in_global && (isnan(a) || isnan(b)))
        return isnan(b) ? y : x;
    a = nan_double(a + b, a, b, b);
    memcpy(&x, &a, 8);
    return x;
}

/* In global memory, the addition of fp32 flushes subnormals (PTX ISA, "atom");
 * in shared memory it does not. */
static uint64_t add_float(const struct detail *t, bool in_global, uint64_t x,
                          uint64_t y)
{
    if (t->type_bits == 64)
        return add_double(in_global, x, y);
    uint32_t low = (uint32_t)x, other = (uint32_t)y;
    float a, b;
    memcpy(&a, &low, 4);
    memcpy(&b, &other, 4);
    a = nan_single(in_global ? flushed(flushed(a) + flushed(b)) : a + b);
    memcpy(&low, &a, 4);
    return low;
}

static double widen(const struct detail *t, uint64_t x)
{
    return t->type_class == PTX_BFLOAT ? bfloat_to_double(x)
                                       : half_to_double(x);
}

/* Of a NaN and a number the number; -0 is less than +0. */
static double extreme(double a, double b, bool greater)
{
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    bool first = a < b || (a == b && signbit(a));
    return first != greater ? a : b;
}

static uint16_t change_half(const struct detail *t, uint64_t x, uint64_t y)
{
    double a = widen(t, x), b = widen(t, y);
    double d = t->op == ATOM_ADD ? a + b : extreme(a, b, t->op == ATOM_MAX);
    return t->type_class == PTX_BFLOAT ? bfloat_round(d, ROUND_NEAREST)
                                       : half_round(d, ROUND_NEAREST);
}

static uint64_t change_float(const struct detail *t, bool in_global, uint64_t x,
                             uint64_t y)
{
    if (t->type_bits > 16)
        return add_float(t, in_global, x, y);
    uint64_t low = change_half(t, x, y);
    return t->size == 2
               ? low
               : low | (uint64_t)change_half(t, x >> 16, y >> 16) << 16;
}

static bool less(const struct detail *t, uint64_t x, uint64_t y)
{
    if (t->type_class != PTX_SIGNED)
        return x < y;
    return t->size == 8 ? (int64_t)x < (int64_t)y : (int32_t)x < (int32_t)y;
}

/* What the word becomes: old is there, b and c are operands. */
static uint64_t next_value(const struct detail *t, bool in_global, uint64_t old,
                           uint64_t b, uint64_t c)
{
    if (is_float(t))
        return change_float(t, in_global, old, b);
    switch ((enum atom_op)t->op) {
    case ATOM_ADD: return old + b;
    case ATOM_MIN: return less(t, b, old) ? b : old;
    case ATOM_MAX: return less(t, old, b) ? b : old;
    case ATOM_AND: return old & b;
    case ATOM_OR: return old | b;
    case ATOM_XOR: return old ^ b;
    case ATOM_EXCH: return b;
    case ATOM_CAS: return old == b ? c : old;
    case ATOM_INC: return old >= b ? 0 : old + 1;
    default: return old == 0 || old > b ? b : old - 1;
    }
}

static uint64_t update_8(const struct detail *t, bool in_global, uint8_t *p,
                         uint64_t b, uint64_t c)
{
    uint64_t *word = (uint64_t *)p, old = __atomic_load_n(word, 5);
    while (!__atomic_compare_exchange_n(
        word, &old, next_value(t, in_global, old, b, c), false,
        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
    return old;
}

static uint64_t low_bits(uint64_t x, int bytes)
{
    return bytes == 8 ? x : x & ((1ull << 8 * bytes) - 1);
}

static uint64_t update_4(const struct detail *t, bool in_global, uint8_t *p,
                         uint64_t b, uint64_t c)
{
    uint32_t *word = (uint32_t *)p;
    uint32_t old = __atomic_load_n(word, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(
        word, &old, (uint32_t)next_value(t, in_global, old, b, c), false,
        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
    return old;
}

static uint64_t update_2(const struct detail *t, uint8_t *p, uint64_t b,
                         uint64_t c)
{
    uint16_t *half = (uint16_t *)p;
    uint16_t old = __atomic_load_n(half, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(
        half, &old,
        (uint16_t)next_value(t, false, old, b & 0xffff, c & 0xffff), false,
        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
    return old;
}

/* cas and exch of 128 bits. */
static void update_16(struct warp *w, const struct inst *i, int l, uint8_t *p)
{
    const struct detail *t = i->detail;
    uint64_t old[2], b[2], c[2];
    for (uint32_t h = 0; h < 2; h++) {
        b[h] = slot_get(w, i->b + h * WIDE_HALF, l, 8);
        c[h] = slot_get(w, i->c + h * WIDE_HALF, l, 8);
    }
    lock_take(run_of(w)->engine->wide);
    memcpy(old, p, sizeof old);
    if (t->op == ATOM_EXCH)
        memcpy(p, b, sizeof b);
    else if (memcmp(old, b, sizeof b) == 0)
        memcpy(p, c, sizeof c);
    lock_leave(run_of(w)->engine->wide);
    for (uint32_t h = 0; h < 2 && t->slot[0] != NO_SLOT; h++)
        slot_put(w, t->slot[0] + h * WIDE_HALF, l, 8, old[h]);
}

/* true: nothing has changed. */
static bool update_lane(struct warp *w, const struct inst *i, int l,
                        const struct place *p)
{
    const struct detail *t = i->detail;
    if (t->size == 16) {
        update_16(w, i, l, p->host);
        return false;
    }
    bool idle = true;
    uint64_t c = slot_get(w, i->c, l, t->reg);
    for (size_t e = 0; e < t->n; e++) {
        uint8_t *at = p->host + e * t->size;
        uint64_t b = slot_get(w, t->source[e], l, t->reg);
        bool global = p->space == PTX_SPACE_GLOBAL;
        uint64_t old = t->size == 8   ? update_8(t, global, at, b, c)
                       : t->size == 4 ? update_4(t, global, at, b, c)
                                      : update_2(t, at, b, c);
        idle &= t->op == ATOM_CAS    ? old != low_bits(b, t->size)
                : t->op == ATOM_EXCH ? old == low_bits(b, t->size)
                                     : b == 0 && (t->op == ATOM_ADD ||
                                                  t->op == ATOM_OR);
        if (t->slot[e] != NO_SLOT)
            slot_put(w, t->slot[e], l, t->reg, old);
    }
    return idle;
}

bool atomic_reduces(const struct detail *t)
{
    bool extreme = t->op == ATOM_MIN || t->op == ATOM_MAX;
    if (is_float(t))
        return t->op == ATOM_ADD || (extreme && t->type_bits == 16);
    return t->size >= 4 && t->op != ATOM_EXCH && t->op != ATOM_CAS &&
           (t->size == 4 || (t->op != ATOM_INC && t->op != ATOM_DEC));
}

void atomic_change(const struct detail *t, uint8_t *p, uint64_t value)
{
    if (t->size == 8)
        update_8(t, false, p, value, 0);
    else if (t->size == 4)
        update_4(t, true, p, value, 0); /* of fp32 in global memory alone */
    else
        update_2(t, p, value, 0);
}

const struct inst *op_atomic(struct warp *w, const struct inst *i,
                             uint32_t mask)
{
    struct access a, part[PARTS];
    struct place places[LANES];
    uint8_t op = i->detail->op;
    bool idle = true;
    access_begin(&a, w, i, mask);
    if (!access_places(&a, places))
        return NULL;
    int n = access_split(&a, places, part);
    for (int k = 0; k < n; k++)
        observe_release(&part[k]);
    for (int k = 0; k < n; k++)
        access_raise(&part[k]);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        a.mask = rest & -rest; /* a lane finds what those before it wrote */
        if (op != ATOM_EXCH)
            values_read(&a, places);
        idle &= update_lane(w, i, first_lane(rest), &places[first_lane(rest)]);
        values_written(&a, places);
    }
    for (int k = 0; k < n; k++)
        observe_acquire(&part[k]);
    w->polled = true;
    if (still_asked(w))
        still_look(w, &part[0]);
    if (idle) {
        still_idle(w, (uint64_t)n);
        a.mask = mask;
        spin_look(w, i, access_key(&a));
    }
    if (op == ATOM_CAS || op == ATOM_EXCH)
        warp_note_poll(w);
    return i + 1;
}
