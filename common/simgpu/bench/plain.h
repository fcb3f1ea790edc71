// SPDX-License-Identifier: MIT
/*
 * plain.h: what a warp instruction costs as a plain C loop over 32 lanes, with
 * nothing around it: the yardstick of bench-sim.
 *
 *   plain_measure   seconds each, with the instruction set that the engine's
 *                   handlers use here
 *
 * The loops read their operands' places from a list, as any interpreter must,
 * and work on registers in memory; there is no dispatch, no mask, no counter
 * and no check. plain.c is built once per instruction set, with the flags of
 * the handlers (lanes_*.c).
 */
#ifndef SIMGPU_BENCH_PLAIN_H
#define SIMGPU_BENCH_PLAIN_H

#include <stdint.h>

enum { PLAIN_LANES = 32, PLAIN_REGS = 64, PLAIN_STEPS = 256,
       PLAIN_WORDS = 4096 };

struct plain_step { uint8_t d, a, b, c; };

struct plain_state {
    _Alignas(64) uint32_t reg[PLAIN_REGS][PLAIN_LANES];
    _Alignas(64) uint64_t address[PLAIN_REGS][PLAIN_LANES];
    uint32_t memory[PLAIN_WORDS];
    struct plain_step step[PLAIN_STEPS];
};

enum plain_kind { PLAIN_FMA, PLAIN_ADD, PLAIN_LOAD, PLAIN_STORE, PLAIN_KINDS };

/* All steps once. */
typedef void plain_loop(struct plain_state *s);
typedef plain_loop *plain_loops[PLAIN_KINDS];
extern const plain_loops plain_base, plain_avx2, plain_avx512;

/* Seconds per step, by kind. */
void plain_measure(double seconds[PLAIN_KINDS]);

#endif
