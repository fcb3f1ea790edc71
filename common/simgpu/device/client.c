// SPDX-License-Identifier: MIT
/*
 * client.c: messages of libcudart -> calls of the engine.
 *
 *   dev_open, dev_close   the device's state
 *   dev_serve             does one message and answers it
 *
 * The client is not trusted: every index, size and name of a message is
 * checked here or by the engine. The one hard idea: a launch is answered
 * before it runs, so that the program goes on as it would beside a real GPU;
 * whatever the program asks next waits its turn in the socket.
 */
#include "device.h"

#include "../ptx/fatbin.h"

#include <driver_types.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_MESSAGE = 512 };

struct reply {
    struct simwire_header head;
    const void *text, *data;
    void *owned;              /* freed after sending */
    int descriptor;           /* sent behind it; 0: none */
    char message[MAX_MESSAGE]; /* data of an error */
};

bool dev_open(struct device *dev, const struct engine_config *config)
{
    *dev = (struct device){.config = *config,
                           .engine = engine_open(config)};
    return dev->engine != NULL;
}

void dev_close(struct device *dev)
{
    dev_log_clear(&dev->log);
    free(dev->text);
    free(dev->kernels);
    free(dev->modules);
    engine_close(dev->engine);
}

__attribute__((format(printf, 3, 4))) static void
fail(struct reply *reply, int error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(reply->message, sizeof reply->message, format, args);
    va_end(args);
    reply->head.error = error;
    reply->head.data = strlen(reply->message);
    reply->data = reply->message;
}

/* A name that arrived as bytes: NUL-terminated into name. */
static bool read_name(const struct simwire_header *m, const uint8_t *data,
                      char name[SIMWIRE_MAX_NAME])
{
    if (m->data == 0 || m->data >= SIMWIRE_MAX_NAME)
        return false;
    memcpy(name, data, m->data);
    name[m->data] = '\0';
    return true;
}

static void *append(void **array, size_t *n, size_t size)
{
    void *grown = realloc(*array, (*n + 1) * size);
    if (!grown)
        return NULL;
    *array = grown;
    return (char *)grown + (*n)++ * size;
}

static void say_hello(struct device *dev, const struct simwire_header *m,
                      const uint8_t *data, struct reply *reply)
{
    (void)m, (void)data;
    struct simwire_hello *hello = calloc(1, sizeof *hello);
    if (!hello) {
        fail(reply, cudaErrorMemoryAllocation, "this machine's memory is full");
        return;
    }
    snprintf(hello->gpu, sizeof hello->gpu, "%s", dev->config.gpu->key);
    reply->data = reply->owned = hello;
    reply->head.data = sizeof *hello;
}

/* "sm_75" -> 75 */
static uint64_t target_version(const char *target)
{
    const char *digits = target ? strpbrk(target, "0123456789") : NULL;
    return digits ? strtoull(digits, NULL, 10) : 0;
}

static void load(struct device *dev, const struct simwire_header *m,
                 const uint8_t *data, struct reply *reply)
{
    char why[MAX_MESSAGE] = "";
    size_t n = 0;
    const struct gpu_model *gpu = dev->config.gpu;
    char *text = fatbin_ptx(data, m->data, gpu->cc_major * 10 + gpu->cc_minor,
                            &n, why, sizeof why);
    if (!text) {
        fail(reply, cudaErrorNoKernelImageForDevice, "%s", why);
        return;
    }
    struct ptx_module *ptx = ptx_read(text, n, why, sizeof why);
    struct module *module =
        ptx ? engine_load(dev->engine, ptx, why, sizeof why) : NULL;
    struct module **slot =
        module ? append((void **)&dev->modules, &dev->n_modules, sizeof *slot)
               : NULL;
    if (slot) {
        *slot = module;
        reply->head.a[0] = dev->n_modules - 1;
        reply->head.a[1] = target_version(ptx->target);
    } else {
        fail(reply, cudaErrorInvalidPtx, "%s", why);
    }
    if (ptx)
        ptx_free(ptx);
    free(text);
}

static struct module *module_of(struct device *dev,
                                const struct simwire_header *m)
{
    return m->a[0] < dev->n_modules ? dev->modules[m->a[0]] : NULL;
}

/* Reply data: struct simwire_kernel, then its parameters. */
static bool describe_kernel(const struct kernel_info *info, struct reply *reply)
{
    size_t bytes = sizeof(struct simwire_kernel) +
                   info->n_params * sizeof(struct simwire_param);
    struct simwire_kernel *k = calloc(1, bytes);
    if (!k)
        return false;
    *k = (struct simwire_kernel){
        .static_shared = info->static_shared,
        .local_bytes = info->local_bytes,
        .const_bytes = info->const_bytes,
        .param_bytes = info->param_bytes,
        .max_threads = info->maxntid,
        .n_params = (uint32_t)info->n_params,
    };
    struct simwire_param *param = (struct simwire_param *)(k + 1);
    for (size_t i = 0; i < info->n_params; i++) {
        param[i].offset = (uint32_t)info->param_offset[i];
        param[i].bytes = (uint32_t)info->param_size[i];
    }
    reply->data = reply->owned = k;
    reply->head.data = bytes;
    return true;
}

