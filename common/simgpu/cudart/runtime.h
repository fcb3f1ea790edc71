// SPDX-License-Identifier: MIT
/*
 * runtime.h: the internal interface of our libcudart.
 *
 *   client.c     rt_ask: sends a message to the device; starts the device
 *   imports.c    what the program's code may call
 *   patience.c   rt_be_patient: a call that has to wait for a kernel
 *   error.c      rt_done: the end of every call; the last error
 *   module.c     registration by nvcc's code; rt_find_kernel, rt_find_symbol
 *   launch.c     <<<>>>, launches, function attributes
 *   occupancy.c  how many blocks fit on an SM
 *   memory.c     device memory: allocate, free, query
 *   pool.c       memory pools: what each holds
 *   graph_memory.c  allocations and frees of graphs
 *   copy.c       implements memcpy and memset; copy_calls.c and copy3d.c hold
 *                the public calls
 *   overlap.c    copies whose two ends overlap
 *   symbol.c     copies from and to __device__ variables
 *   work.c       work on a stream: run now, or recorded in a graph
 *   host_call.c  host functions on streams
 *   early.c      accesses to what these have not written yet
 *   deferred.c   asynchronous copies that are still pending
 *   caller.c     where the program made a call
 *   ready.c      work that the host has not waited for
 *   mapped.c     memory that both processes map: managed and pinned
 *   host.c       pinned host memory
 *   per_thread.c the calls of programs built with --default-stream per-thread
 *   stream.c     streams; event.c events; capture.c stream capture
 *   attribute.c  attributes of streams
 *   graph.c      graphs; graph_nodes.c their nodes; graph_params.c what a node
 *                does; graph_exec.c running them
 *   props.c      the device: properties, attributes, limits
 *   choose.c     device selection; old and rare names
 *   tensor_map.c the driver functions that make tensor maps
 *   stubs.c      calls that the simulated device does not support
 *
 * Every exported function is CUDA's and behaves as the CUDA Runtime API
 * reference says; where one is simpler here, its comment says so. Streams run
 * in the order of the calls, but for work beside a kernel that waits: the
 * device takes one message at a time, and a kernel runs concurrently with the
 * program that launched it. Each message names its stream, so that the device
 * knows which work a GPU would leave unordered.
 */
#ifndef SIMGPU_RUNTIME_H
#define SIMGPU_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime_api.h>

#include "../gpu.h"
#include "../wire.h"

/* The name that nvcc gives a call under --default-stream per-thread, for calls
 * that behave the same there; per_thread.c has the others. */
#define TWIN(name, suffix)                                                     \
    __typeof__(name) name##suffix __attribute__((alias(#name)));

/* Ends a public call: remembers the error and adds it to the device's log. */
#define DONE(error) rt_done_at(__func__, error, __builtin_return_address(0))

cudaError_t rt_done(const char *call, cudaError_t error);
/* at: where the program called it. */
cudaError_t rt_done_at(const char *call, cudaError_t error, const void *at);
/* Logs a failed call of this thread. */
void rt_log_error(const char *call, cudaError_t error, const void *at);
/* The same for an error that the device has logged already. */
cudaError_t rt_remember(cudaError_t error);
/* Records why, for the log, and returns error. rt_why: the text. */
__attribute__((format(printf, 2, 3))) cudaError_t
rt_fail(cudaError_t error, const char *format, ...);
const char *rt_why(void);
void rt_fail_also(const char *more); /* adds to the text */
/* A fault: every later call returns it until cudaDeviceReset. */
void rt_set_sticky(cudaError_t error);
bool rt_is_sticky(cudaError_t error);
cudaError_t rt_sticky(void); /* cudaSuccess: none */

/*
 * Sends *m (op, a, data: the size) with its data and waits for the answer.
 * Afterwards *m is the reply's header, and reply holds its data (room bytes at
 * most). Writes what kernels printed to stdout. Starts the device at first
 * use.
 */
cudaError_t rt_ask(struct simwire_header *m, const void *data, void *reply,
                   size_t room);
