// SPDX-License-Identifier: MIT
/*
 * model.h: a launch's time on a GPU that is not there.
 *
 *   model_resident   blocks that a multiprocessor holds
 *   model_l1         bytes of its L1 that shared memory leaves
 *   model_l2         bytes that L2 holds
 *   model_bytes      of an array that a launch moves
 *   model_predict    the time, and its parts
 *   model_move_ms    the time of copies within the device and of memsets
 *
 * Every figure is a prediction. The book's page "Predicted against measured"
 * shows how far off they are.
 */
#ifndef SIMGPU_MODEL_H
#define SIMGPU_MODEL_H

#include "simgpu/core/engine.h"

enum { MODEL_REGISTERS = 32 }; /* per thread, if ptxas's number is unknown */

/* Each part is what the launch would take if nothing else bound it. */
#define MODEL_PARTS(X)                                                         \
    X(issue, "issuing instructions")                                           \
    X(arithmetic, "the busiest arithmetic unit")                               \
    X(unit, "the load/store unit: L1 and shared memory")                       \
    X(l2, "moving bytes between L2 and the multiprocessors")                   \
    X(memory, "moving bytes to and from device memory")                        \
    X(latency, "waiting: too few warps to hide it")                            \
    X(blocks, "starting blocks")                                               \
    X(launch, "launching")

enum model_part {
#define X(name, words) MODEL_##name,
    MODEL_PARTS(X)
#undef X
    MODEL_N,
};

struct prediction {
    double ms;
    double least_ms;            /* if nobody had to wait for what he polls */
    double part_ms[MODEL_N];
    enum model_part bound;      /* the longest */
    double occupancy;           /* resident warps over the most possible */
    double waves;               /* of blocks */
    double l1_hits, l2_hits;    /* shares */
    double read_bytes, write_bytes; /* of device memory, the whole grid */
    double l2_bytes;
};

/* At least 1: a block that does not fit is refused elsewhere. */
int model_resident(const struct gpu_model *gpu, int warps, int registers,
                   size_t shared_bytes);
size_t model_l1(const struct gpu_model *gpu, int resident,
                size_t shared_bytes);
size_t model_l2(const struct gpu_model *gpu);
/* That a launch reads or writes of an array, as far as L2 does not spare it. */
double model_bytes(const struct gpu_model *gpu, const struct traffic *t,
                   const struct traffic_array *a, bool write);
void model_predict(const struct gpu_model *gpu, const struct traffic *t,
                   struct prediction *p);
/* So many calls, which read and write so many bytes in all. */
double model_move_ms(const struct gpu_model *gpu, uint64_t calls,
                     uint64_t bytes);
const char *model_part_name(enum model_part part);
const char *model_part_words(enum model_part part);

#endif
