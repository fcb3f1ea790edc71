// SPDX-License-Identifier: MIT
/*
 * replay.c: does with this build's engine what the conformance program did
 * with its own (record.h), as TAP: a row passes if each of its launches gave
 * the same results, faults, findings and counters.
 *
 *   replay FILE
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"

enum { MEMORY = 32 << 20 }; /* of the GPU: what a small host can give */

static FILE *file;
static struct engine *engine;
static struct buffer_state {
    uint64_t address;
    void *data;
    size_t n;
} buffers[N_BUFFERS];
static int rows, failures;
static bool good = true; /* the row so far */

static _Noreturn void bail_out(const char *why)
{
    printf("Bail out! %s\n", why);
    exit(1);
}

static void differs(const char *what, unsigned long long got,
                    unsigned long long want)
{
    printf("# %s: %llu here, %llu in the record\n", what, got, want);
    good = false;
}

static void open_engine(const uint64_t *seed)
{
    const struct engine_config config = {
        .gpu = gpu_find("h200"), .memory_bytes = MEMORY, .workers = 2,
        .checks = CHECK_ALL, .seed = *seed,
        .instruction_budget = 40 * 1000 * 1000};
    engine_close(engine);
    engine = engine_open(&config);
    if (!engine)
        bail_out("The engine does not open.");
}

static void open_buffer(struct buffer_state *b, const uint64_t *bytes)
{
    b->address = engine_alloc(engine, (size_t)*bytes);
    if (!b->address)
        bail_out("No device memory.");
}

static void write_buffer(struct buffer_state *b, const void *data, size_t n)
{
    if (n) {
        free(b->data);
        b->data = malloc(n);
        b->n = n;
        if (!b->data)
            bail_out("No memory.");
        memcpy(b->data, data, n);
    }
    if (engine_write(engine, b->address, b->data, b->n) != MEM_OK)
        bail_out("A buffer cannot be written.");
}

static void compare_report(const struct launch_report *r,
                           const struct launch_event *want)
{
    if ((uint32_t)r->fault != want->fault)
        differs("fault", r->fault, want->fault);
    if (r->n_findings != want->findings)
        differs("findings", r->n_findings, want->findings);
#define X(name)                                                                \
    if (r->counters.name != want->counters.name)                               \
        differs(#name, r->counters.name, want->counters.name);
    ENGINE_COUNTERS(X)
#undef X
}

static void run_kernel(struct kernel *kernel, const struct launch_event *l)
{
    uint64_t params[EVENT_PARAMS];
    struct launch_report report;
    for (uint32_t k = 0; k < l->n_params; k++)
        params[k] = buffers[l->params[k]].address;
    const struct launch launch = {
        .grid = {l->grid[0], l->grid[1], l->grid[2]},
        .block = {l->block[0], l->block[1], l->block[2]},
        .dynamic_shared = (size_t)l->dynamic_shared, .params = params,
        .out = stderr};
    engine_launch(engine, kernel, &launch, &report);
    compare_report(&report, l);
    engine_report_free(&report);
}

static void launch_again(const struct launch_event *l, const char *text,
                         size_t n)
{
    char error[256] = "";
    struct ptx_module *ptx = ptx_read(text, n, error, sizeof error);
    struct module *module =
        ptx ? engine_load(engine, ptx, error, sizeof error) : NULL;
    struct kernel *kernel = module ? engine_kernel(module, "k") : NULL;
    ptx_free(ptx);
    if (kernel) {
        run_kernel(kernel, l);
    } else {
        printf("# %s\n", *error ? error : "no kernel k");
        good = false;
    }
    if (module)
        engine_unload(engine, module);
}

static void compare_results(const struct buffer_state *b,
                            const struct results_event *want)
{
    static char got[1 << 16];
    if (want->bytes > sizeof got ||
        engine_read(engine, got, b->address, (size_t)want->bytes) != MEM_OK)
        bail_out("Results cannot be read.");
    uint64_t digest = record_digest(got, (size_t)want->bytes, want->field);
    if (digest != want->digest)
        differs("digest of the results", digest, want->digest);
}

static void end_row(const char *name, size_t n)
{
    printf("%sok %d - ", good ? "" : "not ", ++rows);
    for (size_t k = 0; k < n; k++) /* '#' would begin a directive */
        putchar(name[k] == '\n' || name[k] == '#' ? ' ' : name[k]);
    putchar('\n');
    failures += !good;
    good = true;
}

static void replay(const struct event *e, const char *payload)
{
    size_t n = (size_t)e->bytes;
    const void *p = payload;
    if (e->which >= N_BUFFERS)
        bail_out("The record is damaged.");
    switch ((enum event_kind)e->kind) {
    case EVENT_ENGINE: open_engine(p); break;
    case EVENT_BUFFER: open_buffer(&buffers[e->which], p); break;
    case EVENT_WRITE: write_buffer(&buffers[e->which], p, n); break;
    case EVENT_LAUNCH:
        launch_again(p, payload + sizeof(struct launch_event),
                     n - sizeof(struct launch_event));
        break;
    case EVENT_RESULTS: compare_results(&buffers[e->which], p); break;
    case EVENT_TAP: end_row(payload, n); break;
    default: bail_out("The record is damaged.");
    }
}

int main(int argc, char **argv)
{
    struct event e;
    char *payload = NULL;
    file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file)
        bail_out("usage: replay FILE");
    while (fread(&e, sizeof e, 1, file) == 1) {
        payload = realloc(payload, (size_t)e.bytes + 1);
        if (!payload || (e.bytes && fread(payload, (size_t)e.bytes, 1,
                                          file) != 1))
            bail_out("The record ends too early.");
        payload[e.bytes] = '\0';
        replay(&e, payload);
    }
    free(payload);
    fclose(file);
    for (size_t k = 0; k < N_BUFFERS; k++)
        free(buffers[k].data);
    engine_close(engine);
    printf("1..%d\n", rows);
    return failures || !rows;
}
