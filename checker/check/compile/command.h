// SPDX-License-Identifier: MIT
/*
 * command.h: how nvcc is called.
 *
 *   command_make   its command line
 *   command_key    the same as text, with the toolkit: what makes two builds of
 *                  equal sources equal
 *   command_arch   the real architecture that PTX is also compiled for
 */
#ifndef CHECK_COMMAND_H
#define CHECK_COMMAND_H

#include "built.h"

enum { COMMAND_ARGS = 40 };

struct command {
    const char *argv[COMMAND_ARGS];
    char gencode[96];
    int n;
};

/* rule: the file for what it read; kept: the folder for what it makes on its
 * way, the PTX; each may be NULL. quick: without what few sources need. */
void command_make(struct command *command, const struct build_request *request,
                  const char *out, const char *rule, const char *kept,
                  bool quick);
/* Two lines; no path outside the workbook is in them. */
void command_key(struct text *key, const struct build_request *request);
/* "sm_90" */
void command_arch(const struct build_request *request, char *sm, size_t size);

#endif
