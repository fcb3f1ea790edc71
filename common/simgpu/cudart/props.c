// SPDX-License-Identifier: MIT
/*
 * props.c: the properties of the one device, number 0.
 *
 *   cudaGetDeviceCount, cudaGetDevice, cudaSetDevice, cudaInitDevice
 *   cudaGetDeviceProperties, cudaDeviceGetAttribute
 *   cudaDeviceSynchronize, cudaDeviceReset, cudaDeviceGetLimit, -SetLimit
 *   cudaDriverGetVersion, cudaRuntimeGetVersion, cudaProfilerStart, -Stop
 *
 * Figures come from gpu.c; those common to all GPUs from the CUDA Programming
 * Guide, "Technical Specifications per Compute Capability". Attributes are
 * read from cudaDeviceProp through one table, so that the two always agree.
 * Limits of features that are not simulated (textures) are zero.
 */
#include "runtime.h"

#include <cuda_profiler_api.h>
#include <stdio.h>
#include <string.h>

enum {
    WARP = 32,
    MAX_THREADS_BLOCK = 1024,
    MAX_BLOCK_Z = 64,
    MAX_GRID_YZ = 65535,
    CONST_BYTES = 65536,
    TEXTURE_ALIGNMENT = 512,
};

static cudaError_t check_device(int device)
{
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

static void describe(const struct gpu_model *gpu, struct cudaDeviceProp *p)
{
    *p = (struct cudaDeviceProp){
        .totalGlobalMem = gpu->memory_bytes,
        .sharedMemPerBlock = gpu->shared_block,
        .sharedMemPerBlockOptin = gpu->shared_block_optin,
        .sharedMemPerMultiprocessor = gpu->shared_sm,
        .reservedSharedMemPerBlock = gpu->shared_reserved,
        .regsPerBlock = gpu->registers_sm,
        .regsPerMultiprocessor = gpu->registers_sm,
        .warpSize = WARP,
        .memPitch = INT32_MAX,
        .maxThreadsPerBlock = MAX_THREADS_BLOCK,
        .maxThreadsDim = {MAX_THREADS_BLOCK, MAX_THREADS_BLOCK, MAX_BLOCK_Z},
        .maxGridSize = {INT32_MAX, MAX_GRID_YZ, MAX_GRID_YZ},
        .maxThreadsPerMultiProcessor = gpu->max_threads_sm,
        .maxBlocksPerMultiProcessor = gpu->max_blocks_sm,
        .totalConstMem = CONST_BYTES,
        .major = gpu->cc_major,
        .minor = gpu->cc_minor,
        .textureAlignment = TEXTURE_ALIGNMENT,
        .texturePitchAlignment = WARP,
        .surfaceAlignment = TEXTURE_ALIGNMENT,
        .multiProcessorCount = gpu->sms,
        .concurrentKernels = 1,
        .asyncEngineCount = 1,
        .unifiedAddressing = 1,
        .canMapHostMemory = 1,
        .managedMemory = 1,
        .concurrentManagedAccess = 1,
        .memoryBusWidth = gpu->bus_bits,
        .l2CacheSize = (int)gpu->l2_bytes,
        .streamPrioritiesSupported = 1,
        .cooperativeLaunch = 1,
        .globalL1CacheSupported = 1,
        .localL1CacheSupported = 1,
#if CUDART_VERSION >= 12000
        .memoryPoolsSupported = 1,
        .hostRegisterSupported = 1,
        .clusterLaunch = gpu->cc_major >= 9,
#endif
#if CUDART_VERSION < 13000
        .clockRate = gpu->clock_khz,
        .memoryClockRate = gpu->memory_clock_khz,
#endif
    };
    snprintf(p->name, sizeof p->name, "%s", gpu->name);
    snprintf(p->uuid.bytes, sizeof p->uuid.bytes, "simgpu-%s", gpu->key);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    cudaError_t error = prop ? check_device(device) : cudaErrorInvalidValue;
    const struct gpu_model *gpu = error ? NULL : rt_gpu(&error);
    if (gpu)
        describe(gpu, prop);
    return DONE(error);
}

/* CUDA 12's header renames the call to _v2, but its library exports 11's form
 * as well, whose struct is the start of 12's. */
#if CUDART_VERSION >= 12000 && CUDART_VERSION < 13000
#undef cudaGetDeviceProperties
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    struct cudaDeviceProp whole;
    cudaError_t error =
        cudaGetDeviceProperties_v2(prop ? &whole : NULL, device);
    if (error == cudaSuccess)
        memcpy(prop, &whole,
               offsetof(struct cudaDeviceProp, hostRegisterSupported));
    return error;
}
#endif

