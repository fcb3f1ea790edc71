// SPDX-License-Identifier: MIT
/*
 * tensor_map.c: the driver's functions that make tensor maps, and how programs
 * that do not link to the driver get them.
 *
 *   cudaGetDriverEntryPoint, cudaGetDriverEntryPointByVersion
 *   cuTensorMapEncodeTiled, cuTensorMapReplaceAddress   found by name only
 *
 * A map is made here, without the device: it is 128 bytes that the program
 * hands to a kernel (../tensor_map.h). Results and arguments are the driver's,
 * whose headers CUDA 11 lacks.
 */
#include "runtime.h"

#include "../tensor_map.h"

#include <stdio.h>
#include <string.h>

/* CUresult */
enum {
    RESULT_SUCCESS = 0, RESULT_INVALID_VALUE = 1, RESULT_NOT_SUPPORTED = 801,
};
enum { MAPS_SINCE = 12000, CAPABILITY = 9, INTERLEAVES = 3, PROMOTIONS = 4 };

static int refuse(const char *call, int result, const char *why)
{
    rt_note(call, result == RESULT_INVALID_VALUE ? cudaErrorInvalidValue
                                                 : cudaErrorNotSupported,
            why, 0, NULL);
    return result;
}

static uint32_t at_most(uint32_t x, uint32_t most)
{
    return x < most ? x : most;
}

/* What lies beyond the fields' range stays invalid. */
static void describe(struct tensor_map *x, uint32_t rank,
                     const uint64_t *extent, const uint64_t *stride,
                     const uint32_t *box, const uint32_t *step)
{
    x->rank = (uint8_t)at_most(rank, UINT8_MAX);
    for (uint32_t d = 0; d < TENSOR_RANKS; d++) {
        bool there = d < rank;
        x->extent[d] = there ? extent[d] : 1;
        x->stride[d] = there && d ? stride[d - 1] : 0;
        x->box[d] = (uint16_t)(there ? at_most(box[d], UINT16_MAX) : 1);
        x->step[d] = (uint8_t)(there ? at_most(step[d], UINT8_MAX) : 1);
    }
}

static int encode_tiled(void *to, int type, uint32_t rank, void *address,
                        const uint64_t *extent, const uint64_t *stride,
                        const uint32_t *box, const uint32_t *step,
                        int interleave, int swizzle, int promotion, int fill)
{
    static const char call[] = "cuTensorMapEncodeTiled";
    struct tensor_map x = {.mark = TENSOR_MAP_MARK,
                           .address = rt_address(address)};
    cudaError_t error;
    const struct gpu_model *gpu = rt_gpu(&error);
    if (!gpu || gpu->cc_major < CAPABILITY)
        return refuse(call, RESULT_NOT_SUPPORTED,
                      "tensor maps need compute capability 9.0");
    if (!to || (uintptr_t)to % TENSOR_MAP_ALIGN || !extent || !box || !step ||
        (rank > 1 && !stride))
        return refuse(call, RESULT_INVALID_VALUE,
                      "a pointer is NULL, or the map not aligned to 64 bytes");
    if (interleave > 0 && interleave < INTERLEAVES)
        return refuse(call, RESULT_NOT_SUPPORTED,
                      "interleaved layouts are not simulated");
    if (interleave || promotion < 0 || promotion >= PROMOTIONS || type < 0 ||
        type >= MAP_TYPES || swizzle < 0 || swizzle >= MAP_SWIZZLES ||
        fill < 0 || fill > 1)
        return refuse(call, RESULT_INVALID_VALUE,
                      "an element type, interleave, swizzle, promotion or fill "
                      "that this GPU does not have");
    x.type = (uint8_t)type;
    x.swizzle = (uint8_t)swizzle;
    x.fill_nan = (uint8_t)fill;
    describe(&x, rank, extent, stride, box, step);
    const char *wrong = tensor_map_check(&x);
    if (wrong)
        return refuse(call, RESULT_INVALID_VALUE, wrong);
    memset(to, 0, TENSOR_MAP_BYTES);
    memcpy(to, &x, sizeof x);
    return RESULT_SUCCESS;
}

static int replace_address(void *map, void *address)
{
    struct tensor_map x;
    if (!map)
        return RESULT_INVALID_VALUE;
    memcpy(&x, map, sizeof x);
    x.address = rt_address(address);
    const char *wrong = tensor_map_check(&x);
    if (wrong)
        return refuse("cuTensorMapReplaceAddress", RESULT_INVALID_VALUE, wrong);
    memcpy(map, &x, sizeof x);
    return RESULT_SUCCESS;
}

/* Found by name ------------------------------------------------------------ */

/* As in enum cudaDriverEntryPointQueryResult. */
enum found { FOUND, NO_SYMBOL, NEWER_VERSION };

static enum found look_up(const char *symbol, unsigned version, void **to)
{
    static const struct { const char *name; void *function; } known[] = {
        {"cuTensorMapEncodeTiled", (void *)(uintptr_t)encode_tiled},
        {"cuTensorMapReplaceAddress", (void *)(uintptr_t)replace_address},
    };
    *to = NULL;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(symbol, known[k].name) == 0) {
            if (version < MAPS_SINCE)
                return NEWER_VERSION;
            *to = known[k].function;
            return FOUND;
        }
    fprintf(stderr, "simgpu: the driver's %s is not supported by the "
                    "simulated GPU\n", symbol);
    return NO_SYMBOL;
}

static cudaError_t get(const char *symbol, void **to, unsigned version,
                       unsigned long long flags, int *status)
{
    if (!symbol || !*symbol || !to ||
        flags > cudaEnablePerThreadDefaultStream)
        return cudaErrorInvalidValue;
    *status = look_up(symbol, version, to);
    return cudaSuccess;
}

#if CUDART_VERSION >= 12000
typedef enum cudaDriverEntryPointQueryResult query_result;
#else
typedef int query_result;
#endif

/* CUDA 11's call has no last parameter; the call with a version came with
 * 12.5, where the first one is deprecated. */
#define GET(name, version, ...)                                                \
    cudaError_t name(const char *symbol, void **funcPtr, __VA_ARGS__           \
                     unsigned long long flags, query_result *driverStatus);    \
    cudaError_t name(const char *symbol, void **funcPtr, __VA_ARGS__           \
                     unsigned long long flags, query_result *driverStatus)     \
    {                                                                          \
        int status = NO_SYMBOL;                                                \
        cudaError_t error = get(symbol, funcPtr, version, flags, &status);     \
        if (driverStatus)                                                      \
            *driverStatus = (query_result)status;                              \
        return DONE(error);                                                    \
    }
#define WITH_VERSION unsigned int cudaVersion,
#if CUDART_VERSION >= 12000
GET(cudaGetDriverEntryPoint, CUDART_VERSION, )
GET(cudaGetDriverEntryPoint_ptsz, CUDART_VERSION, )
GET(cudaGetDriverEntryPointByVersion, cudaVersion, WITH_VERSION)
GET(cudaGetDriverEntryPointByVersion_ptsz, cudaVersion, WITH_VERSION)
#else
cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **funcPtr,
                                    unsigned long long flags)
{
    int status = NO_SYMBOL;
    cudaError_t error = get(symbol, funcPtr, CUDART_VERSION, flags, &status);
    return DONE(error || status == FOUND ? error : cudaErrorSymbolNotFound);
}
TWIN(cudaGetDriverEntryPoint, _ptsz)
#endif
