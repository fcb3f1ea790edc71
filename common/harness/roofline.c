// SPDX-License-Identifier: MIT
/*
 * roofline.c: see roofline.h.
 */
#include "harness/roofline.h"

#include <math.h>

struct roofline roofline_place(double flops, double bytes, double seconds,
                               const struct roofs *roofs)
{
    double at_memory = bytes / roofs->bandwidth; /* shortest time each allows */
    double at_compute = flops / roofs->flops;

    return (struct roofline){
        .flops = flops,
        .bytes = bytes,
        .intensity = flops / bytes,
        .bandwidth = bytes / seconds,
        .percent_of_roof = 100 * fmax(at_memory, at_compute) / seconds,
        .bound = at_memory >= at_compute ? "memory" : "compute",
    };
}
