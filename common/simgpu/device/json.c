// SPDX-License-Identifier: MIT
/*
 * json.c: the device's log as JSON. The format: docs/architecture.md, "Device
 * control channel".
 *
 *   dev_report   the whole log
 */
#include "device.h"

#include "../core/model/model.h"
#include "../core/words.h"
#include "../errors.h"

#include <stdlib.h>

/* Text from a learner's file, which may not be UTF-8. */
static json_t *text(const char *s)
{
    if (!s)
        return json_null();
    json_t *string = json_string(s);
    return string ? string : json_string("?");
}

static json_t *readable(const char *mangled)
{
    if (!mangled)
        return json_null();
    char *name = dev_demangle(mangled);
    json_t *string = text(name);
    free(name);
    return string;
}

static json_t *triple(const uint32_t v[3])
{
    return json_pack("[I,I,I]", (json_int_t)v[0], (json_int_t)v[1],
                     (json_int_t)v[2]);
}

static json_t *stream_number(uint64_t stream)
{
    return json_integer((json_int_t)(uint32_t)stream);
}

/* Of a function in a header: who called it. */
static void add_call(json_t *o, const struct site *site)
{
    if (site->call_file)
        json_object_set_new(o, "called",
                            json_pack("{s:s, s:i}", "file", site->call_file,
                                      "line", site->call_line));
}

static json_t *finding(const struct device *dev, const struct finding *f)
{
    bool suppressed =
        dev->suppressions && dev_suppressed(dev->suppressions, f);
    json_t *o = json_pack(
        "{s:s, s:o, s:o, s:o, s:i, s:o, s:b, s:b, s:s, s:I, s:I, s:o, s:I, "
        "s:I, s:I, s:I, s:o, s:b, s:b}",
        "kind", engine_finding_word(f->kind), "kernel", readable(f->kernel),
        "block", triple(f->block), "file", text(f->at.file), "line",
        f->at.line, "thread", triple(f->at.thread), "write", f->at.write,
        "atomic", f->at.atomic, "space", engine_space_word(f->space), "address",
        (json_int_t)f->address, "bytes", (json_int_t)f->bytes, "array",
        readable(f->array), "allocation", (json_int_t)f->allocation, "offset",
        (json_int_t)f->offset, "array_bytes", (json_int_t)f->array_bytes,
        "count", (json_int_t)f->count, "detail", text(f->detail), "note",
        finding_is_note(f->kind), "suppressed", suppressed);
    json_t *other = json_null();
    add_call(o, &f->at);
    if (finding_has_other(f->kind))
        other = json_pack("{s:o, s:i, s:o, s:b, s:I}", "file",
                          text(f->other.file), "line", f->other.line,
                          "thread", triple(f->other.thread), "write",
                          f->other.write, "bytes",
                          (json_int_t)f->other.bytes);
    add_call(other, &f->other);
    json_object_set_new(o, "other", other);
    if (f->other_kernel) {
        json_object_set_new(other, "kernel", readable(f->other_kernel));
        json_object_set_new(other, "stream", stream_number(f->other_stream));
        json_object_set_new(o, "stream", stream_number(f->stream));
    }
    return o;
}