#define INT(attribute, field)                                                  \
    {cudaDevAttr##attribute, offsetof(struct cudaDeviceProp, field), false}
#define SIZE(attribute, field)                                                 \
    {cudaDevAttr##attribute, offsetof(struct cudaDeviceProp, field), true}

static const struct attribute {
    enum cudaDeviceAttr attribute;
    size_t offset;
    bool is_size; /* size_t; else int */
} attributes[] = {
    INT(MaxThreadsPerBlock, maxThreadsPerBlock),
    INT(MaxBlockDimX, maxThreadsDim[0]),
    INT(MaxBlockDimY, maxThreadsDim[1]),
    INT(MaxBlockDimZ, maxThreadsDim[2]),
    INT(MaxGridDimX, maxGridSize[0]),
    INT(MaxGridDimY, maxGridSize[1]),
    INT(MaxGridDimZ, maxGridSize[2]),
    SIZE(MaxSharedMemoryPerBlock, sharedMemPerBlock),
    SIZE(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin),
    SIZE(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor),
    SIZE(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock),
    SIZE(TotalConstantMemory, totalConstMem),
    INT(WarpSize, warpSize),
    SIZE(MaxPitch, memPitch),
    INT(MaxRegistersPerBlock, regsPerBlock),
    INT(MaxRegistersPerMultiprocessor, regsPerMultiprocessor),
    SIZE(TextureAlignment, textureAlignment),
    SIZE(TexturePitchAlignment, texturePitchAlignment),
    SIZE(SurfaceAlignment, surfaceAlignment),
    INT(GpuOverlap, asyncEngineCount),
    INT(AsyncEngineCount, asyncEngineCount),
    INT(MultiProcessorCount, multiProcessorCount),
    INT(Integrated, integrated),
    INT(CanMapHostMemory, canMapHostMemory),
    INT(ConcurrentKernels, concurrentKernels),
    INT(EccEnabled, ECCEnabled),
    INT(PciBusId, pciBusID),
    INT(PciDeviceId, pciDeviceID),
    INT(PciDomainId, pciDomainID),
    INT(TccDriver, tccDriver),
    INT(GlobalMemoryBusWidth, memoryBusWidth),
    INT(L2CacheSize, l2CacheSize),
    INT(MaxPersistingL2CacheSize, persistingL2CacheMaxSize),
    INT(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor),
    INT(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor),
    INT(UnifiedAddressing, unifiedAddressing),
    INT(ComputeCapabilityMajor, major),
    INT(ComputeCapabilityMinor, minor),
    INT(StreamPrioritiesSupported, streamPrioritiesSupported),
    INT(GlobalL1CacheSupported, globalL1CacheSupported),
    INT(LocalL1CacheSupported, localL1CacheSupported),
    INT(ManagedMemory, managedMemory),
    INT(IsMultiGpuBoard, isMultiGpuBoard),
    INT(MultiGpuBoardGroupID, multiGpuBoardGroupID),
    INT(HostNativeAtomicSupported, hostNativeAtomicSupported),
    INT(PageableMemoryAccess, pageableMemoryAccess),
    INT(ConcurrentManagedAccess, concurrentManagedAccess),
    INT(ComputePreemptionSupported, computePreemptionSupported),
    INT(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem),
    INT(CooperativeLaunch, cooperativeLaunch),
    INT(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost),
};

static cudaError_t read_attribute(const struct gpu_model *gpu,
                                  enum cudaDeviceAttr attr, int *value)
{
    struct cudaDeviceProp p;
    describe(gpu, &p);
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
        if (attributes[i].attribute != attr)
            continue;
        const char *field = (const char *)&p + attributes[i].offset;
        *value = attributes[i].is_size ? (int)*(const size_t *)field
                                       : *(const int *)field;
        return cudaSuccess;
    }
    switch ((int)attr) { /* not in every toolkit's cudaDeviceProp */
    case cudaDevAttrClockRate: *value = gpu->clock_khz; break;
    case cudaDevAttrMemoryClockRate: *value = gpu->memory_clock_khz; break;
    case cudaDevAttrComputeMode: *value = cudaComputeModeDefault; break;
    case cudaDevAttrKernelExecTimeout: *value = 0; break;
    case cudaDevAttrHostRegisterSupported: *value = 1; break;
    case cudaDevAttrMemoryPoolsSupported: *value = 1; break;
    case cudaDevAttrClusterLaunch: *value = gpu->cc_major >= 9; break;
    default:
        return rt_fail(cudaErrorInvalidValue,
                       "device attribute %d is not simulated", (int)attr);
    }
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr,
                                   int device)
{
    cudaError_t error = value ? check_device(device) : cudaErrorInvalidValue;
    const struct gpu_model *gpu = error ? NULL : rt_gpu(&error);
    return DONE(gpu ? read_attribute(gpu, attr, value) : error);
}

cudaError_t cudaGetDeviceCount(int *count)
{
    cudaError_t error;
    bool there = rt_gpu(&error) != NULL;
    *count = there ? 1 : 0;
    return DONE(there ? cudaSuccess : cudaErrorNoDevice);
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return DONE(cudaSuccess);
}

cudaError_t cudaSetDevice(int device)
{
    return DONE(check_device(device));
}

cudaError_t cudaInitDevice(int device, unsigned int deviceFlags,
                           unsigned int flags)
{
    cudaError_t error = check_device(device);
    (void)deviceFlags, (void)flags;
    if (error == cudaSuccess)
        rt_gpu(&error);
    return DONE(error);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    (void)flags; /* how to wait: we always block on the socket */
    return DONE(cudaSuccess);
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    *flags = cudaDeviceScheduleAuto;
    return DONE(cudaSuccess);
}

cudaError_t cudaDeviceSynchronize(void)
{
    cudaError_t error = rt_refuse_while_capturing();
    return DONE(error ? error : rt_wait(0));
}

cudaError_t cudaDeviceReset(void)
{
    struct simwire_header m = {.op = OP_RESET};
    cudaError_t error = rt_ask(&m, NULL, NULL, 0);
    if (error == cudaSuccess) {
        rt_set_sticky(cudaSuccess);
        rt_forget_modules();
        rt_unmap_all();
        rt_pools_reset();
    }
    return DONE(error);
}

cudaError_t cudaDeviceCanAccessPeer(int *canAccessPeer, int device,
                                    int peerDevice)
{
    *canAccessPeer = 0;
    cudaError_t error = check_device(device);
    return DONE(error ? error : check_device(peerDevice));
}

/* There is one device, and none is its own peer. */
cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags)
{
    (void)peerDevice;
    return DONE(flags ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int peerDevice)
{
    cudaError_t error = check_device(peerDevice);
    return DONE(error ? error : cudaErrorPeerAccessNotEnabled);
}

enum cudaFuncCache rt_device_cache = cudaFuncCachePreferNone;

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig)
{
    rt_device_cache = cacheConfig;
    return DONE(cudaSuccess);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *pCacheConfig)
{
    *pCacheConfig = rt_device_cache;
    return DONE(cudaSuccess);
}

