// SPDX-License-Identifier: MIT
/*
 * summary.c: a private device's launches as text, kernel by kernel: the
 * launch configuration and what a profiler shows first.
 *
 *   dev_print_summary   needs CHECK_TRAFFIC; prints nothing if nothing ran
 *
 * Launches of one kernel are added up. Counts follow exactly from the access
 * model; cache hit rates and times are the traffic model's, and are marked so.
 */
#include "device.h"

#include <stdlib.h>
#include <string.h>

#include "../core/state/form.h"
#include "../core/model/model.h"

#define BAR "========= "

struct sums { /* over one kernel's launches */
    const struct dev_launch *first;
    struct engine_counters counters;
    uint64_t by_class[ISSUE_CLASSES], instructions, lanes;
    struct prediction p; /* ms, parts and bytes added up */
    double l1_sectors, l1_hits, l2_sectors, l2_hits;
    int launches;
};

static void add_prediction(struct sums *s, const struct gpu_model *gpu,
                           const struct traffic *t)
{
    struct prediction p;
    model_predict(gpu, t, &p);
    s->p.ms += p.ms;
    for (int k = 0; k < MODEL_N; k++)
        s->p.part_ms[k] += p.part_ms[k];
    s->p.read_bytes += p.read_bytes;
    s->p.write_bytes += p.write_bytes;
    s->p.occupancy = p.occupancy;
    s->l1_sectors += (double)t->l1_sectors;
    s->l1_hits += (double)t->l1_hits;
    s->l2_sectors += (double)t->l2_read_sectors;
    s->l2_hits += (double)t->l2_hits;
}

static void add(struct sums *s, const struct gpu_model *gpu,
                const struct dev_launch *l)
{
    const struct traffic *t = l->report.traffic;
    s->launches++;
#define X(name) s->counters.name += l->report.counters.name;
    ENGINE_COUNTERS(X)
#undef X
    for (int k = 0; k < ISSUE_CLASSES; k++)
        s->by_class[k] += t->by_class[k];
    s->instructions += t->instructions;
    s->lanes += t->lanes;
    add_prediction(s, gpu, t);
}

