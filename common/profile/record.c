// SPDX-License-Identifier: MIT
/*
 * record.c: build/profile/record.so, loaded before a program (LD_PRELOAD),
 * writes down each call that it makes to the CUDA runtime.
 *
 *   profile_begin, profile_end   phases, which a program may name (mark.h)
 *   cuda...                      the calls, each handed on to the runtime
 *
 * PROFILE_LOG names the file. Fields are separated by tabs, times are in ns of
 * the monotonic clock:
 *
 *   call KIND NAME BEGIN END CAPTURED PHASES BYTES FRAMES
 *   phase BEGIN END PHASES
 *   span CALL START END        ms on the device's clock, of call number CALL
 *
 * KIND is launch, graph, copy, set, wait or other. CAPTURED is 0, or the number
 * of the recording that a launch went into; of a graph, the recording that it
 * replays. PHASES are names between semicolons, FRAMES pairs MODULE+OFFSET.
 *
 * The hard idea: nothing is counted twice. A runtime may implement one call by
 * another that is exported, too, so only the outermost call is written; and a
 * launch that goes into a graph has not run yet. With PROFILE_EVENTS=1, on a
 * GPU, work on a stream lies between two events; else the simulated GPU's own
 * report has the times.
 */
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cuda_runtime_api.h>

#include "profile/mark.h"

enum {
    NAMES = 4096,    /* kernels of a program */
    DEPTH = 32,      /* phases within phases */
    FRAMES = 12,     /* of the host's stack */
    RECORDINGS = 64, /* graphs */
    SPANS = 65536    /* calls timed by events */
};

static struct {
    FILE *log;
    bool events;
    long calls;
    const char *phase[DEPTH];
    long long begun[DEPTH];
    int depth;
    struct { const void *key; const char *name; } names[NAMES];
    int n_names;
    int recording, recordings; /* 0: nothing is being recorded */
    struct { const void *key; int recording; } graphs[2 * RECORDINGS];
    int n_graphs;
    struct { long call; cudaEvent_t start, stop; } spans[SPANS];
    int n_spans;
    cudaEvent_t base;
} r;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int inside; /* a call of ours, or the runtime's own */

static long long now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void *next(const char *name)
{
    void *symbol = dlsym(RTLD_NEXT, name);

    if (!symbol) {
        /* A library that was opened later brought the runtime along. */
        void *runtime = dlopen(PROFILE_CUDART, RTLD_NOW | RTLD_NOLOAD);

        symbol = runtime ? dlsym(runtime, name) : NULL;
    }
    if (!symbol) {
        fprintf(stderr, "profile: the CUDA runtime has no %s\n", name);
        abort();
    }
    return symbol;
}

__attribute__((constructor)) static void open_log(void)
{
    const char *path = getenv("PROFILE_LOG"), *events;

    if (path)
        r.log = fopen(path, "w");
    events = getenv("PROFILE_EVENTS");
    r.events = events && *events == '1';
}

static void write_phases(void)
{
    for (int i = 0; i < r.depth && i < DEPTH; i++)
        fprintf(r.log, "%s%s", i ? ";" : "", r.phase[i]);
}




void profile_begin(const char *name)
{
    pthread_mutex_lock(&lock);
    if (r.depth < DEPTH) {
        r.phase[r.depth] = name;
        r.begun[r.depth] = now();
    }
    r.depth++;
    pthread_mutex_unlock(&lock);
}

void profile_end(void)
{
    pthread_mutex_lock(&lock);
    if (r.log && r.depth > 0 && r.depth <= DEPTH) {
        fprintf(r.log, "phase\t%lld\t%lld\t", r.begun[r.depth - 1], now());
        write_phases();
        fputc('\n', r.log);
    }
    if (r.depth > 0)
        r.depth--;
    pthread_mutex_unlock(&lock);
}

__attribute__((destructor)) static void close_log(void)
{
    float start, stop;

    if (!r.log)
        return;
    inside++;
    if (r.n_spans)
        cudaDeviceSynchronize();
    for (int i = 0; i < r.n_spans; i++)
        if (cudaEventElapsedTime(&start, r.base, r.spans[i].start) ==
                cudaSuccess &&
            cudaEventElapsedTime(&stop, r.base, r.spans[i].stop) ==
                cudaSuccess)
            fprintf(r.log, "span\t%ld\t%.6f\t%.6f\n", r.spans[i].call, start,
                    stop);
    fclose(r.log);
    r.log = NULL;
}

