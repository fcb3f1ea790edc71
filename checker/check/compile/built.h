// SPDX-License-Identifier: MIT
/*
 * built.h: what is asked of a build, and what is known of it: the state that
 * build.c, command.c and explain.c share.
 */
#ifndef CHECK_BUILT_H
#define CHECK_BUILT_H

#include <sys/types.h>
#include <time.h>

#include "assembly.h"
#include "toolkit.h"

struct build_request {
    const struct toolkit *toolkit;
    const char *source;    /* NAME.cu, relative to the workbook where it can */
    const char *out;       /* folder of the results, without a slash */
    const char *name;      /* NAME */
    const char *arch;      /* "compute_75" */
    int sm;                /* of the card at hand, 90 where there is none */
    bool program;          /* an executable, not a stage */
    bool machine_code;     /* a GPU will run it; a program always has it */
    bool ahead;            /* a processor is free to run ptxas meanwhile */
    bool prebuilt;         /* without nvcc, what is there may still be used */
    const char *scratch;   /* folder for nvcc's temporary files */
};

struct build {
    struct build_request request;
    pid_t pid;             /* of nvcc; 0: not running */
    double worked;         /* its seconds of processors so far */
    struct text key;
    struct timespec begun; /* when nvcc was started */
    char made[PATH_BYTES]; /* the result under its temporary name */
    char kept[PATH_BYTES]; /* folder of what nvcc makes on its way */
    struct assembly *assembly; /* NULL: nvcc called ptxas */

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
    int spill_bytes;       /* of a thread, the most of them; -1: unknown */
};

#endif
