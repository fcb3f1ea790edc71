// SPDX-License-Identifier: MIT
/*
 * symbol.c: copies from and to __device__ and __constant__ variables, which a
 * program names by their host-side shadow variables.
 *
 *   cudaMemcpyToSymbol[Async], cudaMemcpyFromSymbol[Async]
 *   cudaGetSymbolAddress, cudaGetSymbolSize
 */
#include "runtime.h"

/* The device address of n bytes at this offset in a variable. */
static cudaError_t symbol_bytes(const void *symbol, size_t n, size_t offset,
                                char **address)
{
    uint64_t base = 0;
    size_t bytes = 0;
    cudaError_t error = rt_find_symbol(symbol, &base, &bytes);
    if (error)
        return error;
    if (offset > bytes || n > bytes - offset)
        return rt_fail(cudaErrorInvalidValue,
                       "%zu bytes from offset %zu of a variable of %zu", n,
                       offset, bytes);
    *address = (char *)(uintptr_t)(base + offset);
    return cudaSuccess;
}

static struct rt_work copy_of(char *to, const char *from, size_t n,
                              enum cudaMemcpyKind kind)
{
    return (struct rt_work){
        .kind = RT_COPY,
        .copy = {.to = to, .from = from, .to_pitch = n, .from_pitch = n,
                 .width = n, .height = 1, .depth = 1, .kind = kind}};
}

static cudaError_t to_symbol(const void *symbol, const void *src,
                             size_t count, size_t offset,
                             enum cudaMemcpyKind kind, bool now,
                             cudaStream_t stream)
{
    char *to = NULL;
    cudaError_t error = symbol_bytes(symbol, count, offset, &to);
    struct rt_work work = copy_of(to, src, count, kind);
    if (!error && now)
        error = rt_refuse_implicit();
    return error ? error
           : now ? rt_do_copy(&work.copy, RT_NOW)
                 : rt_submit(&work, stream);
}

static cudaError_t from_symbol(void *dst, const void *symbol, size_t count,
                               size_t offset, enum cudaMemcpyKind kind,
                               bool now, cudaStream_t stream)
{
    char *from = NULL;
    cudaError_t error = symbol_bytes(symbol, count, offset, &from);
    struct rt_work work = copy_of(dst, from, count, kind);
    if (!error && now)
        error = rt_refuse_implicit();
    return error ? error
           : now ? rt_do_copy(&work.copy, RT_NOW)
                 : rt_submit(&work, stream);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src,
                               size_t count, size_t offset,
                               enum cudaMemcpyKind kind)
{
    return DONE(to_symbol(symbol, src, count, offset, kind, true, NULL));
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src,
                                    size_t count, size_t offset,
                                    enum cudaMemcpyKind kind,
                                    cudaStream_t stream)
{
    return DONE(to_symbol(symbol, src, count, offset, kind, false, stream));
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count,
                                 size_t offset, enum cudaMemcpyKind kind)
{
    rt_finish_copies();
    return DONE(from_symbol(dst, symbol, count, offset, kind, true, NULL));
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol,
                                      size_t count, size_t offset,
                                      enum cudaMemcpyKind kind,
                                      cudaStream_t stream)
{
    return DONE(from_symbol(dst, symbol, count, offset, kind, false, stream));
}

cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol)
{
    uint64_t address = 0;
    size_t bytes;
    cudaError_t error = rt_find_symbol(symbol, &address, &bytes);
    *devPtr = (void *)(uintptr_t)address;
    return DONE(error);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    uint64_t address;
    return DONE(rt_find_symbol(symbol, &address, size));
}
