// SPDX-License-Identifier: MIT
/*
 * module.c: modules, kernels and variables that nvcc's code registers before
 * main, loaded on demand.
 *
 *   __cudaRegister*                   called by constructors that nvcc writes
 *   __cudaInitModule                  before the use of __managed__ variables
 *   __cudaGetKernel                   a stub's handle
 *   rt_find_kernel, rt_find_symbol, rt_ptx_version, rt_forget_modules
 *                                     see runtime.h
 *
 * Registration only records addresses and names. A module is sent to the
 * device at the first use of something in it, so that a program that never
 * uses the GPU never starts one. Prototypes: crt/host_runtime.h.
 */
#include "runtime.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WRAPPER_MAGIC = 0x466243b1,
    FATBIN_MAGIC = (int)0xba55ed50u,
};

struct wrapper { /* fatBinaryCtl of nvcc's code */
    int magic, version;
    const void *data;
    const struct fatbin_header *const *units; /* of version 2, built with
                                                 -rdc=true: until NULL */
};
enum { LINKED_VERSION = 2 };

struct fatbin_header {
    int magic;
    uint16_t version, header_bytes;
    uint64_t bytes; /* after the header */
};

struct rt_module {
    struct rt_module *next;
    const struct wrapper *wrapper;
    unsigned epoch;                     /* of id and error; 0: not loaded */
    unsigned mapped;                    /* epoch of its __managed__ variables */
    uint64_t id;
    int ptx_version;
    cudaError_t error;
};

struct symbol {
    struct symbol *next;
    struct rt_module *module;
    const void *host;
    const char *name;
    bool managed;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct rt_module *modules;
static struct rt_kernel *kernels;
static struct symbol *symbols;
static unsigned epoch = 1; /* raised at each cudaDeviceReset */

void **__cudaRegisterFatBinary(void *fatCubin);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device,
                            const char *name, int thread_limit, uint3 *tid,
                            uint3 *bid, dim3 *block, dim3 *grid, int *warp);
void __cudaRegisterVar(void **handle, char *host, char *device,
                       const char *name, int ext, size_t size, int constant,
                       int global);
void __cudaRegisterManagedVar(void **handle, void **host, char *device,
                              const char *name, int ext, size_t size,
                              int constant, int global);
char __cudaInitModule(void **handle);
cudaError_t __cudaGetKernel(void **kernel, const void *function);

static void *take(size_t bytes)
{
    void *p = calloc(1, bytes);
    if (!p) {
        fputs("simgpu: out of memory before main\n", stderr);
        abort();
    }
    return p;
}