static void find_kernel(struct device *dev, const struct simwire_header *m,
                        const uint8_t *data, struct reply *reply)
{
    char name[SIMWIRE_MAX_NAME];
    struct module *module = module_of(dev, m);
    struct kernel *kernel = module && read_name(m, data, name)
                                ? engine_kernel(module, name)
                                : NULL;
    if (!kernel) {
        fail(reply, cudaErrorInvalidDeviceFunction,
             "the program's PTX holds no such kernel");
        return;
    }
    struct dev_kernel *slot =
        append((void **)&dev->kernels, &dev->n_kernels, sizeof *slot);
    const struct kernel_info *info = engine_kernel_info(kernel);
    if (!slot || !describe_kernel(info, reply)) {
        fail(reply, cudaErrorMemoryAllocation, "this machine's memory is full");
        return;
    }
    size_t room = dev->config.gpu->shared_block;
    *slot = (struct dev_kernel){
        .kernel = kernel,
        .info = info,
        .max_dynamic_shared =
            info->static_shared < room ? room - info->static_shared : 0,
    };
    reply->head.a[0] = dev->n_kernels - 1;
}

static void find_symbol(struct device *dev, const struct simwire_header *m,
                        const uint8_t *data, struct reply *reply)
{
    char name[SIMWIRE_MAX_NAME];
    struct module *module = module_of(dev, m);
    size_t bytes = 0;
    if (module && read_name(m, data, name))
        reply->head.a[0] = engine_symbol(module, name, &bytes);
    reply->head.a[1] = bytes;
    if (!reply->head.a[0])
        fail(reply, cudaErrorInvalidSymbol,
             "the program's PTX holds no such variable");
}

static void allocate(struct device *dev, const struct simwire_header *m,
                     const uint8_t *data, struct reply *reply)
{
    (void)data;
    reply->head.a[0] = engine_alloc(dev->engine, m->a[0]);
    if (!reply->head.a[0])
        fail(reply, cudaErrorMemoryAllocation,
             "%llu bytes asked for, %zu are free",
             (unsigned long long)m->a[0], engine_memory_free(dev->engine));
}

static void allocate_shared(struct device *dev, const struct simwire_header *m,
                            const uint8_t *data, struct reply *reply)
{
    (void)data;
    reply->head.a[0] = engine_alloc_shared(
        dev->engine, m->a[0],
        m->a[1] ? ALLOCATION_PINNED : ALLOCATION_MANAGED);
    if (!reply->head.a[0])
        fail(reply, cudaErrorMemoryAllocation,
             "%llu bytes asked for, %zu are free",
             (unsigned long long)m->a[0], engine_memory_free(dev->engine));
}

/* The allocation that holds address (end excluded), live ones first. */
static const struct allocation *locate(const struct device *dev,
                                       uint64_t address)
{
    const struct allocation *list, *dead = NULL;
    size_t n = engine_allocations(dev->engine, &list);
    for (size_t i = 0; i < n; i++) {
        if (address - list[i].address >= list[i].bytes)
            continue;
        if (list[i].live)
            return &list[i];
        dead = &list[i];
    }
    return dead;
}

/* Says what an address that a call refused is. */
static void fail_address(struct device *dev, struct reply *reply,
                         uint64_t address, uint64_t bytes)
{
    const struct allocation *a = locate(dev, address);
    if (!address)
        fail(reply, cudaErrorInvalidValue,
             "a null pointer where device memory belongs: not allocated?");
    else if (!a)
        fail(reply, cudaErrorInvalidValue,
             "0x%llx is not an address of the device",
             (unsigned long long)address);
    else if (!a->live)
        fail(reply, cudaErrorInvalidValue,
             "0x%llx was freed (allocation %lld, %zu bytes)",
             (unsigned long long)address, (long long)a->id, a->bytes);
    else
        fail(reply, cudaErrorInvalidValue,
             "%llu bytes from offset %llu of allocation %lld, which has %zu",
             (unsigned long long)bytes,
             (unsigned long long)(address - a->address), (long long)a->id,
             a->bytes);
}

static void map_pages(struct device *dev, const struct simwire_header *m,
                      const uint8_t *data, struct reply *reply)
{
    (void)data;
    const struct allocation *a = locate(dev, m->a[0]);
    if (!a || !a->pages) {
        fail(reply, cudaErrorInvalidValue, "not in memory that both share");
        return;
    }
    reply->head.a[0] = a->address;
    reply->head.a[1] = a->bytes;
    reply->descriptor = a->pages;
}

