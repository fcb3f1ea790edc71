// SPDX-License-Identifier: MIT
/*
 * explain.h: why a build failed, in words for a report.
 *
 *   explain_end       how nvcc, or ptxas, ended, where it does not say so
 *   explain_error     the first error: its file, its line, its message
 *   explain_machine   it is this machine's fault
 *   explain_endless   whether a compiler passed its limits
 */
#ifndef CHECK_EXPLAIN_H
#define CHECK_EXPLAIN_H

#include "built.h"

/* nvcc needs seconds and some hundred megabytes for a kernel. Templates or
 * macros that grow without end would take all there is. Seconds of processors,
 * for all parts of nvcc together. */
enum { NVCC_SECONDS = 60 };
#define NVCC_BYTES ((size_t)4 << 30)

/* What it said is in build->words. */
void explain_end(struct build *build, const struct proc_result *end);
void explain_error(struct build *build);
void explain_machine(struct build *build, const char *words);
bool explain_endless(const struct build *build, const struct proc_result *end);

#endif
