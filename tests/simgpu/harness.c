// SPDX-License-Identifier: MIT
/*
 * harness.c: the engine that all rows run on, and TAP.
 *
 *   engine_use, the_engine, device_buffer, run_ptx
 *   tap, tap_say, tap_end
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

void tap(bool ok, const char *name)
{
    tests++;
    failures += !ok;
    printf("%sok %d - %s: ", ok ? "" : "not ", tests, width);
    for (; *name; name++) /* '#' would begin a directive */
        putchar(*name == '\n' || *name == '#' ? ' ' : *name);
    putchar('\n');
    fflush(stdout);
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
        .workers = 2,
        .checks = CHECK_ALL,
        .seed = seed,
        .instruction_budget = 40 * 1000 * 1000,
    };
    engine_close(engine);
    memset(buffers, 0, sizeof buffers);
    setenv("SIMGPU_ISA", isa, 1);
    engine = engine_open(&config);
    if (!engine)
        bail_out("The engine does not open.");
    width = *isa ? isa : "widest";
}

struct engine *the_engine(void)
{
    return engine;
}

uint64_t device_buffer(enum buffer which, size_t bytes)
{
    if (!buffers[which])
        buffers[which] = engine_alloc(engine, bytes);
    if (!buffers[which])
        bail_out("No device memory.");
    return buffers[which];
}

static bool judge(const struct launch_report *report)
{
    static const char *const faults[] = {
        "none", "address", "misaligned", "assert", "trap", "budget",
        "deadlock", "stack", "unsupported"};
    bool ok = report->fault == FAULT_NONE && !report->n_findings;
    if (!ok)
        tap_say("fault: %s", faults[report->fault]);
    for (size_t i = 0; i < report->n_findings && i < 3; i++)
        tap_say("finding of kind %d, address 0x%llx, thread %u: %s",
                (int)report->findings[i].kind,
                (unsigned long long)report->findings[i].address,
                report->findings[i].at.thread[0], report->findings[i].detail);
    return ok;
}

static bool launch(struct kernel *kernel, const struct launch *launch,
                   size_t n_params)
{
    if (engine_kernel_info(kernel)->param_bytes != n_params) {
        tap_say("the parameter block has %zu bytes, not %zu",
                engine_kernel_info(kernel)->param_bytes, n_params);
        return false;
    }
    struct launch_report report;
    engine_launch(the_engine(), kernel, launch, &report);
    bool ok = judge(&report);
    engine_report_free(&report);
    return ok;
}

bool run_ptx(const char *text, const uint32_t grid[3],
             const uint32_t block[3], size_t dynamic_shared,
             const void *params, size_t n_params)
{
    char error[256] = "";
    struct ptx_module *ptx = ptx_read(text, strlen(text), error,
                                      sizeof error);
    struct module *module =
        ptx ? engine_load(the_engine(), ptx, error, sizeof error) : NULL;
    if (module)
        forms_note(ptx);
    ptx_free(ptx);
    struct kernel *kernel = module ? engine_kernel(module, "k") : NULL;
    const struct launch config = {
        .grid = {grid[0], grid[1], grid[2]},
        .block = {block[0], block[1], block[2]},
        .dynamic_shared = dynamic_shared, .params = params, .out = stderr};
    bool ok = kernel && launch(kernel, &config, n_params);
    if (!kernel)
        tap_say("%s", *error ? error : "no kernel k");
    if (module)
        engine_unload(the_engine(), module);
    return ok;
}