static json_t *counters(const struct engine_counters *c)
{
    json_t *o = json_object();
#define X(name)                                                                \
    json_object_set_new(o, #name, json_integer((json_int_t)c->name));
    ENGINE_COUNTERS(X)
#undef X
    return o;
}

static void add_results(json_t *o, const struct device *dev,
                        const struct launch_report *report)
{
    json_t *list = json_array();
    for (size_t i = 0; i < report->n_findings; i++)
        json_array_append_new(list, finding(dev, &report->findings[i]));
    json_object_set_new(o, "seconds", json_real(report->seconds));
    json_object_set_new(o, "counters", counters(&report->counters));
    json_object_set_new(
        o, "busiest_block",
        json_pack("{s:I, s:I}", "warp_instructions",
                  (json_int_t)report->busiest.warp_instructions, "sectors",
                  (json_int_t)report->busiest.sectors));
    json_object_set_new(o, "memory_errors",
                        json_integer((json_int_t)report->memory_errors));
    json_object_set_new(o, "races", json_integer((json_int_t)report->races));
    json_object_set_new(o, "equal_writes",
                        json_integer((json_int_t)report->equal_writes));
    json_object_set_new(o, "findings", list);
}

static json_t *launch(const struct device *dev, const struct dev_launch *l)
{
    const char *error = simgpu_error_name(l->error);
    json_t *o = json_pack(
        "{s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:b, s:b, s:s, s:s}",
        "kernel",
        text(l->kernel),
        "name", readable(l->kernel), "grid", triple(l->grid), "block",
        triple(l->block), "dynamic_shared", (json_int_t)l->dynamic_shared,
        "static_shared", (json_int_t)l->static_shared, "allowed_shared",
        (json_int_t)l->allowed_shared, "stream", (json_int_t)l->stream,
        "by_graph", l->graph != 0, "replayed", l->replayed, "error",
        error ? error : "?", "fault",
        engine_fault_word(l->ran ? l->report.fault : FAULT_NONE));
    if (l->ran)
        add_results(o, dev, &l->report);
    if (l->ran && l->report.traffic)
        dev_traffic(o, dev->config.gpu, l->report.traffic);
    return o;
}

static json_t *allocations(const struct device *dev)
{
    json_t *list = json_array();
    const struct allocation *a;
    size_t n = engine_allocations(dev->engine, &a);
    for (size_t i = 0; i < n; i++) {
        if (a[i].module)
            continue;
        json_array_append_new(
            list, json_pack("{s:I, s:I, s:I, s:b}", "id", (json_int_t)a[i].id,
                            "address", (json_int_t)a[i].address, "bytes",
                            (json_int_t)a[i].bytes, "live", a[i].live));
    }
    return list;
}

/* How often the client asked for each operation. */
static json_t *calls(const struct dev_log *log)
{
#define X(name) #name,
    static const char *const names[] = {SIMWIRE_OPS(X)};
#undef X
    json_t *o = json_object();
    for (int i = 0; i < N_SIMWIRE_OPS; i++)
        json_object_set_new(o, names[i],
                            json_integer((json_int_t)log->calls[i]));
    return o;
}

/* What copies and memsets moved, which no kernel's counter has. */
static json_t *moved(const struct device *dev)
{
    const struct dev_log *log = &dev->log;
    uint64_t bytes = 2 * log->copied + log->filled;
    double ms = model_move_ms(dev->config.gpu,
                              log->calls[OP_COPY] + log->calls[OP_FILL],
                              bytes);
    return json_pack("{s:I, s:I, s:f}", "copied", (json_int_t)log->copied,
                     "filled", (json_int_t)log->filled, "predicted_ms", ms);
}

json_t *dev_report(const struct device *dev)
{
    static const char *const clients[] = {"none", "connected", "closed"};
    json_t *launches = json_array(), *api_errors = json_array();
    for (size_t i = 0; i < dev->log.n_launches; i++)
        json_array_append_new(launches, launch(dev, &dev->log.launches[i]));
    for (size_t i = 0; i < dev->log.n_api_errors; i++) {
        const struct dev_api_error *e = &dev->log.api_errors[i];
        const char *error = simgpu_error_name(e->error);
        json_array_append_new(
            api_errors,
            json_pack("{s:o, s:s, s:o, s:b}", "call", text(e->call), "error",
                      error ? error : "?", "detail", text(e->detail), "asked",
                      e->asked));
    }
    const struct finding *work;
    size_t n = engine_findings(dev->engine, &work);
    json_t *findings = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(findings, finding(dev, &work[i]));
    return json_pack("{s:s, s:I, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "gpu",
                     dev->config.gpu->name, "block_shared",
                     (json_int_t)dev->config.gpu->shared_block_optin,
                     "client", clients[dev->client],
                     "allocations", allocations(dev), "launches", launches,
                     "findings", findings, "api_errors", api_errors, "calls",
                     calls(&dev->log), "moved", moved(dev));
}
