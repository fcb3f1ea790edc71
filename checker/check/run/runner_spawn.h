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

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct runner_config {
    const char *program;    /* build/bin/runner */
    const char *cuda_lib;   /* folder that must provide libcudart.so.N */
    bool simulated;
    bool kept;              /* GPU: another process keeps its arrays */
    int device_fd;          /* simulated: the device's client socket; else -1 */
    double seconds;         /* limit of one call */
    size_t memory_bytes;    /* address-space limit of the process; 0: none */
    const char *output_path; /* the stage's stdout and stderr go here */
};

pid_t runner_spawn(const struct runner_config *config, int memory,
                   int *channel);

#endif
