// SPDX-License-Identifier: MIT
/*
 * engine_sample.h: an engine with one kernel, for the engine's tests.
 *
 *   sample_open    reads PTX text, loads it
 *   sample_run     launches its kernel "k"
 *   sample_close
 */
#ifndef ENGINE_SAMPLE_H
#define ENGINE_SAMPLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "simgpu/core/engine.h"

#define PTX_HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

struct sample {
    struct engine *engine;
    struct module *module;
    struct kernel *kernel;
    FILE *out;
    struct launch_report report; /* of the last launch */
};

static inline void sample_load(struct sample *s, const char *text)
{
    char error[256] = "";
    struct ptx_module *m = ptx_read(text, strlen(text), error, sizeof error);
    if (!m)
        fail_msg("%s", error);
    s->module = engine_load(s->engine, m, error, sizeof error);
    ptx_free(m);
    assert_non_null(s->module);
    s->kernel = engine_kernel(s->module, "k");
    assert_non_null(s->kernel);
}

static inline struct sample sample_open(const char *text, unsigned checks)
{
    struct engine_config c = {.gpu = gpu_find("h200"), .workers = 1,
                              .checks = checks,
                              .instruction_budget = 10000000};
    struct sample s = {.engine = engine_open(&c)};
    assert_non_null(s.engine);
    sample_load(&s, text);
    return s;
}

static inline void sample_set(struct sample *s, int workers, uint64_t seed)
{
    struct engine_config c = {.workers = workers, .checks = CHECK_ALL,
                              .seed = seed, .instruction_budget = 10000000};
    engine_configure(s->engine, &c);
}

static inline const struct launch_report *
sample_run(struct sample *s, uint32_t blocks, uint32_t threads,
           const void *params)
{
    struct launch l = {.grid = {blocks, 1, 1}, .block = {threads, 1, 1},
                       .params = params, .out = s->out};
    engine_report_free(&s->report);
    engine_launch(s->engine, s->kernel, &l, &s->report);
    return &s->report;
}

/* Device memory with the host's bytes in it; from NULL: never written. */
static inline uint64_t sample_array(struct sample *s, const void *from,
                                    size_t bytes)
{
    uint64_t address = engine_alloc(s->engine, bytes);
    assert_true(address != 0);
    if (from)
        assert_int_equal(engine_write(s->engine, address, from, bytes),
                         MEM_OK);
    return address;
}

static inline void sample_close(struct sample *s)
{
    engine_report_free(&s->report);
    engine_close(s->engine);
}

#endif