/* Frames of the program, from the outermost; ours are left out. */
static void write_frames(void)
{
    void *frames[FRAMES];
    int n = backtrace(frames, FRAMES);
    Dl_info own, info;

    dladdr((void *)write_frames, &own);
    for (int i = n - 1; i >= 0; i--)
        if (dladdr(frames[i], &info) && info.dli_fname &&
            info.dli_fbase != own.dli_fbase &&
            !strstr(info.dli_fname, "libc.so") &&
            !strstr(info.dli_fname, "libcudart"))
            fprintf(r.log, "%s+%#lx ", info.dli_fname,
                    (unsigned long)((char *)frames[i] -
                                    (char *)info.dli_fbase) - 1);
}

struct call {
    const char *kind, *name;
    long long begun;
    size_t bytes;
    int recording;
    cudaStream_t stream;
    cudaEvent_t start;
    bool outer, timed;
};

static void mark(struct call *c, cudaEvent_t *event)
{
    if (!c->timed)
        return;
    if (cudaEventCreate(event) != cudaSuccess ||
        cudaEventRecord(*event, c->stream) != cudaSuccess)
        c->timed = false;
}

static struct call begin(const char *kind, const char *name,
                         cudaStream_t stream, size_t bytes)
{
    struct call c = {.kind = kind, .name = name, .bytes = bytes,
                     .stream = stream, .outer = r.log && inside++ == 0};

    if (!r.log)
        inside++;
    c.recording = r.recording;
    c.timed = c.outer && r.events && !r.recording && r.n_spans < SPANS &&
              (*kind == 'l' || *kind == 'g' || *kind == 'c' || *kind == 's');
    if (c.timed && !r.base) {
        cudaEventCreate(&r.base);
        cudaEventRecord(r.base, stream);
        atexit(close_log); /* runs before the runtime, used already, ends */
    }
    mark(&c, &c.start);
    c.begun = now();
    return c;
}

static void end(struct call *c)
{
    long long ended = now();
    cudaEvent_t stop;

    mark(c, &stop);
    inside--;
    if (!c->outer)
        return;
    pthread_mutex_lock(&lock);
    fprintf(r.log, "call\t%s\t%s\t%lld\t%lld\t%d\t", c->kind, c->name,
            c->begun, ended, c->recording);
    write_phases();
    fprintf(r.log, "\t%zu\t", c->bytes);
    write_frames();
    fputc('\n', r.log);
    if (c->timed) {
        r.spans[r.n_spans].call = r.calls;
        r.spans[r.n_spans].start = c->start;
        r.spans[r.n_spans++].stop = stop;
    }
    r.calls++;
    pthread_mutex_unlock(&lock);
}

/* Names of kernels ---------------------------------------------------------*/

static void add_name(const void *key, const char *name)
{
    if (r.n_names < NAMES) {
        r.names[r.n_names].key = key;
        r.names[r.n_names++].name = name;
    }
}

static const char *name_of(const void *key)
{
    for (int i = r.n_names; i-- > 0;)
        if (r.names[i].key == key)
            return r.names[i].name;
    return "?";
}

void __cudaRegisterFunction(void **handle, const char *host, char *device,
                            const char *name, int limit, void *tid, void *bid,
                            void *block, void *grid, int *warp);
void __cudaRegisterFunction(void **handle, const char *host, char *device,
                            const char *name, int limit, void *tid, void *bid,
                            void *block, void *grid, int *warp)
{
    void (*go)(void **, const char *, char *, const char *, int, void *,
               void *, void *, void *, int *) = next(__func__);

    add_name(host, strdup(name));
    go(handle, host, device, name, limit, tid, bid, block, grid, warp);
}

/* Since CUDA 12 a launch names a kernel, which was got by the function. */
cudaError_t __cudaGetKernel(void **kernel, const void *host);
cudaError_t __cudaGetKernel(void **kernel, const void *host)
{
    cudaError_t (*go)(void **, const void *) = next(__func__);
    cudaError_t error = go(kernel, host);

    if (error == cudaSuccess)
        add_name(*kernel, name_of(host));
    return error;
}

/* Calls ---------------------------------------------------------------------*/

/* A call that is handed on: its kind, what it is called in the log, stream and
 * bytes; parameters and arguments. */
