// SPDX-License-Identifier: MIT
/*
 * tensor_map.h: where a tensor lies in global memory, and which boxes of it the
 * copy engine moves: what is in the 128 opaque bytes of a CUtensorMap here.
 *
 *   tensor_map            made by cudart/tensor_map.c, read by the engine
 *   tensor_map_check      NULL, or what is wrong with it
 *   tensor_map_bytes      of an element
 *   tensor_map_count      elements of a box along a dimension
 *   tensor_map_span       bytes of a swizzled row; 0: rows are not swizzled
 *
 * A dimension's elements are `stride` bytes apart; dimension 0 runs along rows,
 * whose elements lie side by side. A box takes every step-th element along a
 * dimension, but for rows, of which it takes all.
 *
 * What is allowed is what an H200's driver accepts (tests/hardware/boxes.cu).
 * Source: CUDA Driver API, cuTensorMapEncodeTiled.
 */
#ifndef SIMGPU_TENSOR_MAP_H
#define SIMGPU_TENSOR_MAP_H

#include <stdbool.h>
#include <stdint.h>

enum {
    TENSOR_RANKS = 5,
    TENSOR_MAP_BYTES = 128,
    TENSOR_MAP_ALIGN = 64,
    TENSOR_CHUNK = 16, /* bytes that a swizzle moves at a time */
};

/* As in CUtensorMapDataType, CUtensorMapSwizzle. */
enum tensor_map_type {
    MAP_U8, MAP_U16, MAP_U32, MAP_S32, MAP_U64, MAP_S64, MAP_F16, MAP_F32,
    MAP_F64, MAP_BF16, MAP_F32_FTZ, MAP_TF32, MAP_TF32_FTZ, MAP_TYPES,
};
enum tensor_map_swizzle {
    MAP_SWIZZLE_NONE, MAP_SWIZZLE_32, MAP_SWIZZLE_64, MAP_SWIZZLE_128,
    MAP_SWIZZLES,
};

struct tensor_map {
    uint64_t mark;                 /* TENSOR_MAP_MARK */
    uint64_t address;
    uint64_t extent[TENSOR_RANKS]; /* elements; 1 beyond the rank */
    uint64_t stride[TENSOR_RANKS]; /* bytes; 0 beyond the rank */
    uint16_t box[TENSOR_RANKS];    /* elements, those that steps leave out
                                      included; 1 beyond the rank */
    uint8_t step[TENSOR_RANKS];
    uint8_t type, rank, swizzle;
    uint8_t fill_nan;              /* beyond the tensor; 0: zeros */
};
_Static_assert(sizeof(struct tensor_map) <= TENSOR_MAP_BYTES, "it fits");
#define TENSOR_MAP_MARK 0x70616d20726f736eull

const char *tensor_map_check(const struct tensor_map *x);
uint32_t tensor_map_bytes(uint8_t type);
uint32_t tensor_map_count(const struct tensor_map *x, int dimension);
uint32_t tensor_map_span(const struct tensor_map *x);

#endif
