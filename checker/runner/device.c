// SPDX-License-Identifier: MIT
/*
 * device.c: opens the device that a runner uses.
 *
 *   device_open    creates the stream; describes the device in the reply
 *
 * The stream does not synchronise with the default stream, so that work that a
 * stage puts there by mistake is neither timed nor waited for.
 */
#include "runner.h"

#include <stdio.h>

static int attribute(enum cudaDeviceAttr which)
{
    int value = 0;

    cudaDeviceGetAttribute(&value, which, 0);
    return value;
}

bool device_open(struct runner *r, struct wire_reply *reply)
{
    static struct cudaDeviceProp properties;
    struct wire_device *d = &reply->u.device;
    cudaError_t error = cudaSetDevice(0);

    if (error == cudaSuccess && !r->stream)
        error = cudaStreamCreateWithFlags(&r->stream, cudaStreamNonBlocking);
    if (error == cudaSuccess)
        error = cudaGetDeviceProperties(&properties, 0);
    if (error != cudaSuccess)
        return runner_fail_cuda(reply, WIRE_DEVICE_FAILED, error,
                                "opening the device");
    snprintf(d->name, sizeof d->name, "%.*s",
             (int)sizeof d->name - 1, properties.name);
    d->cc_major = properties.major;
    d->cc_minor = properties.minor;
    d->sms = properties.multiProcessorCount;
    d->memory_bytes = properties.totalGlobalMem;
    r->l2_bytes = d->l2_bytes = (uint64_t)properties.l2CacheSize;
    r->most_pitch = properties.memPitch;
    if (r->simulated)
        return true;
    snprintf(d->pci, sizeof d->pci, "%04x:%02x:%02x.0",
             attribute(cudaDevAttrPciDomainId), attribute(cudaDevAttrPciBusId),
             attribute(cudaDevAttrPciDeviceId));
    return true;
}
