// SPDX-License-Identifier: MIT
/*
 * launch.c: from <<<>>> to the device.
 *
 *   __cudaPushCallConfiguration, __cudaPopCallConfiguration   of <<<>>>
 *   __cudaLaunchKernel (13), cudaLaunchKernel (11, 12), cudaLaunchKernelExC,
 *   cudaLaunchCooperativeKernel
 *   cudaFuncGetAttributes, cudaFuncSetAttribute, cudaFuncSetCacheConfig
 *
 * The device checks the configuration (device/launch.c); this file packs the
 * arguments into the parameter block that the PTX describes.
 */
#include "runtime.h"

#include <string.h>

enum {
    /* How deep <<<>>> nests: arguments may launch kernels themselves. */
    MAX_NESTED = 16,
    /* Per thread. PTX does not say how many the machine code will use. */
    ASSUMED_REGISTERS = 32,
    MAX_THREADS_BLOCK = 1024,
};

struct configuration {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
};

static _Thread_local struct configuration pushed[MAX_NESTED];
static _Thread_local int n_pushed;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                     struct CUstream_st *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
                                       void *stream);
cudaError_t __cudaLaunchKernel(void *kernel, dim3 grid, dim3 block,
                               void **args, size_t shared,
                               cudaStream_t stream);

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                     struct CUstream_st *stream)
{
    if (n_pushed == MAX_NESTED)
        return 1; /* the stub is not called */
    pushed[n_pushed++] = (struct configuration){grid, block, shared, stream};
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
                                       void *stream)
{
    if (n_pushed == 0)
        return DONE(cudaErrorMissingConfiguration);
    struct configuration c = pushed[--n_pushed];
    *grid = c.grid;
    *block = c.block;
    *shared = c.shared;
    *(cudaStream_t *)stream = c.stream;
    return cudaSuccess;
}

struct launch_message {
    struct simwire_shape shape;
    uint8_t params[SIMWIRE_MAX_PARAM_BYTES];
};

/* Packs the parameter block that the PTX describes. */
static bool gather(const struct rt_kernel *kernel, void **args,
                   uint8_t params[SIMWIRE_MAX_PARAM_BYTES])
{
    if (kernel->info.param_bytes > SIMWIRE_MAX_PARAM_BYTES)
        return false;
    memset(params, 0, kernel->info.param_bytes);
    for (uint32_t i = 0; i < kernel->info.n_params; i++) {
        struct simwire_param p = kernel->params[i];
        if (!args || !args[i] || p.bytes > kernel->info.param_bytes ||
            p.offset > kernel->info.param_bytes - p.bytes)
            return false;
        memcpy(params + p.offset, args[i], p.bytes);
    }
    return true;
}

/* How many of its blocks the whole GPU holds at once. */
static cudaError_t resident_blocks(const struct rt_launch *l, uint64_t *n)
{
    const uint32_t *block = l->shape.block;
    int on_sm = 0;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    cudaError_t error;
    const struct gpu_model *gpu = rt_gpu(&error);
    if (gpu && threads > 0 && threads <= MAX_THREADS_BLOCK)
        error = rt_occupancy(l->function, (int)threads, l->shared, &on_sm);
    *n = gpu && on_sm > 0 ? (uint64_t)on_sm * (uint64_t)gpu->sms : 1;
    return error;
}

/* The kernel may read the target of an earlier copy to mapped memory. */
static void finish_copies_for(const struct rt_launch *l)
{
    void *p;
    for (size_t at = 0; rt_has_deferred() && at + sizeof p <= l->param_bytes;
         at += sizeof p) {
        memcpy(&p, l->params + at, sizeof p);
        if (rt_mapped(p))
            rt_finish_copies();
    }
}

cudaError_t rt_do_launch(const struct rt_launch *l, uint64_t on)
{
    struct rt_kernel *kernel;
    struct launch_message message = {.shape = l->shape};
    uint64_t resident = 0;
    cudaError_t error = rt_find_kernel(l->function, &kernel);
    if (!error && l->cooperative)
        error = resident_blocks(l, &resident);
    if (error)
        return error;
    finish_copies_for(l);
    memcpy(message.params, l->params, l->param_bytes);
    struct simwire_header m = {
        .op = OP_LAUNCH,
        .stream = on,
        .a = {kernel->id, l->shared, resident, rt_in_graph()},
        .data = sizeof message.shape + l->param_bytes,
    };
    return rt_ask(&m, &message, NULL, 0);
}

