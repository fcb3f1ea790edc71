// SPDX-License-Identifier: MIT
/*
 * harness.c: the engine that all rows run on, and TAP.
 *
 *   engine_use, device_write, device_read, run_ptx
 *   accept_shuffles
 *   tap_case, tap_say, tap_end
 */
#include "conformance.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simgpu/core/engine.h"

static int tests, failures;
static struct engine *engine;
static const char *width; /* of its vectors */
static uint64_t buffers[N_BUFFERS];
static int launches; /* since the last result */
static bool shuffles_accepted;

void tap_case(bool ok, const char *name)
{
    tests++;
    failures += !ok;
    printf("%sok %d - %s: ", ok ? "" : "not ", tests, width);
    for (const char *p = name; *p; p++) /* '#' would begin a directive */
        putchar(*p == '\n' || *p == '#' ? ' ' : *p);
    putchar('\n');
    fflush(stdout);
    if (ok && launches)
        record_tap(name);
    launches = 0;
}

void tap_say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    printf("# ");
    vprintf(format, list);
    putchar('\n');
    va_end(list);
}

int tap_end(void)
{
    printf("1..%d\n", tests);
    if (failures)
        tap_say("%d of %d failed", failures, tests);
    return failures ? 1 : 0;
}

static _Noreturn void bail_out(const char *why)
{
    printf("Bail out! %s\n", why);
    exit(1);
}

void engine_use(const char *isa, uint64_t seed)
{
    struct engine_config config = {
        .gpu = gpu_find("h200"),
        .workers = record_wanted() ? 1 : 2, /* so that a record is one order */
        .checks = CHECK_ALL,
        .seed = seed,
        .instruction_budget = 40 * 1000 * 1000,
        .isa = isa,
    };
    engine_close(engine);
    memset(buffers, 0, sizeof buffers);
    engine = engine_open(&config);
    if (!engine)
        bail_out("The engine does not open.");
    width = *isa ? isa : "widest";
    record_engine(seed);
}

void device_write(enum buffer which, const void *data, size_t bytes)
{
    if (!buffers[which]) {
        buffers[which] = engine_alloc(engine, bytes);
        record_buffer(which, bytes);
    }
    if (!buffers[which])
        bail_out("No device memory.");
    if (engine_write(engine, buffers[which], data, bytes) != MEM_OK)
        bail_out("A buffer is smaller than what is written.");
    record_write(which, data, bytes);
}

void device_read(enum buffer which, void *data, size_t bytes,
                 const char *field)
{
    if (engine_read(engine, data, buffers[which], bytes) != MEM_OK)
        bail_out("A buffer is smaller than what is read.");
    record_results(which, data, bytes, field);
}

void accept_shuffles(bool from_nobody)
{
    shuffles_accepted = from_nobody;
}

static bool is_accepted(const struct finding *x)
{
    return (shuffles_accepted && x->kind == FIND_SHUFFLE) ||
           finding_is_note(x->kind);
}

static bool judge(const struct launch_report *report)
{
    static const char *const faults[] = {
        "none", "address", "misaligned", "assert", "trap", "budget",
        "deadlock", "stack", "footprint", "barrier_misuse", "illegal",
        "unsupported"};
    bool ok = report->fault == FAULT_NONE;
    for (size_t i = 0; i < report->n_findings; i++)
        ok &= is_accepted(&report->findings[i]);
    if (!ok)
        tap_say("fault: %s", faults[report->fault]);
    for (size_t i = 0; i < report->n_findings && i < 3 && !ok; i++)
        tap_say("finding of kind %d, address 0x%llx, thread %u: %s",
                (int)report->findings[i].kind,
                (unsigned long long)report->findings[i].address,
                report->findings[i].at.thread[0], report->findings[i].detail);
    return ok;
}

static void record(const struct launch *launch, const char *text,
                   const enum buffer *params, size_t n_params,
                   const struct launch_report *report)
{
    struct launch_event event = {
        .n_params = (uint32_t)n_params, .fault = (uint32_t)report->fault,
        .dynamic_shared = launch->dynamic_shared,
        .findings = report->n_findings, .counters = report->counters};
    memcpy(event.grid, launch->grid, sizeof event.grid);
    memcpy(event.block, launch->block, sizeof event.block);
    for (size_t k = 0; k < n_params; k++)
        event.params[k] = params[k];
    record_launch(&event, text);
}

static bool launch(struct kernel *kernel, const char *text,
                   struct launch *launch, const enum buffer *params,
                   size_t n_params)
{
    uint64_t addresses[EVENT_PARAMS];
    size_t bytes = engine_kernel_info(kernel)->param_bytes;
    if (n_params > EVENT_PARAMS || bytes != n_params * sizeof *addresses) {
        tap_say("the parameter block has %zu bytes, not %zu addresses", bytes,
                n_params);
        return false;
    }
    for (size_t k = 0; k < n_params; k++)
        addresses[k] = buffers[params[k]];
    launch->params = addresses;
    struct launch_report report;
    engine_launch(engine, kernel, launch, &report);
    launches++;
    record(launch, text, params, n_params, &report);
    bool ok = judge(&report);
    engine_report_free(&report);
    return ok;
}

bool run_ptx(const char *text, const uint32_t grid[3],
             const uint32_t block[3], size_t dynamic_shared,
             const enum buffer *params, size_t n_params)
{
    char error[256] = "";
    struct ptx_module *ptx = ptx_read(text, strlen(text), error,
                                      sizeof error);
    struct module *module =
        ptx ? engine_load(engine, ptx, error, sizeof error) : NULL;
    if (module)
        forms_note(ptx);
    ptx_free(ptx);
    struct kernel *kernel = module ? engine_kernel(module, "k") : NULL;
    struct launch config = {
        .grid = {grid[0], grid[1], grid[2]},
        .block = {block[0], block[1], block[2]},
        .dynamic_shared = dynamic_shared, .out = stderr};
    bool ok = kernel && launch(kernel, text, &config, params, n_params);
    if (!kernel)
        tap_say("%s", *error ? error : "no kernel k");
    if (module)
        engine_unload(engine, module);
    return ok;
}
