// SPDX-License-Identifier: MIT
/*
 * words.h: the words of reports for the engine's numbers. The device's report
 * and the book's pages use the same.
 *
 *   engine_finding_word, engine_fault_word, engine_space_word   enum -> word
 */
#ifndef SIMGPU_CORE_WORDS_H
#define SIMGPU_CORE_WORDS_H

#include "engine.h"

const char *engine_finding_word(enum finding_kind kind);
const char *engine_fault_word(enum engine_fault fault);
/* enum ptx_space; "generic" for what is none. */
const char *engine_space_word(uint8_t space);

#endif
