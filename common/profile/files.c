// SPDX-License-Identifier: MIT
/*
 * files.c: a profile for other programs, and as a page.
 *
 *   profile_trace        the Trace Event format: Perfetto, chrome://tracing
 *   profile_speedscope   speedscope's own format, a weight per stack
 *   profile_page         page.html with the events in it; asks no network
 *
 * Host and device are two processes of the trace, because their clocks differ
 * if the device's times are predicted.
 */
#include "profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

static const char *const clock_names[] = {"host", "device"};

static void save(json_t *root, const char *path)
{
    if (json_dump_file(root, path, JSON_COMPACT) != 0) {
        fprintf(stderr, "profile: cannot write %s\n", path);
        exit(2);
    }
    json_decref(root);
}

static json_t *text(const char *s)
{
    json_t *j = json_stringn_nocheck(s, strlen(s));

    return j ? j : json_null();
}

void profile_trace(const struct profile *p, const char *path)
{
    json_t *list = json_array();

    for (int clock = PROFILE_HOST; clock <= PROFILE_DEVICE; clock++) {
        char name[160];

        snprintf(name, sizeof name, "%s%s%s", clock_names[clock],
                 clock == PROFILE_DEVICE && p->predicted ? ", PREDICTED for "
                                                         : "",
                 clock == PROFILE_DEVICE && p->predicted ? p->gpu : "");
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:i, s:i, s:{s:s}}", "name",
                            "process_name", "ph", "M", "pid", clock, "tid", 0,
                            "args", "name", name));
    }
    for (size_t i = 0; i < p->n; i++) {
        const struct profile_event *e = &p->events[i];

        json_array_append_new(
            list,
            json_pack("{s:o, s:s, s:s, s:i, s:i, s:f, s:f, s:{s:o, s:f, s:f}}",
                      "name", text(e->name), "cat", e->kind, "ph", "X", "pid",
                      (int)e->clock, "tid", 0, "ts", 1e3 * e->start_ms, "dur",
                      1e3 * e->ms, "args", "phases",
                      text(e->phases), "memory_ms", e->memory_ms, "bytes",
                      e->bytes));
    }
    save(json_pack("{s:o, s:s}", "traceEvents", list, "displayTimeUnit", "ms"),
         path);
}

/* The number of a frame's name in the list of names. */
static int frame_of(json_t *frames, json_t *numbers, const char *name)
{
    json_t *number = json_object_get(numbers, name);

    if (!number) {
        number = json_integer((json_int_t)json_array_size(frames));
        json_object_set_new(numbers, name, number);
        json_array_append_new(frames, json_pack("{s:o}", "name", text(name)));
    }
    return (int)json_integer_value(number);
}

static json_t *stack_of(const struct profile_event *e, json_t *frames,
                        json_t *numbers)
{
    json_t *stack = json_array();
    char *phases = strdup(e->phases), *rest = phases, *phase;

    while (phases && (phase = strsep(&rest, ";")))
        if (*phase)
            json_array_append_new(
                stack, json_integer(frame_of(frames, numbers, phase)));
    json_array_append_new(stack,
                          json_integer(frame_of(frames, numbers, e->name)));
    free(phases);
    return stack;
}

/* Phases have no weight of their own: their calls have it. */
static json_t *sampled(const struct profile *p, enum profile_clock clock,
                       json_t *frames, json_t *numbers)
{
    json_t *samples = json_array(), *weights = json_array();
    double sum = 0;

    for (size_t i = 0; i < p->n; i++) {
        const struct profile_event *e = &p->events[i];

        if (e->clock != clock || strcmp(e->kind, "phase") == 0)
            continue;
        json_array_append_new(samples, stack_of(e, frames, numbers));
        json_array_append_new(weights, json_real(e->ms));
        sum += e->ms;
    }
    return json_pack("{s:s, s:s, s:s, s:f, s:f, s:o, s:o}", "type", "sampled",
                     "name", clock_names[clock], "unit", "milliseconds",
                     "startValue", 0.0, "endValue", sum, "samples", samples,
                     "weights", weights);
}

void profile_speedscope(const struct profile *p, const char *path)
{
    json_t *frames = json_array(), *numbers = json_object();
    json_t *profiles = json_array();

    json_array_append_new(profiles,
                          sampled(p, PROFILE_DEVICE, frames, numbers));
    json_array_append_new(profiles, sampled(p, PROFILE_HOST, frames, numbers));
    json_decref(numbers);
    save(json_pack("{s:s, s:{s:o}, s:o, s:s}", "$schema",
                   "https://www.speedscope.app/file-format-schema.json",
                   "shared", "frames", frames, "profiles", profiles,
                   "exporter", "warpbook"),
         path);
}

static json_t *page_event(const struct profile_event *e)
{
    return json_pack("[i, s, o, o, o, f, f, f, f, o]", (int)e->clock, e->kind,
                     text(e->name), text(e->phases),
                     text(e->frames ? e->frames : ""), e->start_ms, e->ms,
                     e->memory_ms, e->bytes, text(e->line ? e->line : ""));
}

void profile_page(const struct profile *p, const char *path,
                  const char *template)
{
    FILE *from = fopen(template, "r"), *to = fopen(path, "w");
    json_t *list = json_array(), *root;
    char line[4096];

    if (!from || !to) {
        fprintf(stderr, "profile: cannot make %s from %s\n", path, template);
        exit(2);
    }
    for (size_t i = 0; i < p->n; i++)
        json_array_append_new(list, page_event(&p->events[i]));
    root = json_pack("{s:b, s:s, s:f, s:o}", "predicted", p->predicted, "gpu",
                     p->gpu ? p->gpu : "this GPU", "device_ms", p->device_ms,
                     "events", list);
    while (fgets(line, sizeof line, from))
        if (strstr(line, "@DATA@")) {
            /* Escaped slashes: no name can end the script. */
            fputs("const data = ", to);
            json_dumpf(root, to, JSON_COMPACT | JSON_ESCAPE_SLASH);
            fputs(";\n", to);
        } else {
            fputs(line, to);
        }
    json_decref(root);
    fclose(from);
    if (fclose(to) != 0)
        exit(2);
}
