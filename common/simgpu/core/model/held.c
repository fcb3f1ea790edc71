// SPDX-License-Identifier: MIT
/*
 * held.c: what L2 holds of arrays from launch to launch. Interface: held.h.
 *
 * An array stays whole while few bytes come after it, and the more come, the
 * less of it is left. What was written stays longer than what was read: L2
 * prefers to give up a line that need not be written back.
 */
#include "held.h"

#include <math.h>

#include "model.h"

/* Of L2's size: if so much came, the array itself included, all of it is there;
 * if so much came, nothing. An H200 that reads 16, 32 and 64 MiB again has 100,
 * 65 and 0 % of them in L2; that reads 32 and 64 MiB which it wrote, 100 and 28
 * %; and of 32 MiB that a copy wrote, which read as much, 25 %
 * (tests/hardware/caches-memory-h200.csv). */
static const double read_whole = 0.5, read_gone = 0.7;
static const double written_whole = 0.67, written_gone = 1.2;

static double left_of(const struct held *h, const struct gpu_model *gpu,
                      const struct held_array *x)
{
    double since = (h->now - x->at) / (double)gpu->l2_bytes;
    double whole = x->written ? written_whole : read_whole;
    double gone = x->written ? written_gone : read_gone;
    return fmin(fmax((gone - since) / (gone - whole), 0), 1);
}

/* The newest note of the array; NULL: there is none. */
static const struct held_array *find(const struct held *h, int64_t id)
{
    for (uint64_t n = h->n; n-- > 0 && n + HELD_ARRAYS >= h->n;)
        if (h->array[n % HELD_ARRAYS].id == id)
            return &h->array[n % HELD_ARRAYS];
    return NULL;
}

/* Share of what the launch reads of an array. */
static double share_of(const struct held *h, const struct gpu_model *gpu,
                       const struct traffic *t, const struct traffic_array *a)
{
    const struct held_array *x = find(h, a->id);
    double bytes = model_bytes(gpu, t, a, false);
    if (!x || a->id == TRAFFIC_LOCAL || !(bytes > 0))
        return 0;
    return left_of(h, gpu, x) * fmin(x->bytes / bytes, 1);
}

static void note(struct held *h, int64_t id, double bytes, bool written,
                 double at)
{
    h->array[h->n++ % HELD_ARRAYS] = (struct held_array){
        .id = id, .bytes = bytes, .at = at, .written = written};
}

/* Lines that are read, and others that are written, take the place of some. */
static void came(struct held *h, const struct gpu_model *gpu, double in,
                 double out)
{
    double all = in + out;
    if (all > 0)
        h->clean += fmin(all / (double)model_l2(gpu), 1) *
                    (in / all - h->clean);
}

void held_launch(struct held *h, const struct gpu_model *gpu,
                 struct traffic *t)
{
    double before = h->now, in = 0, out = 0;
    if (t->blocks == 0)
        return;
    t->clean = h->clean;
    for (size_t k = 0; k < t->n_arrays; k++)
        t->arrays[k].held = share_of(h, gpu, t, &t->arrays[k]);
    for (size_t k = 0; k < t->n_arrays; k++) {
        const struct traffic_array *a = &t->arrays[k];
        double reads = model_bytes(gpu, t, a, false);
        double writes = model_bytes(gpu, t, a, true);
        in += reads * (1 - a->held);
        out += writes;
        h->now += fmax(reads, writes);
        note(h, a->id, fmax(reads, writes), writes > 0, before);
    }
    came(h, gpu, in, out);
}

void held_moved(struct held *h, const struct gpu_model *gpu, double bytes)
{
    h->now += bytes;
    came(h, gpu, 0, bytes);
}

void held_forget(struct held *h)
{
    *h = (struct held){0};
}
