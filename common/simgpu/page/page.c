// SPDX-License-Identifier: MIT
/*
 * page.c: one engine, one module and one launch, kept between the calls of a
 * page. Interface: page.h.
 *
 * A launch stays open from page_launch to page_end, so that the page can stop
 * at any instruction, show it and go on.
 */
#include "page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "simgpu/core/engine.h"
#include "text.h"

enum {
    MEMORY = 4 << 20,         /* of the GPU: a page runs small shapes */
    MOST_ARRAYS = 16,
    MOST_PARAMS = 4096,       /* bytes: as much as CUDA allows */
    BUDGET = 400 * 1000 * 1000, /* warp instructions: an endless loop ends */
    AT_ONCE = 64,             /* steps that are followed in one go */
};

static struct engine *engine;
static struct module *module;
static struct engine_stepped *launch;
static struct array {
    uint64_t address;
    uint32_t bytes;
} arrays[MOST_ARRAYS + 1];
static uint32_t n_arrays;
static uint64_t params[MOST_PARAMS / 8];
static size_t param_bytes;
static uint32_t cluster[3];
static struct engine_step steps[AT_ONCE], last;
static bool have_last;

/* An empty object: done. */
static const char *done(void)
{
    text_begin();
    text_object();
    text_object_end();
    return text_end();
}

static const char *failed(const char *why)
{
    text_begin();
    text_object();
    text_key("error");
    text_string(why);
    text_object_end();
    return text_end();
}

static void drop_launch(void)
{
    struct launch_report report;
    have_last = false;
    if (!launch)
        return;
    engine_launch_close(launch, &report);
    engine_report_free(&report);
    launch = NULL;
}

void page_close(void)
{
    drop_launch();
    engine_close(engine);
    engine = NULL;
    module = NULL;
    n_arrays = 0;
    param_bytes = 0;
}

const char *page_open(uint32_t seed, uint32_t checks)
{
    unsigned errors = CHECK_MEMORY | CHECK_RACES;
    const struct engine_config config = {
        .gpu = gpu_find("h200"), .memory_bytes = MEMORY, .workers = 1,
        .checks = CHECK_COUNTERS | (checks == PAGE_COUNTERS ? 0 : errors),
        .seed = seed,
        .instruction_budget = BUDGET};
    page_close();
    engine = engine_open(&config);
    return engine ? done() : failed("no memory for the simulated GPU");
}

static void one_kernel(const struct kernel_info *info)
{
    text_object();
    text_key("name");
    text_string(info->name);
    text_key("bytes");
    text_number((int64_t)info->param_bytes);
    text_key("shared");
    text_number((int64_t)info->static_shared);
    text_key("params");
    text_array();
    for (size_t p = 0; p < info->n_params; p++) {
        text_array();
        text_number((int64_t)info->param_offset[p]);
        text_number((int64_t)info->param_size[p]);
        text_array_end();
    }
    text_array_end();
    text_object_end();
}

/* The kernels are what the text declares as entries. */
static void list_kernels(const struct ptx_module *ptx)
{
    text_begin();
    text_object();
    text_key("kernels");
    text_array();
    for (size_t k = 0; k < ptx->n_funcs; k++) {
        struct kernel *one = engine_kernel(module, ptx->funcs[k].name);
        if (one)
            one_kernel(engine_kernel_info(one));
    }
    text_array_end();
    text_object_end();
}

const char *page_load(const char *text)
{
    char error[256] = "";
    if (!engine)
        return failed("the simulated GPU is not open");
    drop_launch();
    if (module)
        engine_unload(engine, module);
    module = NULL;
    struct ptx_module *ptx = ptx_read(text, strlen(text), error, sizeof error);
    if (ptx)
        module = engine_load(engine, ptx, error, sizeof error);
    if (module)
        list_kernels(ptx);
    ptx_free(ptx);
    return module ? text_end() : failed(error);
}

/* Memory ------------------------------------------------------------------ */

uint32_t page_alloc(uint32_t bytes)
{
    uint64_t at = engine && n_arrays < MOST_ARRAYS ? engine_alloc(engine, bytes)
                                                   : 0;
    if (!at)
        return 0;
    arrays[++n_arrays] = (struct array){at, bytes};
    return n_arrays;
}