cudaError_t rt_pack_launch(struct rt_launch *l, const void *function,
                           dim3 grid, dim3 block, void **args, size_t shared,
                           uint8_t params[SIMWIRE_MAX_PARAM_BYTES])
{
    struct rt_kernel *kernel;
    cudaError_t error = rt_find_kernel(function, &kernel);
    if (error)
        return error;
    if (!gather(kernel, args, params))
        return cudaErrorInvalidValue;
    *l = (struct rt_launch){
        .function = function,
        .shape = {.grid = {grid.x, grid.y, grid.z},
                  .block = {block.x, block.y, block.z},
                  .cluster = {kernel->cluster[0], kernel->cluster[1],
                              kernel->cluster[2]},
                  .non_portable = kernel->non_portable},
        .shared = shared,
        .param_bytes = kernel->info.param_bytes,
        .params = params,
    };
    return cudaSuccess;
}

/* The device has logged a launch that it refused. */
static cudaError_t launch(const void *function, dim3 grid, dim3 block,
                          void **args, size_t shared, cudaStream_t stream,
                          bool cooperative, const dim3 *cluster,
                          bool dependent)
{
    uint8_t params[SIMWIRE_MAX_PARAM_BYTES];
    struct rt_work work = {.kind = RT_LAUNCH};
    cudaError_t error = rt_pack_launch(&work.launch, function, grid, block,
                                       args, shared, params);
    if (error || !rt_is_stream(stream))
        return rt_done("cudaLaunchKernel",
                       error ? error : cudaErrorInvalidResourceHandle);
    work.launch.cooperative = cooperative;
    work.launch.shape.dependent = dependent;
    if (cluster) {
        work.launch.shape.cluster[0] = cluster->x;
        work.launch.shape.cluster[1] = cluster->y;
        work.launch.shape.cluster[2] = cluster->z;
    }
    error = rt_submit(&work, stream);
    if (error && !rt_is_sticky(error))
        rt_note_refused();
    return rt_remember(error);
}

cudaError_t __cudaLaunchKernel(void *kernel, dim3 grid, dim3 block,
                               void **args, size_t shared,
                               cudaStream_t stream)
{
    return launch(kernel, grid, block, args, shared, stream, false, NULL,
                  false);
}

cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim,
                             void **args, size_t sharedMem,
                             cudaStream_t stream)
{
    return launch(func, gridDim, blockDim, args, sharedMem, stream, false,
                  NULL, false);
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim,
                                        dim3 blockDim, void **args,
                                        size_t sharedMem, cudaStream_t stream)
{
    return launch(func, gridDim, blockDim, args, sharedMem, stream, true, NULL,
                  false);
}

/* Beside those that are simulated, attributes that do not change what a kernel
 * computes are accepted. */
static bool attribute_is_known(const cudaLaunchAttribute *a)
{
    return a->id == cudaLaunchAttributeIgnore ||
           a->id == cudaLaunchAttributeClusterDimension ||
           a->id == cudaLaunchAttributeClusterSchedulingPolicyPreference ||
           a->id == cudaLaunchAttributePriority ||
           a->id == cudaLaunchAttributeAccessPolicyWindow ||
           a->id == cudaLaunchAttributeProgrammaticStreamSerialization ||
           a->id == cudaLaunchAttributeCooperative;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                const void *func, void **args)
{
    bool cooperative = false, dependent = false;
    dim3 cluster, *given = NULL;
    if (!config)
        return DONE(cudaErrorInvalidValue);
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute *a = &config->attrs[i];
        if (!attribute_is_known(a))
            return DONE(rt_fail(cudaErrorNotSupported,
                                "launch attribute %d is not simulated",
                                (int)a->id));
        if (a->id == cudaLaunchAttributeClusterDimension) {
            cluster = (dim3){a->val.clusterDim.x, a->val.clusterDim.y,
                             a->val.clusterDim.z};
            given = &cluster;
        }
        cooperative |= a->id == cudaLaunchAttributeCooperative &&
                       a->val.cooperative;
        dependent |=
            a->id == cudaLaunchAttributeProgrammaticStreamSerialization &&
            a->val.programmaticStreamSerializationAllowed;
    }
    return launch(func, config->gridDim, config->blockDim, args,
                  config->dynamicSmemBytes, config->stream, cooperative,
                  given, dependent);
}

/* The symbol cudaGetKernel: CUDA 11 declares neither the call nor its type. */
cudaError_t rt_get_kernel(void **handle, const void *function)
    __asm__("cudaGetKernel");

cudaError_t rt_get_kernel(void **handle, const void *function)
{
    struct rt_kernel *kernel;
    cudaError_t error = rt_find_kernel(function, &kernel);
    *handle = kernel;
    return rt_done("cudaGetKernel", error);
}

