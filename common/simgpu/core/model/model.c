// SPDX-License-Identifier: MIT
/*
 * model.c: from what a multiprocessor did to a time. Interface: model.h.
 *
 * Each part is a resource: what the blocks ask of it, over what it delivers per
 * second. The counted blocks represent the whole grid. Blocks are distributed
 * evenly; if their number is no multiple of the multiprocessors', the fullest
 * one counts.
 *
 * Hard idea: a multiprocessor is a closed network of queues. Its warps are the
 * customers. Each goes round: it issues and computes, passes the load/store
 * unit, has its bytes moved, and waits for its own latency, which is nobody's
 * queue. Many warps keep the busiest resource busy, so that its time is the
 * launch's; few leave it idle while all of them are elsewhere, and one pays for
 * everything in turn (network.h). Bytes between L2 and device memory pass both
 * in one go: the slower of the two is the queue. Bytes for which no warp waits,
 * since copies run ahead of their use, pass beside the warps' rounds.
 */
#include "model.h"

#include <math.h>

#include "clocks.h"
#include "network.h"
#include "simgpu/blocks.h"

enum {
    LANES = 32,
    SECTOR = 32,
    LINE = 128,
    L1_LEAST = 16 << 10, /* bytes that shared memory cannot take */
};

/* Measured on an H200 (tests/hardware/rates-h200.csv, and chapter 3's copy in
 * book/results/nvidia-h200); used for every GPU. */
static const double l2_read = 34.0;     /* bytes per clock and multiprocessor:
                                           read_l2_apart, 31.6 with launch and
                                           latency. read_l2, 26.4, issues an
                                           integer division per 16 bytes, and
                                           16's steps copy faster than that */
static const double l2_single = 1.75;   /* clocks for a sector that is read
                                           alone of its line: random_1_4, less
                                           what hits L1 */
static const double apart_over = 1.66;  /* bytes at random take so much longer
                                           in device memory: random_1_1024 */
static const double l2_bulk = 35.0;     /* the same, by bulk copies, which need
                                           no L1: read_l2_bulk */
static const double l2_write = 18.6;    /* the same: store_1 */
static const double l2_port = 64;       /* bytes per clock that one
                                           multiprocessor takes or gives, if
                                           others leave L2 idle: two sectors,
                                           as published; not measured */
static const double l2_partial = 3.4;   /* clocks for a sector of which only a
                                           part is written: store_8 */
static const double partly_left = 600;  /* bytes of device memory's time for a
                                           sector that leaves L2 written in
                                           part: store_16, store_48 */
static const double l2_holds = 0.5;     /* of L2's size: each half of it has its
                                           own copy. 32 MiB read twice take 14
                                           us beside 11, 64 MiB 39 beside 22 */
static const double block_start = 159;  /* clocks of a multiprocessor between
                                           two blocks: block_of_1 to 16 */
static const double sustained = 0.87;   /* of the datasheet's bandwidth */
static const double launch_ms = 2.7e-3; /* of one launch in a row */

static const uint64_t enough_blocks = 3; /* to tell where others go, */
static const double beyond = 1.125;      /* and a little farther */

