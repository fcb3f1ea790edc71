// SPDX-License-Identifier: MIT
/*
 * traffic.c: the traffic observer's settings and, as JSON, its results. The
 * format: docs/architecture.md, "Traffic".
 *
 *   dev_observe_set     one NAME=VALUE of configure
 *   dev_observe_apply   to a launch that is about to run
 *   dev_observe_held    what L2 had for one that ran, and has after it
 *   dev_traffic         "traffic", "predicted", "lines", "events" of a launch
 */
#include "device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/state/form.h"
#include "../core/model/model.h"
#include "../core/words.h"

/* registers=KERNEL:N or KERNEL:N:FRAME:STORES:LOADS; KERNEL is a mangled
 * name, the last three are bytes that ptxas spilled. */
static bool set_registers(struct dev_observe *observe, const char *value)
{
    const char *colon = strchr(value, ':');
    size_t bytes = colon ? (size_t)(colon - value) : 0;
    struct launch_spills s = {0};
    int n = 0, read = 0;
    if (colon)
        read = sscanf(colon, ":%d:%" SCNu32 ":%" SCNu32 ":%" SCNu32, &n,
                      &s.frame, &s.stores, &s.loads);
    if (read != 1 && read != 4)
        return false;
    if (n < 1 || n > 255 || bytes >= sizeof observe->registers[0].kernel)
        return false;
    struct dev_registers *r = &observe->registers[observe->n_registers %
                                               DEV_REGISTERS];
    memcpy(r->kernel, value, bytes);
    r->kernel[bytes] = '\0';
    r->n = n;
    r->spills = s;
    observe->n_registers++;
    return true;
}

bool dev_observe_set(struct dev_observe *observe, const char *name,
                     const char *value)
{
    if (strcmp(name, "registers") == 0)
        return set_registers(observe, value);
    char *end;
    unsigned long n = strtoul(value, &end, 10);
    if (!*value || *end || n > UINT16_MAX)
        return false;
    if (strcmp(name, "sample") == 0)
        observe->sample = n != 0;
    else if (strcmp(name, "fair") == 0)
        observe->fair = n != 0;
    else if (strcmp(name, "trace_warp") == 0)
        observe->trace_warp = (uint32_t)n;
    else if (strcmp(name, "trace") == 0)
        observe->trace_events = (uint32_t)n;
    else
        return false;
    return true;
}

static void set_one(struct launch *launch, const struct dev_registers *r)
{
    launch->registers = r->n;
    launch->spills = r->spills;
}

void dev_observe_apply(const struct dev_observe *observe, const char *kernel,
                       struct launch *launch)
{
    launch->sample = observe->sample;
    launch->fair = observe->fair;
    launch->trace_warp = observe->trace_warp;
    launch->trace_events = observe->trace_events;
    launch->registers = observe->any_registers;
    for (size_t i = 0; i < observe->n_registers && i < DEV_REGISTERS; i++)
        if (strcmp(observe->registers[i].kernel, kernel) == 0)
            set_one(launch, &observe->registers[i]);
}

void dev_observe_held(struct device *dev, struct traffic *t)
{
    uint64_t moved = 2 * dev->log.copied + dev->log.filled;
    if (!t)
        return;
    held_moved(&dev->held, dev->config.gpu, (double)(moved - dev->held_moved));
    dev->held_moved = moved;
    held_launch(&dev->held, dev->config.gpu, t);
}

/* JSON --------------------------------------------------------------------- */

static json_t *whole(uint64_t n)
{
    return json_integer((json_int_t)n);
}

static json_t *text(const char *s)
{
    json_t *string = s ? json_string(s) : json_null();
    return string ? string : json_string("?");
}

static json_t *classes_json(const struct traffic *t)
{
    json_t *o = json_object();
    for (int k = 0; k < ISSUE_CLASSES; k++)
        if (t->by_class[k])
            json_object_set_new(o, issue_name(k), whole(t->by_class[k]));
    return o;
}

static json_t *arrays_json(const struct traffic *t)
{
    json_t *list = json_array();
    for (size_t k = 0; k < t->n_arrays; k++)
        json_array_append_new(
            list, json_pack("{s:I, s:o, s:o, s:o, s:o, s:f}", "allocation",
                            (json_int_t)t->arrays[k].id, "bytes",
                            whole(t->arrays[k].bytes), "read_sectors",
                            whole(t->arrays[k].read_sectors), "write_sectors",
                            whole(t->arrays[k].write_sectors), "apart_sectors",
                            whole(t->arrays[k].apart_sectors), "held",
                            t->arrays[k].held));
    return list;
}

