// SPDX-License-Identifier: MIT
/*
 * workbook.h: where things are: one chapter, one build, one run's scratch.
 *
 *   workbook_open      finds the programs, the chapter, its configuration
 *   chapter_folder     "chapters/05-dwconv-coalesced" by number
 *
 * check's working folder is the workbook's root, so that paths in reports
 * and in build keys are the short ones a learner types.
 */
#ifndef CHECK_WORKBOOK_H
#define CHECK_WORKBOOK_H

#include "check/compile/toolkit.h"
#include "conf.h"
#include "options.h"

struct workbook {
    const struct options *options;
    struct toolkit toolkit;
    struct conf conf;
    char build[PATH_BYTES];    /* absolute where it is outside the root */
    char runner[PATH_BYTES];
    char device[PATH_BYTES];   /* the program simgpu-device */
    char sim_lib[PATH_BYTES];  /* folder of our libcudart */
    char scratch[PATH_BYTES];  /* private, removed at the end */
    char chapter[PATH_BYTES];  /* "chapters/05-..." */
    char source[PATH_BYTES];   /* folder of the .cu files being checked */
    char stages[PATH_BYTES];   /* folder of the built stages */
    char report[PATH_BYTES];   /* the JSON report */
    char gpu[80];              /* "": none is used */
    size_t gpu_bytes;          /* of its memory */
    int sm;                    /* of the card at hand; 90 where none is */
};

/* Ends check with a clear message when something is missing. */
void workbook_open(struct workbook *workbook, const struct options *options,
                   const char *scratch);
/* kind: "chapters" or "solutions". False: there is none, or there are two. */
bool chapter_folder(const char *kind, int number, char path[PATH_BYTES]);

#endif
