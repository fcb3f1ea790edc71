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
 * (tests/hardware/caches-memory-h200.csv). 28 MiB read again take hardly longer
 * than L2 does, and so do 40 that were written, but not 48. If L2 was clean
 * before, and had no dirty lines to keep, it has most of 40 MiB that were read,
 * and nothing of 64 (tests/hardware/caches-h200.csv: krr, mrr). */
static const double read_whole = 0.42, read_gone = 0.69;
static const double clean_whole = 0.65, clean_gone = 1;
static const double written_whole = 0.62, written_gone = 1.2;
/* A line that is read mostly takes the place of one that was read: a byte for
 * every third one that is read is written back, of 8, 16, 32 and 64 MiB. And a
 * line that is written mostly takes the place of one that was: what was read
 * goes half as fast as by reading (mcr). */
static const double gives_up_dirty = 0.33, gives_up_read = 0.55;

static double between(double a, double b, double share)
{
    return a + (b - a) * share;
}

static double left_of(const struct held *h, const struct gpu_model *gpu,
                      const struct held_array *x)
{
    double now = x->written ? h->now : h->now_read;
    double since = (now - x->at) / (double)gpu->l2_bytes;
    double whole = x->written ? written_whole
                              : between(read_whole, clean_whole, x->clean);
    double gone = x->written ? written_gone
                             : between(read_gone, clean_gone, x->clean);
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

/* Reading does not write it back: what is there will stay as long. */
static bool stays_dirty(const struct held *h, const struct traffic_array *a)
{
    const struct held_array *x = find(h, a->id);
    return x && x->written && a->held > 0.5;
}

static void note(struct held *h, struct held_array x)
{
    h->array[h->n++ % HELD_ARRAYS] = x;
}

/* Lines that are read, and others that are written, take the place of some. */
static void came(struct held *h, const struct gpu_model *gpu, double in,
                 double out)
{
    double changed = gives_up_dirty * in + out;
    if (changed > 0)
        h->clean += fmin(changed / (double)model_l2(gpu), 1) *
                    (in / (in + out) - h->clean);
}

void held_launch(struct held *h, const struct gpu_model *gpu,
                 struct traffic *t)
{
    double before = h->now, before_read = h->now_read, in = 0, out = 0;
    if (t->blocks == 0)
        return;
    t->clean = h->clean;
    for (size_t k = 0; k < t->n_arrays; k++)
        t->arrays[k].held = share_of(h, gpu, t, &t->arrays[k]);
    for (size_t k = 0; k < t->n_arrays; k++) {
        const struct traffic_array *a = &t->arrays[k];
        double reads = model_bytes(gpu, t, a, false);
        double writes = model_bytes(gpu, t, a, true);
        bool dirty = writes > 0 || stays_dirty(h, a);
        in += reads * (1 - a->held);
        out += writes;
        h->now += fmax(reads, writes);
        h->now_read += fmax(reads, gives_up_read * writes);
        note(h, (struct held_array){.id = a->id, .bytes = fmax(reads, writes),
                                    .at = dirty ? before : before_read,
                                    .clean = t->clean, .written = dirty});
    }
    came(h, gpu, in, out);
}

void held_moved(struct held *h, const struct gpu_model *gpu, double bytes)
{
    h->now += bytes;
    h->now_read += gives_up_read * bytes;
    came(h, gpu, 0, bytes);
}

void held_forget(struct held *h)
{
    *h = (struct held){0};
}
