// SPDX-License-Identifier: MIT
/*
 * build.h: one .cu into one stage (or, for chapter 01, one program).
 *
 *   build_start     starts nvcc, or finds that nothing has changed
 *   build_finish    waits; what it said
 *   build_assemble  waits for ptxas: registers, spills, and its errors
 *   build_drop      nobody will ask for these
 *   source_sum      sha256 of a chapter's sources
 *
 * Machine code is made where a GPU will run the stage. Without it, ptxas starts
 * after nvcc, on the PTX alone, while the simulated GPU already runs that.
 *
 * Beside NAME.so stand NAME.log (nvcc's words) and NAME.key (all that the
 * result depends on: sources, headers, flags, toolkit, in plain text), and
 * without machine code NAME.ptx.
 * Several may be started before the first is finished.
 */
#ifndef CHECK_BUILD_H
#define CHECK_BUILD_H

#include "built.h"

void build_start(struct build *build, const struct build_request *request);
void build_finish(struct build *build);
/* Once build_finish found it ok; does nothing a second time. By the thread that
 * finished it. */
void build_assemble(struct build *build);
void build_drop(struct build *build);
/* What nvcc and ptxas said, added to words: in any thread, before or after
 * build_assemble. False: ptxas failed, or was dropped. */
bool build_words(const struct build *build, struct text *words);
void build_free(struct build *build);

/* sha256 over the files' bytes, one after the other, as 64 hex digits; ""
 * when one cannot be read. */
void source_sum(const char *const *paths, int n, char sum[65]);

#endif