static double per(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static void print_time(FILE *out, const struct sums *s)
{
    enum model_part most = 0;
    for (int k = 1; k < MODEL_N; k++)
        if (s->p.part_ms[k] > s->p.part_ms[most])
            most = k;
    fprintf(out, BAR "    time        %.3g ms PREDICTED; most of it: %s\n" BAR
            "               ", s->p.ms, model_part_words(most));
    for (int k = 0; k < MODEL_N; k++)
        fprintf(out, " %s %.3g", model_part_name(k), s->p.part_ms[k]);
    fputc('\n', out);
}

static void print_occupancy(FILE *out, const struct sums *s, bool assumed)
{
    const struct traffic *t = s->first->report.traffic;
    fprintf(out, BAR "    occupancy   %.0f %%: %d blocks of %d warps on a "
            "multiprocessor, %d registers%s\n",
            100 * s->p.occupancy, t->resident, t->warps, t->registers,
            assumed ? " (assumed)" : "");
}

static void print_mix(FILE *out, const struct sums *s)
{
    fprintf(out, BAR "    instructions %llu, %.1f of 32 lanes;",
            (unsigned long long)s->instructions,
            per((double)s->lanes, (double)s->instructions));
    for (int k = 0; k < ISSUE_CLASSES; k++)
        if (s->by_class[k] * 100 >= s->instructions)
            fprintf(out, " %s %.0f %%", issue_name(k),
                    100 * per((double)s->by_class[k], (double)s->instructions));
    fputc('\n', out);
}

/* "loads 32 requests, 4.0 sectors each" */
static void print_access(FILE *out, const char *what, uint64_t requests,
                         uint64_t units, const char *unit)
{
    if (requests)
        fprintf(out, BAR "    %-11s %llu request%s, %.2f %s each\n", what,
                (unsigned long long)requests, requests == 1 ? "" : "s",
                per((double)units, (double)requests), unit);
}

static void print_accesses(FILE *out, const struct engine_counters *c)
{
    print_access(out, "loads", c->global_load_requests,
                 c->global_load_sectors, "sectors");
    print_access(out, "stores", c->global_store_requests,
                 c->global_store_sectors, "sectors");
    print_access(out, "copies", c->async_copy_requests,
                 c->async_copy_sectors, "sectors");
    print_access(out, "shared ld", c->shared_load_requests,
                 c->shared_load_wavefronts, "wavefronts");
    print_access(out, "shared st", c->shared_store_requests,
                 c->shared_store_wavefronts, "wavefronts");
    print_access(out, "constant ld", c->constant_load_requests,
                 c->constant_load_requests + c->constant_load_replays,
                 "turns");
    if (c->local_load_requests + c->local_store_requests)
        fprintf(out, BAR "    local       %llu requests in PTX; ptxas may "
                "promote or spill\n",
                (unsigned long long)(c->local_load_requests +
                                     c->local_store_requests));
    if (c->global_atomics || c->shared_atomics)
        fprintf(out, BAR "    atomics     %llu global, %llu shared\n",
                (unsigned long long)c->global_atomics,
                (unsigned long long)c->shared_atomics);
    if (c->divergent_branches)
        fprintf(out, BAR "    branches    %llu, %llu divergent\n",
                (unsigned long long)c->branches,
                (unsigned long long)c->divergent_branches);
}

static void print_caches(FILE *out, const struct sums *s)
{
    fprintf(out, BAR "    caches      L1 hits %.0f %%, L2 hits %.0f %%; device "
            "memory read %.3g MB, written %.3g MB (modelled)\n",
            100 * per(s->l1_hits, s->l1_sectors),
            100 * per(s->l2_hits, s->l2_sectors), s->p.read_bytes * 1e-6,
            s->p.write_bytes * 1e-6);
}

static void print_kernel(FILE *out, const struct device *dev,
                         const struct sums *s)
{
    const struct dev_launch *l = s->first;
    char *name = dev_demangle(l->kernel);
    fprintf(out, BAR "%s: %d launch%s, the first of grid (%u,%u,%u), block "
            "(%u,%u,%u), %zu bytes of shared memory\n", name, s->launches,
            s->launches == 1 ? "" : "es", l->grid[0], l->grid[1], l->grid[2],
            l->block[0], l->block[1], l->block[2],
            l->report.traffic->shared_bytes);
    free(name);
    print_time(out, s);
    print_occupancy(out, s, !dev->observe.any_registers);
    print_mix(out, s);
    print_accesses(out, &s->counters);
    print_caches(out, s);
}

static bool has_run(const struct dev_launch *l)
{
    return l->ran && l->report.traffic;
}

/* Did an earlier launch run the same kernel? */
static bool is_known(const struct dev_log *log, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (has_run(&log->launches[k]) &&
            !strcmp(log->launches[k].kernel, log->launches[i].kernel))
            return true;
    return false;
}

void dev_print_summary(const struct device *dev, FILE *out)
{
    const struct dev_log *log = &dev->log;
    const struct gpu_model *gpu = dev->config.gpu;
    bool any = false;
    for (size_t i = 0; i < log->n_launches; i++) {
        struct sums s = {.first = &log->launches[i]};
        if (!has_run(s.first) || is_known(log, i))
            continue;
        for (size_t k = i; k < log->n_launches; k++)
            if (has_run(&log->launches[k]) &&
                !strcmp(log->launches[k].kernel, s.first->kernel))
                add(&s, gpu, &log->launches[k]);
        if (!any)
            fprintf(out, BAR "simgpu (%s): summary\n", gpu->name);
        any = true;
        print_kernel(out, dev, &s);
    }
    fflush(out);
}
