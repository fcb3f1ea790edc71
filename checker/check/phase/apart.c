// SPDX-License-Identifier: MIT
/*
 * apart.c: see apart.h.
 */
#include "apart.h"

#include "check/conf/gate.h"

bool apart_tell(struct device *device, const struct op *op,
                const struct op_shape *shape,
                const struct runner_layout *layout)
{
    struct device_input inputs[OP_MAX_BUFFERS];
    int n = 0;

    for (int i = 0; i < op->n_buffers; i++)
        if (!op_is_written(op, i) && layout->bytes[i] > 0)
            inputs[n++] = (struct device_input){
                layout->address[i], layout->bytes[i],
                gate_is_parameter(op, i, shape)};
    return device_inputs(device, inputs, n);
}
