// SPDX-License-Identifier: MIT
/*
 * excess.c: loads, stores, or what they fetch in vain; see excess.h.
 *
 * Sectors fetched in vain are named if they are most of the bytes beyond the
 * compulsory ones. What is stored in excess is usually loaded again, so a
 * quarter is enough to blame the stores: without them the loads would go, too.
 * Copies and memsets that the launcher asks for are no loads of the kernel.
 */
#include "excess.h"

#include <math.h>
#include <string.h>

#define SECTOR_BYTES 32.0

static const char *const loads[] = {"global_load", "async_copy", "bulk_load",
                                    "global_atomic", NULL};
static const char *const stores[] = {"global_store", "bulk_store",
                                     "global_atomic", NULL};
static const char *const atomics[] = {"global_atomic", NULL};

static double sum(const struct kernel_result *r, const char *const *kinds,
                  const char *unit)
{
    double all = 0.0;
    char name[64];

    for (; *kinds; kinds++) {
        snprintf(name, sizeof name, "%s_%s", *kinds, unit);
        all += json_number_value(
            json_object_get(r->run[RUN_SIM].counters, name));
    }
    return all;
}

/* Bytes of the arrays that are read, or of those that are written. */
static double needed(const struct kernel_result *r,
                     bool (*is_one)(const struct op *op, int buffer))
{
    const struct op *op = r->conf->op;
    double all = 0.0;

    for (int i = 0; i < op->n_buffers; i++)
        if (is_one(op, i))
            all += (double)op_bytes(op, i, &r->run[RUN_SIM].counters_shape);
    return all;
}

/* Of the launcher's copies and memsets. */
static double called(const struct kernel_result *r)
{
    return SECTOR_BYTES * json_number_value(json_object_get(
                              r->run[RUN_SIM].counters, "api_sectors"));
}

const char *excess_of(const struct kernel_result *r)
{
    double loaded = SECTOR_BYTES * sum(r, loads, "sectors");
    double stored = SECTOR_BYTES * sum(r, stores, "sectors");
    double asked = sum(r, loads, "bytes"), written = sum(r, stores, "bytes");
    double inputs = needed(r, op_is_read), results = needed(r, op_is_written);
    double more = loaded - inputs + stored - results + called(r);
    double vain[] = {fmax(0.0, loaded - asked), fmax(0.0, stored - written)};

    if (!(more > 0.0))
        return NULL; /* as tiles do that load less than the whole arrays */
    if (called(r) > more / 2)
        return EXCESS_CALLS;
    if (vain[0] + vain[1] > more / 2)
        return vain[0] >= vain[1] ? "global_load_bytes_over_asked"
                                  : "global_store_bytes_over_asked";
    if (!(stored - results > more / 4))
        return EXCESS_LOADS;
    return SECTOR_BYTES * sum(r, atomics, "sectors") > stored / 2
               ? EXCESS_ATOMICS
               : EXCESS_STORES;
}

double excess_value(const char *name, const struct kernel_result *r)
{
    if (strcmp(name, EXCESS_LOADS) == 0)
        return SECTOR_BYTES * sum(r, loads, "sectors") / needed(r, op_is_read);
    if (strcmp(name, EXCESS_STORES) == 0)
        return SECTOR_BYTES * sum(r, stores, "sectors") /
               needed(r, op_is_written);
    if (strcmp(name, EXCESS_ATOMICS) == 0)
        return SECTOR_BYTES * sum(r, atomics, "sectors") /
               needed(r, op_is_written);
    if (strcmp(name, EXCESS_CALLS) == 0)
        return called(r) / (needed(r, op_is_read) + needed(r, op_is_written));
    return NAN;
}
