// SPDX-License-Identifier: MIT
/*
 * supervise.h: runs the check in a child, and leaves nothing behind.
 *
 *   supervise_run    exit code of the work; 130 after Ctrl-C; 1 if it crashed
 *   supervise_note   what to name if the work crashes: the last of them is
 *
 * Whatever a stage forks, whatever files nvcc or a killed program leave in
 * the private folder: gone when this returns.
 */
#ifndef CHECK_SUPERVISE_H
#define CHECK_SUPERVISE_H

struct options;

int supervise_run(int (*work)(const struct options *options,
                              const char *scratch),
                  const struct options *options);
/* From any of the work's threads, and where nothing is supervised. */
void supervise_note(const char *words);

#endif