#define CALL(function, kind, said, stream, bytes, parameters, arguments)      \
    cudaError_t function parameters                                           \
    {                                                                         \
        cudaError_t(*go) parameters = next(#function);                        \
        struct call c = begin(kind, said, stream, bytes);                     \
        cudaError_t error = go arguments;                                     \
                                                                              \
        end(&c);                                                              \
        return error;                                                         \
    }

cudaError_t __cudaLaunchKernel(void *kernel, dim3 grid, dim3 block,
                               void **args, size_t shared,
                               cudaStream_t stream);
CALL(__cudaLaunchKernel, "launch", name_of(kernel), stream, 0,
     (void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
      cudaStream_t stream),
     (kernel, grid, block, args, shared, stream))
CALL(cudaLaunchKernel, "launch", name_of(func), stream, 0,
     (const void *func, dim3 grid, dim3 block, void **args, size_t shared,
      cudaStream_t stream),
     (func, grid, block, args, shared, stream))
CALL(cudaLaunchCooperativeKernel, "launch", name_of(func), stream, 0,
     (const void *func, dim3 grid, dim3 block, void **args, size_t shared,
      cudaStream_t stream),
     (func, grid, block, args, shared, stream))
#if CUDART_VERSION >= 11080
CALL(cudaLaunchKernelExC, "launch", name_of(func), config->stream, 0,
     (const cudaLaunchConfig_t *config, const void *func, void **args),
     (config, func, args))
#endif
CALL(cudaMemcpy, "copy", "cudaMemcpy", NULL, n,
     (void *to, const void *from, size_t n, enum cudaMemcpyKind kind),
     (to, from, n, kind))
CALL(cudaMemcpyAsync, "copy", "cudaMemcpyAsync", stream, n,
     (void *to, const void *from, size_t n, enum cudaMemcpyKind kind,
      cudaStream_t stream),
     (to, from, n, kind, stream))
CALL(cudaMemset, "set", "cudaMemset", NULL, n,
     (void *to, int value, size_t n), (to, value, n))
CALL(cudaMemsetAsync, "set", "cudaMemsetAsync", stream, n,
     (void *to, int value, size_t n, cudaStream_t stream),
     (to, value, n, stream))
CALL(cudaMalloc, "other", "cudaMalloc", NULL, n, (void **to, size_t n),
     (to, n))
CALL(cudaFree, "other", "cudaFree", NULL, 0, (void *what), (what))
CALL(cudaStreamSynchronize, "wait", "cudaStreamSynchronize", stream, 0,
     (cudaStream_t stream), (stream))
CALL(cudaDeviceSynchronize, "wait", "cudaDeviceSynchronize", NULL, 0, (void),
     ())
CALL(cudaEventSynchronize, "wait", "cudaEventSynchronize", NULL, 0,
     (cudaEvent_t event), (event))

/* Graphs --------------------------------------------------------------------*/

static void set_recording(const void *key, int recording)
{
    if (r.n_graphs < 2 * RECORDINGS) {
        r.graphs[r.n_graphs].key = key;
        r.graphs[r.n_graphs++].recording = recording;
    }
}

static int recording_of(const void *key)
{
    for (int i = r.n_graphs; i-- > 0;)
        if (r.graphs[i].key == key)
            return r.graphs[i].recording;
    return 0;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream,
                                   enum cudaStreamCaptureMode mode)
{
    cudaError_t (*go)(cudaStream_t, enum cudaStreamCaptureMode) =
        next(__func__);
    cudaError_t error = go(stream, mode);

    if (error == cudaSuccess)
        r.recording = ++r.recordings;
    return error;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    cudaError_t (*go)(cudaStream_t, cudaGraph_t *) = next(__func__);
    cudaError_t error = go(stream, graph);

    if (error == cudaSuccess)
        set_recording(*graph, r.recording);
    r.recording = 0;
    return error;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec,
                                          cudaGraph_t graph,
                                          unsigned long long flags)
{
    cudaError_t (*go)(cudaGraphExec_t *, cudaGraph_t, unsigned long long) =
        next(__func__);
    struct call c = begin("other", __func__, NULL, 0);
    cudaError_t error = go(exec, graph, flags);

    end(&c);
    if (error == cudaSuccess)
        set_recording(*exec, recording_of(graph));
    return error;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    cudaError_t (*go)(cudaGraphExec_t, cudaStream_t) = next(__func__);
    struct call c = begin("graph", __func__, stream, 0);
    cudaError_t error;

    c.recording = recording_of(exec);
    error = go(exec, stream);
    end(&c);
    return error;
}