int model_resident(const struct gpu_model *gpu, int warps, int registers,
                   size_t shared_bytes)
{
    int n = gpu_blocks(gpu, warps * LANES, registers, shared_bytes).blocks;
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

size_t model_l2(const struct gpu_model *gpu)
{
    return (size_t)(l2_holds * (double)gpu->l2_bytes);
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

/* Bytes of an array that a launch touches at most. If the lanes of a request
 * lie all over a part of it, so will those that were not seen, and so will
 * other blocks if each of those seen does; else they may be anywhere. */
static double touched(const struct traffic_array *a)
{
    uint64_t lines = a->last - a->first + 1;
    bool all_over =
        (a->requests > 0 && a->spans / a->requests > lines / 2) ||
        (a->blocks >= enough_blocks && a->block_spans / a->blocks > lines / 2);
    double bytes = (double)a->bytes;
    return all_over ? fmin((double)(lines * LINE) * beyond, bytes) : bytes;
}

/* Bytes that are read of an array by lanes that lie farther apart than L2 is
 * large: whatever others fetched, L2 has as much of the array as it can
 * hold. */
static double apart_bytes(const struct gpu_model *gpu,
                          const struct traffic_array *a, double scale)
{
    double all = touched(a), held = fmin((double)model_l2(gpu), all);
    double bytes = (double)a->apart_sectors * SECTOR * scale;
    return all > 0 ? fmax(fmin(bytes, held), bytes * (1 - held / all)) : 0;
}

static double scale_of(const struct traffic *t)
{
    return (double)t->grid_blocks / (double)t->blocks;
}

/* Each byte of an array counts once at most: the model assumes that L2 still
 * holds what is read again. Of local memory a multiprocessor has its own, and
 * its share of L2 is what holds it. */
double model_bytes(const struct gpu_model *gpu, const struct traffic *t,
                   const struct traffic_array *a, bool write)
{
    double sectors = (double)(write ? a->write_sectors
                                    : a->read_sectors - a->apart_sectors);
    double most = a->id == TRAFFIC_LOCAL ? INFINITY : touched(a);
    return fmin(sectors * SECTOR * scale_of(t), most) +
           (write ? 0 : apart_bytes(gpu, a, scale_of(t)));
}

/* Bytes that reach device memory: of what L2 holds none are read. */
static double memory_bytes(const struct gpu_model *gpu,
                           const struct traffic *t, bool write)
{
    double sum = 0;
    for (size_t k = 0; k < t->n_arrays; k++)
        sum += model_bytes(gpu, t, &t->arrays[k], write) *
               (write ? 1 : 1 - t->arrays[k].held);
    return sum;
}

/* What lanes far apart read takes longer, as if it were so many bytes more. */
static double scattered(const struct gpu_model *gpu, const struct traffic *t)
{
    double sum = 0;
    for (size_t k = 0; k < t->n_arrays; k++)
        sum += apart_bytes(gpu, &t->arrays[k], scale_of(t));
    return sum * (apart_over - 1);
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
 * another. The slowest may be the last. */
static double alone(const struct traffic *t, double waves)
{
    double usual = (double)t->alone_clocks / (double)t->blocks;
    if (waves <= 1)
        return (double)t->alone_most;
    return fmax(ceil(waves) * usual, (double)t->alone_most);
}

/* One unit does these, one after another. */
static bool is_of_special_unit(enum gpu_pipe pipe)
{
    return pipe == PIPE_special || pipe == PIPE_convert ||
           pipe == PIPE_convert64 || pipe == PIPE_bits;
}

/* Clocks of a multiprocessor for a block's arithmetic: the units work side by
 * side, so the busiest of them counts. */
static double pipe_clocks(const struct gpu_model *gpu, const struct traffic *t)
{
    double most = 0, special = 0;
    for (enum gpu_pipe k = 0; k < GPU_N_PIPES; k++) {
        double lanes = gpu_lanes(gpu, k);
        double clocks = lanes > 0 ? LANES / lanes * (double)t->by_pipe[k] : 0;
        special += is_of_special_unit(k) ? clocks : 0;
        most = fmax(most, clocks);
    }
    return fmax(most, special);
}

/* Clocks in which the bytes of the fullest multiprocessor reach it, or leave
 * it, if L2 could serve all others at once. */
static double port_clocks(const struct traffic *t, double a_unit)
{
    double most = fmax((double)t->l2_read_sectors, (double)t->l2_write_sectors);
    return a_unit * most * SECTOR / l2_port;
}

/* Clocks in which a multiprocessor's share of the bytes passes L2. */
static double l2_clocks(const struct gpu_model *gpu, const struct traffic *t,
                        double scale, double a_unit)
{
    double whole = (double)(t->l2_write_sectors - t->l2_partial_sectors -
                            t->l2_atomic_sectors);
    double plain = (double)(t->l2_read_sectors - t->l2_bulk_sectors);
    double single = (double)t->l2_single_sectors;
    double clocks = (plain - single) * SECTOR / l2_read + single * l2_single +
                    (double)t->l2_bulk_sectors * SECTOR / l2_bulk +
                    whole * SECTOR / l2_write +
                    (double)t->l2_partial_sectors * l2_partial;
    return clocks * scale / gpu->sms + a_unit * (double)t->atomic_clocks;
}

/* What sectors that leave L2 written in part cost, in bytes. A sector at the
 * end of a row may look so because another multiprocessor wrote the rest: an
 * array has fewer of these than of whole ones. What all multiprocessors write
 * again and again leaves the share of one, but not L2, if that holds it all. */
static double mending(const struct gpu_model *gpu, const struct traffic *t,
                      double scale)
{
    double sum = 0;
    for (size_t k = 0; k < t->n_arrays; k++) {
        const struct traffic_array *a = &t->arrays[k];
        double bytes = touched(a);
        bool stays = a->id != TRAFFIC_LOCAL && bytes <= (double)model_l2(gpu);
        double most = stays ? bytes / SECTOR : INFINITY;
        if (a->left_partly > a->left_whole)
            sum += fmin((double)(a->left_partly - a->left_whole) * scale, most);
    }
    return sum * partly_left;
}

/* Bytes that the launch must write back for others. At first L2 is full of what
 * a memset wrote before: that is how a cold L2 is made where times are
 * measured. A line that is read takes the place of one of these, and so does a
 * line that is written, but of those as many stay in L2 at the end. */
static double left_behind(const struct gpu_model *gpu, const struct traffic *t,
                          const struct prediction *p)
{
    double all = p->read_bytes + p->write_bytes;
    double room = (double)model_l2(gpu);
    return all > 0 ? fmin(all, room) * p->read_bytes / all * (1 - t->clean)
                   : 0;
}

/* Clocks of the GPU for the atomics at the sector that most of them meet at. */
static double contended(const struct traffic *t, double scale)
{
    return fmax((double)t->contended_clocks * scale, (double)t->contended_own);
}

/* Of one unit's clocks, those in which fences keep it. */
static double fences_ms(const struct gpu_model *gpu, const struct traffic *t)
{
    double scale = (double)t->grid_blocks / (double)t->blocks;
    return clocks_ms(gpu, scale * unevenness(gpu, t) / gpu->sms *
                              (double)t->fence_slots / gpu->schedulers);
}

static void fill_parts(const struct gpu_model *gpu, const struct traffic *t,
                       struct prediction *p)
{
    double scale = scale_of(t);
    double a_unit = scale * unevenness(gpu, t) / gpu->sms; /* of one SM */
    double *part = p->part_ms;
    p->read_bytes = memory_bytes(gpu, t, false);
    p->write_bytes = memory_bytes(gpu, t, true);
    p->l2_bytes = scale * SECTOR *
                  (double)(t->l2_read_sectors + t->l2_write_sectors);
    part[MODEL_issue] =
        clocks_ms(gpu, a_unit * (double)(t->issue_slots - t->merged) /
                           gpu->schedulers);
    part[MODEL_arithmetic] = clocks_ms(gpu, a_unit * pipe_clocks(gpu, t));
    part[MODEL_unit] = clocks_ms(gpu, a_unit * (double)t->unit_clocks) +
                       fences_ms(gpu, t);
    part[MODEL_l2] =
        clocks_ms(gpu, fmax(fmax(l2_clocks(gpu, t, scale, a_unit),
                                 port_clocks(t, a_unit)),
                            contended(t, scale)));
    part[MODEL_memory] = (p->read_bytes + p->write_bytes +
                          mending(gpu, t, scale) + left_behind(gpu, t, p) +
                          scattered(gpu, t)) /
                         (gpu->bandwidth * sustained) * 1e3;
    part[MODEL_latency] = clocks_ms(gpu, alone(t, p->waves));
    part[MODEL_blocks] =
        clocks_ms(gpu, (double)t->grid_blocks / gpu->sms * block_start);
    part[MODEL_launch] = launch_ms;
}

/* Blocks that a multiprocessor works on at a time. */
static int blocks_at_once(const struct gpu_model *gpu, const struct traffic *t)
{
    return (int)fmin(t->resident, ceil((double)t->grid_blocks / gpu->sms));
}

/* Customers of the network. A warp issues on one of the multiprocessor's
 * schedulers, each of which has its own warps: what one scheduler's warps see
 * of the other resources is their share. */
static int customers(const struct gpu_model *gpu, const struct traffic *t)
{
    double warps = (double)blocks_at_once(gpu, t) * t->warps;
    return (int)ceil(warps / gpu->schedulers - 1e-9);
}

/* The share of the bytes that no warp waits for, if copies run ahead: those
 * that are copied, and those that are stored. */
static double beside(const struct traffic *t)
{
    uint64_t all = t->l2_read_sectors + t->l2_write_sectors;
    return ratio(t->waits_ahead, t->waits) *
           ratio(t->l2_copied_sectors + t->l2_write_sectors, all);
}

/* How far a scheduler's warps still issue at the same time, since they met at a
 * barrier: those that have issued for longer than memory takes to answer have
 * drifted apart. */
static double in_step(const struct traffic *t)
{
    return fmin(CLOCKS_MEMORY *
                    ratio(t->by_pipe[PIPE_barrier], t->issue_slots), 1);
}

/* A customer's own latency. The time that it would take alone has the clocks in
 * which it issues, and so has the network. But warps that meet at barriers
 * begin at the same time, and the last of them issues when the others have:
 * then the clocks stay in. */
static double own_latency(const struct traffic *t, const struct prediction *p,
                          double latency, int n)
{
    double twice = p->part_ms[MODEL_issue] / n *
                   (n > 1 ? 1 - in_step(t) : 1);
    return fmax(latency - twice, 0);
}

/* Bytes come through L1, which a fence empties, so they do not come meanwhile:
 * as large a share of them waits as fences have of the unit's time. 05 with a
 * fence of the GPU per tap takes an H200 11.4 ms; if its fences and its bytes
 * overlapped, it would take 6.2, and so it is 7.7. */
static double share_of(double fences, double unit)
{
    return unit > 0 ? fences / unit : 0;
}

static void add_up(const struct gpu_model *gpu, const struct traffic *t,
                   struct prediction *p)
{
    const double *part = p->part_ms;
    double bytes = fmax(part[MODEL_l2], part[MODEL_memory]);
    double waited_for = bytes * (1 - beside(t));
    struct network n = {
        .demand = {fmax(part[MODEL_issue], part[MODEL_arithmetic]),
                   part[MODEL_unit] +
                       waited_for * share_of(fences_ms(gpu, t),
                                             part[MODEL_unit]),
                   waited_for},
        .customers = customers(gpu, t), .blocks = blocks_at_once(gpu, t),
        .start = part[MODEL_blocks]};
    p->bound = 0;
    for (int k = 1; k < MODEL_launch; k++)
        if (part[k] > part[p->bound])
            p->bound = k;
    double waited = ratio(t->alone_waited, t->alone_clocks);
    double latency = part[MODEL_latency];
    n.own = own_latency(t, p, latency, n.customers);
    p->ms = fmax(network_time(&n), bytes) + part[MODEL_launch];
    n.own = own_latency(t, p, latency * (1 - waited), n.customers);
    p->least_ms = fmax(network_time(&n), bytes) + part[MODEL_launch];
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
    add_up(gpu, t, p);
}

double model_move_ms(const struct gpu_model *gpu, uint64_t calls,
                     uint64_t bytes)
{
    return (double)calls * launch_ms +
           (double)bytes / (gpu->bandwidth * sustained) * 1e3;
}
