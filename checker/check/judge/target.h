// SPDX-License-Identifier: MIT
/*
 * target.h: which element of which array a finding is about.
 *
 *   target_say       "of x[b=0, h=1, t=3]", "past the end of x: x[558], ..."
 *   target_workspace   it is in, or next to, the workspace
 *   target_past      which element past the end of which array
 *   target_on_chip   shared and local memory: the device knows the name
 *   target_is_null   a null pointer, or an index into one
 *   target_is_far, target_wraps   far from every array
 *   finding_str, finding_num   a finding's fields
 */
#ifndef CHECK_TARGET_H
#define CHECK_TARGET_H

#include <jansson.h>
#include <stdbool.h>

#include "check/base/text.h"
#include "op/op.h"

/* Where the operator's arrays lie. */
struct arrays {
    const struct op *op;
    const struct op_shape *shape;
    const char *source;    /* the stage's .cu, as the report names it */
    uint64_t address[OP_MAX_BUFFERS];
    size_t bytes[OP_MAX_BUFFERS];
    uint64_t workspace;
    size_t workspace_bytes;
    const json_t *allocations; /* the device's list: for whole programs */
    const json_t *launch;  /* that findings are of; NULL: none is known */
};

void target_say(struct text *text, const json_t *finding,
                const struct arrays *arrays);
/* The operator's array that it is next to; NULL: none. */
const char *target_array(const json_t *finding, const struct arrays *arrays);
bool target_workspace(const json_t *finding, const struct arrays *arrays);
/* The operator's array past whose end it is, and which element that would be;
 * false: it is elsewhere. */
bool target_past(const json_t *finding, const struct arrays *arrays,
                 int *buffer, long long *element);
bool target_on_chip(const json_t *finding);
bool target_is_null(const json_t *finding);
/* In no array, yet among the device's addresses: no pointer of the host. */
bool target_is_far(const json_t *finding, const struct arrays *arrays);
/* So far behind an array as an unsigned number leads that fell below 0. */
bool target_wraps(const json_t *finding, const struct arrays *arrays);

/* "" and 0 where there is no such field. */
const char *finding_str(const json_t *object, const char *key);
long long finding_num(const json_t *object, const char *key);

#endif
