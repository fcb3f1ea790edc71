// SPDX-License-Identifier: MIT
/*
 * model.c: from what a multiprocessor did to a time. Interface: model.h.
 *
 * Each part is a resource: what the blocks ask of it, over what it delivers per
 * second. The counted blocks represent the whole grid. Blocks are distributed
 * evenly; if their number is no multiple of the multiprocessors', the fullest
 * one counts.
 *
 * Hard idea: two things bound a launch from below. The busiest resource must
 * serve all that is asked of it; and the blocks take their own time, one wave
 * after the other, however idle the resources are. If one of the two is much
 * longer, it is the time. If they are similar, warps wait for the resource and
 * then the resource waits for warps: the root of the sum of squares lies
 * between "the longer" and "one after the other".
 */
#include "model.h"

#include <math.h>

enum {
    LANES = 32,
    SECTOR = 32,
    REGISTER_UNIT = 256, /* registers are allocated to warps in these units */
    SHARED_UNIT = 128,   /* bytes */
    L1_LEAST = 16 << 10, /* bytes that shared memory cannot take */
};

/* Measured on an H200 (tests/hardware/rates-h200.csv, and chapter 3's copy in
 * book/results/nvidia-h200); used for every GPU. */
static const double l2_bytes = 26.4;   /* per clock and multiprocessor */
static const double atomics = 4;       /* lanes, likewise */
static const double sustained = 0.87;  /* of the datasheet's bandwidth */
static const double launch_ms = 2.7e-3; /* of one launch in a row */

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

int model_resident(const struct gpu_model *gpu, int warps, int registers,
                   size_t shared_bytes)
{
    int each = (int)round_up((size_t)registers * LANES, REGISTER_UNIT);
    size_t shared = round_up(shared_bytes + gpu->shared_reserved,
                             SHARED_UNIT);
    int n = least(gpu->max_blocks_sm, gpu->max_threads_sm / LANES / warps);
    n = least(n, gpu->registers_sm / each / warps);
    if (shared)
        n = least(n, (int)(gpu->shared_sm / shared));
    return n > 1 ? n : 1;
}

size_t model_l1(const struct gpu_model *gpu, int resident,
                size_t shared_bytes)
{
    size_t used = gpu->l1_with_shared
                      ? (size_t)resident * (shared_bytes + gpu->shared_reserved)
                      : 0;
    return used + L1_LEAST < gpu->l1_bytes ? gpu->l1_bytes - used : L1_LEAST;
}

const char *model_part_name(enum model_part part)
{
    static const char *const names[] = {
#define X(name, words) #name,
        MODEL_PARTS(X)
#undef X
    };
    return names[part];
}

const char *model_part_words(enum model_part part)
{
    static const char *const all[] = {
#define X(name, words) words,
        MODEL_PARTS(X)
#undef X
    };
    return all[part];
}

/* Bytes that reach device memory. Each byte of an array counts once at most:
 * the model assumes that L2 still holds what is read again. */
static double memory_bytes(const struct traffic *t, double scale, bool write)
{
    double sum = 0;
    for (size_t k = 0; k < t->n_arrays; k++) {
        const struct traffic_array *a = &t->arrays[k];
        double sectors =
            (double)(write ? a->write_sectors : a->read_sectors);
        sum += fmin(sectors * SECTOR * scale, (double)a->bytes);
    }
    return sum;
}

static double ratio(uint64_t a, uint64_t b)
{
    return b ? (double)a / (double)b : 0;
}

/* Milliseconds of so many clocks. */
static double clocks_ms(const struct gpu_model *gpu, double clocks)
{
    return clocks / gpu->clock_khz;
}

/* The fullest multiprocessor's blocks over the average. */
static double unevenness(const struct gpu_model *gpu, const struct traffic *t)
{
    double even = (double)t->grid_blocks / gpu->sms;
    return even > 0 ? ceil(even) / even : 1;
}

/* Clocks of a multiprocessor's blocks, wave after wave, if no block slowed down
 * another. If all run at once, the slowest is the last. */
static double alone(const struct traffic *t, double waves)
{
    if (waves <= 1)
        return (double)t->alone_most;
    return ceil(waves) * (double)t->alone_clocks / (double)t->blocks;
}

/* Clocks of a multiprocessor for a block's arithmetic: the units work side by
 * side, so the busiest of them counts. */
static double pipe_clocks(const struct gpu_model *gpu, const struct traffic *t)
{
    double most = 0;
    for (int k = 0; k < GPU_N_PIPES; k++) {
        double lanes = gpu_lanes(gpu, (enum gpu_pipe)k);
        if (lanes > 0)
            most = fmax(most, LANES / lanes * (double)t->by_pipe[k]);
    }
    return most;
}

static void fill_parts(const struct gpu_model *gpu, const struct traffic *t,
                       struct prediction *p)
{
    double scale = (double)t->grid_blocks / (double)t->blocks;
    double a_unit = scale * unevenness(gpu, t) / gpu->sms; /* of one SM */
    double *part = p->part_ms;
    p->read_bytes = memory_bytes(t, scale, false);
    p->write_bytes = memory_bytes(t, scale, true);
    p->l2_bytes = scale * SECTOR *
                  (double)(t->l2_read_sectors + t->l2_write_sectors);
    part[MODEL_issue] = clocks_ms(gpu, a_unit * (double)t->instructions /
                                           gpu->schedulers);
    part[MODEL_arithmetic] = clocks_ms(gpu, a_unit * pipe_clocks(gpu, t));
    part[MODEL_unit] = clocks_ms(gpu, a_unit * (double)t->unit_clocks);
    part[MODEL_l2] =
        clocks_ms(gpu, p->l2_bytes / l2_bytes / gpu->sms +
                           a_unit * (double)t->atomics / atomics);
    part[MODEL_memory] = (p->read_bytes + p->write_bytes) /
                         (gpu->bandwidth * sustained) * 1e3;
    part[MODEL_latency] = clocks_ms(gpu, alone(t, p->waves));
    part[MODEL_launch] = launch_ms;
}

/* The busiest resource and the warps' own time, as above. */
static void add_up(struct prediction *p)
{
    double busiest = 0;
    p->bound = 0;
    for (int k = 1; k < MODEL_launch; k++)
        if (p->part_ms[k] > p->part_ms[p->bound])
            p->bound = k;
    for (int k = 0; k < MODEL_latency; k++)
        busiest = fmax(busiest, p->part_ms[k]);
    p->ms = hypot(busiest, p->part_ms[MODEL_latency]) +
            p->part_ms[MODEL_launch];
}

void model_predict(const struct gpu_model *gpu, const struct traffic *t,
                   struct prediction *p)
{
    *p = (struct prediction){0};
    p->occupancy = (double)t->resident * t->warps * LANES /
                   gpu->max_threads_sm;
    p->waves = (double)t->grid_blocks / gpu->sms / t->resident;
    p->l1_hits = ratio(t->l1_hits, t->l1_sectors);
    p->l2_hits = ratio(t->l2_hits, t->l2_read_sectors);
    if (t->blocks == 0)
        return;
    fill_parts(gpu, t, p);
    add_up(p);
}
