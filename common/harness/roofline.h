// SPDX-License-Identifier: MIT
/*
 * roofline.h: where a kernel stands under its two ceilings.
 *
 *   roofline_place    from declared work, a time and measured ceilings
 *
 * The ceilings are measured on the device at hand (a float4 copy; multiply-adds
 * on the pipe that the kernel uses), so 100 % means: as well as those two
 * kernels did. Where a pipe cannot be measured, the vendor's figure stands in.
 */
#ifndef HARNESS_ROOFLINE_H
#define HARNESS_ROOFLINE_H

#include <stdbool.h>

struct roofs {
    double bandwidth; /* bytes per second, read and written */
    double flops;     /* per second, of one pipe; a multiply-add is two */
    bool datasheet;   /* the flops are the vendor's, not measured */
};

struct roofline {
    double flops, bytes;    /* of one launch, as the operator declares */
    double intensity;       /* flops per byte */
    double bandwidth;       /* effective: declared bytes over time */
    double percent_of_roof; /* of the ceiling at this intensity */
    const char *bound;      /* "memory" or "compute": the nearer ceiling */
};

struct roofline roofline_place(double flops, double bytes, double seconds,
                               const struct roofs *roofs);

#endif
