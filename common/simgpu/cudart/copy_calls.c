// SPDX-License-Identifier: MIT
/*
 * copy_calls.c: memcpy and memset of plain pointers, in one and two dimensions.
 *
 *   cudaMemcpy[Async], cudaMemcpy2D[Async]
 *   cudaMemcpyPeer[Async]: from the one device to itself
 *   cudaMemset[Async], cudaMemset2D[Async]
 */
#include "runtime.h"

static struct rt_copy plain(void *to, const void *from, size_t n,
                            enum cudaMemcpyKind kind)
{
    return (struct rt_copy){.to = to, .from = from, .to_pitch = n,
                            .from_pitch = n, .width = n, .height = 1,
                            .depth = 1, .kind = kind};
}

static struct rt_copy rows(void *to, size_t to_pitch, const void *from,
                           size_t from_pitch, size_t width, size_t height,
                           enum cudaMemcpyKind kind)
{
    return (struct rt_copy){.to = to, .from = from, .to_pitch = to_pitch,
                            .from_pitch = from_pitch, .width = width,
                            .height = height, .depth = 1, .kind = kind};
}

/* Of no rows, an H200 asks for no pitch. */
static bool pitches_fit(const struct rt_copy *c)
{
    return c->height == 0 ||
           (c->width <= c->to_pitch && c->width <= c->from_pitch);
}

/* As an H200 answers. */
static cudaError_t refuse_pitches(const struct rt_copy *c)
{
    return c->height == 1 ? cudaErrorInvalidValue : cudaErrorInvalidPitchValue;
}

/* A synchronous copy completes the deferred ones before it. */
static cudaError_t now(struct rt_copy c)
{
    cudaError_t error = rt_refuse_implicit();
    if (error)
        return error;
    rt_finish_copies();
    return pitches_fit(&c) ? rt_do_copy(&c, RT_NOW) : refuse_pitches(&c);
}

static cudaError_t later(struct rt_copy c, cudaStream_t stream)
{
    struct rt_work work = {.kind = RT_COPY, .copy = c};
    return pitches_fit(&c) ? rt_submit(&work, stream) : refuse_pitches(&c);
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count,
                       enum cudaMemcpyKind kind)
{
    return DONE(now(plain(dst, src, count, kind)));
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return DONE(later(plain(dst, src, count, kind), stream));
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src,
                         size_t spitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind)
{
    return DONE(now(rows(dst, dpitch, src, spitch, width, height, kind)));
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src,
                              size_t spitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return DONE(later(rows(dst, dpitch, src, spitch, width, height, kind),
                      stream));
}

cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src,
                           int srcDevice, size_t count)
{
    if (dstDevice || srcDevice)
        return DONE(cudaErrorInvalidDevice);
    return DONE(now(plain(dst, src, count, cudaMemcpyDeviceToDevice)));
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src,
                                int srcDevice, size_t count,
                                cudaStream_t stream)
{
    if (dstDevice || srcDevice)
        return DONE(cudaErrorInvalidDevice);
    return DONE(later(plain(dst, src, count, cudaMemcpyDeviceToDevice),
                      stream));
}

static struct rt_work fill(void *to, size_t pitch, int value, size_t width,
                           size_t height)
{
    return (struct rt_work){
        .kind = RT_FILL,
        .fill = {.to = to, .pitch = pitch, .width = width, .height = height,
                 .value = (uint8_t)value, .element = 1}};
}

/* Does not wait for the device, but uses the legacy stream, which no capture
 * allows. */
static cudaError_t fill_now(struct rt_work work)
{
    cudaError_t error = rt_refuse_implicit();
    return error ? error : rt_do(&work, SIMWIRE_LEGACY);
}

cudaError_t cudaMemset(void *devPtr, int value, size_t count)
{
    return DONE(fill_now(fill(devPtr, count, value, count, 1)));
}

cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count,
                            cudaStream_t stream)
{
    struct rt_work work = fill(devPtr, count, value, count, 1);
    return DONE(rt_submit(&work, stream));
}

cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width,
                         size_t height)
{
    return DONE(fill_now(fill(devPtr, pitch, value, width, height)));
}

cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value,
                              size_t width, size_t height,
                              cudaStream_t stream)
{
    struct rt_work work = fill(devPtr, pitch, value, width, height);
    return DONE(rt_submit(&work, stream));
}