/* Adds a failed call to the device's log; waits for no answer. thread: a number
 * of the calling thread's; at: where the program called it; NULL: unknown. */
void rt_note(const char *call, cudaError_t error, const char *detail,
             uint64_t thread, const void *at);
/* The latest launch was refused: tells the device where it was made. */
void rt_note_refused(void);
/* The copy or memset that the device has just done is a finding: where it was
 * called. */
void rt_note_accused(void);
/* Memory begins at p: tells a private device where it was made or freed, of the
 * first thousand such calls. */
void rt_note_memory(const void *p, bool frees);
/* Return addresses, the innermost first. first: where they begin to count; if
 * it is not 0, that one is an instruction that is under way itself. */
enum { RT_FRAMES = 24 };
struct rt_frames { void *at[RT_FRAMES]; int n, first; };
struct rt_frames rt_frames(void);
/* Those of the program: their addresses in a file, the innermost first, and the
 * file's path. false: unknown, or this library's. */
bool rt_caller(const struct rt_frames *f, char *text, size_t size);
/* The device is this program's own. */
bool rt_private(void);
/* A finding of what the host does at `at`; other: what it is to be compared
 * with. Nothing if the program itself is at neither. */
void rt_accuse_at(const char *what, const char *detail,
                  const struct rt_frames *at, const struct rt_frames *other);
/* Adds a finding of a call to it. */
void rt_accuse(const char *call, const char *detail);
/* The program has asked for a thread's errors; 0: for all of this error. */
void rt_note_asked(uint64_t thread, cudaError_t error);
/* The program, or a library that it has loaded, may call this function. */
bool rt_imports(const char *name);
/* A call of this program waits; alone: nothing but this thread could end it. */
void rt_note_wait(const char *call, uint64_t ms, bool alone);
/* Pauses for a moment, before the device is asked again. Begins as zeros.
 * Always true. */
struct rt_patience { uint64_t since; const char *call; };
bool rt_be_patient(struct rt_patience *p);
/* The simulated GPU's model; NULL and *error if there is no device. */
const struct gpu_model *rt_gpu(cudaError_t *error);

struct rt_kernel {
    struct rt_kernel *next;
    struct rt_module *module;
    const void *host;      /* the stub's address: what <<<>>> names */
    const char *name;      /* mangled; nvcc's */
    unsigned epoch;        /* of the fields below; 0: not loaded yet */
    uint64_t id;
    struct simwire_kernel info;
    struct simwire_param *params;
    /* As set by cudaFuncSetAttribute: */
    size_t max_dynamic;    /* 0: never */
    uint32_t cluster[3];   /* 0: not set */
    bool non_portable;     /* clusters of more than 8 blocks */
    int carveout;          /* 1 + percent of the most; 0: as `cache` says */
    enum cudaFuncCache cache; /* none: as the device's says */
};

/* function: a stub's address, or a cudaKernel_t. Loads its module. */
cudaError_t rt_find_kernel(const void *function, struct rt_kernel **kernel);
/* variable: the host's shadow of a __device__ or __constant__ variable. */
cudaError_t rt_find_symbol(const void *variable, uint64_t *address,
                           size_t *bytes);
/* What cudaDeviceSetCacheConfig was last told. */
extern enum cudaFuncCache rt_device_cache;
/* How many blocks of this many threads an SM holds at once (occupancy.c). */
cudaError_t rt_occupancy(const void *function, int threads, size_t dynamic,
                         int *blocks);
int rt_ptx_version(const struct rt_kernel *kernel);
/* For cudaDeviceReset: modules load again at their next use. */
void rt_forget_modules(void);

