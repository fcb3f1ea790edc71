// SPDX-License-Identifier: MIT
/*
 * roofs.c: measures the ceiling of every arithmetic unit of the GPU at hand.
 *
 *   bench-roofs BUILD     BUILD/roofs/GPU.json, where check looks for them, and
 *                         a line for each: PIPE TFLOP/s
 *
 * check measures a ceiling when a kernel first needs it, so a file that grew by
 * checks lacks those of the other units. What the file holds is not measured
 * again. A unit that this GPU lacks, or this build has no instruction for, is
 * said to be `absent`. Fails if one could not be measured for another reason.
 */
#include <stdio.h>

#include "bench/measure.h"
#include "check/time/roofs.h"

static const double call_seconds = 60; /* limit of one call into a runner */

static bool measure_pipe(struct roofs_config *config, enum pipe pipe)
{
    struct runner_failure failure = {0};
    struct roofs roofs;
    enum runner_status status = roofs_get(config, pipe, &roofs, &failure);

    if (status == RUNNER_OK && !roofs.datasheet) {
        printf("%s %.1f\n", pipe_name(pipe), roofs.flops * 1e-12);
        return true;
    }
    if (status == RUNNER_OK || roofs_unsupported(status, &failure)) {
        printf("%s absent\n", pipe_name(pipe));
        return true;
    }
    fprintf(stderr, "bench-roofs: %s: %s%s\n", pipe_name(pipe),
            failure.message, failure.error_name);
    return false;
}

int main(int argc, char **argv)
{
    struct measure m;
    struct roofs_config config;
    char stages[PATH_BYTES], cache[PATH_BYTES];
    struct runner_failure failure = {0};
    bool all = true;

    if (argc != 2) {
        fprintf(stderr, "bench-roofs BUILD\n");
        return 2;
    }
    measure_open(&m, argv[1]);
    path_set(stages, "%s/harness", argv[1]);
    path_set(cache, "%s/roofs", argv[1]);
    config = (struct roofs_config){
        .runner = runner_start(
            &(struct runner_config){.program = m.program,
                                    .cuda_lib = m.cuda_lib, .device_fd = -1,
                                    .seconds = call_seconds,
                                    .output_path = "/dev/null"},
            &failure),
        .stages = stages,
        .cache = cache,
    };
    if (!config.runner) {
        fprintf(stderr, "bench-roofs: %s\n", failure.message);
        return 1;
    }
    for (int pipe = 0; pipe < PIPES; pipe++)
        all &= measure_pipe(&config, (enum pipe)pipe);
    runner_stop(config.runner);
    measure_close(&m);
    return !all;
}
