// SPDX-License-Identifier: MIT
/*
 * fuzz.h: the interface of a reader under test for libFuzzer and replay.c.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* One input of size bytes. Returns 0; a defect ends the process. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