static void release(struct device *dev, const struct simwire_header *m,
                    const uint8_t *data, struct reply *reply)
{
    (void)data;
    enum mem_status status = engine_free(dev->engine, m->a[0]);
    const struct allocation *a = locate(dev, m->a[0]);
    if (status == MEM_DOUBLE_FREE)
        fail(reply, cudaErrorInvalidValue,
             "allocation %lld (%zu bytes) is already free",
             (long long)(a ? a->id : 0), a ? a->bytes : 0);
    else if (status != MEM_OK)
        fail(reply, cudaErrorInvalidValue, "0x%llx is not the start of an "
             "allocation", (unsigned long long)m->a[0]);
}

static void write_memory(struct device *dev, const struct simwire_header *m,
                         const uint8_t *data, struct reply *reply)
{
    if (engine_write(dev->engine, m->a[0], data, m->data) != MEM_OK)
        fail_address(dev, reply, m->a[0], m->data);
}

static void read_memory(struct device *dev, const struct simwire_header *m,
                        const uint8_t *data, struct reply *reply)
{
    (void)data;
    size_t n = m->a[1];
    void *bytes = n <= SIMWIRE_MAX_PAYLOAD ? malloc(n + 1) : NULL;
    if (!bytes) {
        fail(reply, cudaErrorMemoryAllocation, "this machine's memory is full");
    } else if (engine_read(dev->engine, bytes, m->a[0], n) != MEM_OK) {
        free(bytes);
        fail_address(dev, reply, m->a[0], n);
    } else {
        reply->data = reply->owned = bytes;
        reply->head.data = n;
    }
}

static void copy_memory(struct device *dev, const struct simwire_header *m,
                        const uint8_t *data, struct reply *reply)
{
    (void)data;
    if (engine_copy(dev->engine, m->a[0], m->a[1], m->a[2]) == MEM_OK)
        return;
    const struct allocation *from = locate(dev, m->a[1]);
    bool from_ok = from && from->live &&
                   m->a[2] <= from->bytes - (m->a[1] - from->address);
    fail_address(dev, reply, m->a[from_ok ? 0 : 1], m->a[2]);
}

static void fill_memory(struct device *dev, const struct simwire_header *m,
                        const uint8_t *data, struct reply *reply)
{
    (void)data;
    int width = (int)m->a[2];
    if (width != 1 && width != 2 && width != 4)
        fail(reply, cudaErrorInvalidValue, "memset of %d-byte values", width);
    else if (m->a[3] > SIZE_MAX / (size_t)width ||
             engine_fill(dev->engine, m->a[0], (uint32_t)m->a[1], width,
                         m->a[3]) != MEM_OK)
        fail_address(dev, reply, m->a[0], m->a[3] * (uint64_t)width);
}

static void say_where(struct device *dev, const struct simwire_header *m,
                      const uint8_t *data, struct reply *reply)
{
    (void)data;
    const struct allocation *a = locate(dev, m->a[0]);
    if (!a || !a->live)
        return;
    reply->head.a[0] = (uint64_t)a->id;
    reply->head.a[1] = a->address;
    reply->head.a[2] = a->bytes;
}

static void launch(struct device *dev, const struct simwire_header *m,
                   const uint8_t *data, struct reply *reply)
{
    struct simwire_shape shape;
    if (m->a[0] >= dev->n_kernels || m->data < sizeof shape) {
        fail(reply, cudaErrorInvalidResourceHandle, "no such kernel");
        return;
    }
    const struct dev_kernel *kernel = &dev->kernels[m->a[0]];
    memcpy(&shape, data, sizeof shape);
    int error = dev_check_launch(dev, kernel, &shape, m->a[1], m->a[3]);
    if (m->data - sizeof shape != kernel->info->param_bytes)
        error = cudaErrorInvalidValue;
    reply->head.error = error;
    if (dev->fault)
        return;
    struct dev_launch *entry = dev_log_launch(&dev->log, kernel->info->name,
                                              &shape, m->a[1], error);
    entry->stream = m->a[2];
    if (error)
        return;
    dev->pending = entry;
    dev->pending_kernel = kernel->kernel;
    dev->pending_launch = (struct launch){.dynamic_shared = m->a[1],
                                          .params = data + sizeof shape,
                                          .cooperative = m->a[3] != 0};
    memcpy(dev->pending_launch.grid, shape.grid, sizeof shape.grid);
    memcpy(dev->pending_launch.block, shape.block, sizeof shape.block);
}

