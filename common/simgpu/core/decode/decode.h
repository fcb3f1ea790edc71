// SPDX-License-Identifier: MIT
/*
 * decode.h: from PTX syntax to dense instructions; shared by decode*.c.
 *
 *   decode_function     one function (decode.c)
 *   decode_operands     the operands that a row describes (decode_operand.c)
 *   decode_is_asked     does anything depend on a result? (answers.c)
 *   decode_written      which arrays a function's stores may reach (written.c)
 *   decode_shared       divisions that cost less than others (share.c)
 *   decode_narrow       addresses of constants, which have 32 bits (narrow.c)
 *   decode_unrolled     loops that ptxas unrolls (unroll.c)
 *   decode_alike        atomics of a warp that ptxas makes one (alike.c)
 *   decode_unset        uses of registers that no path has set (unset.c)
 *   decode_awaited      reads that wait for a value, or take it (awaited.c)
 *   decode_perhaps      loads whose value may be thrown away (perhaps.c)
 *   decode_choices      what throws it away (choices.c)
 *   decode_source, decode_dest, ...   one operand -> its slot in the frame
 *
 * An instruction's row (rows.h) says what its operands are; those whose size
 * the row gives are in d->at before the row's decoder is called. The decoder
 * fills d->i from them and from d->in, and returns true; false means that the
 * instruction is not of this row. One that is of no row becomes op_unsupported.
 */
#ifndef SIMGPU_DECODE_H
#define SIMGPU_DECODE_H

#include <string.h>

#include "simgpu/ptx/arena.h"
#include "cfg.h"
#include "rows.h"
#include "simgpu/core/lanes/scalar.h"

enum { OPERANDS_MOST = 8 }; /* that d->at holds */

struct decoder {
    const struct ptx_module *ptx;
    const struct ptx_func *f;
    const struct lane_table *lanes;
    struct module *module;
    struct function *out;
    struct arena *arena;
    struct cfg *cfg;
    const uint64_t *address;   /* of each PTX variable, in its space */
    uint32_t *slot;            /* of each register */
    bool *read;                /* which registers somebody reads */
    uint32_t frame;            /* bytes of registers so far */
    size_t cap_constants, cap_specials;
    uint32_t carry;            /* slot of the carry flags + 1; 0: none yet */
    uint32_t trash;            /* slot of what nobody reads + 1 */

    const struct ptx_inst *in; /* being decoded */
    struct inst *i;
    int32_t index;
    bool bad;                  /* an operand did not fit */
    const struct row *row;
    uint32_t mods;             /* enum mod and extra_mod */
    uint32_t at[OPERANDS_MOST]; /* slots, of operands of known size */
    uint32_t negated;          /* a bit for each: !p */
    uint32_t hidden;           /* register that no operand names: its slot */
    bool hidden_read, hidden_written;
};

void decode_function(struct module *m, const struct ptx_module *ptx,
                     struct spellings *spellings, int32_t func,
                     const uint64_t *address);

/* meets[i]: an op_reconverge stands before instruction i, at place[i]. */
bool decode_is_asked(const struct decoder *d,
                     const struct ptx_operand *answer);
void decode_shared(struct decoder *d, const struct form *const *forms);
void decode_narrow(struct decoder *d, const struct form *const *forms);
void decode_unrolled(struct decoder *d, const struct form *const *forms);
void decode_alike(struct decoder *d, const struct form *const *forms,
                  const uint32_t *place, const bool *meets);
/* Only of a function with a register that some path reads unwritten. */
void decode_unset(struct decoder *d, const struct form *const *forms,
                  const uint32_t *place, const bool *meets);
void decode_awaited(struct decoder *d, const struct form *const *forms,
                    const uint32_t *place, const bool *meets);
/* Marks them: access_form.perhaps. */
void decode_perhaps(struct decoder *d, const struct form *const *forms,
                    const uint32_t *place, const bool *meets);
/* Of those: where a selection decides, and their lines. */
void decode_choices(struct decoder *d, const struct form *const *forms,
                    const uint32_t *place, const bool *meets);
/* An operand decides which of the others counts. */
bool decode_chooses(const struct ptx_inst *in);
/* Calls visit for each register that an instruction writes, or reads. */
typedef void decode_visit(void *to, int32_t reg);
void decode_each(const struct ptx_inst *in, const struct form *form,
                 bool written, decode_visit *visit, void *to);
