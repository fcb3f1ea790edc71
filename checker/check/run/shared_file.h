// SPDX-License-Identifier: MIT
/*
 * shared_file.h: the file in memory through which arrays reach a runner.
 *
 *   shared_write    all n bytes, or false; a digest of them
 *   shared_read     all n bytes, or false
 *   shared_digest   of n bytes that are there now, to tell whether they are
 *                   still those that were written
 *   digest_of_array   the same of n bytes in memory
 *
 * Large arrays are moved in pieces, by all cores.
 *
 * Read and written, never mapped: the stage can shrink the file, and a read
 * that comes short is an answer where a mapping would be a crash.
 */
#ifndef CHECK_SHARED_FILE_H
#define CHECK_SHARED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool shared_write(int fd, const void *data, size_t n, size_t offset,
                  uint64_t *digest);
bool shared_read(int fd, void *data, size_t n, size_t offset);
bool shared_digest(int fd, size_t n, size_t offset, uint64_t *digest);
uint64_t digest_of_array(const void *data, size_t n);

#endif
