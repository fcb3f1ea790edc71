// SPDX-License-Identifier: MIT
/*
 * rows.h: the table of opcode forms, and how an instruction finds its row.
 *
 *   row_at                 the k-th row of decode_table.c
 *   row_operand            reads an operand string, an operand at a time
 *   row_take               notes that an instruction was decoded by it
 *   spellings_open, spellings_close, spelling_of, spelling_next
 *                          instruction -> the rows that it may be
 *
 * A row that computes on its operands as they stand (no decoder) is spelt
 * without the modifiers .rn .rz .rm .rp .rni ... .ftz .sat .NaN .abs .xorsign,
 * which needs and allows give: it is taken when needs <= modifiers <= needs |
 * allows. Any other row is a pattern of the whole spelling: {a,b,} is a, b or
 * nothing, and may be nested. Of two rows that fit, the first one counts.
 *
 * An operand string has a piece for each operand: "=4|14M8?".
 *   =   written; +   read and written; without either, read (a memory
 *       operand's registers are read)
 *   1 2 4 8 g   bytes in a register, 1 a predicate, g 16; 2 lives in 4
 *   T   as many bytes as the last word, a type, has
 *   V   a register of any size, a vector, a value
 *   M   an address in brackets      I   an integer      L   a label or a list
 *   |1  the operand may be a pair with a predicate, d|p
 *   ?   may be missing              *   may be missing or repeated
 */
#ifndef SIMGPU_ROWS_H
#define SIMGPU_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "row_words.h"
#include "simgpu/core/lanes/ops.h"
#include "simgpu/core/state/form.h"
#include "simgpu/ptx/arena.h"
#include "simgpu/ptx/ptx.h"

struct decoder;
typedef bool decode_fn(struct decoder *d);

struct row {
    struct form form;
    decode_fn *decode;    /* NULL: lane or eval, one of them */
    enum lane_op lane;
    scalar *eval;
    uint32_t needs, allows; /* enum mod */
    uint16_t argument;      /* to its decoder, which says what it means */
};

/* Beside enum mod: a rounding mode was spelt out. */
enum extra_mod { MOD_HAS_ROUND = 1 << 8 };

const struct row *row_at(size_t k);
/* Of a division by what another one has divided by; NULL: of no division. */
const struct form *row_shares(const struct form *f);
/* What a mov is that the machine does not do; NULL: f is none. */
const struct form *row_folds(const struct form *f);

/* What arithmetic on 64 bits is of which the machine does half; offset: it
 * joins the offset of the load that needs it. */
const struct form *row_narrow(bool offset);

struct row_operand {
    char kind; /* a letter or digit of the list above */
    bool written, kept, paired, optional, repeated; /* kept: read as well */
};
/* What follows p; NULL: nothing does. */
const char *row_operand(const char *p, struct row_operand *o);

void row_take(const struct row *r);

/* "ld.global.f32" with two operands: all that decoding it again needs. */
struct spelling {
    const char *text;      /* in the module's arena */
    const struct row *row; /* the first that it may be; NULL: not known */
    uint32_t mods;         /* enum mod and extra_mod */
    uint16_t n_operands;
};

struct spellings;
struct spellings *spellings_open(struct arena *arena);
void spellings_close(struct spellings *s);
struct spelling spelling_of(struct spellings *s, const struct ptx_inst *in);
/* The next row that it may be; NULL: none. */
const struct row *spelling_next(const struct spelling *s,
                                const struct row *row);

#endif