static void set_shared(struct device *dev, const struct simwire_header *m,
                       const uint8_t *data, struct reply *reply)
{
    (void)data;
    struct dev_kernel *kernel =
        m->a[0] < dev->n_kernels ? &dev->kernels[m->a[0]] : NULL;
    size_t most = dev->config.gpu->shared_block_optin;
    if (!kernel)
        fail(reply, cudaErrorInvalidDeviceFunction, "no such kernel");
    else if (m->a[1] > most || kernel->info->static_shared > most - m->a[1])
        fail(reply, cudaErrorInvalidValue,
             "%llu bytes of dynamic shared memory beside %zu static ones; a "
             "block of this GPU has %zu at most", (unsigned long long)m->a[1],
             kernel->info->static_shared, most);
    else
        kernel->max_dynamic_shared = m->a[1];
}

static void collect(struct device *dev, const struct simwire_header *m,
                    const uint8_t *data, struct reply *reply)
{
    (void)dev, (void)m, (void)data, (void)reply; /* dev_serve does it all */
}

static void say_time(struct device *dev, const struct simwire_header *m,
                     const uint8_t *data, struct reply *reply)
{
    (void)dev, (void)m, (void)data;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    reply->head.a[0] =
        (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void say_memory(struct device *dev, const struct simwire_header *m,
                       const uint8_t *data, struct reply *reply)
{
    (void)m, (void)data;
    reply->head.a[0] = engine_memory_free(dev->engine);
}

static void reset(struct device *dev, const struct simwire_header *m,
                  const uint8_t *data, struct reply *reply)
{
    (void)m, (void)data, (void)reply;
    const struct allocation *list;
    for (size_t i = 0; i < engine_allocations(dev->engine, &list); i++)
        if (list[i].live && !list[i].module)
            engine_free(dev->engine, list[i].address);
    dev->fault = 0;
}

/* data: the call's name, NUL, the detail. */
static void note(struct device *dev, const struct simwire_header *m,
                 const uint8_t *data, struct reply *reply)
{
    (void)reply;
    char text[SIMWIRE_MAX_NAME];
    if (!read_name(m, data, text))
        return;
    size_t call = strlen(text);
    dev_log_api_error(&dev->log, text, (int)m->a[0],
                      call < m->data ? text + call + 1 : "");
}

static void say_bye(struct device *dev, const struct simwire_header *m,
                    const uint8_t *data, struct reply *reply)
{
    (void)m, (void)data, (void)reply;
    if (dev->bye)
        dev->bye(dev);
}

/* waits: it is a point where a real device's faults and printf surface. */
static const struct operation {
    void (*serve)(struct device *dev, const struct simwire_header *m,
                  const uint8_t *data, struct reply *reply);
    bool waits, silent;
} operations[N_SIMWIRE_OPS] = {
    [OP_HELLO] = {.serve = say_hello},
    [OP_LOAD] = {.serve = load},
    [OP_KERNEL] = {.serve = find_kernel},
    [OP_SYMBOL] = {.serve = find_symbol},
    [OP_ALLOC] = {.serve = allocate, .waits = true},
    [OP_SHARE] = {.serve = allocate_shared, .waits = true},
    [OP_MAP] = {.serve = map_pages},
    [OP_FREE] = {.serve = release, .waits = true},
    [OP_WRITE] = {.serve = write_memory, .waits = true},
    [OP_READ] = {.serve = read_memory, .waits = true},
    [OP_COPY] = {.serve = copy_memory, .waits = true},
    [OP_FILL] = {.serve = fill_memory, .waits = true},
    [OP_LOCATE] = {.serve = say_where},
    [OP_LAUNCH] = {.serve = launch},
    [OP_SHARED] = {.serve = set_shared, .waits = true},
    [OP_SYNC] = {.serve = collect, .waits = true},
    [OP_TIME] = {.serve = say_time, .waits = true},
    [OP_MEMORY] = {.serve = say_memory, .waits = true},
    [OP_RESET] = {.serve = reset},
    [OP_NOTE] = {.serve = note, .silent = true},
    [OP_BYE] = {.serve = say_bye},
};

bool dev_serve(struct device *dev, int fd, struct simwire_header *message,
               const uint8_t *data)
{
    const struct operation *op = &operations[message->op];
    struct reply reply = {.head = {.op = message->op}};
    bool collects = op->waits || message->op == OP_RESET;
    dev->log.calls[message->op]++;
    if (op->waits && dev->fault)
        reply.head.error = dev->fault;
    else
        op->serve(dev, message, data, &reply);
    if (op->silent)
        return true;
    reply.head.sticky = dev->fault != 0;
    if (collects) {
        reply.text = dev->text;
        reply.head.text = dev->text_bytes;
    }
    bool sent = simwire_send(fd, &reply.head, reply.text, reply.data) &&
                (!reply.descriptor || simwire_send_fd(fd, reply.descriptor));
    free(reply.owned);
    if (collects) {
        dev->text_bytes = 0;
        dev->text_full = false;
    }
    return sent;
}
