// SPDX-License-Identifier: MIT
/*
 * runner_inside.h: what runner_client.c, runner_arrays.c and keeper.c share.
 *
 *   runner_call      one request and its reply, which stays in the frame
 *   runner_call_with the same, and a file follows the request
 *   runner_reply     that reply
 *   runner_refuse    ends a runner whose answer cannot be
 *   runner_describe  a failure, in words
 *
 * Circle with runner_client: this is its other header.
 */
#ifndef CHECK_RUNNER_INSIDE_H
#define CHECK_RUNNER_INSIDE_H

#include <sys/types.h>

#include "runner_client.h"
#include "wire.h"

struct runner {
    pid_t pid;
    int channel, memory;
    double seconds;         /* limit of one call */
    char output_path[4096];
    const struct op *op;    /* of the case at hand */
    struct op_shape shape;
    unsigned off; /* of the case that is loaded */
    struct runner_layout layout;
    uint64_t digest[OP_MAX_BUFFERS]; /* of the inputs uploaded last */
    struct runner_device device;
    struct runner *keeper;  /* of its arrays; NULL: it has them itself */
    struct runner_sets sets;
    double scalar[OP_MAX_SCALARS];
    uint64_t mix;           /* seed of the sets that are there */
    uint32_t wanted;        /* of the sets, for the next download */
    uint32_t token;         /* of the request that is not answered yet */
    struct wire_frame frame;
};

enum runner_status runner_call(struct runner *r, enum wire_type type,
                               const void *payload, size_t length,
                               struct runner_failure *f);
enum runner_status runner_call_with(struct runner *r, enum wire_type type,
                                    const void *payload, size_t length,
                                    int file, struct runner_failure *f);
const struct wire_reply *runner_reply(const struct runner *r);
enum runner_status runner_refuse(struct runner *r, struct runner_failure *f);
void runner_describe(struct runner_failure *failure, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
