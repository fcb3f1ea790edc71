// SPDX-License-Identifier: MIT
/*
 * tensor_map.c: which tensor maps are valid. Interface: tensor_map.h.
 */
#include "tensor_map.h"

#include <stddef.h>

enum {
    BOX_MOST = 256,        /* elements along a dimension */
    STEP_MOST = 8,
    SHARED_MOST = 227 << 10, /* bytes of a box: what a block may have */
    ADDRESS_BITS = 57, EXTENT_BITS = 32, STRIDE_BITS = 40,
};

uint32_t tensor_map_bytes(uint8_t type)
{
    static const uint8_t bytes[MAP_TYPES] = {1, 2, 4, 4, 8, 8, 2,
                                             4, 8, 2, 4, 4, 4};
    return bytes[type];
}

uint32_t tensor_map_count(const struct tensor_map *x, int dimension)
{
    uint32_t step = dimension ? x->step[dimension] : 1;
    return (x->box[dimension] + step - 1) / step;
}

uint32_t tensor_map_span(const struct tensor_map *x)
{
    return x->swizzle ? 16u << x->swizzle : 0;
}

static const char *check_dimension(const struct tensor_map *x, int d)
{
    if (x->extent[d] == 0 || x->extent[d] > 1ull << EXTENT_BITS)
        return "a dimension of the tensor is 1 to 2^32 elements";
    if (x->box[d] == 0 || x->box[d] > BOX_MOST)
        return "a dimension of the box is 1 to 256 elements";
    if (x->step[d] == 0 || x->step[d] > STEP_MOST)
        return "an element stride is 1 to 8";
    if (d > 0 && (x->stride[d] % TENSOR_CHUNK || x->stride[d] >> STRIDE_BITS))
        return "a stride is a multiple of 16 bytes below 2^40";
    return NULL;
}

const char *tensor_map_check(const struct tensor_map *x)
{
    if (x->mark != TENSOR_MAP_MARK)
        return "it was not made by cuTensorMapEncodeTiled";
    if (x->rank < 1 || x->rank > TENSOR_RANKS)
        return "the rank is 1 to 5";
    if (x->type >= MAP_TYPES || x->swizzle >= MAP_SWIZZLES)
        return "no such element type, or no such swizzle";
    if (x->address % TENSOR_CHUNK || x->address >> ADDRESS_BITS)
        return "the tensor's address is a multiple of 16";
    if (x->fill_nan > 1 || (x->fill_nan && x->type < MAP_F16))
        return "only floating-point types are filled with NaN";
    uint64_t bytes = tensor_map_bytes(x->type);
    for (int d = 0; d < x->rank; d++) {
        const char *wrong = check_dimension(x, d);
        if (wrong)
            return wrong;
        bytes *= tensor_map_count(x, d);
    }
    uint32_t row = x->box[0] * tensor_map_bytes(x->type);
    if (row % TENSOR_CHUNK)
        return "a row of the box is a multiple of 16 bytes";
    if (x->swizzle && row > tensor_map_span(x))
        return "a row of the box is no longer than the swizzle's bytes";
    return bytes > SHARED_MOST ? "the box fits in no shared memory" : NULL;
}