static const struct array *array_with(uint32_t array, uint32_t offset,
                                      uint32_t bytes)
{
    bool inside = array && array <= n_arrays &&
                  offset <= arrays[array].bytes &&
                  bytes <= arrays[array].bytes - offset;
    return inside ? &arrays[array] : NULL;
}

/* PCG's output step over a counter: cells differ, and repeat for a seed. */
static uint32_t draw(uint32_t seed, uint32_t cell)
{
    uint32_t x = (seed * 2654435761u + cell) * 747796405u + 2891336453u;
    x = (x >> ((x >> 28) + 4) ^ x) * 277803737u;
    return x >> 22 ^ x;
}

static uint32_t word(enum page_content content, uint32_t seed, uint32_t cell)
{
    enum { CELLS = 128 };
    uint32_t bits = seed & 0xff, x = draw(seed, cell);
    if (content == PAGE_INTEGERS)
        return x % 1024;
    if (content == PAGE_BYTES)
        return bits * 0x01010101u;
    float value = (float)(int)(x % CELLS) / (CELLS / 2) - 1.0f;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

int page_fill(uint32_t array, uint32_t offset, uint32_t n_bytes,
              enum page_content content, uint32_t seed)
{
    const struct array *a = array_with(array, offset, n_bytes);
    if (!a || n_bytes % 4)
        return 1;
    for (uint32_t k = 0; k < n_bytes / 4; k++) {
        uint32_t value = word(content, seed, k);
        engine_write(engine, a->address + offset + 4 * k, &value, 4);
    }
    return 0;
}

int page_set(uint32_t array, uint32_t offset, uint32_t value)
{
    const struct array *a = array_with(array, offset, 4);
    return !a || engine_write(engine, a->address + offset, &value, 4) != MEM_OK;
}

uint32_t page_get(uint32_t array, uint32_t offset)
{
    const struct array *a = array_with(array, offset, 4);
    uint32_t value = 0;
    if (a)
        engine_read(engine, &value, a->address + offset, 4);
    return value;
}

/* Parameters -------------------------------------------------------------- */

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int page_params(const char *hex)
{
    size_t n = strlen(hex) / 2;
    uint8_t *to = (uint8_t *)params;
    if (n > sizeof params)
        return 1;
    for (size_t k = 0; k < n; k++) {
        int high = digit(hex[2 * k]), low = digit(hex[2 * k + 1]);
        if (high < 0 || low < 0)
            return 1;
        to[k] = (uint8_t)(high << 4 | low);
    }
    param_bytes = n;
    return 0;
}

int page_point(uint32_t at, uint32_t array, uint32_t offset)
{
    const struct array *a = array_with(array, offset, 0);
    if (!a || at % 8 || at + 8 > param_bytes)
        return 1;
    params[at / 8] = a->address + offset;
    return 0;
}

int page_cluster(uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t to[3] = {x, y, z};
    memcpy(cluster, to, sizeof cluster);
    return 0;
}

/* Launches ---------------------------------------------------------------- */

static bool clusters_fit(const struct launch *l, const uint32_t its_own[3])
{
    enum { MOST = 8 }; /* blocks, on every card that has clusters */
    uint64_t blocks = 1;
    for (int axis = 0; axis < 3; axis++) {
        uint32_t n = l->cluster[axis] ? l->cluster[axis] : its_own[axis];
        if (n > MOST || (n && l->grid[axis] % n))
            return false;
        blocks *= n ? n : 1;
    }
    return blocks <= MOST;
}

/* NULL: it can run; else why not. */
static const char *prepare(const char *name, struct kernel **kernel,
                           const struct launch *l)
{
    enum { MOST_SHARED = 227 << 10, MOST_THREADS = 1024 };
    uint64_t threads = 1;
    drop_launch();
    *kernel = module ? engine_kernel(module, name) : NULL;
    if (!*kernel)
        return "no such kernel";
    const struct kernel_info *info = engine_kernel_info(*kernel);
    for (int axis = 0; axis < 3; axis++) {
        if (!l->grid[axis] || !l->block[axis] ||
            l->block[axis] > MOST_THREADS)
            return "no such grid";
        threads *= l->block[axis];
    }
    if (threads > MOST_THREADS || (info->maxntid && threads > info->maxntid))
        return "too many threads per block";
    if (info->static_shared + l->dynamic_shared > MOST_SHARED)
        return "too much shared memory";
    if (!clusters_fit(l, info->cluster))
        return "no such clusters";
    return info->param_bytes > param_bytes ? "parameters are missing" : NULL;
}

static struct launch shape(uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx,
                           uint32_t by, uint32_t bz, uint32_t shared)
{
    struct launch l = {.grid = {gx, gy, gz}, .block = {bx, by, bz},
                       .dynamic_shared = shared, .params = params,
                       .out = stderr};
    memcpy(l.cluster, cluster, sizeof cluster);
    memset(cluster, 0, sizeof cluster);
    return l;
}

const char *page_launch(const char *name, uint32_t gx, uint32_t gy,
                        uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz,
                        uint32_t shared)
{
    struct kernel *kernel;
    struct launch l = shape(gx, gy, gz, bx, by, bz, shared);
    const char *error = prepare(name, &kernel, &l);
    if (error)
        return failed(error);
    launch = engine_launch_open(engine, kernel, &l);
    return done();
}

static bool same_place(const struct engine_step *a, const struct engine_step *b)
{
    return memcmp(a->block, b->block, sizeof a->block) == 0 &&
           a->warp == b->warp && a->function == b->function &&
           a->file == b->file && a->line == b->line;
}

static bool touches_memory(const struct engine_step *s)
{
    for (uint32_t k = 0; k < s->n_accesses; k++)
        if (s->access[k].space == PTX_SPACE_GLOBAL ||
            s->access[k].space == PTX_SPACE_SHARED)
            return true;
    return false;
}

/* The next instruction has to be executed to know its line: with PAGE_LINE the
 * step shown is the first of the new line. */
static uint32_t go(uint32_t n, uint32_t until, const char **stopped, bool *over)
{
    uint32_t executed = 0;
    struct engine_step before = last;
    bool had = have_last;
    *stopped = "";
    *over = false;
    while (executed < n) {
        uint32_t many = until ? 1 : n - executed < AT_ONCE ? n - executed
                                                 : AT_ONCE;
        size_t found = engine_launch_found(launch);
        size_t m = engine_launch_step(launch, steps, many);
        executed += (uint32_t)m;
        if (m) {
            last = steps[m - 1];
            have_last = true;
        }
        *over = m < many;
        bool line = m && (until & PAGE_LINE) && had &&
                    !same_place(&before, &last);
        if (engine_launch_found(launch) > found && (until & PAGE_FINDING))
            *stopped = "finding";
        else if (m && (until & PAGE_ACCESS) && touches_memory(&last))
            *stopped = "access";
        else if (line || ((until & PAGE_LINE) && !had))
            *stopped = "line";
        if (*over || **stopped)
            break;
    }
    return executed;
}

const char *page_step(uint32_t n, uint32_t until)
{
    const char *stopped;
    bool over;
    if (!launch)
        return failed("no launch is open");
    uint32_t executed = go(n, until, &stopped, &over);
    text_begin();
    text_object();
    text_key("done");
    text_number(executed);
    text_key("over");
    text_truth(over);
    text_key("stopped");
    text_string(stopped);
    text_key("step");
    if (have_last)
        answer_step(engine, &last);
    else
        text_null();
    text_object_end();
    return text_end();
}

const char *page_run(uint32_t n)
{
    if (!launch)
        return failed("no launch is open");
    have_last = false;
    bool over = engine_launch_run(launch, n);
    text_begin();
    text_object();
    text_key("over");
    text_truth(over);
    text_object_end();
    return text_end();
}

static const char *answer(struct launch_report *report)
{
    text_begin();
    answer_report(report);
    engine_report_free(report);
    return text_end();
}

const char *page_look(void)
{
    struct launch_report report;
    if (!launch)
        return failed("no launch is open");
    engine_launch_look(launch, &report);
    return answer(&report);
}

const char *page_end(void)
{
    struct launch_report report;
    if (!launch)
        return failed("no launch is open");
    engine_launch_finish(launch);
    engine_launch_close(launch, &report);
    launch = NULL;
    return answer(&report);
}

const char *page_whole(const char *name, uint32_t gx, uint32_t gy, uint32_t gz,
                       uint32_t bx, uint32_t by, uint32_t bz, uint32_t shared)
{
    struct kernel *kernel;
    struct launch_report report;
    struct launch l = shape(gx, gy, gz, bx, by, bz, shared);
    const char *error = prepare(name, &kernel, &l);
    if (error)
        return failed(error);
    engine_launch(engine, kernel, &l, &report);
    return answer(&report);
}