void **__cudaRegisterFatBinary(void *fatCubin)
{
    struct rt_module *module = take(sizeof *module);
    module->wrapper = fatCubin;
    pthread_mutex_lock(&lock);
    module->next = modules;
    modules = module;
    pthread_mutex_unlock(&lock);
    return (void **)module;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

/* A shared library is being unloaded: its addresses may be reused. */
void __cudaUnregisterFatBinary(void **handle)
{
    struct rt_module *module = (struct rt_module *)handle;
    pthread_mutex_lock(&lock);
    for (struct rt_kernel **k = &kernels; *k;) {
        struct rt_kernel *gone = *k;
        if (gone->module != module) {
            k = &gone->next;
            continue;
        }
        *k = gone->next;
        free(gone->params);
        free(gone);
    }
    for (struct symbol **s = &symbols; *s;) {
        struct symbol *gone = *s;
        if (gone->module != module) {
            s = &gone->next;
            continue;
        }
        *s = gone->next;
        free(gone);
    }
    struct rt_module **m = &modules;
    while (*m && *m != module)
        m = &(*m)->next;
    if (*m)
        *m = module->next;
    free(module);
    pthread_mutex_unlock(&lock);
}

void __cudaRegisterFunction(void **handle, const char *host, char *device,
                            const char *name, int thread_limit, uint3 *tid,
                            uint3 *bid, dim3 *block, dim3 *grid, int *warp)
{
    (void)device, (void)thread_limit, (void)tid, (void)bid, (void)block;
    (void)grid, (void)warp;
    struct rt_kernel *kernel = take(sizeof *kernel);
    kernel->module = (struct rt_module *)handle;
    kernel->host = host;
    kernel->name = name;
    pthread_mutex_lock(&lock);
    kernel->next = kernels;
    kernels = kernel;
    pthread_mutex_unlock(&lock);
}

static void add_symbol(void **handle, const void *host, const char *name,
                       bool managed)
{
    struct symbol *symbol = take(sizeof *symbol);
    symbol->module = (struct rt_module *)handle;
    symbol->host = host;
    symbol->name = name;
    symbol->managed = managed;
    pthread_mutex_lock(&lock);
    symbol->next = symbols;
    symbols = symbol;
    pthread_mutex_unlock(&lock);
}

void __cudaRegisterVar(void **handle, char *host, char *device,
                       const char *name, int ext, size_t size, int constant,
                       int global)
{
    (void)device, (void)ext, (void)size, (void)constant, (void)global;
    add_symbol(handle, host, name, false);
}

void __cudaRegisterManagedVar(void **handle, void **host, char *device,
                              const char *name, int ext, size_t size,
                              int constant, int global)
{
    (void)device, (void)ext, (void)size, (void)constant, (void)global;
    add_symbol(handle, host, name, true);
}

static size_t bytes_of(const struct fatbin_header *fatbin)
{
    return fatbin->magic == FATBIN_MAGIC
               ? fatbin->header_bytes + (size_t)fatbin->bytes : 0;
}

/* The units of a linked program, one behind the other: their PTX is linked by
 * the device, since nvcc's own link has machine code alone. */
static void *join_units(const struct fatbin_header *const *units, size_t *bytes)
{
    *bytes = 0;
    for (size_t i = 0; units[i]; i++)
        *bytes += bytes_of(units[i]);
    char *all = *bytes <= SIMWIRE_MAX_PAYLOAD ? malloc(*bytes + 1) : NULL;
    char *to = all;
    for (size_t i = 0; all && units[i]; i++) {
        memcpy(to, units[i], bytes_of(units[i]));
        to += bytes_of(units[i]);
    }
    return all;
}

static cudaError_t send_code(const struct wrapper *w, struct simwire_header *m)
{
    const void *code = w->data;
    void *joined = NULL;
    size_t bytes = 0;
    if (w->magic == WRAPPER_MAGIC && w->version == LINKED_VERSION && w->units)
        code = joined = join_units(w->units, &bytes);
    else if (w->magic == WRAPPER_MAGIC)
        bytes = bytes_of(code);
    m->data = bytes;
    cudaError_t error =
        bytes && code && bytes <= SIMWIRE_MAX_PAYLOAD
            ? rt_ask(m, code, NULL, 0)
            : rt_fail(cudaErrorInvalidKernelImage, "the program's device code "
                      "is no fat binary we know, or too large");
    free(joined);
    return error;
}

static cudaError_t load(struct rt_module *module)
{
    struct simwire_header m = {.op = OP_LOAD};
    cudaError_t error = send_code(module->wrapper, &m);
    if (error && *rt_why()) /* else: no device, already reported */
        fprintf(stderr, "simgpu: cannot load the program's kernels: %s\n",
                rt_why());
    module->id = m.a[0];
    module->ptx_version = (int)m.a[1];
    return error;
}

static cudaError_t ensure_module(struct rt_module *module)
{
    if (module->epoch != epoch) {
        module->error = load(module);
        module->epoch = epoch;
    }
    return module->error;
}

/* The host's code reaches a __managed__ variable through *host. */
static cudaError_t map_managed(const struct symbol *s)
{
    struct simwire_header m = {.op = OP_SYMBOL, .a = {s->module->id},
                               .data = strlen(s->name)};
    cudaError_t error = rt_ask(&m, s->name, NULL, 0);
    if (error == cudaSuccess)
        error = rt_map(m.a[0], RT_MANAGED);
    if (error == cudaSuccess)
        *(void **)(uintptr_t)s->host = (void *)(uintptr_t)m.a[0];
    return error;
}

/* nvcc's code calls this before it uses a __managed__ variable. */
char __cudaInitModule(void **handle)
{
    struct rt_module *module = (struct rt_module *)handle;
    pthread_mutex_lock(&lock);
    cudaError_t error = ensure_module(module);
    bool mapped = module->mapped == epoch;
    for (struct symbol *s = symbols; s && !error && !mapped; s = s->next)
        if (s->managed && s->module == module)
            error = map_managed(s);
    module->mapped = epoch;
    pthread_mutex_unlock(&lock);
    if (error) {
        fprintf(stderr, "simgpu: no __managed__ variables: %s\n", rt_why());
        exit(EXIT_FAILURE);
    }
    return 1;
}

static cudaError_t load_kernel(struct rt_kernel *kernel)
{
    static char answer[sizeof(struct simwire_kernel) +
                       SIMWIRE_MAX_PARAM_BYTES * sizeof(struct simwire_param)];
    cudaError_t error = ensure_module(kernel->module);
    struct simwire_header m = {.op = OP_KERNEL, .a = {kernel->module->id},
                               .data = strlen(kernel->name)};
    if (error == cudaSuccess)
        error = rt_ask(&m, kernel->name, answer, sizeof answer);
    if (error)
        return error;
    memcpy(&kernel->info, answer, sizeof kernel->info);
    size_t bytes = kernel->info.n_params * sizeof *kernel->params;
    free(kernel->params);
    kernel->params = malloc(bytes + 1);
    if (!kernel->params)
        return cudaErrorMemoryAllocation;
    memcpy(kernel->params, answer + sizeof kernel->info, bytes);
    kernel->id = m.a[0];
    kernel->max_dynamic = 0;
    kernel->carveout = 0;
    kernel->cache = cudaFuncCachePreferNone;
    kernel->epoch = epoch;
    return cudaSuccess;
}

cudaError_t rt_find_kernel(const void *function, struct rt_kernel **kernel)
{
    cudaError_t error = cudaSuccess;
    pthread_mutex_lock(&lock);
    struct rt_kernel *k = kernels;
    while (k && k->host != function && k != function)
        k = k->next;
    if (!k && rt_sticky()) /* a thread may launch while another one exits */
        error = rt_sticky();
    else if (!k)
        error = rt_fail(CUDART_VERSION >= 13000
                            ? cudaErrorInvalidResourceHandle
                            : cudaErrorInvalidDeviceFunction,
                        "not a kernel of this program");
    else if (k->epoch != epoch)
        error = load_kernel(k);
    *kernel = k;
    pthread_mutex_unlock(&lock);
    return error;
}

cudaError_t rt_find_symbol(const void *variable, uint64_t *address,
                           size_t *bytes)
{
    pthread_mutex_lock(&lock);
    struct symbol *s = symbols;
    while (s && s->host != variable &&
           !(s->managed && *(void *const *)s->host == variable))
        s = s->next;
    cudaError_t error = cudaErrorInvalidSymbol;
    if (s)
        error = ensure_module(s->module);
    else
        rt_fail(error, "not a __device__ or __constant__ variable");
    if (error == cudaSuccess) {
        struct simwire_header m = {.op = OP_SYMBOL, .a = {s->module->id},
                                   .data = strlen(s->name)};
        error = rt_ask(&m, s->name, NULL, 0);
        *address = m.a[0];
        *bytes = m.a[1];
    }
    pthread_mutex_unlock(&lock);
    return error;
}

int rt_ptx_version(const struct rt_kernel *kernel)
{
    return kernel->module->ptx_version;
}

void rt_forget_modules(void)
{
    pthread_mutex_lock(&lock);
    epoch++;
    pthread_mutex_unlock(&lock);
}

/* The handle is our struct rt_kernel; its module is loaded at the launch. */
cudaError_t __cudaGetKernel(void **kernel, const void *function)
{
    pthread_mutex_lock(&lock);
    struct rt_kernel *k = kernels;
    while (k && k->host != function)
        k = k->next;
    pthread_mutex_unlock(&lock);
    *kernel = k;
    return DONE(k ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
