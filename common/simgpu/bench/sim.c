// SPDX-License-Identifier: MIT
/*
 * sim.c: how fast the simulated GPU is, on this workbook's forward kernels, the
 * inner loop of a matrix product, and one by matrix instructions.
 *
 *   sim [--start SIMGPU PROGRAM] NAME=STAGE.so ...
 *   sim --once NAME=STAGE.so ...
 *
 * For each stage: million warp instructions per second. One core's are by the
 * processor time that it took, so that a busy machine does not count; two
 * cores over one are by the clock, and mean something on an idle machine only.
 * "of plain" is the share of the speed that the same instructions would have
 * as plain C loops (plain.h): this figure can be compared across machines. A
 * matrix instruction counts as one plain addition there, so that the share of a
 * kernel of tensor cores is low: look at its instructions per second.
 * PROGRAM is run under SIMGPU, for the time to start. --once: for
 * compare.sh, lines `NAME COUNTERS ALL SHARE SHARE`: the median of THRICE
 * launches, since the first one also pays for the pages of its records.
 *
 * The stages are what nvcc built. This program is their CUDA runtime: it
 * defines the few calls that a launch makes, so that nothing but the engine
 * is measured. Median of RUNS launches.
 */
#include <dlfcn.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "simgpu/core/engine.h"
#include "simgpu/ptx/fatbin.h"

#include "op/dwconv.h"
#include "op/gemm.h"
#include "gemm.h"
#include "plain.h"

enum { RUNS = 7, THRICE = 3, MAX_PARAMS = 4096, FATBIN_MOST = 64 << 20 };
enum { ARRAY = 1 << 21 }; /* floats: enough for each array of the two below */
static const struct dwconv_shape shape = {256, 128, 48, 48};
static const struct gemm_size size = {1024, 1024, 256};

static struct engine *engine;
static struct module *module;
static struct kernel *kernel;
static struct launch_report report; /* of the last launch */
static double plain[PLAIN_KINDS];     /* seconds per warp instruction */
static int runs = RUNS;
static bool once; /* lines for compare.sh */

static double clock_of(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double now(void)
{
    return clock_of(CLOCK_MONOTONIC);
}

static void die(const char *what, const char *why)
{
    fprintf(stderr, "bench-sim: %s: %s\n", what, why);
    exit(1);
}

/* The CUDA runtime ------------------------------------------------------- */

struct fatbin_wrapper { int magic, version; const void *data; };

#define RUNTIME __attribute__((visibility("default")))
RUNTIME void **__cudaRegisterFatBinary(const struct fatbin_wrapper *w);
RUNTIME void __cudaRegisterFatBinaryEnd(void **handle);
RUNTIME void __cudaUnregisterFatBinary(void **handle);
RUNTIME char __cudaInitModule(void **handle);
RUNTIME void __cudaRegisterFunction(void **handle, const char *host,
                                    char *device, const char *name);
RUNTIME int __cudaGetKernel(void **out, const void *host);
RUNTIME unsigned __cudaPushCallConfiguration(dim3 grid,
                                             dim3 block, size_t shared,
                                             void *stream);
RUNTIME int __cudaPopCallConfiguration(dim3 *grid, dim3 *block,
                                       size_t *shared, void *stream);
RUNTIME int __cudaLaunchKernel(void *k, dim3 grid, dim3 block,
                               void **args, size_t shared, void *stream);

void **__cudaRegisterFatBinary(const struct fatbin_wrapper *w)
{
    static void *handle;
    char error[256];
    size_t n;
    char *text = fatbin_ptx(w->data, FATBIN_MOST, 90, &n, error, sizeof error);
    struct ptx_module *ptx =
        text ? ptx_read(text, n, error, sizeof error) : NULL;
    module = ptx ? engine_load(engine, ptx, error, sizeof error) : NULL;
    if (!module)
        die("loading a stage", error);
    ptx_free(ptx);
    free(text);
    return &handle;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

char __cudaInitModule(void **handle)
{
    (void)handle;
    return 0;
}

/* A stage has one kernel. */
void __cudaRegisterFunction(void **handle, const char *host, char *device,
                            const char *name)
{
    (void)handle, (void)host, (void)device;
    kernel = engine_kernel(module, name);
}

int __cudaGetKernel(void **out, const void *host)
{
    *out = (void *)(uintptr_t)host;
    return 0;
}

static struct { dim3 grid, block; size_t shared; } pushed;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block,
                                     size_t shared, void *stream)
{
    (void)stream;
    pushed.grid = grid;
    pushed.block = block;
    pushed.shared = shared;
    return 0;
}

int __cudaPopCallConfiguration(dim3 *grid, dim3 *block,
                               size_t *shared, void *stream)
{
    *grid = pushed.grid;
    *block = pushed.block;
    *shared = pushed.shared;
    *(void **)stream = NULL;
    return 0;
}

int __cudaLaunchKernel(void *k, dim3 grid, dim3 block,
                       void **args, size_t shared, void *stream)
{
    (void)k, (void)stream;
    char params[MAX_PARAMS];
    const struct kernel_info *info = engine_kernel_info(kernel);
    for (size_t p = 0; p < info->n_params; p++)
        memcpy(params + info->param_offset[p], args[p], info->param_size[p]);
    struct launch l = {.grid = {grid.x, grid.y, grid.z},
                       .block = {block.x, block.y, block.z},
                       .dynamic_shared = shared, .params = params,
                       .out = stdout};
    engine_report_free(&report);
    engine_launch(engine, kernel, &l, &report);
    return report.fault == FAULT_NONE ? 0 : 719;
}

RUNTIME cudaError_t cudaLaunchKernel(const void *k, dim3 grid, dim3 block,
                                     void **args, size_t shared,
                                     cudaStream_t stream)
{
    return (cudaError_t)__cudaLaunchKernel((void *)(uintptr_t)k, grid, block,
                                           args, shared, stream);
}

RUNTIME cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}

