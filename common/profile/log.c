// SPDX-License-Identifier: MIT
/*
 * log.c: a log and a device's report become events.
 *
 *   profile_read, profile_give_back, profile_check
 *
 * The hard idea: two witnesses. The log says which launches the program made,
 * in order, and which of them a graph recorded and how often it was replayed.
 * The simulated GPU reports which kernels it ran, in order. They are joined
 * name by name. A launch that one has and the other has not, or that a profile
 * would count twice, cannot pass.
 */
#include "profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "simgpu/device/device.h"

enum { FIELDS = 10 };

static void die(const char *what, const char *path)
{
    fprintf(stderr, "profile: %s %s\n", what, path);
    exit(2);
}

static char *copy(const char *text)
{
    char *own = strdup(text);

    if (!own)
        die("no memory for", text);
    return own;
}

static struct profile_event *add(struct profile *p)
{
    if (p->n == p->room) {
        p->room = p->room ? 2 * p->room : 256;
        p->events = realloc(p->events, p->room * sizeof *p->events);
        if (!p->events)
            die("no memory for", "events");
    }
    p->events[p->n] = (struct profile_event){0};
    return &p->events[p->n++];
}

/* A launch that was made, or that a graph will make again. */
struct made {
    char *name, *phases, *frames;
    int recording;
};

struct reading {
    struct profile *p;
    struct made *recorded;
    size_t n_recorded;
    json_t *launches; /* of the report */
    size_t next;      /* of them */
    double clock_ms;  /* of the device, in the model */
    size_t *of_call;  /* event of the device's work, by number of the call */
    size_t n_calls;
    long long base;
};

/* The line with the most sectors. */
static char *hottest(const json_t *launch)
{
    json_t *lines = json_object_get(launch, "lines"), *line, *most = NULL;
    json_int_t best = 0;
    char text[512];
    size_t i;

    json_array_foreach(lines, i, line) {
        json_int_t n = json_integer_value(
            json_object_get(line, "global_sectors"));

        if (n > best) {
            best = n;
            most = line;
        }
    }
    if (!most)
        return NULL;
    snprintf(text, sizeof text, "%s:%lld",
             json_string_value(json_object_get(most, "file")),
             (long long)json_integer_value(json_object_get(most, "line")));
    return copy(text);
}

static double number(const json_t *of, const char *key)
{
    return json_number_value(json_object_get(of, key));
}

/* The device's work of a launch: the next of the report. */
static void add_launch(struct reading *g, const char *name, const char *phases,
                       const char *frames)
{
    json_t *launch = json_array_get(g->launches, g->next), *predicted;
    struct profile_event *e;
    const char *known;

    g->p->launches++;
    if (!g->launches)
        return; /* a GPU: spans say when it ran */
    known = json_string_value(json_object_get(launch, "kernel"));
    if (!known || strcmp(known, name) != 0)
        return; /* profile_check tells */
    g->next++;
    predicted = json_object_get(launch, "predicted");
    e = add(g->p);
    e->clock = PROFILE_DEVICE;
    e->kind = copy("launch");
    e->name = copy(json_string_value(json_object_get(launch, "name")));
    e->phases = copy(phases);
    e->frames = copy(frames);
    e->start_ms = g->clock_ms;
    e->ms = number(predicted, "ms");
    e->memory_ms = number(json_object_get(predicted, "parts_ms"), "memory");
    e->bytes = number(predicted, "read_bytes") +
               number(predicted, "write_bytes");
    e->line = hottest(launch);
    g->clock_ms += e->ms;
    g->p->device_ms += e->ms;
}

static void remember(struct reading *g, char **f, int recording)
{
    g->recorded = realloc(g->recorded,
                          (g->n_recorded + 1) * sizeof *g->recorded);
    if (!g->recorded)
        die("no memory for", "a graph");
    g->recorded[g->n_recorded++] = (struct made){
        copy(f[2]), copy(f[6]), copy(f[8]), recording};
}

static double ms_of(const struct reading *g, const char *ns)
{
    return (double)(strtoll(ns, NULL, 10) - g->base) * 1e-6;
}

static void read_call(struct reading *g, char **f)
{
    int recording = atoi(f[5]);
    bool launch = strcmp(f[1], "launch") == 0;
    struct profile_event *e;

    if (!g->base)
        g->base = strtoll(f[3], NULL, 10);
    e = add(g->p);
    e->clock = PROFILE_HOST;
    e->kind = copy(f[1]);
    e->name = copy(f[2]);
    e->phases = copy(f[6]);
    e->bytes = atof(f[7]);
    e->frames = copy(f[8]);
    e->start_ms = ms_of(g, f[3]);
    e->ms = ms_of(g, f[4]) - e->start_ms;
    g->of_call = realloc(g->of_call, (g->n_calls + 1) * sizeof *g->of_call);
    if (!g->of_call)
        die("no memory for", "calls");
    g->of_call[g->n_calls++] = g->p->n - 1;
    if (launch && recording)
        remember(g, f, recording);
    else if (launch)
        add_launch(g, f[2], f[6], f[8]);
    else if (strcmp(f[1], "graph") == 0)
        for (size_t i = 0; i < g->n_recorded; i++)
            if (g->recorded[i].recording == recording)
                add_launch(g, g->recorded[i].name, g->recorded[i].phases,
                           g->recorded[i].frames);
}

