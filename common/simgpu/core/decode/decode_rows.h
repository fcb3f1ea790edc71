// SPDX-License-Identifier: MIT
/*
 * decode_rows.h: the rows of decode_table.c, for the test that each has a test.
 *
 *   decode_rows        how many there are
 *   decode_row_words   the k-th: opcode with suffixes, the modifiers that it
 *                      needs (enum mod), and whether an instruction took it
 */
#ifndef SIMGPU_DECODE_ROWS_H
#define SIMGPU_DECODE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

size_t decode_rows(void);
const char *decode_row_words(size_t k, uint32_t *mods, bool *was_taken);

#endif
