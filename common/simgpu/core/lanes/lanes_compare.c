// SPDX-License-Identifier: MIT
/*
 * lanes_compare.c: setp. A handler compares all 32 lanes into bytes and
 * packs them into the predicate's word.
 */
#include "lanes.h"
#include "scalar.h"

/* Writes p, and q and a boolean with c where the instruction has them. */
static inline const struct inst *finish(struct warp *w, const struct inst *i,
                                        uint32_t mask, uint32_t result)
{
    uint32_t *p = slot(w, i->d);
    if (!i->detail) {
        *p = (*p & ~mask) | (result & mask);
        return i + 1;
    }
    return setp_combine(w, i, mask, result);
}

#define COMPARE(name, T, expression)                                           \
    HANDLER(name)                                                              \
    {                                                                          \
        const T *pa = slot(w, i->a), *pb = slot(w, i->b);                      \
        uint8_t is[LANES];                                                     \
        for (int l = 0; l < LANES; l++) {                                      \
            T a = pa[l], b = pb[l];                                            \
            is[l] = (expression);                                              \
        }                                                                      \
        return finish(w, i, mask, pack_mask(is));                              \
    }

#define EQUALITY(suffix, T)                                                    \
    COMPARE(eq_##suffix, T, a == b)                                            \
    COMPARE(ne_##suffix, T, a != b)
#define ORDER(suffix, T)                                                       \
    COMPARE(lt_##suffix, T, a < b)                                             \
    COMPARE(le_##suffix, T, a <= b)                                            \
    COMPARE(gt_##suffix, T, a > b)                                             \
    COMPARE(ge_##suffix, T, a >= b)
/* eq ... are false, equ ... true when an operand is NaN. */
#define FLOATS(suffix, T)                                                      \
    COMPARE(eq_##suffix, T, a == b)                                            \
    COMPARE(ne_##suffix, T, (a < b) | (a > b))                                 \
    ORDER(suffix, T)                                                           \
    COMPARE(equ_##suffix, T, !((a < b) | (a > b)))                             \
    COMPARE(neu_##suffix, T, a != b)                                           \
    COMPARE(ltu_##suffix, T, !(a >= b))                                        \
    COMPARE(leu_##suffix, T, !(a > b))                                         \
    COMPARE(gtu_##suffix, T, !(a <= b))                                        \
    COMPARE(geu_##suffix, T, !(a < b))                                         \
    COMPARE(num_##suffix, T, (a == a) & (b == b))                              \
    COMPARE(nan_##suffix, T, (a != a) | (b != b))

EQUALITY(32, uint32_t)
EQUALITY(64, uint64_t)
ORDER(s32, int32_t)
ORDER(u32, uint32_t)
ORDER(s64, int64_t)
ORDER(u64, uint64_t)
FLOATS(f32, float)
FLOATS(f64, double)

/* Narrow types and modifiers: p0 is the comparison, detail the type. */
HANDLER(compare_any)
{
    const struct detail *t = i->detail;
    uint32_t result = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        const void *pa = slot(w, i->a), *pb = slot(w, i->b);
        uint64_t a = t->reg == 8 ? ((const uint64_t *)pa)[l]
                                 : ((const uint32_t *)pa)[l];
        uint64_t b = t->reg == 8 ? ((const uint64_t *)pb)[l]
                                 : ((const uint32_t *)pb)[l];
        result |= (uint32_t)scalar_compare(i, a, b) << l;
    }
    return setp_combine(w, i, mask, result);
}
