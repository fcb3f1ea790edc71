// SPDX-License-Identifier: MIT
/*
 * known.c: one file per kernel in build/known, which is the last right result
 * and what it was the result of; see known.h.
 */
#include "known.h"

#include <stdlib.h>
#include <string.h>

#include "check/compile/build.h"
#include "remembered.h"

static bool is_used(const struct workbook *w)
{
    const struct options *o = w->options;

    return !o->grade && !o->src[0] && !o->shape && !o->draw &&
           o->only_case < 0 && !o->run && !o->inspect;
}

static void file_of(const struct phase *phase, char path[PATH_BYTES])
{
    const struct workbook *w = phase->workbook;

    path_set(path, "%s/known/%s-%02d-%s.json", w->build,
             w->options->solution ? "solution" : "chapter", w->options->number,
             phase->result->conf->name);
}

/* Of this program, which judges; read once. */
static const char *own_sum(void)
{
    static const char *const self = "/proc/self/exe";
    static char sum[65];

    if (!sum[0])
        source_sum(&self, 1, sum);
    return sum;
}

/* A hand-in that is checked by one thread may never ask for the programs: its
 * prediction, if it comes to that, reads them. */
void known_begin(const struct workbook *w)
{
    if (!is_used(w) && w->options->jobs == 1)
        return;
    own_sum();
    remembered_programs(w);
}

/* All that the result follows from, but the seed. */
static bool add_key(struct text *key, const struct phase *phase)
{
    const struct workbook *w = phase->workbook;
    const struct kernel_result *r = phase->result;
    const char *programs = remembered_programs(w);
    char conf[PATH_BYTES], sum[65];
    const char *files[] = {conf, r->build.result};

    path_set(conf, "%s/chapter.conf", w->chapter);
    source_sum(files, (int)(sizeof files / sizeof *files), sum);
    text_add(key, "%s %s %s %s", r->conf->name, own_sum(), programs, sum);
    return own_sum()[0] && programs[0] && sum[0];
}

static void take_busiest(struct busiest *b, const json_t *j)
{
    b->issue_ms = json_number_value(json_object_get(j, "issue_ms"));
    b->move_ms = json_number_value(json_object_get(j, "move_ms"));
    b->times = json_number_value(json_object_get(j, "times"));
}

static void take(struct run *run, const struct kernel_conf *conf, json_t *j)
{
    json_t *gates = json_object_get(j, "gates");

    run->ran = run->simulated = run->known = true;
    run->seed = (uint64_t)json_integer_value(json_object_get(j, "seed"));
    run->cases = run->passed =
        (int)json_integer_value(json_object_get(j, "cases"));
    snprintf(run->device, sizeof run->device, "%s",
             json_string_value(json_object_get(j, "device")));
    run->counters = json_incref(json_object_get(j, "counters"));
    run->counters_shape = conf->sim_shapes[0];
    take_busiest(&run->busiest, json_object_get(j, "busiest"));
    run->equal_writes = json_integer_value(json_object_get(j, "equal_writes"));
    snprintf(run->findings_noted, sizeof run->findings_noted, "%s",
             json_string_value(json_object_get(j, "noted")));
    run->gates_measured = json_array_size(gates) == (size_t)conf->n_gates;
    for (int i = 0; i < conf->n_gates && run->gates_measured; i++) {
        run->gate_measured[i] = true;
        run->gate_value[i] = json_number_value(json_array_get(gates, i));
        run->gate_ok[i] = gate_holds(&conf->gates[i], run->gate_value[i]);
    }
}

/* The cases are those of the seed at hand, or any where none was given. */
static bool is_the_same(const struct phase *phase, const json_t *j)
{
    const char *was = json_string_value(json_object_get(j, "key"));
    uint64_t seed = (uint64_t)json_integer_value(json_object_get(j, "seed"));
    struct text key = {0};
    bool same = was &&
                (!phase->workbook->options->seed_given ||
                 seed == phase->seed) &&
                add_key(&key, phase) && strcmp(was, key.s) == 0;

    text_free(&key);
    return same;
}

bool known_run(const struct phase *phase)
{
    struct kernel_result *r = phase->result;
    char path[PATH_BYTES];
    json_t *j;
    bool known;

    if (!is_used(phase->workbook))
        return false;
    file_of(phase, path);
    j = json_load_file(path, 0, NULL);
    known = j && is_the_same(phase, j) &&
            json_array_size(json_object_get(j, "gates")) ==
                (size_t)r->conf->n_gates;
    if (known) {
        take(&r->run[RUN_SIM], r->conf, j);
        text_add(&r->output, "%s",
                 json_string_value(json_object_get(j, "output")));
        blame_gates(phase, &r->run[RUN_SIM]);
    }
    json_decref(j);
    return known;
}

static json_t *describe(const struct phase *phase, const char *key)
{
    const struct kernel_result *r = phase->result;
    const struct run *run = &r->run[RUN_SIM];
    json_t *gates = json_array();

    for (int i = 0; i < r->conf->n_gates; i++)
        json_array_append_new(gates, json_real(run->gate_value[i]));
    return json_pack("{ss sI si ss sO s{sf sf sf} so ss sI ss}", "key", key,
                     "seed", (json_int_t)phase->seed, "cases", run->cases,
                     "device", run->device, "counters", run->counters,
                     "busiest", "issue_ms", run->busiest.issue_ms, "move_ms",
                     run->busiest.move_ms, "times", run->busiest.times,
                     "gates", gates, "output", text_get(&r->output),
                     "equal_writes", (json_int_t)run->equal_writes, "noted",
                     run->findings_noted);
}

void known_keep(const struct phase *phase)
{
    const struct kernel_result *r = phase->result;
    const struct run *run = &r->run[RUN_SIM];
    bool right = (r->verdict == VERDICT_PASS ||
                  r->verdict == VERDICT_TECHNIQUE) &&
                 run->cases > 0 && run->passed == run->cases &&
                 run->gates_measured && run->counters;
    struct text key = {0};
    char path[PATH_BYTES];
    json_t *j = NULL;
    char *words = NULL;

    if (right && is_used(phase->workbook) && add_key(&key, phase))
        j = describe(phase, key.s);
    file_of(phase, path);
    if (j && (words = json_dumps(j, JSON_REAL_PRECISION(17))) &&
        dir_make_for(path))
        file_write(path, words, strlen(words));
    free(words);
    json_decref(j);
    text_free(&key);
}
