// SPDX-License-Identifier: MIT
/*
 * json.c: the report as JSON; see json.h. null means: was not run.
 */
#include "json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SCHEMA_VERSION = 1 };

/* A learner's line of source, or a cut one, need not be UTF-8; JSON must. */
static json_t *text_json(const char *s)
{
    json_t *j = s ? json_string(s) : json_null();
    struct text plain = {0};

    if (j)
        return j;
    text_add(&plain, "%s", s);
    for (size_t i = 0; i < plain.n; i++)
        if ((unsigned char)plain.s[i] >= 0x80)
            plain.s[i] = '?';
    j = json_string(plain.s);
    text_free(&plain);
    return j;
}

static json_t *real_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *wrong_json(const struct run *run, const struct op *op)
{
    const struct comparison *c = &run->first_wrong;
    const struct op_buffer *b = &op->buffers[c->buffer];
    const struct op_problem *problem = &run->wrong_case.problem;
    json_t *index, *scalars;
    char shape[128];

    if (c->kind == CELL_RIGHT || c->n_first == 0)
        return json_null();
    op_format_shape(op, &problem->shape, shape, sizeof shape);
    index = json_object();
    scalars = json_object();
    for (int i = 0; i < op->n_scalars; i++)
        json_object_set_new(scalars, op->scalars[i].name,
                            json_real(problem->scalar[i]));
    for (int i = 0; i < b->rank; i++)
        json_object_set_new(index, b->index[i],
                            json_integer((json_int_t)c->cell[0].at[i]));
    return json_pack(
        "{si ss ss so ss so so so ss sI}", "case", run->wrong_case.number,
        "shape", shape, "inputs", op_family_row[problem->family].name,
        "scalars", scalars, "array", b->name, "index", index, "expected",
        real_or_null(c->cell[0].expected), "got",
        real_or_null(c->cell[0].got), "kind", kind_names[c->kind],
        "wrong_cells", (json_int_t)c->wrong);
}

/* No two names are equal: facts.c makes keys of them. */
static json_t *gate_json(const struct run *run, const struct kernel_conf *conf,
                         int i)
{
    const struct gate *gate = &conf->gates[i];
    char name[256], shape[128] = "";

    if (gate->at)
        conf_shape_text(conf, gate->at, shape, sizeof shape);
    snprintf(name, sizeof name, "%s%s%s", gate->counter,
             gate->at ? " at " : "", shape);
    return json_pack("{ss so ss sf sb}", "name", name, "value",
                     real_or_null(run->gate_value[i]), "op",
                     gate_op_text(gate->op), "limit", gate->limit, "ok",
                     (int)run->gate_ok[i]);
}

static json_t *gates_json(const struct run *run, const struct kernel_conf *conf)
{
    json_t *list;

    if (!run->gates_measured)
        return json_null();
    list = json_array();
    for (int i = 0; i < conf->n_gates; i++)
        if (run->gate_measured[i])
            json_array_append_new(list, gate_json(run, conf, i));
    return list;
}

/* Every derived counter, gated or not: a lesson may speak of any. */
static json_t *ratios_json(const struct run *run,
                           const struct kernel_conf *conf)
{
    json_t *ratios;
    const char *name;

    if (!run->counters)
        return json_null();
    ratios = json_object();
    for (size_t i = 0; (name = gate_ratio(i)); i++)
        json_object_set_new(ratios, name,
                            real_or_null(gate_value(name, run->counters,
                                                    conf->op,
                                                    &run->counters_shape)));
    return ratios;
}

static json_t *interval_json(const struct interval *i)
{
    return json_pack("{so so so}", "median", real_or_null(i->median), "low",
                     real_or_null(i->low), "high", real_or_null(i->high));
}

static json_t *time_json(const struct speed *s)
{
    if (!s->timed)
        return json_null();
    return json_pack("{so so}", "this", interval_json(&s->this_ms), "previous",
                     s->has_previous ? interval_json(&s->previous_ms)
                                     : json_null());
}

static json_t *speedup_json(const struct speed *s)
{
    json_t *speedup;

    if (!s->timed || !s->has_previous)
        return json_null();
    speedup = interval_json(&s->speedup);
    json_object_set_new(speedup, "verdict",
                        json_string(timing_verdict_name(s->verdict)));
    return speedup;
}

