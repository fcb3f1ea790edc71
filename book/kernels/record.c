// SPDX-License-Identifier: MIT
/*
 * record.c: what a stage's launcher asks of a GPU, for shapes that a reader of
 * the book may choose, as JSON. A page has no host code: it repeats this.
 *
 *   record STAGE.so STAGE.ptx OPERATOR SHAPE...
 *
 * {"SHAPE": {"arrays": [[name, role, type, bytes], …, ["workspace", …]],
 *   "calls": [{"kernel": mangled, "grid": […], "block": […],
 *              "cluster": […] (if given), "shared": bytes, "params": hex,
 *              "points": [[at, array, offset], …]},
 *             {"memset": array, "offset": …, "bytes": …, "value": …}]}}
 *
 * Arrays count from 1. The hard idea: this program's own cudaLaunchKernel and
 * its kin come before those of libcudart, for the dynamic linker; they write
 * down a launch and run nothing. Arrays have addresses far apart, where nothing
 * is, so that a word of the parameters that lies in one of them is a pointer.
 */
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "op/op.h"
#include "simgpu/core/engine.h"
#include "simgpu/page/text.h"

enum { MOST_FUNCTIONS = 64, MOST_ARRAYS = OP_MAX_BUFFERS + 1 };

static struct { const void *host; char *name; } functions[MOST_FUNCTIONS];
static struct { void *kernel; const void *host; } handles[MOST_FUNCTIONS];
static int n_functions, n_handles;
static struct { uint64_t address; size_t bytes; } arrays[MOST_ARRAYS];
static int n_arrays;
static struct module *module;

static _Noreturn void die(const char *what, const char *which)
{
    fprintf(stderr, "record: %s: %s\n", what, which);
    exit(1);
}

static void *next(const char *name)
{
    void *f = dlsym(RTLD_NEXT, name);
    if (!f)
        die("libcudart lacks", name);
    return f;
}

/* The number of the array, or 0. Its end is an address of it, too. */
static int array_at(uint64_t address, uint64_t *offset)
{
    for (int k = 0; k < n_arrays; k++) {
        *offset = address - arrays[k].address;
        if (arrays[k].bytes && *offset <= arrays[k].bytes)
            return k + 1;
    }
    return 0;
}

static void number(const char *key, uint64_t n)
{
    text_key(key);
    text_number((int64_t)n);
}

static void write_params(const struct kernel_info *info, void **args)
{
    uint8_t *block = calloc(info->param_bytes + 8, 1);
    char *hex = calloc(2 * info->param_bytes + 1, 1);
    uint64_t word, offset;
    if (!block || !hex)
        abort();
    for (size_t k = 0; k < info->n_params; k++)
        memcpy(block + info->param_offset[k], args[k], info->param_size[k]);
    for (size_t k = 0; k < info->param_bytes; k++)
        sprintf(hex + 2 * k, "%02x", block[k]);
    text_key("params");
    text_string(hex);
    text_key("points");
    text_array();
    for (size_t at = 0; at + 8 <= info->param_bytes; at += 8) {
        memcpy(&word, block + at, 8);
        int array = array_at(word, &offset);
        if (!array)
            continue;
        text_array();
        text_number((int64_t)at);
        text_number(array);
        text_number((int64_t)offset);
        text_array_end();
    }
    text_array_end();
    free(hex);
    free(block);
}

static void write_extent(const char *key, dim3 n)
{
    text_key(key);
    text_array();
    text_number(n.x);
    text_number(n.y);
    text_number(n.z);
    text_array_end();
}

/* cluster: all 0, as the kernel says. */
static void write_launch(const char *name, dim3 grid, dim3 block, dim3 cluster,
                         void **args, size_t shared)
{
    struct kernel *kernel = engine_kernel(module, name);
    if (!kernel)
        die("no such kernel in the PTX", name);
    text_object();
    text_key("kernel");
    text_string(name);
    write_extent("grid", grid);
    write_extent("block", block);
    if (cluster.x)
        write_extent("cluster", cluster);
    number("shared", shared);
    write_params(engine_kernel_info(kernel), args);
    text_object_end();
}

static const char *name_of(const void *function)
{
    for (int k = 0; k < n_handles; k++)
        if (handles[k].kernel == function)
            function = handles[k].host;
    for (int k = 0; k < n_functions; k++)
        if (functions[k].host == function)
            return functions[k].name;
    die("a launch of no kernel that was registered", "");
}

/* In libcudart's place ---------------------------------------------------- */

void __cudaRegisterFunction(void **module_of, const char *host, char *device,
                            const char *name, int limit, uint3 *tid, uint3 *bid,
                            dim3 *block, dim3 *grid, int *warp);
cudaError_t __cudaGetKernel(void **kernel, const void *host);
cudaError_t __cudaLaunchKernel(void *kernel, dim3 grid, dim3 block, void **args,
                               size_t shared, cudaStream_t stream);

void __cudaRegisterFunction(void **module_of, const char *host, char *device,
                            const char *name, int limit, uint3 *tid, uint3 *bid,
                            dim3 *block, dim3 *grid, int *warp)
{
    void (*then)(void **, const char *, char *, const char *, int, uint3 *,
                 uint3 *, dim3 *, dim3 *, int *);
    *(void **)&then = next("__cudaRegisterFunction");
    if (n_functions == MOST_FUNCTIONS)
        die("too many kernels", name);
    functions[n_functions].host = host;
    functions[n_functions++].name = strdup(name);
    then(module_of, host, device, name, limit, tid, bid, block, grid, warp);
}

