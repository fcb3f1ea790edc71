// SPDX-License-Identifier: MIT
/*
 * boxes.cuh: a copy of a box, as data, and the kernels that make one. For
 * boxes.cu.
 *
 *   copy               what is copied, and how
 *   load, spread, store   kernels: to shared memory, to that of a cluster's
 *                      blocks, and back
 *   encode_copy        its map
 *   word_of            what memory holds before
 *   print_copy         a line of the record
 */
#ifndef BOXES_CUH
#define BOXES_CUH

#include <cstdint>
#include <cstdio>
#include <cstdlib>

enum {
    RANKS = 5, THREADS = 128, BLOCKS = 4, TILE_BYTES = 16 << 10,
    GLOBAL_BYTES = 64 << 10, WORDS = GLOBAL_BYTES / 4 + BLOCKS * 8192,
    PATIENCE = 20000, // tries of a wait
};
enum way { LOAD, SPREAD, STORE };
// TAME: as fp16, bf16 and fp32 neither NaN nor infinite nor subnormal. SHARP:
// as fp32 mostly one of these, or halfway between two tf32.
enum content { RANDOM, TAME, SHARP };
// 0: none. The order is that of PTX.
enum { OPS = 9 };
static const char *const op_names[OPS] = {"", "add", "min", "max", "inc",
                                          "dec", "and", "or", "xor"};

struct copy {
    enum way way;
    int type, rank, swizzle, fill, promotion, base, op;
    uint64_t extent[RANKS], stride[RANKS];
    uint32_t box[RANKS], step[RANKS];
    int at[RANKS];
    uint32_t to, mask, seed;
    enum content content;
};

struct where {
    int at[RANKS], rank, op;
    uint32_t to, bytes, mask;
    enum content content;
};

static void cuda(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "boxes: %s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

static __host__ __device__ uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

static __host__ __device__ uint32_t word_of(uint32_t seed, uint32_t k,
                                            enum content content)
{
    uint32_t x = mix(mix(seed) + k);

    if (content == TAME)
        return (x & 0x83ff83ffu) | 0x3c003c00u;
    if (content == RANDOM)
        return x;
    switch (k % 6) {
    case 0: return x & 0x807fffffu; // subnormal
    case 1: return x | 0x7f800000u; // NaN
    case 2: return (x & 0x80000000u) | 0x7f800000u;
    case 3: return (x & ~0x1fffu) | 0x1000u;
    case 4: return (x & 0x80003000u) | 0x00001000u;
    default: return (x & 0x80000fffu) | 0x7f7ff000u;
    }
}

// Reductions that the ISA lists for a type.
static bool reduces(int op, int type)
{
    bool half = type == 6 || type == 9, u32 = type == 2, s32 = type == 3;
    bool u64 = type == 4, s64 = type == 5;
    switch (op) {
    case 1: return u32 || s32 || u64 || half || type == 7 || type == 10;
    case 2:
    case 3: return u32 || s32 || u64 || s64 || half;
    case 4:
    case 5: return u32;
    default: return u32 || s32 || u64 || s64;
    }
}

static uint32_t expected_bytes(const struct copy *c)
{
    static const uint32_t sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    uint32_t n = sizes[c->type] * c->box[0];
    for (int d = 1; d < c->rank; d++)
        n *= (c->box[d] + c->step[d] - 1) / c->step[d];
    return n;
}

// What cuTensorMapEncodeTiled returns.
static int encode_copy(CUtensorMap *map, const struct copy *c, void *at)
{
    typedef CUresult encode(CUtensorMap *, CUtensorMapDataType, cuuint32_t,
                            void *, const cuuint64_t *, const cuuint64_t *,
                            const cuuint32_t *, const cuuint32_t *,
                            CUtensorMapInterleave, CUtensorMapSwizzle,
                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
    static encode *function;
    if (!function) {
        cudaDriverEntryPointQueryResult found;
        void *f = NULL;
#if CUDART_VERSION >= 12050
        cuda(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &f,
                                              12000, cudaEnableDefault,
                                              &found), "entry point");
#else
        cuda(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &f,
                                     cudaEnableDefault, &found),
             "entry point");
#endif
        function = (encode *)f;
    }
    cuuint64_t extent[RANKS], stride[RANKS];
    for (int d = 0; d < RANKS; d++)
        extent[d] = c->extent[d], stride[d] = c->stride[d];
    return (int)function(
        map, (CUtensorMapDataType)c->type, (cuuint32_t)c->rank, at, extent,
        stride, c->box, c->step, CU_TENSOR_MAP_INTERLEAVE_NONE,
        (CUtensorMapSwizzle)c->swizzle, (CUtensorMapL2promotion)c->promotion,
        (CUtensorMapFloatOOBfill)c->fill);
}

// Kernels ---------------------------------------------------------------------

static __device__ uint32_t shared(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

#define AT2 "{%3, %4}"
#define AT3 "{%3, %4, %5}"
#define AT4 "{%3, %4, %5, %6}"
#define AT5 "{%3, %4, %5, %6, %7}"
#define FIVE(x)                                                               \
    "r"(x.at[0]), "r"(x.at[1]), "r"(x.at[2]), "r"(x.at[3]), "r"(x.at[4])
#define EACH_RANK(x, ONE)                                                     \
    switch ((x).rank) {                                                       \
    case 1: ONE("1d", "{%3}"); break;                                         \
    case 2: ONE("2d", AT2); break;                                            \
    case 3: ONE("3d", AT3); break;                                            \
    case 4: ONE("4d", AT4); break;                                            \
    default: ONE("5d", AT5); break;                                           \
    }
#define BYTES ".mbarrier::complete_tx::bytes"

static __device__ void fill(uint32_t *tile, uint64_t *full, uint32_t seed,
                            enum content content)
{
    for (uint32_t k = threadIdx.x; k < TILE_BYTES / 4; k += THREADS)
        tile[k] = word_of(seed, k, content);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n"
                     "fence.mbarrier_init.release.cluster;" ::"r"(shared(full))
                     : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
}

static __device__ void expect(uint64_t *full, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     shared(full)), "r"(bytes) : "memory");
}

