// SPDX-License-Identifier: MIT
/*
 * copy3d.c: three-dimensional copies and memsets.
 *
 *   cudaMalloc3D, cudaMemcpy3D[Async], cudaMemset3D[Async]
 *   rt_copy_3d   struct cudaMemcpy3DParms -> struct rt_copy
 *
 * Pitched pointers only; CUDA arrays, which need textures, are refused.
 */
#include "runtime.h"

static char *at(const struct cudaPitchedPtr *p, const struct cudaPos *pos)
{
    return (char *)p->ptr + pos->x +
           (pos->z * p->ysize + pos->y) * p->pitch;
}

cudaError_t rt_copy_3d(const struct cudaMemcpy3DParms *p, struct rt_copy *c)
{
    if (!p)
        return cudaErrorInvalidValue;
    if (p->srcArray || p->dstArray)
        return rt_fail(cudaErrorNotSupported, "CUDA arrays are not simulated");
    *c = (struct rt_copy){
        .to = at(&p->dstPtr, &p->dstPos), .from = at(&p->srcPtr, &p->srcPos),
        .to_pitch = p->dstPtr.pitch, .from_pitch = p->srcPtr.pitch,
        .to_height = p->dstPtr.ysize, .from_height = p->srcPtr.ysize,
        .width = p->extent.width, .height = p->extent.height,
        .depth = p->extent.depth, .kind = p->kind};
    return cudaSuccess;
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    struct rt_copy c;
    cudaError_t error = rt_refuse_implicit();
    if (error == cudaSuccess)
        error = rt_copy_3d(p, &c);
    rt_finish_copies();
    return DONE(error ? error : rt_do_copy(&c, RT_NOW));
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p,
                              cudaStream_t stream)
{
    struct rt_work work = {.kind = RT_COPY};
    cudaError_t error = rt_copy_3d(p, &work.copy);
    return DONE(error ? error : rt_submit(&work, stream));
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitchedDevPtr,
                         struct cudaExtent extent)
{
    size_t rows;
    void *p = NULL;
    if (!pitchedDevPtr ||
        __builtin_mul_overflow(extent.height, extent.depth, &rows))
        return DONE(cudaErrorInvalidValue);
    cudaError_t error = cudaMallocPitch(&p, &pitchedDevPtr->pitch,
                                        extent.width, rows);
    pitchedDevPtr->ptr = p;
    pitchedDevPtr->xsize = extent.width;
    pitchedDevPtr->ysize = extent.height;
    return error;
}

/* One slice at a time: its rows have one pitch. */
static cudaError_t fill_box(struct cudaPitchedPtr p, int value,
                            struct cudaExtent extent, cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;
    for (size_t z = 0; z < extent.depth && !error; z++) {
        struct rt_work work = {
            .kind = RT_FILL,
            .fill = {.to = (char *)p.ptr + z * p.ysize * p.pitch,
                     .pitch = p.pitch, .width = extent.width,
                     .height = extent.height, .value = (uint8_t)value,
                     .element = 1}};
        error = rt_submit(&work, stream);
    }
    return error;
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr pitchedDevPtr, int value,
                         struct cudaExtent extent)
{
    cudaError_t error = rt_refuse_implicit();
    return DONE(error ? error : fill_box(pitchedDevPtr, value, extent, NULL));
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitchedDevPtr, int value,
                              struct cudaExtent extent, cudaStream_t stream)
{
    return DONE(fill_box(pitchedDevPtr, value, extent, stream));
}
