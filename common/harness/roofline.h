// SPDX-License-Identifier: MIT
/*
 * roofline.h: where a kernel stands under its two ceilings.
 *
 *   roofline_place    from declared work, a time and measured ceilings
 *
 * The ceilings are measured on the device at hand (a float4 copy, a chain of
 * multiply-adds), so 100 % means: as well as those two kernels did.
 */
#ifndef HARNESS_ROOFLINE_H
#define HARNESS_ROOFLINE_H

struct roofs {
    double bandwidth; /* bytes a second, read and written */
    double flops;     /* fp32 operations a second, a multiply-add is two */
};

struct roofline {
    double flops, bytes;    /* of one launch, as the operator declares */
    double intensity;       /* flops a byte */
    double bandwidth;       /* effective: declared bytes over time */
    double percent_of_roof; /* of the ceiling at this intensity */
    const char *bound;      /* "memory" or "compute": the nearer ceiling */
};

struct roofline roofline_place(double flops, double bytes, double seconds,
                               const struct roofs *roofs);

#endif