/* Stored and returned. Only the heap's size has an effect: the device's stack
 * and printf buffer are larger than any limit here. */
static size_t limits[] = {
    [cudaLimitStackSize] = 1024,
    [cudaLimitPrintfFifoSize] = 1 << 20,
    [cudaLimitMallocHeapSize] = 8 << 20,
};
enum { N_LIMITS = sizeof limits / sizeof limits[0] };

cudaError_t cudaDeviceGetLimit(size_t *pValue, enum cudaLimit limit)
{
    if (!pValue)
        return DONE(cudaErrorInvalidValue);
    if ((size_t)limit >= N_LIMITS)
        return DONE(cudaErrorUnsupportedLimit);
    *pValue = limits[limit];
    return DONE(cudaSuccess);
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    if ((size_t)limit >= N_LIMITS)
        return DONE(cudaErrorInvalidValue);
    struct simwire_header m = {.op = OP_HEAP, .a = {value}};
    cudaError_t error = limit == cudaLimitMallocHeapSize
                            ? rt_ask(&m, NULL, NULL, 0) : cudaSuccess;
    if (error == cudaSuccess)
        limits[limit] = value;
    return DONE(error);
}

cudaError_t cudaDriverGetVersion(int *driverVersion)
{
    *driverVersion = CUDART_VERSION;
    return DONE(cudaSuccess);
}

cudaError_t cudaRuntimeGetVersion(int *runtimeVersion)
{
    *runtimeVersion = CUDART_VERSION;
    return DONE(cudaSuccess);
}

cudaError_t cudaProfilerStart(void)
{
    return DONE(cudaSuccess);
}

cudaError_t cudaProfilerStop(void)
{
    return DONE(cudaSuccess);
}
