// SPDX-License-Identifier: MIT
/*
 * forecast.h: what the traffic model expects a candidate to take.
 *
 *   forecast_open, forecast_close   for which GPU; a simulated device
 *   forecast_ms                     one launch at one shape
 *
 * The device starts when it is first needed, and anew after a failure.
 */
#ifndef BENCH_FORECAST_H
#define BENCH_FORECAST_H

#include "bench/candidates.h"
#include "check/conf/workbook.h"
#include "check/phase/watched.h"

struct forecast {
    const char *gpu; /* a key; "": the default */
    struct workbook workbook;
    struct options options;
    struct watched watched;
    bool is_watching;
};

/* *f stays where it is until it is closed. */
void forecast_open(struct forecast *f, const char *build, const char *gpu);
void forecast_close(struct forecast *f);
/* NAN: it faults there, or was not predicted. */
double forecast_ms(struct forecast *f, const struct op *op,
                   const struct op_shape *shape, const struct candidate *c);

#endif