static void read_phase(struct reading *g, char **f)
{
    struct profile_event *e = add(g->p);

    if (!g->base)
        g->base = strtoll(f[1], NULL, 10);
    e->clock = PROFILE_HOST;
    e->kind = copy("phase");
    e->phases = copy(f[3]);
    e->name = copy(strrchr(f[3], ';') ? strrchr(f[3], ';') + 1 : f[3]);
    e->start_ms = ms_of(g, f[1]);
    e->ms = ms_of(g, f[2]) - e->start_ms;
}

/* What a GPU's events say of a call. */
static void read_span(struct reading *g, char **f)
{
    size_t call = strtoul(f[1], NULL, 10);
    struct profile_event *e = add(g->p), *of;

    if (call >= g->n_calls)
        die("a span of no call in", "the log");
    of = &g->p->events[g->of_call[call]];
    e->clock = PROFILE_DEVICE;
    e->kind = copy(of->kind);
    e->name = dev_demangle(of->name);
    if (!e->name)
        die("no memory for", of->name);
    e->phases = copy(of->phases);
    e->frames = copy(of->frames);
    e->bytes = of->bytes;
    e->start_ms = atof(f[2]);
    e->ms = atof(f[3]) - e->start_ms;
    g->p->device_ms += e->ms;
}

static int split(char *line, char **fields)
{
    int n = 0;

    line[strcspn(line, "\n")] = '\0';
    while (n < FIELDS && (fields[n] = strsep(&line, "\t")))
        n++;
    return n;
}

static void read_line(struct reading *g, char *line)
{
    char *f[FIELDS];
    int n = split(line, f);

    if (n == 9 && strcmp(f[0], "call") == 0)
        read_call(g, f);
    else if (n == 4 && strcmp(f[0], "phase") == 0)
        read_phase(g, f);
    else if (n == 4 && strcmp(f[0], "span") == 0)
        read_span(g, f);
    else
        die("not a line of a log:", f[0]);
}

struct profile profile_read(const char *log, const char *report)
{
    struct profile p = {.reported = -1};
    struct reading g = {.p = &p};
    FILE *file = fopen(log, "r");
    json_t *root = NULL;
    char *line = NULL;
    size_t room = 0;

    if (!file)
        die("cannot read", log);
    if (report) {
        root = json_load_file(report, 0, NULL);
        g.launches = json_object_get(root, "launches");
        if (!json_is_array(g.launches))
            die("not a report of the simulated GPU:", report);
        p.predicted = true;
        p.gpu = copy(json_string_value(json_object_get(root, "gpu")));
        p.reported = (long)json_array_size(g.launches);
    }
    while (getline(&line, &room, file) > 0)
        read_line(&g, line);
    free(line);
    fclose(file);
    for (size_t i = 0; i < g.n_recorded; i++) {
        free(g.recorded[i].name);
        free(g.recorded[i].phases);
        free(g.recorded[i].frames);
    }
    free(g.recorded);
    free(g.of_call);
    json_decref(root);
    return p;
}

void profile_give_back(struct profile *p)
{
    for (size_t i = 0; i < p->n; i++) {
        struct profile_event *e = &p->events[i];

        free(e->kind);
        free(e->name);
        free(e->phases);
        free(e->frames);
        free(e->line);
    }
    free(p->events);
    free(p->gpu);
}

const char *profile_check(const struct profile *p)
{
    static char said[256];
    long ran = 0;
    double last = 0;

    for (size_t i = 0; i < p->n; i++) {
        const struct profile_event *e = &p->events[i];

        if (e->clock != PROFILE_DEVICE)
            continue;
        ran++;
        if (!(e->ms >= 0))
            return "a device's event ends before it begins";
        if (e->start_ms + e->ms > last)
            last = e->start_ms + e->ms;
    }
    if (p->predicted && (ran != p->launches || ran != p->reported)) {
        snprintf(said, sizeof said, "the program launched %ld kernels, the "
                 "device ran %ld, and %ld of them agree", p->launches,
                 p->reported, ran);
        return said;
    }
    if (p->predicted && !(p->device_ms <= last * (1 + 1e-9) + 1e-9))
        return "the device was busy for longer than it ran";
    return ran || !p->launches ? NULL : "no launch was timed";
}