cudaError_t __cudaGetKernel(void **kernel, const void *host)
{
    cudaError_t (*then)(void **, const void *);
    *(void **)&then = next("__cudaGetKernel");
    cudaError_t error = then(kernel, host);
    if (n_handles == MOST_FUNCTIONS)
        die("too many kernels", "");
    handles[n_handles].kernel = *kernel;
    handles[n_handles++].host = host;
    return error;
}

cudaError_t __cudaLaunchKernel(void *kernel, dim3 grid, dim3 block, void **args,
                               size_t shared, cudaStream_t stream)
{
    (void)stream;
    write_launch(name_of(kernel), grid, block, (dim3){0, 0, 0}, args, shared);
    return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block,
                             void **args, size_t shared, cudaStream_t stream)
{
    (void)stream;
    write_launch(name_of(function), grid, block, (dim3){0, 0, 0}, args,
                 shared);
    return cudaSuccess;
}

/* Of a launch's attributes, a page can repeat a cluster's size. */
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                const void *function, void **args)
{
    dim3 cluster = {0, 0, 0};
    for (unsigned k = 0; k < config->numAttrs; k++) {
        const cudaLaunchAttribute *a = &config->attrs[k];
        if (a->id != cudaLaunchAttributeClusterDimension)
            die("a launch with attributes cannot be repeated by a page",
                name_of(function));
        cluster = (dim3){a->val.clusterDim.x, a->val.clusterDim.y,
                         a->val.clusterDim.z};
    }
    write_launch(name_of(function), config->gridDim, config->blockDim, cluster,
                 args, config->dynamicSmemBytes);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *at, int value, size_t bytes,
                            cudaStream_t stream)
{
    uint64_t offset;
    int array = array_at((uint64_t)(uintptr_t)at, &offset);
    (void)stream;
    if (!array)
        die("a memset of no array", "");
    text_object();
    number("memset", (uint64_t)array);
    number("offset", offset);
    number("bytes", bytes);
    number("value", (uint64_t)(value & 0xff));
    text_object_end();
    return cudaSuccess;
}

/* ------------------------------------------------------------------------- */

static void add_array(const char *name, const char *role, const char *type,
                      size_t bytes)
{
    /* 4 GiB each. No two sizes of a shape, beside each other in a parameter,
     * look like such an address. */
    const uint64_t first = 0x15eed00ull << 32;
    arrays[n_arrays].address = first + ((uint64_t)n_arrays << 32);
    arrays[n_arrays++].bytes = bytes;
    text_array();
    text_string(name);
    text_string(role);
    text_string(type);
    text_number((int64_t)bytes);
    text_array_end();
}

static void record(const struct op *op, void *stage, const char *text)
{
    static const char *const roles[] = {"input", "output", "inout"};
    struct op_shape shape;
    void *at[OP_MAX_BUFFERS] = {NULL};
    const char *error = op_parse_shape(op, text, &shape);
    if (error)
        die(error, text);
    struct op_problem problem = op_timed(op, &shape, 1);
    n_arrays = 0;
    text_object();
    text_key("arrays");
    text_array();
    for (int k = 0; k < op->n_buffers; k++) {
        const struct op_buffer *b = &op->buffers[k];
        add_array(b->name, roles[b->role], type_row[b->type].name,
                  op_bytes(op, k, &shape));
        at[k] = (void *)(uintptr_t)arrays[k].address;
    }
    void *query = op->workspace ? dlsym(stage, op->workspace) : NULL;
    size_t extra = query ? op->query(query, &shape) : 0;
    if (extra)
        add_array("workspace", "output", "fp32", extra);
    text_array_end();
    text_key("calls");
    text_array();
    void *launcher = dlsym(stage, op->launcher);
    if (!launcher)
        die("the stage does not export", op->launcher);
    if (op->launch(launcher, at, &problem,
                   extra ? (void *)(uintptr_t)arrays[n_arrays - 1].address
                         : NULL, NULL) != cudaSuccess)
        die("the launcher refuses", text);
    text_array_end();
    text_object_end();
}

static char *file_text(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    long bytes;
    if (!f || fseek(f, 0, SEEK_END) || (bytes = ftell(f)) < 0)
        die("cannot read", path);
    rewind(f);
    *n = (size_t)bytes;
    text = malloc(*n + 1);
    if (!text || fread(text, 1, *n, f) != *n)
        die("cannot read", path);
    text[*n] = '\0';
    fclose(f);
    return text;
}

static void load(const char *path)
{
    const struct engine_config config = {.gpu = gpu_find("h200"),
                                         .memory_bytes = 64 << 20,
                                         .workers = 1};
    char error[256] = "";
    size_t n;
    char *text = file_text(path, &n);
    struct engine *engine = engine_open(&config);
    struct ptx_module *ptx = ptx_read(text, n, error, sizeof error);
    module = engine && ptx ? engine_load(engine, ptx, error, sizeof error)
                           : NULL;
    if (!module)
        die(path, error);
}

int main(int argc, char **argv)
{
    if (argc < 5)
        die("usage", "record STAGE.so STAGE.ptx OPERATOR SHAPE...");
    void *stage = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    const struct op *op = op_find(argv[3]);
    if (!stage)
        die(argv[1], dlerror());
    if (!op)
        die("no such operator", argv[3]);
    load(argv[2]);
    text_begin();
    text_object();
    for (int k = 4; k < argc; k++) {
        text_key(argv[k]);
        record(op, stage, argv[k]);
    }
    text_object_end();
    puts(text_end());
    return 0;
}
