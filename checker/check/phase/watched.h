// SPDX-License-Identifier: MIT
/*
 * watched.h: one launch of a stage under the traffic observer.
 *
 *   watched_open, watched_close   a device and a runner of its own
 *   watched_launch                the device's report, the caller's
 */
#ifndef CHECK_WATCHED_H
#define CHECK_WATCHED_H

#include <jansson.h>

#include "check/run/device.h"
#include "phase.h"

struct watched {
    struct device device;
    struct runner *runner;
    struct runner_layout layout; /* of the last launch */
    bool late;                   /* it did not end in time */
    bool unfair;                 /* and had no processor: fair.h */
};

struct watched_stage {
    const struct op *op;
    struct op_shape shape;
    const char *path;   /* of the .so */
    const char *words;  /* ptxas's, about its registers */
    struct data *data;  /* inputs; NULL: arrays that nobody fills */
};

/* gpu: a key, "": the default. False: cannot start. Close it in any case. */
bool watched_open(struct watched *b, const struct workbook *workbook,
                  const char *gpu);
void watched_close(struct watched *b);
/* Of a launch that was refused or broke off, too. NULL: it did not get so far,
 * or the stage died. */
json_t *watched_launch(struct watched *b, const struct watched_stage *stage,
                       const struct device_look *look);

#endif
