// SPDX-License-Identifier: MIT
/*
 * launch.c: refuses a launch as a GPU does, or runs it.
 *
 *   dev_check_launch   the configuration's error, before anything runs
 *   dev_run            runs the launch that was accepted
 *
 * Limits are the CUDA Programming Guide's, "Technical Specifications per
 * Compute Capability"; they are the same for every GPU of gpu.c. Errors are
 * those that NVIDIA's runtime returns: cudaErrorInvalidValue for too much
 * shared memory; for a block or grid beyond the limits the same since 13.0,
 * and cudaErrorInvalidConfiguration before; cudaErrorInvalidClusterSize for
 * clusters that the kernel or the GPU does not allow.
 */
#include "device.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_THREADS_BLOCK = 1024,
    CLUSTER_PORTABLE = 8, CLUSTER_NON_PORTABLE = 16, /* blocks */
    /* More blocks than any GPU holds at once: 32 on each of 192 SMs. */
    MAX_RESIDENT = 6144,
    /* Bytes kept until the program synchronises; the rest is dropped, and a
     * line says so. */
    MAX_TEXT = 16 << 20,
};

static const int bad_shape = CUDART_VERSION >= 13000
                                 ? cudaErrorInvalidValue
                                 : cudaErrorInvalidConfiguration;
static const uint32_t max_grid[3] = {INT32_MAX, 65535, 65535};
static const uint32_t max_block[3] = {1024, 1024, 64};

static bool shape_fits(const struct simwire_shape *shape)
{
    for (int i = 0; i < 3; i++) {
        if (shape->grid[i] == 0 || shape->grid[i] > max_grid[i] ||
            shape->block[i] == 0 || shape->block[i] > max_block[i])
            return false;
    }
    return shape->block[0] * shape->block[1] * shape->block[2] <=
           MAX_THREADS_BLOCK;
}

static bool any(const uint32_t v[3])
{
    return v[0] || v[1] || v[2];
}

/* Of the launch, or else of the kernel: both must agree, and divide the
 * grid. */
static int check_cluster(const struct device *dev,
                         const struct kernel_info *info,
                         const struct simwire_shape *shape, bool cooperative)
{
    const uint32_t *mine = any(shape->cluster) ? shape->cluster : info->cluster;
    uint64_t blocks = 1;
    bool fits = true;
    if (info->blocks_are_clusters)
        return cudaErrorNotSupported;
    if (!any(mine))
        return info->needs_cluster ? cudaErrorInvalidClusterSize : cudaSuccess;
    for (int axis = 0; axis < 3; axis++) {
        uint32_t n = mine[axis];
        fits &= n && n <= CLUSTER_NON_PORTABLE && shape->grid[axis] % n == 0 &&
                (!any(info->cluster) || info->cluster[axis] == n);
        blocks *= n;
    }
    if (!fits || blocks > (shape->non_portable ? CLUSTER_NON_PORTABLE
                                               : CLUSTER_PORTABLE) ||
        (info->max_cluster && blocks > info->max_cluster))
        return cudaErrorInvalidClusterSize;
    if (blocks > 1 && dev->config.gpu->cc_major < 9)
        return cudaErrorInvalidClusterSize;
    return blocks > 1 && cooperative ? cudaErrorNotSupported : cudaSuccess;
}

int dev_check_launch(const struct device *dev, const struct dev_kernel *kernel,
                     const struct simwire_shape *shape, size_t dynamic_shared,
                     uint64_t resident)
{
    if (dev->fault)
        return dev->fault;
    if (!shape_fits(shape))
        return bad_shape;
    uint32_t threads = shape->block[0] * shape->block[1] * shape->block[2];
    if (kernel->info->maxntid && threads > kernel->info->maxntid)
        return cudaErrorInvalidValue;
    if (dynamic_shared > kernel->max_dynamic_shared)
        return cudaErrorInvalidValue;
    uint64_t blocks = (uint64_t)shape->grid[0] * shape->grid[1] *
                      shape->grid[2];
    if (resident && (blocks > resident || blocks > MAX_RESIDENT))
        return cudaErrorCooperativeLaunchTooLarge;
    return check_cluster(dev, kernel->info, shape, resident != 0);
}

int dev_error_of(enum engine_fault fault)
{
    static const int table[] = {
        [FAULT_NONE] = cudaSuccess,
        [FAULT_ADDRESS] = cudaErrorIllegalAddress,
        [FAULT_MISALIGNED] = cudaErrorMisalignedAddress,
        [FAULT_ASSERT] = cudaErrorAssert,
        [FAULT_TRAP] = cudaErrorLaunchFailure,
        [FAULT_BUDGET] = cudaErrorLaunchTimeout,
        [FAULT_DEADLOCK] = cudaErrorLaunchTimeout,
        [FAULT_STACK] = cudaErrorHardwareStackError,
        [FAULT_FOOTPRINT] = cudaErrorMemoryAllocation,
        [FAULT_BARRIER] = cudaErrorLaunchFailure,
        [FAULT_ILLEGAL] = cudaErrorIllegalInstruction,
        [FAULT_UNSUPPORTED] = cudaErrorNotSupported,
    };
    return table[fault];
}

void dev_keep_text(struct device *dev, const char *text, size_t n)
{
    static const char dropped[] =
        "\nsimgpu: device printf beyond 16 MiB between two syncs dropped\n";
    if (dev->text_full)
        return;
    char *grown = realloc(dev->text, dev->text_bytes + n + sizeof dropped);
    if (!grown)
        return;
    dev->text = grown;
    dev->text_full = n > MAX_TEXT - dev->text_bytes;
    if (dev->text_full) {
        text = dropped;
        n = sizeof dropped - 1;
    }
    memcpy(grown + dev->text_bytes, text, n);
    dev->text_bytes += n;
}

void dev_run(struct device *dev)
{
    struct dev_launch *entry = dev->pending;
    char *text = NULL;
    size_t n = 0;
    dev->pending = NULL;
    dev->pending_launch.out = open_memstream(&text, &n);
    if (!dev->pending_launch.out) {
        dev->fault = entry->error = cudaErrorMemoryAllocation;
        return;
    }
    dev_observe_apply(&dev->observe, entry->kernel, &dev->pending_launch);
    engine_launch(dev->engine, dev->pending_kernel, &dev->pending_launch,
                  &entry->report);
    entry->ran = true;
    dev_observe_held(dev, entry->report.traffic);
    dev_explain_findings(dev, &entry->report);
    fclose(dev->pending_launch.out);
    dev_keep_text(dev, text, n);
    free(text);
    dev->fault = dev_error_of(entry->report.fault);
}
