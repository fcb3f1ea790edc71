// SPDX-License-Identifier: MIT
/*
 * apart.h: loads of a kernel's inputs, counted apart.
 *
 *   apart_tell   tells the device where they are, and which are small
 *
 * What all rows share, such as a gamma per column, may be loaded for each row,
 * or once for many. Gates that know how much that is (gate.c:
 * bytes_beside_parameters, input_reads) can demand the rest.
 */
#ifndef CHECK_APART_H
#define CHECK_APART_H

#include "check/run/device.h"
#include "check/run/runner_client.h"
#include "op/op.h"

/* For the launches after it. False: the device is lost. */
bool apart_tell(struct device *device, const struct op *op,
                const struct op_shape *shape,
                const struct runner_layout *layout);

#endif
