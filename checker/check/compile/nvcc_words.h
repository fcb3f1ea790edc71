// SPDX-License-Identifier: MIT
/*
 * nvcc_words.h: what nvcc, the host compiler and ptxas print, understood.
 *
 *   nvcc_first_error    file, line and message of the first error
 *   nvcc_resources      registers and spills from ptxas -v
 *   nvcc_kernel         the same of each kernel
 *   nvcc_wgmma          what ptxas changed, or could not keep, of wgmma
 *   nvcc_warning        the same of each warning
 *   nvcc_blames_disk    no space left, read-only: not the learner's fault
 *   nvcc_crashed        the compiler's own crash
 *   nvcc_advice         what to do about an error message; NULL: no idea
 *   nvcc_line_advice    the same, by the line it is about
 *   nvcc_origin, nvcc_cut   an error in a header, and the line that led there
 */
#ifndef CHECK_NVCC_WORDS_H
#define CHECK_NVCC_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "check/base/text.h"

bool nvcc_first_error(const char *words, char *file, size_t file_size,
                      int *line, char *message, size_t message_size);
/* The next warning. Returns where to go on, NULL after the last. */
const char *nvcc_warning(const char *words, char *file, size_t file_size,
                         int *line, char *message, size_t message_size);
/* -1 each where ptxas said nothing about them. */
void nvcc_resources(const char *words, int *registers, int *spill_bytes);
/* The next kernel that ptxas compiled. Returns where to go on, NULL after the
 * last. */
struct nvcc_kernel {
    char name[256];      /* mangled */
    int registers;       /* per thread */
    int frame;           /* bytes of a thread's local memory */
    int stores, loads;   /* bytes that it spills */
};
const char *nvcc_kernel(const char *words, struct nvcc_kernel *kernel);
/* 0: nothing; else the number of its remark, 7514 of "(C7514)". */
int nvcc_wgmma(const char *words, char *message, size_t message_size);
bool nvcc_blames_disk(const char *words);
/* The compiler of device code, or ptxas, broke off with a bad access of its
 * own. The host's front end does that where brackets nest too deep. */
bool nvcc_crashed(const char *words);
const char *nvcc_advice(const char *error);
const char *nvcc_line_advice(const char *source, int line);

/* ptxas names a kernel, not a line: the line of source where that kernel
 * begins, and what ptxas says. False: it found no fault. */
bool nvcc_ptxas_error(const char *words, const char *source, int *line,
                      char *message, size_t message_size);

/* Where the source's author caused an error that nvcc reports of a header: the
 * line of `source` that the first error's templates were made for. */
bool nvcc_origin(const char *words, const char *source, int *line);
/* The words without the templates in between. */
void nvcc_cut(const char *words, const char *source, struct text *out);

#endif