const struct written *decode_written(struct decoder *d,
                                     const struct form *const *forms,
                                     const uint32_t *place, const bool *meets);

/* Fills at and negated by the row; false: the operands do not fit. */
bool decode_operands(struct decoder *d);
/* Lists the registers that the instruction reads and writes. */
void decode_registers(struct decoder *d, struct source *s);

/* bytes: 2 (kept in 4), 4, 8, 16, or 1 for a predicate. */
uint32_t decode_source(struct decoder *d, const struct ptx_operand *o,
                       int bytes);
uint32_t decode_dest(struct decoder *d, const struct ptx_operand *o, int bytes);
uint32_t decode_constant(struct decoder *d, uint64_t bits, int bytes);
uint32_t decode_scratch(struct decoder *d, int bytes);
uint32_t decode_trash(struct decoder *d);
struct detail *decode_detail(struct decoder *d);
const struct ptx_operand *decode_operand(const struct decoder *d, int n);
/* A special register that only mov reads: the time. */
bool decode_clock(const char *name, bool *high, bool *timer);
bool decode_has(const struct decoder *d, const char *text);
const char *decode_last(const struct decoder *d);
handler *decode_lane(const struct decoder *d, enum lane_op op);
int decode_register(const struct decoder *d, const struct ptx_operand *o);
bool decode_is_param(const struct decoder *d, const struct ptx_operand *o);
bool decode_address(struct decoder *d, const struct ptx_operand *o);

/* A type word: class and bits; false if it is none. */
struct type_word {
    uint8_t class;
    uint16_t bits;
    uint8_t lanes;
};
bool decode_type(const char *word, struct type_word *t);
/* Words of memory instructions: an address space, how it is done, in what
 * order, how many (0: no vector). */
bool decode_space(const char *word, uint8_t *space);
void decode_order(struct detail *t, const char *word);
/* enum access_scope, if the word is one. */
uint8_t decode_scope(const char *word, uint8_t otherwise);
uint8_t decode_vector(const char *word);
int decode_word(const char *word, const char *const *list, int n);

/* Of matrices: enum tensor_type, and its counter in engine_counters. */
bool decode_tensor_type(const char *word, uint8_t *type);
uint16_t decode_tensor_counter(uint8_t type);

/* n registers: of a vector, or what atomics add. */
uint32_t *decode_slots(struct decoder *d, int n);

/* The rows' decoders, by file. */
decode_fn decode_mov, decode_load, decode_store, decode_cvta,
    decode_isspacep, decode_discard, decode_policy;       /* _memory.c */
decode_fn decode_atom, decode_red;                        /* _atomic.c */
decode_fn decode_cvt, decode_setp, decode_set, decode_selp, decode_carry,
    decode_carry_in, decode_lop3, decode_shf, decode_pred_logic, decode_testp,
    decode_bfi;                                           /* _compute.c */
decode_fn decode_bra, decode_brx, decode_call, decode_ret, decode_exit,
    decode_trap, decode_bar, decode_bar_red, decode_bar_warp, decode_shfl,
    decode_vote, decode_match, decode_redux, decode_elect,
    decode_activemask, decode_fence, decode_quota, decode_nop, decode_sleep,
    decode_alloca,
    decode_stack_save, decode_stack_restore;              /* _control.c */
decode_fn decode_copy, decode_group, decode_copy_arrive, decode_object,
    decode_object_arrive, decode_object_wait,
    decode_object_count;                                  /* _async.c */
decode_fn decode_bulk_copy, decode_bulk_reduce, decode_bulk_store,
    decode_bulk_store_reduce, decode_bulk_group;          /* _bulk.c */
decode_fn decode_tensor_load, decode_tensor_store, decode_tensor_reduce,
    decode_tensor_prefetch, decode_tensor_map;            /* _tensor.c */
decode_fn decode_cluster_barrier, decode_map_shared,
    decode_shared_rank;                                   /* _cluster.c */
decode_fn decode_group_product, decode_product_group,
    decode_product_fence;                                 /* _group.c */
decode_fn decode_mma, decode_wmma, decode_tile_load, decode_tile_store,
    decode_tile_turn, decode_fragment_load,
    decode_fragment_store;                                /* _matrix.c */

#endif