static json_t *traffic_json(const struct traffic *t)
{
    json_t *o = json_pack(
        "{s:o, s:o, s:i, s:i, s:i, s:o, s:o, s:o}", "grid_blocks",
        whole(t->grid_blocks), "blocks", whole(t->blocks), "resident",
        t->resident, "warps", t->warps, "registers", t->registers,
        "shared_bytes", whole(t->shared_bytes), "issue_classes",
        classes_json(t), "arrays", arrays_json(t));
#define X(name) json_object_set_new(o, #name, whole(t->name));
    X(instructions) X(lanes) X(issue_slots) X(fence_slots) X(unit_clocks)
    X(l1_sectors) X(l1_hits)
    X(l2_read_sectors) X(l2_hits) X(l2_write_sectors) X(atomics)
    X(atomic_clocks) X(contended_clocks) X(contended_own)
    X(l2_single_sectors) X(l2_bulk_sectors) X(l2_copied_sectors)
    X(l2_atomic_sectors) X(l2_partial_sectors)
    X(local_sectors) X(spilled) X(merged) X(waits) X(waits_ahead)
    X(alone_clocks) X(alone_most) X(alone_waited)
#undef X
    return o;
}

static json_t *predicted_json(const struct gpu_model *gpu,
                              const struct traffic *t)
{
    struct prediction p;
    json_t *parts = json_object();
    model_predict(gpu, t, &p);
    for (int k = 0; k < MODEL_N; k++)
        json_object_set_new(parts, model_part_name(k),
                            json_real(p.part_ms[k]));
    return json_pack(
        "{s:s, s:f, s:f, s:s, s:s, s:o, s:f, s:f, s:f, s:f, s:f, s:f, s:f}",
        "gpu", gpu->name, "ms", p.ms, "least_ms", p.least_ms, "bound",
        model_part_name(p.bound), "bound_words", model_part_words(p.bound),
        "parts_ms", parts,
        "occupancy", p.occupancy, "waves", p.waves, "l1_hits", p.l1_hits,
        "l2_hits", p.l2_hits, "l2_bytes", p.l2_bytes, "read_bytes",
        p.read_bytes, "write_bytes", p.write_bytes);
}

static json_t *lines_json(const struct traffic *t)
{
    json_t *list = json_array();
    for (size_t k = 0; k < t->n_lines; k++) {
        const struct traffic_line *x = &t->lines[k];
        json_t *o = json_pack("{s:o, s:i}", "file", text(x->file), "line",
                              x->line);
#define X(name) json_object_set_new(o, #name, whole(x->name));
        X(issued) X(lanes) X(global_requests) X(global_sectors) X(l1_missed)
        X(shared_requests) X(shared_wavefronts) X(shared_conflicts)
        TRAFFIC_LINE_KINDS(X)
#undef X
        json_array_append_new(list, o);
    }
    return list;
}

/* Addresses by lane; null for an inactive lane. */
static json_t *event_json(const struct traffic_event *e)
{
    json_t *address = json_array();
    for (int l = 0; l < 32; l++)
        json_array_append_new(address, e->mask >> l & 1
                                           ? whole(e->address[l])
                                           : json_null());
    return json_pack("{s:o, s:i, s:o, s:s, s:b, s:b, s:I, s:o}", "file",
                     text(e->file), "line", e->line, "op", text(e->op),
                     "space", engine_space_word(e->space), "write", e->write,
                     "atomic", e->atomic, "bytes", (json_int_t)e->bytes,
                     "address", address);
}

void dev_traffic(json_t *launch, const struct gpu_model *gpu,
                 const struct traffic *t)
{
    json_t *events = json_array();
    for (size_t k = 0; k < t->n_events; k++)
        json_array_append_new(events, event_json(&t->events[k]));
    json_object_set_new(launch, "traffic", traffic_json(t));
    json_object_set_new(launch, "predicted", predicted_json(gpu, t));
    json_object_set_new(launch, "lines", lines_json(t));
    json_object_set_new(launch, "events", events);
}
