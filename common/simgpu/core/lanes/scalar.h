// SPDX-License-Identifier: MIT
/*
 * scalar.h: instructions computed one lane at a time.
 *
 *   scalar_compare   setp and set on any type
 *   setp_combine     what setp does beyond one comparison
 *   eval_*           one lane of a rare instruction: bits in, bits out
 */
#ifndef SIMGPU_SCALAR_H
#define SIMGPU_SCALAR_H

#include "simgpu/core/state/state.h"
#include "softfloat.h"

enum compare_op {
    CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE, CMP_LO, CMP_LS, CMP_HI,
    CMP_HS, CMP_EQU, CMP_NEU, CMP_LTU, CMP_LEU, CMP_GTU, CMP_GEU, CMP_NUM,
    CMP_NAN, N_COMPARES,
};
enum bool_op { BOOL_NONE, BOOL_AND, BOOL_OR, BOOL_XOR };

/* inst.mods */
enum mod {
    MOD_FTZ = 1 << 0,
    MOD_SAT = 1 << 1,
    MOD_ROUND = 3 << 2, /* enum rounding << 2 */
    MOD_NAN = 1 << 4,
    MOD_ABS = 1 << 5,
    MOD_INTEGER = 1 << 6, /* cvt.rni and kin */
    MOD_XORSIGN = 1 << 7,
};

bool scalar_compare(const struct inst *i, uint64_t a, uint64_t b);
const struct inst *setp_combine(struct warp *w, const struct inst *i,
                                uint32_t mask, uint32_t result);

#endif