static json_t *roofline_json(const struct speed *s, const struct op *op)
{
    if (!s->timed)
        return json_null();
    return json_pack("{sf sf so so so ss ss sb}", "flops", s->flops, "bytes",
                     s->bytes, "intensity", real_or_null(s->flops / s->bytes),
                     "percent_of_roof", real_or_null(s->percent_of_roof),
                     "copy_ms",
                     s->copy_ms > 0.0 ? json_real(s->copy_ms) : json_null(),
                     "bound", s->bound, "pipe", pipe_name(op->pipe),
                     "datasheet", (int)s->datasheet);
}

static json_t *run_json(const struct run *run, const struct kernel_conf *conf)
{
    return json_pack(
        "{s{ss ss} so s{si si si so} so so so sO? so so so so so}", "device",
        "kind", run->simulated ? "sim" : "gpu", "name", run->device,
        "known_seed",
        run->known ? json_integer((json_int_t)run->seed) : json_null(),
        "correct", "planned", run->planned, "cases", run->cases, "passed",
        run->passed, "first_wrong",
        wrong_json(run, conf->op), "memory_errors",
        run->simulated ? json_integer(run->memory_errors) : json_null(),
        "races", run->simulated ? json_integer(run->races) : json_null(),
        "equal_writes",
        run->simulated ? json_integer(run->equal_writes) : json_null(),
        "counters", run->counters, "ratios", ratios_json(run, conf), "gates",
        gates_json(run, conf), "time_ms",
        time_json(&run->speed), "speedup", speedup_json(&run->speed),
        "roofline", roofline_json(&run->speed, conf->op));
}

static json_t *build_json(const struct build *b)
{
    return json_pack(
        "{so so}", "registers",
        b->registers >= 0 ? json_integer(b->registers) : json_null(),
        "spill_bytes",
        b->spill_bytes >= 0 ? json_integer(b->spill_bytes) : json_null());
}

static json_t *predicted_json(const struct predicted *p)
{
    if (!(p->ms > 0.0))
        return json_null();
    return json_pack("{ss sf so ss sO}", "gpu", p->gpu, "ms", p->ms,
                     "speedup",
                     p->speedup > 0.0 ? json_real(p->speedup) : json_null(),
                     "bound", p->bound, "parts_ms", p->parts);
}

/* Whose fault it is; null for a PASS. */
static json_t *owner_json(enum verdict verdict, enum owner owner)
{
    return verdict == VERDICT_PASS ? json_null()
                                   : json_string(owner_names[owner]);
}

static json_t *kernel_json(const struct kernel_result *r)
{
    json_t *runs = json_array();

    for (int i = 0; i < RUNS; i++)
        if (r->run[i].ran)
            json_array_append_new(runs, run_json(&r->run[i], r->conf));
    return json_pack("{ss ss so so so so so}", "name", r->conf->name, "verdict",
                     verdict_table[r->verdict].name, "owner",
                     owner_json(r->verdict, r->owner), "runs", runs, "build",
                     build_json(&r->build), "evidence",
                     text_json(r->evidence.s), "predicted",
                     predicted_json(&r->predicted));
}

json_t *report_json(const struct outcome *o)
{
    const struct workbook *w = o->workbook;
    const struct verdict_row *v = &verdict_table[o->verdict];
    json_t *kernels = json_array();

    for (int i = 0; i < o->n; i++)
        json_array_append_new(kernels, kernel_json(&o->kernels[i]));
    return json_pack("{si si ss so ss ss sI ss so si so}", "schema_version",
                     SCHEMA_VERSION, "chapter", w->options->number, "kind",
                     w->options->solution ? "solution" : "chapter", "source",
                     text_json(w->source), "source_sha256", o->source_sha256,
                     "toolkit", w->toolkit.version, "seed", (json_int_t)o->seed,
                     "verdict", v->name, "owner",
                     owner_json(o->verdict, o->owner), "exit_code",
                     v->exit_code, "kernels", kernels);
}

static bool write_all(int fd, const char *s, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, s, n);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        s += done;
        n -= (size_t)done;
    }
    return true;
}

bool json_write(const json_t *report, const char *path)
{
    char *s = json_dumps(report, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    struct text t = {0};
    bool ok;

    if (!s)
        return false;
    text_add(&t, "%s\n", s);
    ok = strncmp(path, "fd:", 3) == 0
             ? write_all(atoi(path + 3), t.s, t.n)
             : file_write(path, t.s, t.n);
    text_free(&t);
    free(s);
    return ok;
}
