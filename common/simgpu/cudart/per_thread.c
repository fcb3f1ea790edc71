// SPDX-License-Identifier: MIT
/*
 * per_thread.c: the names that nvcc gives calls under --default-stream
 * per-thread, where stream 0 is the thread's own.
 *
 *   cudaMemcpyAsync_ptsz and so on   the call, with the thread's stream for 0
 *   cudaMemcpy_ptds and so on        on the thread's stream; waits for that
 *                                    stream if the original call waits
 *
 * Calls that only query or capture a stream are the same under both names:
 * they use TWIN where they are defined.
 */
#include "runtime.h"

static cudaStream_t own(cudaStream_t stream)
{
    return stream ? stream : cudaStreamPerThread;
}

/* For calls whose last parameter is the stream; A, B, ...: the types of the
 * other parameters. */
#define OWN1(name, A)                                                          \
    cudaError_t name##_ptsz(A a, cudaStream_t s);                              \
    cudaError_t name##_ptsz(A a, cudaStream_t s) { return name(a, own(s)); }
#define OWN2(name, A, B)                                                       \
    cudaError_t name##_ptsz(A a, B b, cudaStream_t s);                         \
    cudaError_t name##_ptsz(A a, B b, cudaStream_t s)                          \
    {                                                                          \
        return name(a, b, own(s));                                             \
    }
#define OWN3(name, A, B, C)                                                    \
    cudaError_t name##_ptsz(A a, B b, C c, cudaStream_t s);                    \
    cudaError_t name##_ptsz(A a, B b, C c, cudaStream_t s)                     \
    {                                                                          \
        return name(a, b, c, own(s));                                          \
    }
#define OWN4(name, A, B, C, D)                                                 \
    cudaError_t name##_ptsz(A a, B b, C c, D d, cudaStream_t s);               \
    cudaError_t name##_ptsz(A a, B b, C c, D d, cudaStream_t s)                \
    {                                                                          \
        return name(a, b, c, d, own(s));                                       \
    }
#define OWN5(name, A, B, C, D, E)                                              \
    cudaError_t name##_ptsz(A a, B b, C c, D d, E e, cudaStream_t s);          \
    cudaError_t name##_ptsz(A a, B b, C c, D d, E e, cudaStream_t s)           \
    {                                                                          \
        return name(a, b, c, d, e, own(s));                                    \
    }

typedef enum cudaMemcpyKind way;
typedef const struct cudaMemcpy3DParms *box;

cudaError_t __cudaLaunchKernel(void *kernel, dim3 grid, dim3 block,
                               void **args, size_t shared,
                               cudaStream_t stream);

OWN1(cudaMemcpy3DAsync, box)
OWN1(cudaEventRecord, cudaEvent_t)
OWN1(cudaGraphLaunch, cudaGraphExec_t)
OWN1(cudaFreeAsync, void *)
OWN2(cudaMallocAsync, void **, size_t)
OWN3(cudaMallocFromPoolAsync, void **, size_t, cudaMemPool_t)
OWN3(cudaMemsetAsync, void *, int, size_t)
OWN3(cudaMemset3DAsync, struct cudaPitchedPtr, int, struct cudaExtent)
OWN4(cudaMemcpyAsync, void *, const void *, size_t, way)
OWN5(cudaMemset2DAsync, void *, size_t, int, size_t, size_t)
OWN5(cudaMemcpyToSymbolAsync, const void *, const void *, size_t, size_t, way)
OWN5(cudaMemcpyFromSymbolAsync, void *, const void *, size_t, size_t, way)
OWN5(cudaLaunchKernel, const void *, dim3, dim3, void **, size_t)
OWN5(cudaLaunchCooperativeKernel, const void *, dim3, dim3, void **, size_t)
OWN5(__cudaLaunchKernel, void *, dim3, dim3, void **, size_t)

#define DECLARED(name, ...)                                                    \
    cudaError_t name(__VA_ARGS__);                                             \
    cudaError_t name(__VA_ARGS__)

