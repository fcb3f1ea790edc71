// SPDX-License-Identifier: MIT
/*
 * fake_cudart.c: a libcudart for tests of the runner, without any device.
 *
 * Device memory is host memory, a launch is a function call, and an event is
 * a reading of the clock. Built twice: with FAKE_SIMULATED it also exports the
 * marker by which the runner tells the simulated runtime from NVIDIA's.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cuda_runtime_api.h>

static cudaError_t pending; /* what cudaGetLastError takes */
static cudaError_t fault;   /* sticky, met at the next synchronisation */

#ifdef FAKE_SIMULATED
int simgpu_is_simulated(void);
int simgpu_is_simulated(void)
{
    return 1;
}
#endif

/* Called by a stage to fail as a device would. */
void fake_launch_error(cudaError_t error);
void fake_launch_error(cudaError_t error)
{
    pending = error;
}

void fake_fault(cudaError_t error);
void fake_fault(cudaError_t error)
{
    fault = error;
}

static double deferred; /* seconds of work that no event sees */

void fake_defer(double seconds);
void fake_defer(double seconds)
{
    deferred += seconds;
}

static void do_deferred(void)
{
    struct timespec rest = {0, (long)(deferred * 1e9)};

    if (deferred > 0)
        nanosleep(&rest, NULL);
    deferred = 0;
}

cudaError_t cudaMalloc(void **at, size_t bytes)
{
    *at = aligned_alloc(256, (bytes + 255) / 256 * 256);
    return *at ? fault : cudaErrorMemoryAllocation;
}

cudaError_t cudaFree(void *at)
{
    free(at);
    return fault;
}

cudaError_t cudaMemset(void *at, int value, size_t n)
{
    memset(at, value, n);
    return fault;
}

cudaError_t cudaMemsetAsync(void *at, int value, size_t n, cudaStream_t s)
{
    (void)s;
    return cudaMemset(at, value, n);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t n,
                       enum cudaMemcpyKind kind)
{
    (void)kind;
    memcpy(to, from, n);
    return fault;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n,
                            enum cudaMemcpyKind kind, cudaStream_t s)
{
    (void)s;
    return cudaMemcpy(to, from, n, kind);
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = pending;

    pending = cudaSuccess;
    return error;
}

const char *cudaGetErrorName(cudaError_t error)
{
    return error == cudaErrorInvalidConfiguration
               ? "cudaErrorInvalidConfiguration"
           : error == cudaErrorIllegalAddress ? "cudaErrorIllegalAddress"
           : error == cudaErrorNotSupported   ? "cudaErrorNotSupported"
                                              : "cudaErrorOther";
}

const char *cudaGetErrorString(cudaError_t error)
{
    (void)error;
    return "as the test asked";
}

cudaError_t cudaSetDevice(int device)
{
    (void)device;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags)
{
    (void)flags;
    *s = malloc(1);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t s)
{
    (void)s;
    return fault;
}

cudaError_t cudaDeviceSynchronize(void)
{
    do_deferred();
    return fault;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    (void)device;
    memset(p, 0, sizeof *p);
    strcpy(p->name, "Fake\033[31mTesla T4");
    p->major = 7;
    p->minor = 5;
    p->l2CacheSize = 1 << 20;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr which,
                                   int device)
{
    (void)which, (void)device;
    *value = 1;
    return cudaSuccess;
}

/* An event is the time at which it was recorded. */
cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    *event = malloc(sizeof(struct timespec));
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t s)
{
    (void)s;
    clock_gettime(CLOCK_MONOTONIC, (struct timespec *)(void *)event);
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t begin, cudaEvent_t end)
{
    const struct timespec *a = (void *)begin, *b = (void *)end;

    *ms = (float)((double)(b->tv_sec - a->tv_sec) * 1e3 +
                  (double)(b->tv_nsec - a->tv_nsec) * 1e-6);
    return cudaSuccess;
}