RUNTIME cudaError_t cudaDeviceGetAttribute(int *value,
                                           enum cudaDeviceAttr attribute,
                                           int device)
{
    (void)attribute, (void)device;
    *value = gpu_find("h200")->sms; /* all that the stages ask for */
    return cudaSuccess;
}

RUNTIME cudaError_t cudaGetLastError(void)
{
    return report.fault == FAULT_NONE ? cudaSuccess : cudaErrorLaunchFailure;
}

/* Measuring -------------------------------------------------------------- */

struct arrays { uint64_t a, b, c; };

static const float *pointer(uint64_t address)
{
    return (const float *)(uintptr_t)address;
}

static void run_dwconv(void *symbol, const struct arrays *x)
{
    typedef cudaError_t launcher(const float *, const float *, float *,
                                 struct dwconv_shape, void *, cudaStream_t);
    ((launcher *)symbol)(pointer(x->a), pointer(x->b), (float *)pointer(x->c),
                         shape, NULL, NULL);
}

static void run_gemm(void *symbol, const struct arrays *x)
{
    typedef cudaError_t launcher(const float *, const float *, float *,
                                 struct gemm_size, void *, cudaStream_t);
    ((launcher *)symbol)(pointer(x->a), pointer(x->b), (float *)pointer(x->c),
                         size, NULL, NULL);
}

/* The same size, by mma.sync. */
static void run_mma(void *symbol, const struct arrays *x)
{
    typedef cudaError_t launcher(const float *, const float *, float *,
                                 struct gemm_shape, float, float, void *,
                                 cudaStream_t);
    struct gemm_shape s = {size.m, size.n, size.k, size.k, size.n, size.n};
    ((launcher *)symbol)(pointer(x->a), pointer(x->b), (float *)pointer(x->c),
                         s, 1, 0, NULL, NULL);
}

/* What a stage may export, and how it is called. */
static const struct stage {
    const char *symbol;
    void (*run)(void *symbol, const struct arrays *x);
} stages[] = {{"dwconv_forward", run_dwconv}, {"bench_gemm", run_gemm},
              {"gemm_tf32", run_mma}};

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *each)
{
    qsort(each, (size_t)runs, sizeof *each, by_value);
    return each[runs / 2];
}

struct speed { double by_processor, by_clock; };

/* Million warp instructions per second of one launch. */
static struct speed speed(const struct stage *stage, void *symbol,
                          const struct arrays *x, int workers, unsigned checks)
{
    struct engine_config c = {.workers = workers, .checks = checks};
    engine_configure(engine, &c);
    double start = clock_of(CLOCK_PROCESS_CPUTIME_ID);
    stage->run(symbol, x);
    double spent = clock_of(CLOCK_PROCESS_CPUTIME_ID) - start;
    if (report.fault != FAULT_NONE || report.n_findings)
        die(stage->symbol, "fails on the simulator");
    double millions = (double)report.counters.warp_instructions / 1e6;
    return (struct speed){millions / spent, millions / report.seconds};
}

/* The same launch's instructions as plain loops: what is neither arithmetic in
 * floats nor an access to memory counts as an integer addition. */
static double plain_speed(void)
{
    const struct engine_counters *c = &report.counters;
    double all = (double)c->warp_instructions;
    double fma = (double)c->flops / 2 / PLAIN_LANES;
    double loads = (double)(c->global_load_requests + c->shared_load_requests);
    double stores =
        (double)(c->global_store_requests + c->shared_store_requests);
    double seconds = fma * plain[PLAIN_FMA] + loads * plain[PLAIN_LOAD] +
                     stores * plain[PLAIN_STORE] +
                     (all - fma - loads - stores) * plain[PLAIN_ADD];
    return all / 1e6 / seconds;
}

