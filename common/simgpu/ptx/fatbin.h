// SPDX-License-Identifier: MIT
/*
 * fatbin.h: takes the PTX out of what nvcc embeds in a host object.
 *
 *   fatbin_ptx   fat binary bytes -> the PTX text best suited to a device
 *
 * Understands raw, LZ4 and zstd entries. A fat binary with no PTX (built with
 * code=sm_80 alone, or with -rdc=true) is an error whose message names the
 * flag to change.
 */
#ifndef SIMGPU_FATBIN_H
#define SIMGPU_FATBIN_H

#include <stddef.h>

/*
 * data: the region that the wrapper's data pointer names, size bytes at most
 * (the header holds the true length). cc: compute capability times ten (90).
 * Picks the PTX of the highest virtual architecture not above cc. Returns a
 * malloc'd NUL-terminated text and its length in *n, or NULL with a message
 * in error.
 */
char *fatbin_ptx(const void *data, size_t size, int cc, size_t *n, char *error,
                 size_t error_size);

#endif
