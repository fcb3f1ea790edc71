// SPDX-License-Identifier: MIT
/*
 * runtime.h: what the parts of our libcudart share.
 *
 *   client.c     rt_ask: a message to the device and its answer; the start
 *   error.c      rt_done: the end of every call; last error
 *   module.c     registration by nvcc's code; rt_kernel, rt_symbol
 *   launch.c     <<<>>>, launches, function attributes
 *   occupancy.c  how many blocks fit
 *   memory.c     device memory: allocate, free, ask about
 *   copy.c       memcpy, memset
 *   late.c       asynchronous copies that have not landed yet
 *   shared.c     managed memory, and what pinned memory is made of
 *   host.c       pinned host memory
 *   stream.c     streams and events
 *   props.c      the device: properties, attributes, limits
 *   stubs.c      calls that the simulated device does not support
 *
 * Every exported function is CUDA's and behaves as its documentation says
 * (CUDA Runtime API reference); what is simpler here is said where it is.
 * Streams are executed in the order of the calls: the device takes one
 * message at a time, and a kernel runs beside the program that launched it.
 */
#ifndef SIMGPU_RUNTIME_H
#define SIMGPU_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime_api.h>

#include "../gpu.h"
#include "../wire.h"

/* The name that nvcc gives a call under --default-stream per-thread. As
 * streams run in order of the calls, both do the same. */
#define TWIN(name, suffix)                                                     \
    __typeof__(name) name##suffix __attribute__((alias(#name)));

/* Ends a public call: remembers the error, and tells the device's log. */
#define DONE(error) rt_done(__func__, error)

cudaError_t rt_done(const char *call, cudaError_t error);
/* The same for what the device has in its log already. */
cudaError_t rt_remember(cudaError_t error);
/* Why the next error happened, for the log. */
__attribute__((format(printf, 2, 3))) cudaError_t
rt_fail(cudaError_t error, const char *format, ...);
const char *rt_why(void);
/* A fault: every later call returns it, until cudaDeviceReset. */
void rt_set_sticky(cudaError_t error);

/*
 * Sends *m (op, a, data: the size) with its data, and waits for the answer:
 * *m is then the reply's header; its data went to reply (room bytes at most).
 * What kernels printed goes to stdout. Starts the device at first use.
 */
cudaError_t rt_ask(struct simwire_header *m, const void *data, void *reply,
                   size_t room);
/* The device writes it into its log; needs no answer. */
void rt_note(const char *call, cudaError_t error, const char *detail);
/* The GPU the device poses as; NULL with *error where there is no device. */
const struct gpu_model *rt_gpu(cudaError_t *error);

struct rt_kernel {
    struct rt_kernel *next;
    struct rt_module *module;
    const void *host;      /* the stub's address: what <<<>>> names */
    const char *name;      /* mangled; nvcc's */
    unsigned epoch;        /* of the fields below; 0: not asked for yet */
    uint64_t id;
    struct simwire_kernel info;
    struct simwire_param *params;
    size_t max_dynamic;    /* as set by cudaFuncSetAttribute; 0: never */
};

/* function: a stub's address, or a cudaKernel_t. Loads its module. */
cudaError_t rt_find_kernel(const void *function, struct rt_kernel **kernel);
/* variable: the host's shadow of a __device__ or __constant__ variable. */
cudaError_t rt_find_symbol(const void *variable, uint64_t *address,
                           size_t *bytes);
/* Blocks of so many threads that an SM holds at once (occupancy.c). */
cudaError_t rt_occupancy(const void *function, int threads, size_t dynamic,
                         int *blocks);
int rt_ptx_version(const struct rt_kernel *kernel);
/* After cudaDeviceReset: modules load again at their next use. */
void rt_forget_modules(void);

/* All of [p, p + n) is mapped in this program. */
bool rt_is_host(const void *p, size_t n);
/* Memory that the device and this program both see (shared.c). */
enum rt_shared_kind { RT_NOT_SHARED, RT_MANAGED, RT_PINNED };
enum rt_shared_kind rt_shared(const void *p);
cudaError_t rt_share(void **p, size_t bytes, enum rt_shared_kind kind);
/* Maps what the device allocated already: a __managed__ variable. */
cudaError_t rt_map(uint64_t address, enum rt_shared_kind kind);
/* false: nothing shared begins at p. */
bool rt_unmap(const void *p);
void rt_unmap_all(void);
/* p is in memory of cudaMallocHost and its like, or registered. */
bool rt_is_pinned(const void *p);
/* Bytes that belong at to, once the program waits. Takes from, malloc'd, unless
 * it returns false. */
bool rt_late(void *to, void *from, size_t bytes);
void rt_land(void);
bool rt_is_stream(cudaStream_t stream);
/* From SIMWIRE_FIRST_STREAM; 1: a default stream. The stream must be one. */
uint64_t rt_stream_id(cudaStream_t stream);

#endif