DECLARED(cudaMemcpy2DAsync_ptsz, void *to, size_t to_pitch, const void *from,
         size_t from_pitch, size_t width, size_t height, way kind,
         cudaStream_t s)
{
    return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height,
                             kind, own(s));
}

DECLARED(cudaEventRecordWithFlags_ptsz, cudaEvent_t event, cudaStream_t s,
         unsigned flags)
{
    return cudaEventRecordWithFlags(event, own(s), flags);
}

DECLARED(cudaStreamSynchronize_ptsz, cudaStream_t s)
{
    return cudaStreamSynchronize(own(s));
}

DECLARED(cudaStreamQuery_ptsz, cudaStream_t s)
{
    return cudaStreamQuery(own(s));
}

DECLARED(cudaStreamWaitEvent_ptsz, cudaStream_t s, cudaEvent_t event,
         unsigned flags)
{
    return cudaStreamWaitEvent(own(s), event, flags);
}

DECLARED(cudaLaunchHostFunc_ptsz, cudaStream_t s, cudaHostFn_t call,
         void *data)
{
    return cudaLaunchHostFunc(own(s), call, data);
}

DECLARED(cudaStreamAddCallback_ptsz, cudaStream_t s,
         cudaStreamCallback_t call, void *data, unsigned flags)
{
    return cudaStreamAddCallback(own(s), call, data, flags);
}

DECLARED(cudaLaunchKernelExC_ptsz, const cudaLaunchConfig_t *config,
         const void *function, void **args)
{
    cudaLaunchConfig_t mine = config ? *config : (cudaLaunchConfig_t){0};
    mine.stream = own(mine.stream);
    return cudaLaunchKernelExC(config ? &mine : NULL, function, args);
}

/* Calls without a stream --------------------------------------------------- */

/* Copies within device memory, like memsets, do not wait. */
static cudaError_t waited(cudaError_t error, way kind)
{
    return error || kind == cudaMemcpyDeviceToDevice
               ? error : cudaStreamSynchronize(cudaStreamPerThread);
}

DECLARED(cudaMemcpy_ptds, void *to, const void *from, size_t n, way kind)
{
    return waited(cudaMemcpyAsync(to, from, n, kind, cudaStreamPerThread),
                  kind);
}

DECLARED(cudaMemcpy2D_ptds, void *to, size_t to_pitch, const void *from,
         size_t from_pitch, size_t width, size_t height, way kind)
{
    return waited(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width,
                                    height, kind, cudaStreamPerThread),
                  kind);
}

DECLARED(cudaMemcpy3D_ptds, box p)
{
    return waited(cudaMemcpy3DAsync(p, cudaStreamPerThread),
                  p ? p->kind : cudaMemcpyDefault);
}

DECLARED(cudaMemcpyToSymbol_ptds, const void *symbol, const void *from,
         size_t n, size_t offset, way kind)
{
    return waited(cudaMemcpyToSymbolAsync(symbol, from, n, offset, kind,
                                          cudaStreamPerThread), kind);
}

DECLARED(cudaMemcpyFromSymbol_ptds, void *to, const void *symbol, size_t n,
         size_t offset, way kind)
{
    return waited(cudaMemcpyFromSymbolAsync(to, symbol, n, offset, kind,
                                            cudaStreamPerThread), kind);
}

DECLARED(cudaMemset_ptds, void *to, int value, size_t n)
{
    return cudaMemsetAsync(to, value, n, cudaStreamPerThread);
}

DECLARED(cudaMemset2D_ptds, void *to, size_t pitch, int value, size_t width,
         size_t height)
{
    return cudaMemset2DAsync(to, pitch, value, width, height,
                             cudaStreamPerThread);
}

DECLARED(cudaMemset3D_ptds, struct cudaPitchedPtr to, int value,
         struct cudaExtent extent)
{
    return cudaMemset3DAsync(to, value, extent, cudaStreamPerThread);
}
