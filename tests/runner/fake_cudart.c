// SPDX-License-Identifier: MIT
/*
 * fake_cudart.c: a libcudart for tests of the runner, without any device.
 *
 * Device memory is host memory, a launch is a function call, and an event is
 * a reading of the clock. Memory that is shared with another process becomes a
 * file beside this library, until the other has mapped it. Built twice: with
 * FAKE_SIMULATED it also exports the marker by which the runner tells the
 * simulated runtime from NVIDIA's.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <cuda_runtime_api.h>

enum { MOST_PITCH = 64 << 10 }; /* as a GPU has, but met sooner */

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

static time_t advanced; /* seconds that only events see */

void fake_advance(int seconds);
void fake_advance(int seconds)
{
    advanced += seconds;
}

/* Whoever has memory mapped keeps what was in it, as on a GPU. */
enum { MOST_BLOCKS = 64 };

static struct block {
    void *at;
    size_t bytes;
} block[MOST_BLOCKS];

static struct block *block_at(const void *at)
{
    for (int i = 0; i < MOST_BLOCKS; i++)
        if (block[i].at == at)
            return &block[i];
    return NULL;
}

static cudaError_t keep(struct block *b, void *at, size_t bytes)
{
    if (!b || at == MAP_FAILED)
        return cudaErrorMemoryAllocation;
    *b = (struct block){at, bytes};
    return fault;
}

cudaError_t cudaMalloc(void **at, size_t bytes)
{
    *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return keep(block_at(NULL), *at, bytes);
}

cudaError_t cudaFree(void *at)
{
    struct block *b = at ? block_at(at) : NULL;

    if (at && !b)
        return cudaErrorInvalidValue;
    if (b) {
        munmap(b->at, b->bytes);
        *b = (struct block){NULL, 0};
    }
    return fault;
}

/* What a handle says. */
struct shared {
    int pid, number;
    size_t bytes;
};

static int open_shared(const struct shared *s, int flags, char path[PATH_MAX])
{
    Dl_info here;

    dladdr((void *)open_shared, &here);
    snprintf(path, PATH_MAX, "%s.%d.%d", here.dli_fname, s->pid, s->number);
    return open(path, O_RDWR | flags, 0600);
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *at)
{
    static struct shared s;
    struct block *b = block_at(at);
    char path[PATH_MAX];
    int fd;

    s = (struct shared){(int)getpid(), s.number + 1, b ? b->bytes : 0};
    fd = open_shared(&s, O_CREAT | O_EXCL, path);
    if (!b || fd < 0 || write(fd, at, s.bytes) != (ssize_t)s.bytes ||
        mmap(at, s.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
             0) == MAP_FAILED)
        return cudaErrorInvalidValue;
    close(fd);
    memcpy(handle, &s, sizeof s);
    return cudaSuccess;
}

cudaError_t cudaIpcOpenMemHandle(void **at, cudaIpcMemHandle_t handle,
                                 unsigned flags)
{
    char path[PATH_MAX];
    struct shared s;
    int fd;

    (void)flags;
    memcpy(&s, &handle, sizeof s);
    fd = open_shared(&s, 0, path);
    if (fd < 0)
        return cudaErrorInvalidValue;
    unlink(path);
    *at = mmap(NULL, s.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return keep(block_at(NULL), *at, s.bytes);
}

cudaError_t cudaIpcCloseMemHandle(void *at)
{
    return cudaFree(at);
}

cudaError_t cudaMemset2DAsync(void *at, size_t pitch, int value, size_t width,
                              size_t height, cudaStream_t s)
{
    (void)s;
    if (pitch > MOST_PITCH)
        return cudaErrorInvalidValue;
    for (size_t row = 0; row < height; row++)
        memset((char *)at + row * pitch, value, width);
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
    p->totalGlobalMem = 32 << 20;
    p->memPitch = MOST_PITCH;
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
    struct timespec *now = (void *)event;

    (void)s;
    clock_gettime(CLOCK_MONOTONIC, now);
    now->tv_sec += advanced;
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t begin, cudaEvent_t end)
{
    const struct timespec *a = (void *)begin, *b = (void *)end;

    *ms = (float)((double)(b->tv_sec - a->tv_sec) * 1e3 +
                  (double)(b->tv_nsec - a->tv_nsec) * 1e-6);
    return cudaSuccess;
}