struct speeds { double counters, all, two_over_one, plain; };

/* One core and two in turns, so that what else the machine does in the
 * meantime meets both. */
static struct speeds speeds(const struct stage *stage, void *symbol,
                            const struct arrays *x)
{
    double counters[RUNS], all[RUNS], ratio[RUNS];
    for (int run = 0; run < runs; run++) {
        struct speed one = speed(stage, symbol, x, 1, CHECK_COUNTERS);
        counters[run] = one.by_processor;
        ratio[run] = 0;
        if (!once)
            ratio[run] = speed(stage, symbol, x, 2, CHECK_COUNTERS).by_clock /
                         one.by_clock;
        all[run] = speed(stage, symbol, x, 1, CHECK_ALL).by_processor;
    }
    return (struct speeds){median(counters), median(all), median(ratio),
                           plain_speed()};
}

/* n floats of 1. */
static uint64_t ones(size_t n)
{
    const uint32_t one = 0x3f800000;
    uint64_t address = engine_alloc(engine, n * sizeof one);
    if (!address ||
        engine_fill(engine, address, one, sizeof one, n) != MEM_OK)
        die("memory", "exhausted");
    return address;
}

static const struct stage *find_stage(void *so, void **symbol)
{
    for (size_t n = 0; n < sizeof stages / sizeof *stages; n++)
        if ((*symbol = dlsym(so, stages[n].symbol)))
            return &stages[n];
    return NULL;
}

static void print_row(const char *name, const struct speeds *x)
{
    double share = 100 * x->counters / x->plain;
    double share_all = 100 * x->all / x->plain;
    if (once)
        printf("%s %.4f %.4f %.4f %.4f\n", name, x->counters, x->all, share,
               share_all);
    else
        printf("%-22s %8.1f %8.1f %8.2f %8.1f%% %8.1f%%\n", name,
               x->counters, x->all, x->two_over_one, share, share_all);
    fflush(stdout);
}

static void print_head(void)
{
    printf("million warp instructions per second of a core, median of %d\n"
           "%-22s %8s %8s %8s %9s %9s\n%-22s %8s %8s %8s %9s %9s\n", RUNS,
           "", "counters", "all", "2 cores", "of plain:", "all",
           "", "", "checks", "over 1", "counters", "checks");
}

static void measure(char *argument)
{
    char *path = strchr(argument, '=');
    if (!path)
        die(argument, "expected NAME=STAGE.so");
    *path++ = 0;
    void *so = dlopen(path, RTLD_NOW | RTLD_LOCAL), *symbol = NULL;
    if (!so)
        die(path, dlerror());
    const struct stage *stage = find_stage(so, &symbol);
    if (!stage)
        die(path, "exports nothing that this program can call");
    struct arrays x = {ones(ARRAY), ones(ARRAY), ones(ARRAY)};
    struct speeds of = speeds(stage, symbol, &x);
    print_row(argument, &of);
}

/* Start ------------------------------------------------------------------ */

static void print_start(char *simgpu, char *program)
{
    char *const argv[] = {simgpu, program, NULL};
    double each[RUNS];
    for (int run = 0; run < RUNS; run++) {
        pid_t child;
        int status;
        double start = now();
        if (posix_spawn(&child, simgpu, NULL, NULL, argv, environ) ||
            waitpid(child, &status, 0) != child || status)
            die(program, "fails under simgpu");
        each[run] = 1e3 * (now() - start);
    }
    printf("a program of one empty kernel, start to end: %.0f ms\n",
           median(each));
}

static void print_processor(void)
{
    char line[256];
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "model name", 10) == 0) {
            printf("processor: %s", strchr(line, ':') + 2);
            break;
        }
    if (f)
        fclose(f);
    printf("cores: %ld\n", sysconf(_SC_NPROCESSORS_ONLN));
}

int main(int argc, char **argv)
{
    struct engine_config c = {.gpu = gpu_find("h200"), .workers = 1};
    int k = 1;
    if (k < argc && strcmp(argv[k], "--once") == 0) {
        once = true;
        runs = THRICE;
        k++;
    } else {
        print_processor();
    }
    if (k + 2 < argc && strcmp(argv[k], "--start") == 0) {
        print_start(argv[k + 1], argv[k + 2]);
        k += 3;
    }
    engine = engine_open(&c);
    if (!engine)
        die("engine", "cannot reserve memory");
    plain_measure(plain);
    if (!once)
        print_head();
    for (; k < argc; k++)
        measure(argv[k]);
    engine_report_free(&report);
    engine_close(engine);
    return 0;
}
