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
 *   copy.c       what memcpy and memset do; copy_calls.c, copy3d.c the calls
 *   symbol.c     copies from and to __device__ variables
 *   work.c       work on a stream: done at once, or kept in a graph
 *   late.c       asynchronous copies that have not landed yet
 *   shared.c     managed memory, and what pinned memory is made of
 *   host.c       pinned host memory
 *   per_thread.c the calls of programs in which each thread has a default
 *                stream of its own
 *   stream.c     streams; event.c events; capture.c what a stream is told
 *                becomes a graph
 *   graph.c      graphs; graph_nodes.c their nodes; graph_exec.c running them
 *   props.c      the device: properties, attributes, limits
 *   choose.c     which device; old and rare names
 *   stubs.c      calls that the simulated device does not support
 *
 * Every exported function is CUDA's and behaves as its documentation says
 * (CUDA Runtime API reference); what is simpler here is said where it is.
 * Streams are executed in the order of the calls: the device takes one
 * message at a time, and a kernel runs beside the program that launched it.
 * Each message says whose work it is, so that the device knows what would be in
 * no order on a GPU.
 */
#ifndef SIMGPU_RUNTIME_H
#define SIMGPU_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime_api.h>

#include "../gpu.h"
#include "../wire.h"

/* The name that nvcc gives a call under --default-stream per-thread, where it
 * does the same; per_thread.c has the others. */
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

/*
 * A piece of work for a stream. rt_submit does it at once, as streams run in
 * the order of the calls; on a stream that is captured it becomes a node of
 * the graph instead. rt_do_* do one; rt_keep makes a copy that owns what it
 * needs, rt_drop frees that.
 */
struct rt_launch {
    const void *function;
    struct simwire_shape shape;
    size_t shared;
    bool cooperative;
    size_t param_bytes;
    uint8_t *params;
};
struct rt_copy { /* height and depth are 1 for fewer dimensions */
    char *to;
    const char *from;
    size_t to_pitch, from_pitch;   /* bytes from row to row */
    size_t to_height, from_height; /* rows from slice to slice */
    size_t width, height, depth;   /* width: bytes */
    enum cudaMemcpyKind kind;
};
struct rt_fill {
    char *to;
    size_t pitch, width, height; /* width: elements */
    unsigned value, element;     /* element: 1, 2 or 4 bytes */
};
enum rt_work_kind {
    RT_LAUNCH, RT_COPY, RT_FILL, RT_HOST, RT_EVENT_RECORD, RT_EVENT_WAIT,
    RT_EMPTY, RT_GRAPH,
};
struct rt_work {
    enum rt_work_kind kind;
    union {
        struct rt_launch launch;
        struct rt_copy copy;
        struct rt_fill fill;
        struct { cudaHostFn_t call; void *data; } host;
        cudaEvent_t event;
        cudaGraph_t graph; /* owned */
    };
};
cudaError_t rt_submit(const struct rt_work *work, cudaStream_t stream);
/* on: the stream's number, as the device knows it. */
cudaError_t rt_do(const struct rt_work *work, uint64_t on);
bool rt_keep(struct rt_work *work);
void rt_drop(struct rt_work *work);
/* Fills in *l, whose params are then params. */
cudaError_t rt_gather(struct rt_launch *l, const void *function, dim3 grid,
                      dim3 block, void **args, size_t shared,
                      uint8_t params[SIMWIRE_MAX_PARAM_BYTES]);
cudaError_t rt_do_launch(const struct rt_launch *l, uint64_t on);
/* It may end after the call, where the target is pinned; but not RT_NOW, as
 * calls without a stream do it. */
#define RT_NOW (SIMWIRE_LEGACY | SIMWIRE_WAITED)
cudaError_t rt_do_copy(const struct rt_copy *c, uint64_t on);
cudaError_t rt_box(const struct cudaMemcpy3DParms *p, struct rt_copy *c);
cudaError_t rt_do_fill(const struct rt_fill *f, uint64_t on);
cudaError_t rt_do_graph(cudaGraph_t graph, uint64_t on);
cudaError_t rt_record(cudaEvent_t event, uint64_t on);
/* The host waits for a stream; 0: for all. */
cudaError_t rt_wait(uint64_t on);
/* Numbers by which the device knows events: as an event is recorded on a
 * stream, and as a stream waits for it. */
uint64_t rt_event_number(void);
void rt_event_done(uint64_t number);
cudaError_t rt_event_record(uint64_t number, uint64_t on, uint64_t *time);
cudaError_t rt_event_wait(uint64_t number, uint64_t on);
/* Adds work to the graph that the stream is captured into; false: it is not
 * captured. */
bool rt_captured(const struct rt_work *work, cudaStream_t stream,
                 cudaError_t *error);
/* The error of a call that no capture allows; it spoils the capture. */
cudaError_t rt_unless_capturing(void);
/* The same of one that the default stream would do, which waits for all
 * streams but those made to be apart from it. */
cudaError_t rt_unless_implicit(void);
/* The same of one that only a wait for this stream forbids. */
cudaError_t rt_unless_captured(cudaStream_t stream);

/* All of [p, p + n) is mapped in this program. */
bool rt_is_host(const void *p, size_t n);
/* Memory that the device and this program both see (shared.c). */
enum rt_shared_kind { RT_NOT_SHARED, RT_MANAGED, RT_PINNED };
enum rt_shared_kind rt_shared(const void *p);
cudaError_t rt_share(void **p, size_t bytes, enum rt_shared_kind kind);
/* Maps what the device allocated already: a __managed__ variable. */
cudaError_t rt_map(uint64_t address, enum rt_shared_kind kind);
/* Puts memory of the program's own into the device's reach, too: at an address
 * of its own (rt_address). false: it stays out, as memory that others map, the
 * stack, and pages that hold registered memory already do. */
bool rt_register(void *p, size_t bytes);
/* Where the device has what is here at p. */
uint64_t rt_address(const void *p);
/* false: nothing shared begins at p. */
bool rt_unmap(const void *p);
void rt_unmap_all(void);
/* p is in memory of cudaMallocHost and its like, or registered. */
bool rt_is_pinned(const void *p);
/* Bytes that belong at to, once the program waits. Takes from, malloc'd, unless
 * it returns false. */
bool rt_late(void *to, void *from, size_t bytes);
void rt_land(void);
bool rt_is_late(void); /* has anything not landed? */
bool rt_is_stream(cudaStream_t stream);
/* As the device knows it (wire.h). The stream must be one. */
uint64_t rt_stream_id(cudaStream_t stream);

#endif
