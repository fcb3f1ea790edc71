// SPDX-License-Identifier: MIT
/*
 * code_calls.c: messages about kernels and variables.
 *
 *   reply_kernel, reply_symbol
 *   reply_launch, reply_dynamic_shared
 *   dev_accepts_launch   see device.h
 */
#include "reply.h"

#include <driver_types.h>
#include <stdlib.h>
#include <string.h>

static void *append(void **array, size_t *n, size_t size)
{
    void *grown = realloc(*array, (*n + 1) * size);
    if (!grown)
        return NULL;
    *array = grown;
    return (char *)grown + (*n)++ * size;
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
        .cluster = {info->cluster[0], info->cluster[1], info->cluster[2]},
        .needs_cluster = info->needs_cluster,
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

void reply_kernel(struct device *dev, const struct simwire_header *m,
                  const uint8_t *data, struct reply *reply)
{
    char name[SIMWIRE_MAX_NAME];
    struct module *module = module_of(dev, m);
    struct kernel *kernel = module && reply_name(m, data, name)
                                ? engine_kernel(module, name)
                                : NULL;
    if (!kernel) {
        reply_fail(reply, cudaErrorInvalidDeviceFunction,
                   "the program's PTX holds no such kernel%s", dev->no_ptx);
        return;
    }
    struct dev_kernel *slot =
        append((void **)&dev->kernels, &dev->n_kernels, sizeof *slot);
    const struct kernel_info *info = engine_kernel_info(kernel);
    if (!slot || !describe_kernel(info, reply)) {
        reply_full(reply);
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

void reply_symbol(struct device *dev, const struct simwire_header *m,
                  const uint8_t *data, struct reply *reply)
{
    char name[SIMWIRE_MAX_NAME];
    struct module *module = module_of(dev, m);
    size_t bytes = 0;
    if (module && reply_name(m, data, name))
        reply->head.a[0] = engine_symbol(module, name, &bytes);
    reply->head.a[1] = bytes;
    if (!reply->head.a[0])
        reply_fail(reply, cudaErrorInvalidSymbol,
                   "the program's PTX holds no such variable%s", dev->no_ptx);
}

bool dev_accepts_launch(const struct device *dev,
                        const struct simwire_header *m, const uint8_t *data)
{
    struct simwire_shape shape;
    if (m->a[0] >= dev->n_kernels || m->data < sizeof shape)
        return false;
    const struct dev_kernel *kernel = &dev->kernels[m->a[0]];
    memcpy(&shape, data, sizeof shape);
    return m->data - sizeof shape == kernel->info->param_bytes &&
           !dev_check_launch(dev, kernel, &shape, m->a[1], m->a[2]);
}

void reply_launch(struct device *dev, const struct simwire_header *m,
                  const uint8_t *data, struct reply *reply)
{
    struct simwire_shape shape;
    if (m->a[0] >= dev->n_kernels || m->data < sizeof shape) {
        reply_fail(reply, cudaErrorInvalidResourceHandle, "no such kernel");
        return;
    }
    const struct dev_kernel *kernel = &dev->kernels[m->a[0]];
    memcpy(&shape, data, sizeof shape);
    int error = dev_check_launch(dev, kernel, &shape, m->a[1], m->a[2]);
    if (m->data - sizeof shape != kernel->info->param_bytes)
        error = cudaErrorInvalidValue;
    reply->head.error = error;
    if (error == cudaErrorNotSupported)
        reply_fail(reply, error, "a cooperative launch of clusters, and a "
                   "grid that counts clusters, are not simulated");
    if (dev->fault)
        return;
    struct dev_launch *entry = dev_log_launch(&dev->log, kernel->info->name,
                                              &shape, m->a[1], error);
    entry->static_shared = kernel->info->static_shared;
    entry->allowed_shared = kernel->max_dynamic_shared;
    entry->stream = m->stream & UINT32_MAX;
    entry->graph = m->a[3] & ~SIMWIRE_REPLAY;
    entry->replayed = (m->a[3] & SIMWIRE_REPLAY) != 0;
    if (error) {
        dev_explain_refusal(dev, kernel, m->a[2], entry);
        return;
    }
    reply_begin(dev, m, kernel->info->name);
    dev->pending = entry;
    dev->pending_kernel = kernel->kernel;
    dev->pending_launch = (struct launch){.dynamic_shared = m->a[1],
                                          .params = data + sizeof shape,
                                          .cooperative = m->a[2] != 0,
                                          .dependent = shape.dependent != 0};
    memcpy(dev->pending_launch.grid, shape.grid, sizeof shape.grid);
    memcpy(dev->pending_launch.block, shape.block, sizeof shape.block);
    memcpy(dev->pending_launch.cluster, shape.cluster, sizeof shape.cluster);
}

void reply_dynamic_shared(struct device *dev, const struct simwire_header *m,
                  const uint8_t *data, struct reply *reply)
{
    (void)data;
    struct dev_kernel *kernel =
        m->a[0] < dev->n_kernels ? &dev->kernels[m->a[0]] : NULL;
    size_t most = dev->config.gpu->shared_block_optin;
    if (!kernel)
        reply_fail(reply, cudaErrorInvalidDeviceFunction, "no such kernel");
    else if (m->a[1] > most || kernel->info->static_shared > most - m->a[1])
        reply_fail(reply, cudaErrorInvalidValue,
                   "%llu bytes of dynamic shared memory beside %zu static "
                   "ones; a block of this GPU has %zu at most",
                   (unsigned long long)m->a[1],
                   kernel->info->static_shared, most);
    else
        kernel->max_dynamic_shared = m->a[1];
}

