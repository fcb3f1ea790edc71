// SPDX-License-Identifier: MIT
/*
 * held.h: what L2 holds of arrays from launch to launch.
 *
 *   held_launch   a launch ended: tells its traffic what L2 had for it, and
 *                 notes what it leaves
 *   held_moved    bytes that a copy or a memset moved between launches
 *   held_forget   L2 holds nothing but a memset's lines: as at the start of a
 *                 stage that is timed
 */
#ifndef SIMGPU_HELD_H
#define SIMGPU_HELD_H

#include "simgpu/core/engine.h"

enum { HELD_ARRAYS = 32 }; /* the latest ones: few more fit in L2 */

struct held {
    struct held_array {
        int64_t id;
        double bytes, at;  /* of it; h->now before, or h->now_read */
        double clean;      /* h->clean before */
        bool written;
    } array[HELD_ARRAYS];  /* a ring */
    uint64_t n;            /* noted so far */
    double now;            /* bytes that came into L2 so far; */
    double now_read;       /* as far as they displace what was read */
    double clean;          /* share of L2 that need not be written back */
};

void held_launch(struct held *h, const struct gpu_model *gpu,
                 struct traffic *t);
void held_moved(struct held *h, const struct gpu_model *gpu, double bytes);
void held_forget(struct held *h);

#endif
