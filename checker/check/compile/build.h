// SPDX-License-Identifier: MIT
/*
 * build.h: one .cu into one stage (or, for chapter 01, one program).
 *
 *   build_start     starts nvcc, or finds that nothing has changed
 *   build_finish    waits; what it said, registers and spills
 *   source_sum      sha256 of a chapter's sources
 *
 * Beside NAME.so stand NAME.log (nvcc's words) and NAME.key (all that the
 * result depends on: sources, headers, flags, toolkit, in plain text).
 * Several may be started before the first is finished.
 */
#ifndef CHECK_BUILD_H
#define CHECK_BUILD_H

#include <sys/types.h>
#include <time.h>

#include "toolkit.h"

struct build_request {
    const struct toolkit *toolkit;
    const char *source;    /* NAME.cu, relative to the workbook where it can */
    const char *out;       /* folder of the results, without a slash */
    const char *name;      /* NAME */
    const char *arch;      /* "compute_75" */
    int sm;                /* of the card at hand, 90 where there is none */
    bool program;          /* an executable, not a stage */
    bool prebuilt;         /* without nvcc, what is there may still be used */
    const char *scratch;   /* folder for nvcc's temporary files */
};

struct build {
    struct build_request request;
    pid_t pid;             /* of nvcc; 0: not running */
    struct text key;
    struct timespec begun; /* when nvcc was started */
    char made[PATH_BYTES]; /* the result under its temporary name */

    bool ok, cached;
    bool machines_fault;   /* no toolkit, no space: not the learner's */
    bool unknown_arch;     /* the chapter's; this nvcc knows newer ones */
    char result[PATH_BYTES];
    struct text words;     /* what nvcc said; for a failure, why */
    char first_file[PATH_BYTES]; /* the first error; "" when none is found */
    int first_line;
    char first_error[256];
    const char *advice;    /* NULL: what the first error suggests */
    int registers;         /* the most of its kernels; -1: unknown */
    int spill_bytes;       /* stores and loads of all of them; -1: unknown */
};

void build_start(struct build *build, const struct build_request *request);
void build_finish(struct build *build);
void build_free(struct build *build);

/* sha256 over the files' bytes, one after the other, as 64 hex digits; ""
 * when one cannot be read. */
void source_sum(const char *const *paths, int n, char sum[65]);

#endif
