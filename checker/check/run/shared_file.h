// SPDX-License-Identifier: MIT
/*
 * shared_file.h: the file in memory through which arrays reach a runner.
 *
 *   shared_write, shared_read   all n bytes, or false
 *   shared_digest               to tell later whether bytes are the same
 *
 * Read and written, never mapped: the stage can shrink the file, and a read
 * that comes short is an answer where a mapping would be a crash.
 */
#ifndef CHECK_SHARED_FILE_H
#define CHECK_SHARED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool shared_write(int fd, const void *data, size_t n, size_t offset);
bool shared_read(int fd, void *data, size_t n, size_t offset);
/* Continues the digest `sum` over n bytes. Every piece but the last is a
 * multiple of 8 bytes. */
uint64_t shared_digest(const void *data, size_t n, uint64_t sum);

#endif
