// SPDX-License-Identifier: MIT
/*
 * uneven.c: see uneven.h.
 */
#include "uneven.h"

#include <math.h>
#include <string.h>

#include "simgpu/gpu.h"

static const char default_gpu[] = "h200";

/* Times that the busiest block takes what a multiprocessor would, if all had
 * as much to do. Triangular work and a tail stay below 2. */
static const double suspect = 4.0;

/* Sectors per clock that pass L1, whether it has them or not: 128 bytes. */
static const double sectors_per_clock = 4.0;

static double blocks_of(const json_t *launch)
{
    const json_t *grid = json_object_get(launch, "grid"), *extent;
    double n = 1.0;
    size_t i;

    json_array_foreach(grid, i, extent)
        n *= json_number_value(extent);
    return n;
}

static void add(struct uneven_part *part, double all, double busiest,
                double blocks)
{
    part->all += all;
    part->busiest += busiest;
    part->even += all / fmax(1.0, fmin(blocks, gpu_find(default_gpu)->sms));
}

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static double sectors_of(const json_t *counters)
{
    static const char *const names[] = {
        "global_load_sectors", "global_store_sectors",
        "global_atomic_sectors", "async_copy_sectors",
        "bulk_load_sectors", "bulk_store_sectors"};
    double sum = 0.0;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        sum += number(counters, names[i]);
    return sum;
}

struct uneven uneven_of(const json_t *report)
{
    struct uneven u = {.instructions.all = 0.0};
    json_t *launch;
    size_t i;

    json_array_foreach(json_object_get(report, "launches"), i, launch) {
        const json_t *counters = json_object_get(launch, "counters");
        const json_t *busiest = json_object_get(launch, "busiest_block");
        double blocks = blocks_of(launch);

        if (!counters)
            continue;
        add(&u.instructions, number(counters, "warp_instructions"),
            number(busiest, "warp_instructions"), blocks);
        add(&u.sectors, sectors_of(counters), number(busiest, "sectors"),
            blocks);
    }
    return u;
}

static bool seems(const struct uneven_part *part)
{
    return part->busiest > suspect * part->even;
}

bool uneven_seems(const struct uneven *u)
{
    return seems(&u->instructions) || seems(&u->sectors);
}

struct sizes {
    double work, less_work, timed;
};

/* The busiest block's share at the timed size: it falls by the power of the
 * work with which it fell from less to this size, at most in proportion. */
static double share(const struct uneven_part *part,
                    const struct uneven_part *less, const struct sizes *size)
{
    double now = part->busiest / part->all, power = 0.0;

    if (less && less->busiest > 0.0 && size->less_work < size->work)
        power = log(now * less->all / less->busiest) /
                log(size->work / size->less_work);
    return now * pow(size->timed / size->work, fmin(0.0, fmax(-1.0, power)));
}

/* Milliseconds of the busiest block's part, of which so many are done per
 * clock. *times: the most of any part. */
static double part_ms(const struct uneven_part *part,
                      const struct uneven_part *less,
                      const struct sizes *size, double per_clock,
                      double *times)
{
    const struct gpu_model *gpu = gpu_find(default_gpu);
    double mine;

    if (!seems(part))
        return 0.0;
    mine = share(part, less, size);
    *times = fmax(*times, mine * gpu->sms);
    return mine * part->all * (size->timed / size->work) / per_clock /
           gpu->clock_khz;
}

struct busiest uneven_time(const struct uneven *u, double work,
                           const struct uneven *less, double less_work,
                           double timed)
{
    const struct sizes size = {work, less_work, timed};
    struct busiest b = {0};

    b.issue_ms = part_ms(&u->instructions, less ? &less->instructions : NULL,
                         &size, gpu_find(default_gpu)->schedulers, &b.times);
    b.move_ms = part_ms(&u->sectors, less ? &less->sectors : NULL, &size,
                        sectors_per_clock, &b.times);
    return b;
}
