// SPDX-License-Identifier: MIT
/*
 * tensor.h: the PTX of copies of boxes, and their maps.
 *
 *   tensor_map(from, columns, rows, wide, tall)   of words, for boxes of `wide`
 *                       columns and `tall` rows; rows are whole chunks of 16
 *                       bytes
 *   box_in, box_out     to shared memory, and an mbarrier; to global memory
 */
#ifndef TENSOR_H
#define TENSOR_H

#if CUDART_VERSION >= 12000
#include <cuda.h>

static CUtensorMap tensor_map(const int *from, int columns, int rows, int wide,
                              int tall)
{
    typedef CUresult encode(CUtensorMap *, CUtensorMapDataType, cuuint32_t,
                            void *, const cuuint64_t *, const cuuint64_t *,
                            const cuuint32_t *, const cuuint32_t *,
                            CUtensorMapInterleave, CUtensorMapSwizzle,
                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
    cuuint64_t extent[] = {(cuuint64_t)columns, (cuuint64_t)rows};
    cuuint64_t stride[] = {((cuuint64_t)columns + 3) / 4 * 16};
    cuuint32_t box[] = {(cuuint32_t)wide, (cuuint32_t)tall}, one[] = {1, 1};
    cudaDriverEntryPointQueryResult found;
    CUtensorMap map;
    void *f;
#if CUDART_VERSION >= 12050
    CUDA(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &f, 12000,
                                          cudaEnableDefault, &found));
#else
    CUDA(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &f,
                                 cudaEnableDefault, &found));
#endif
    if (((encode *)f)(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, (void *)from,
                      extent, stride, box, one, CU_TENSOR_MAP_INTERLEAVE_NONE,
                      CU_TENSOR_MAP_SWIZZLE_NONE,
                      CU_TENSOR_MAP_L2_PROMOTION_NONE,
                      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
        exit(1);
    return map;
}

static __device__ __forceinline__ void box_in(void *to, const CUtensorMap *map,
                                              int column, int row, object *o)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global"
                 ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::
                     "r"(in_shared(to)), "l"(map), "r"(column), "r"(row),
                 "r"(in_shared(o)) : "memory");
}

static __device__ __forceinline__ void box_out(const CUtensorMap *map,
                                               const void *from, int column,
                                               int row)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group "
                 "[%0, {%2, %3}], [%1];" ::"l"(map), "r"(in_shared(from)),
                 "r"(column), "r"(row) : "memory");
}
#endif

#endif
