// SPDX-License-Identifier: MIT
/*
 * runner_spawn.h: starts a runner in its cage.
 *
 *   runner_spawn    pid, and check's end of the channel; -1 with errno
 *
 * The process has descriptors 0 (closed input), 1 and 2 (the output file), 3
 * to 5 as wire.h says, and no others; an environment of its own; limits on
 * memory, processes, files and core dumps; and it dies with the thread that
 * started it.
 */
#ifndef CHECK_RUNNER_SPAWN_H
#define CHECK_RUNNER_SPAWN_H

#include <sys/types.h>

#include "runner_client.h"

pid_t runner_spawn(const struct runner_config *config, int memory,
                   int *channel);

#endif
