// SPDX-License-Identifier: MIT
/*
 * fatbin.h: finds the PTX in the fat binary that nvcc embeds in a host object.
 *
 *   fatbin_ptx      fat binary bytes -> the PTX text best suited to a device
 *   fatbin_length   how many bytes it has
 *   fatbin_source   the file that it was compiled from
 *
 * Entries may be plain, LZ4 or zstd. A fat binary without PTX (built with only
 * code=sm_80, or with -dlto) is an error whose message names the flag to
 * change. A program built with -rdc=true has one fat binary per source file.
 */
#ifndef SIMGPU_FATBIN_H
#define SIMGPU_FATBIN_H

#include <stddef.h>

/*
 * data: the region that the wrapper's data pointer refers to, at most size
 * bytes (the header holds the true length). cc: compute capability times ten
 * (90). Chooses the PTX of the highest virtual architecture up to cc. Returns
 * a malloc'd NUL-terminated text and its length in *n, or NULL and a message
 * in error.
 */
char *fatbin_ptx(const void *data, size_t size, int cc, size_t *n, char *error,
                 size_t error_size);
/* The bytes of the fat binary that begins at data, of at most size; 0: none
 * begins there. */
size_t fatbin_length(const void *data, size_t size);
/* The name is known if the file was compiled with -lineinfo or -G; else "". It
 * is cut to fit into room bytes, with its NUL. */
void fatbin_source(const void *data, size_t size, char *name, size_t room);

#endif