/*
 * A piece of work for a stream. rt_submit hands it to the device at once; on a
 * stream under capture it becomes a node of the graph instead. rt_do_* run one
 * kind each; rt_work_own replaces what the work points at by copies that it
 * owns, rt_work_free frees them.
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
struct rt_memory { /* of a graph: its address is known from the beginning */
    void *address;
    size_t bytes;
};
enum rt_work_kind {
    RT_LAUNCH, RT_COPY, RT_FILL, RT_HOST, RT_EVENT_RECORD, RT_EVENT_WAIT,
    RT_EMPTY, RT_GRAPH, RT_ALLOC, RT_FREE,
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
        struct rt_memory memory; /* RT_ALLOC, RT_FREE */
    };
};
cudaError_t rt_submit(const struct rt_work *work, cudaStream_t stream);
/* on: the stream's number on the device (rt_stream_id). */
cudaError_t rt_do(const struct rt_work *work, uint64_t on);
bool rt_work_own(struct rt_work *work);
void rt_work_free(struct rt_work *work);
/* Fills in *l; its params then point at params, packed from args. */
cudaError_t rt_pack_launch(struct rt_launch *l, const void *function,
                           dim3 grid, dim3 block, void **args, size_t shared,
                           uint8_t params[SIMWIRE_MAX_PARAM_BYTES]);
cudaError_t rt_do_launch(const struct rt_launch *l, uint64_t on);
/* The stream number of synchronous calls. */
#define RT_NOW (SIMWIRE_LEGACY | SIMWIRE_WAITED)
/* A copy to pinned memory may complete after the call, except on RT_NOW. */
cudaError_t rt_do_copy(const struct rt_copy *c, uint64_t on);
/* If the copy's ends overlap: a finding. It is within device memory. */
void rt_tell_overlap(const struct rt_copy *c);
cudaError_t rt_copy_3d(const struct cudaMemcpy3DParms *p, struct rt_copy *c);
cudaError_t rt_do_fill(const struct rt_fill *f, uint64_t on);
cudaError_t rt_do_graph(cudaGraph_t graph, uint64_t on);
/* What this thread does is a node of a graph. */
uint64_t rt_in_graph(void);
cudaError_t rt_record(cudaEvent_t event, uint64_t on);
cudaError_t rt_wait_for(cudaEvent_t event, uint64_t on);
/* The host waits for a stream; on = 0: for all. */
cudaError_t rt_wait(uint64_t on);
/* cudaErrorNotReady if it would have to wait for long. */
cudaError_t rt_query(uint64_t on);
/* A host function on a stream. The calling thread runs it if the stream's work
 * is done, and else one of its own does, in the stream's order. */
struct rt_call {
    cudaHostFn_t call;             /* or: */
    cudaStreamCallback_t callback; /* which is told the stream's error */
    cudaStream_t stream;
    void *data;
};
cudaError_t rt_call_host(const struct rt_call *call, uint64_t on);
/* Does this thread run one now? Then it must not call CUDA. */
bool rt_in_host_call(void);
/* The device knows events by number: allocate one, give it back, record it on
 * a stream (*time: ns of the device's clock), make a stream wait for it. */
uint64_t rt_event_number(void);
void rt_event_done(uint64_t number);
cudaError_t rt_event_record(uint64_t number, uint64_t on, uint64_t *time);
cudaError_t rt_event_wait(uint64_t number, uint64_t on);
/* Adds work to the graph that the stream is captured into. false: the stream
 * is not under capture and there is no error. */
bool rt_captured(const struct rt_work *work, cudaStream_t stream,
                 cudaError_t *error);
bool rt_is_capturing(cudaStream_t stream);
/* Each returns the error of a call that is illegal during a capture, and
 * invalidates that capture; cudaSuccess if the call is legal. Calls that are
 * illegal during any capture: */
cudaError_t rt_refuse_while_capturing(void);
/* Calls that synchronise implicitly with the legacy default stream, which
 * waits for all streams but the non-blocking ones: */
cudaError_t rt_refuse_implicit(void);
/* Calls that wait for this stream: */
cudaError_t rt_refuse_if_captured(cudaStream_t stream);

/* Frees on the stream `on`; 0: waits for all work first, as cudaFree does. */
cudaError_t rt_free(void *p, uint64_t on);
/* Graph memory (graph_memory.c): the calls on a stream under capture, and what
 * nodes do. */
cudaError_t rt_capture_alloc(void **p, size_t bytes, cudaStream_t stream);
cudaError_t rt_capture_free(void *p, cudaStream_t stream);
cudaError_t rt_do_alloc(const struct rt_memory *m, uint64_t on);
cudaError_t rt_do_free(const struct rt_memory *m, uint64_t on);

