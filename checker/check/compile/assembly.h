// SPDX-License-Identifier: MIT
/*
 * assembly.h: ptxas, for a stage that only the simulated GPU will run.
 *
 *   assembly_new     remembers what to assemble; nothing runs yet
 *   assembly_start   starts ptxas, unless it was started
 *   assembly_await   starts it if need be, and waits; from any thread
 *   assembly_drop    its result is not wanted: it is killed
 *   assembly_want    it is wanted after all: what was killed can start anew
 *   assembly_free    drops it, and frees its memory
 *
 * The simulated GPU runs PTX. What ptxas finds out, registers, spills and a few
 * errors, is needed for a kernel that is right, and later than the PTX.
 */
#ifndef CHECK_ASSEMBLY_H
#define CHECK_ASSEMBLY_H

#include "check/base/proc.h"
#include "toolkit.h"

struct assembly;

/* ptx: the file; sm: "sm_90"; log: where its words go until they are read;
 * config: the limits of a compiler, and its environment. */
struct assembly *assembly_new(const struct toolkit *toolkit, const char *ptx,
                              const char *sm, const char *log,
                              const struct proc_config *config);
/* By the thread that will free it: ptxas ends with the thread that began it. */
void assembly_start(struct assembly *a);
/* Its words, which are the assembly's; how it ended. */
const char *assembly_await(struct assembly *a, struct proc_result *end);
void assembly_drop(struct assembly *a);
/* By the thread that dropped it. */
void assembly_want(struct assembly *a);
void assembly_free(struct assembly *a);

#endif
