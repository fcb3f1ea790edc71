// SPDX-License-Identifier: MIT
/*
 * lanes.h: how a handler over 32 lanes is written.
 *
 *   UNARY, BINARY, TERNARY   one line per handler: types and an expression
 *   OF(name)                 the handler's name in this vector width
 *
 * A handler has two loops: one writes every lane of the register, and runs if
 * the lanes that are not active have exited, so that nobody reads them; the
 * other one keeps the inactive lanes. gcc turns both into vector code. A result
 * may share the slot of an operand of the same size, but never part of one
 * (slots.c).
 */
#ifndef SIMGPU_LANES_H
#define SIMGPU_LANES_H

#include "ops.h"

#define JOIN2(a, b) a##_##b
#define JOIN(a, b) JOIN2(a, b)
#define OF(name) JOIN(name, LANES_ISA)

/* One loop over the lanes; no lane depends on another. */
#define EACH_LANE                                                              \
    _Pragma("GCC ivdep") for (int l = 0; l < LANES; l++)

static inline bool writes_all(const struct warp *w, uint32_t mask)
{
    return (mask | w->dead) == (uint32_t)FULL;
}

#define HANDLER(name)                                                          \
    const struct inst *OF(name)(struct warp *w, const struct inst *i,          \
                                uint32_t mask)

#define STORE_LANES(D, expression)                                             \
    if (writes_all(w, mask)) {                                                 \
        EACH_LANE { D value = (expression); d[l] = value; }                    \
    } else {                                                                   \
        EACH_LANE                                                              \
        {                                                                      \
            D value = (expression);                                            \
            d[l] = mask >> l & 1 ? value : d[l];                               \
        }                                                                      \
    }

#define UNARY(name, D, A, expression)                                          \
    HANDLER(name)                                                              \
    {                                                                          \
        D *d = slot(w, i->d);                                                  \
        const A *pa = slot(w, i->a);                                           \
        STORE_LANES(D, ({ A a = pa[l]; (D)(expression); }))                    \
        return i + 1;                                                          \
    }

#define BINARY(name, D, A, B, expression)                                      \
    HANDLER(name)                                                              \
    {                                                                          \
        D *d = slot(w, i->d);                                                  \
        const A *pa = slot(w, i->a);                                           \
        const B *pb = slot(w, i->b);                                           \
        STORE_LANES(D, ({ A a = pa[l]; B b = pb[l]; (D)(expression); }))       \
        return i + 1;                                                          \
    }

#define TERNARY(name, D, A, B, C, expression)                                  \
    HANDLER(name)                                                              \
    {                                                                          \
        D *d = slot(w, i->d);                                                  \
        const A *pa = slot(w, i->a);                                           \
        const B *pb = slot(w, i->b);                                           \
        const C *pc = slot(w, i->c);                                           \
        STORE_LANES(D, ({                                                      \
            A a = pa[l];                                                       \
            B b = pb[l];                                                       \
            C c = pc[l];                                                       \
            (D)(expression);                                                   \
        }))                                                                    \
        return i + 1;                                                          \
    }

/* 32 bytes of 0 or 1 -> 32 bits, lane 0 lowest. */
static inline uint32_t pack_mask(const uint8_t bytes[LANES])
{
    uint32_t mask = 0;
    for (int q = 0; q < 4; q++) {
        uint64_t eight;
        __builtin_memcpy(&eight, bytes + 8 * q, 8);
        /* The product's top byte collects bit 0 of each byte in order. */
        mask |= (uint32_t)(eight * 0x0102040810204080ull >> 56) << 8 * q;
    }
    return mask;
}

#endif