/* What the memory pools hold (pool.c). pool NULL: the device's current one.
 * hold: false: out of memory, or no such pool. */
bool rt_pool_has_room(cudaMemPool_t pool, size_t bytes);
bool rt_pool_hold(cudaMemPool_t pool, void *p, size_t bytes);
bool rt_pool_holds(const void *p);
void rt_pool_release(const void *p);
cudaMemPool_t rt_graph_pool(void); /* of graphs' memory; no program's */
cudaError_t rt_pool_get(cudaMemPool_t pool, enum cudaMemPoolAttr attr,
                        void *value);
cudaError_t rt_pool_set(cudaMemPool_t pool, enum cudaMemPoolAttr attr,
                        const void *value);
void rt_pool_trim(cudaMemPool_t pool, size_t keep);
void rt_pools_reset(void); /* all memory is gone */

/* All of [p, p + n) is mapped in this program. */
bool rt_is_host(const void *p, size_t n);
/* Memory that the device and this program both map (mapped.c). */
enum rt_mapped_kind { RT_NOT_MAPPED, RT_MANAGED, RT_PINNED };
enum rt_mapped_kind rt_mapped(const void *p);
cudaError_t rt_alloc_mapped(void **p, size_t bytes, enum rt_mapped_kind kind);
/* Maps memory that the device allocated already: a __managed__ variable. */
cudaError_t rt_map(uint64_t address, enum rt_mapped_kind kind);
/* Makes the program's own memory accessible to the device as well, at another
 * address (rt_address). false: not possible, for memory that other processes
 * map, for the stack, and for pages that already hold registered memory. */
bool rt_register(void *p, size_t bytes);
/* The device's address of the host's p. */
uint64_t rt_address(const void *p);
/* false: no mapped memory begins at p. */
bool rt_unmap(const void *p);
/* The whole pages of pinned memory in which nothing but [p, p + bytes) lies.
 * false: there is none. */
bool rt_own_pages(const void *p, size_t bytes, char **pages, size_t *n);
/* A copy into these bytes (source: out of them) is pending on the stream; this
 * library, or the device for it, is about to touch these bytes. */
void rt_early_watch(void *p, size_t bytes, uint64_t on, bool source);
void rt_early_open(const void *p, size_t bytes);
/* The device has these bytes, and the host cannot access them. */
void rt_early_device(const void *p, size_t bytes);
bool rt_is_device(const void *p);
/* SIGSEGV has a handler, and it is this library's alone. */
bool rt_early_handles(void);
void rt_unmap_all(void);
/* p points into memory of cudaMallocHost or cudaHostAlloc, or registered
 * memory. */
bool rt_is_pinned(const void *p);
/* Copies from to to once the program waits for the copy's stream, `on`. Takes
 * ownership of from (malloc'd) unless it returns false. */
bool rt_defer_copy(void *to, void *from, size_t bytes, uint64_t on);
/* The program must not write there before it has waited for the stream. */
void rt_watch_source(void *from, size_t bytes, uint64_t on);
/* Completes all deferred copies, in order; those into [p, p + bytes). */
void rt_finish_copies(void);
void rt_finish_copies_in(const void *p, size_t bytes);
bool rt_has_deferred(void);
/* For rt_ask: before a message is sent, and after it succeeded. */
void rt_copies_see(const struct simwire_header *m);
void rt_copies_waited(const struct simwire_header *m);
void rt_ready_see(const struct simwire_header *m);
/* Not 0 if the stream has work that the host has not waited for; the same as
 * long as the host waits for nothing. */
uint64_t rt_busy_since(uint64_t on);
bool rt_still_busy(uint64_t since);
/* The first query of a stream since its latest work. */
bool rt_ask_stream(uint64_t on);
/* false is a finding. */
bool rt_is_stream(cudaStream_t stream);
/* The stream's number on the device (wire.h); stream must be valid. */
uint64_t rt_stream_id(cudaStream_t stream);

#endif