static size_t default_dynamic(const struct gpu_model *gpu,
                              const struct rt_kernel *kernel)
{
    size_t used = kernel->info.static_shared;
    return used < gpu->shared_block ? gpu->shared_block - used : 0;
}

/* In 11 the attributes have no such members. */
#if CUDART_VERSION >= 12000
static void describe_clusters(struct cudaFuncAttributes *attr,
                              const struct rt_kernel *kernel)
{
    const uint32_t *by_code = kernel->info.cluster;
    const uint32_t *of = by_code[0] ? by_code : kernel->cluster;
    attr->clusterDimMustBeSet = kernel->info.needs_cluster != 0;
    attr->requiredClusterWidth = (int)of[0];
    attr->requiredClusterHeight = (int)of[1];
    attr->requiredClusterDepth = (int)of[2];
    attr->nonPortableClusterSizeAllowed = kernel->non_portable;
}
#else
#define describe_clusters(attr, kernel) ((void)0)
#endif

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr,
                                  const void *func)
{
    struct rt_kernel *kernel;
    cudaError_t error = rt_find_kernel(func, &kernel);
    const struct gpu_model *gpu = error ? NULL : rt_gpu(&error);
    if (!gpu)
        return DONE(error);
    int cc = gpu->cc_major * 10 + gpu->cc_minor;
    *attr = (struct cudaFuncAttributes){
        .sharedSizeBytes = kernel->info.static_shared,
        .constSizeBytes = kernel->info.const_bytes,
        .localSizeBytes = kernel->info.local_bytes,
        .maxThreadsPerBlock = kernel->info.max_threads
                                  ? (int)kernel->info.max_threads
                                  : MAX_THREADS_BLOCK,
        .numRegs = ASSUMED_REGISTERS,
        .ptxVersion = rt_ptx_version(kernel),
        .binaryVersion = cc,
        .maxDynamicSharedSizeBytes =
            (int)(kernel->max_dynamic ? kernel->max_dynamic
                                      : default_dynamic(gpu, kernel)),
        .preferredShmemCarveout = kernel->carveout - 1,
    };
    describe_clusters(attr, kernel);
    return DONE(cudaSuccess);
}

static cudaError_t set_dynamic(struct rt_kernel *kernel, int bytes)
{
    struct simwire_header m = {.op = OP_DYNAMIC_SHARED,
                               .a = {kernel->id, (uint64_t)bytes}};
    cudaError_t error =
        bytes < 0 ? cudaErrorInvalidValue : rt_ask(&m, NULL, NULL, 0);
    if (error == cudaSuccess)
        kernel->max_dynamic = (size_t)bytes;
    return error;
}

/* What the code says cannot be set. */
static cudaError_t set_cluster(struct rt_kernel *kernel, int axis, int blocks)
{
    if (kernel->info.cluster[0])
        return cudaErrorInvalidValue;
    if (blocks < 0)
        return cudaErrorInvalidValue;
    kernel->cluster[axis] = (uint32_t)blocks;
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr,
                                 int value)
{
    struct rt_kernel *kernel;
    cudaError_t error = rt_find_kernel(func, &kernel);
    if (error)
        return DONE(error);
    switch (attr) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
        return DONE(set_dynamic(kernel, value));
    case cudaFuncAttributePreferredSharedMemoryCarveout:
        if (value < -1 || value > 100)
            return DONE(cudaErrorInvalidValue);
        kernel->carveout = value + 1;
        return DONE(cudaSuccess);
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
        kernel->non_portable = value != 0;
        return DONE(value == 0 || value == 1 ? cudaSuccess
                                             : cudaErrorInvalidValue);
    case cudaFuncAttributeRequiredClusterWidth:
    case cudaFuncAttributeRequiredClusterHeight:
    case cudaFuncAttributeRequiredClusterDepth:
        return DONE(set_cluster(
            kernel, (int)attr - cudaFuncAttributeRequiredClusterWidth, value));
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
        return DONE(cudaSuccess);
    default:
        return DONE(rt_fail(cudaErrorNotSupported,
                            "function attribute %d is not simulated",
                            (int)attr));
    }
}

cudaError_t cudaFuncSetCacheConfig(const void *func,
                                   enum cudaFuncCache cacheConfig)
{
    struct rt_kernel *kernel;
    cudaError_t error = rt_find_kernel(func, &kernel);
    if (!error)
        kernel->cache = cacheConfig;
    return DONE(error);
}
