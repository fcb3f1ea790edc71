// SPDX-License-Identifier: MIT
/*
 * seal.h: keeps a stage from ending the processes that check it.
 *
 *   seal_process    for the calling process and all that it starts
 *
 * A stage has the user of check and of the simulated GPU, so it could send them
 * signals; a check that was killed blames the machine. From now on signals and
 * resource limits reach the calling process alone, and no program that it runs
 * gains rights (set-user-ID). One that sends itself SIGKILL dies of SIGSYS, so
 * that SIGKILL is nobody's but the system's. Safe between fork and exec.
 */
#ifndef CHECK_SEAL_H
#define CHECK_SEAL_H

/* Where the kernel has no filters, nothing changes. */
void seal_process(void);

#endif