// Waits, but not for ever, and writes everything out.
static __device__ void show(const uint32_t *tile, uint64_t *full,
                            uint32_t *out)
{
    uint32_t over = 0;
    for (int n = 0; n < PATIENCE && !over; n++)
        asm volatile("{\n.reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                     "selp.b32 %0, 1, 0, p;\n}"
                     : "=r"(over) : "r"(shared(full)) : "memory");
    for (uint32_t k = threadIdx.x; k < TILE_BYTES / 4; k += THREADS)
        out[k] = tile[k];
    if (threadIdx.x == 0)
        out[TILE_BYTES / 4] = over;
}

static __global__ void load(const __grid_constant__ CUtensorMap map,
                            struct where x, uint32_t seed, uint32_t *out)
{
    __shared__ __align__(1024) uint32_t tile[TILE_BYTES / 4];
    __shared__ uint64_t full;

    fill(tile, &full, seed, x.content);
    if (threadIdx.x == 0) {
        expect(&full, x.bytes);
#define ONE(rank, at)                                                         \
    asm volatile("cp.async.bulk.tensor." rank ".shared::cluster.global" BYTES \
                 " [%0], [%1, " at "], [%2];" ::"r"(shared(tile) + x.to),     \
                 "l"(&map), "r"(shared(&full)), FIVE(x) : "memory")
        EACH_RANK(x, ONE)
#undef ONE
    }
    show(tile, &full, out);
}

static __global__ void __cluster_dims__(BLOCKS)
    spread(const __grid_constant__ CUtensorMap map, struct where x,
           uint32_t seed, uint32_t *out)
{
    __shared__ __align__(1024) uint32_t tile[TILE_BYTES / 4];
    __shared__ uint64_t full;
    uint32_t rank = blockIdx.x;
    uint16_t mask = (uint16_t)x.mask;

    fill(tile, &full, seed + rank, x.content);
    if (threadIdx.x == 0)
        expect(&full, mask >> rank & 1 ? x.bytes : 0);
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
    if (threadIdx.x == 0 && rank == seed % BLOCKS) {
#define ONE(rank, at)                                                         \
    asm volatile("cp.async.bulk.tensor." rank ".shared::cluster.global" BYTES \
                 ".multicast::cluster [%0], [%1, " at "], [%2], %8;" ::"r"(   \
                     shared(tile) + x.to), "l"(&map), "r"(shared(&full)),     \
                 FIVE(x), "h"(mask) : "memory")
        EACH_RANK(x, ONE)
#undef ONE
    }
    show(tile, &full, out + rank * (TILE_BYTES / 4 + 1));
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
}

static __global__ void store(const __grid_constant__ CUtensorMap map,
                             struct where x, uint32_t seed)
{
    __shared__ __align__(1024) uint32_t tile[TILE_BYTES / 4];
    __shared__ uint64_t full;

    fill(tile, &full, seed, x.content);
    if (threadIdx.x != 0)
        return;
#define STORE(text, rank, at)                                                 \
    asm volatile("cp." text "async.bulk.tensor." rank ".global.shared::cta"   \
                 ".bulk_group [%1, " at "], [%0];" ::"r"(                     \
                     shared(tile) + x.to), "l"(&map), "r"(0), FIVE(x)         \
                 : "memory")
#define REDUCE(op)                                                            \
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta." op      \
                 ".bulk_group [%1, {%2, %3}], [%0];" ::"r"(                   \
                     shared(tile) + x.to), "l"(&map), "r"(x.at[0]),           \
                 "r"(x.at[1]) : "memory")
#define ONE(rank, at) STORE("", rank, at)
    switch (x.op) {
    case 0: EACH_RANK(x, ONE) break;
    case 1: REDUCE("add"); break;
    case 2: REDUCE("min"); break;
    case 3: REDUCE("max"); break;
    case 4: REDUCE("inc"); break;
    case 5: REDUCE("dec"); break;
    case 6: REDUCE("and"); break;
    case 7: REDUCE("or"); break;
    default: REDUCE("xor"); break;
    }
#undef ONE
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" :::
                     "memory");
}

// With BOXES_ALL=1 all words, else their hash.
static void print_copy(const struct copy *c, const char *name,
                       const uint32_t *words, size_t bytes)
{
    uint64_t digest = 0xcbf29ce484222325u; // FNV-1a
    for (size_t k = 0; k < bytes / 4; k++)
        digest = (digest ^ words[k]) * 0x100000001b3u;
    printf("copy.%s %016llx\n", name, (unsigned long long)digest);
    if (!getenv("BOXES_ALL"))
        return;
    fprintf(stderr, "copy.%s type %d rank %d swizzle %d fill %d op %d base %d "
            "to %u mask %u", name, c->type, c->rank, c->swizzle, c->fill,
            c->op, c->base, c->to, c->mask);
    for (int d = 0; d < c->rank; d++)
        fprintf(stderr, "; extent %llu stride %llu box %u step %u at %d",
                (unsigned long long)c->extent[d],
                (unsigned long long)c->stride[d], c->box[d], c->step[d],
                c->at[d]);
    for (size_t k = 0; k < bytes / 4; k++)
        fprintf(stderr, "%s%x", k % 8 ? " " : "\n", words[k]);
    fprintf(stderr, "\n");
}

#endif
