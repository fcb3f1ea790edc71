// SPDX-License-Identifier: MIT
/*
 * gemm_hopper.cuh: what compute capability 9.0 adds for matrix products, as
 * functions. For the stages of chapter 17; compute_90a.
 *
 *   matrix_rows, matrix_columns   describe an operand in shared memory
 *   wgmma_begin, wgmma_bf16, wgmma_commit, wgmma_wait
 *                                 multiply, by a warpgroup
 *   barrier_init, barrier_init_done, barrier_expect, barrier_arrive,
 *   barrier_wait                  barriers that count bytes
 *   tensor_map_workspace, tensor_map, tensor_load, tensor_store,
 *   tensor_store_commit, tensor_store_wait
 *                                 boxes of a matrix, by the copy engine
 *   async_fence, group_sync, registers_up, registers_down
 *
 * The hard idea: there are two ways into shared memory, and neither sees by
 * itself what the other has done. Ordinary loads and stores are one (the
 * *generic proxy*); wgmma and the copy engine are the other (the *async
 * proxy*). async_fence() makes this thread's stores visible to the second.
 *
 * Tiles are 64 elements (128 bytes) wide, begin on multiples of 1024 bytes, and
 * are swizzled: chunk c of row r, 16 bytes, lies at chunk c ^ r % 8. The copy
 * engine writes them so, and wgmma reads them so. Source: PTX ISA 8.0,
 * "Asynchronous Warpgroup Level Matrix Instructions", "Data Movement".
 */
#ifndef WB_GEMM_HOPPER_CUH
#define WB_GEMM_HOPPER_CUH

#include <cuda.h>
#include <cuda_bf16.h>
#include <stdint.h>

#include "gemm.h"

enum {
    GROUP = 128,      // threads of a warpgroup
    TILE_WIDTH = 64,  // elements of a row of a tile
    TILE_BYTES = 128, // the same in bytes
    WGMMA_M = 64,     // rows of sums per warpgroup
    WGMMA_N = 256,    // columns
    WGMMA_K = 16,
    SUMS = WGMMA_M * WGMMA_N / GROUP // per thread
};

static __device__ __forceinline__ unsigned shared_address(const void *at)
{
    return (unsigned)__cvta_generic_to_shared(at);
}

static __device__ __forceinline__ uint64_t
matrix_at(const void *tile, unsigned leading, unsigned stride)
{
    const uint64_t swizzle_128_bytes = 1ULL << 62;

    return (shared_address(tile) & 0x3ffff) >> 4 |
           (uint64_t)(leading >> 4) << 16 | (uint64_t)(stride >> 4) << 32 |
           swizzle_128_bytes;
}

/* A: 64 rows, k along the row. The next 16 values of k are 32 bytes on. */
static __device__ __forceinline__ uint64_t matrix_rows(const void *tile)
{
    return matrix_at(tile, 16, 8 * TILE_BYTES);
}

/* B: the rows of a tile are k, its columns those of B. 256 columns are four
 * tiles, each `tile_bytes` behind the one before. The next 16 values of k are
 * 16 rows on. */
static __device__ __forceinline__ uint64_t matrix_columns(const void *tile,
                                                          unsigned tile_bytes)
{
    return matrix_at(tile, tile_bytes, 8 * TILE_BYTES);
}

/* Before the first wgmma, and whenever registers of sums were touched since. */
static __device__ __forceinline__ void wgmma_begin()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

/* All wgmma since the last commit become a group. */
static __device__ __forceinline__ void wgmma_commit()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/* Waits for all groups but the newest N. */
template <int N> static __device__ __forceinline__ void wgmma_wait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}

#define WB_SUMS_TEXT                                                          \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "  \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, "  \
    "%30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "  \
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, "  \
    "%58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, "  \
    "%72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "  \
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, "  \
    "%100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, "      \
    "%111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, "      \
    "%122, %123, %124, %125, %126, %127"
#define WB_SUMS_4(d, i)                                                       \
    "+f"((d)[i]), "+f"((d)[(i) + 1]), "+f"((d)[(i) + 2]), "+f"((d)[(i) + 3])
#define WB_SUMS_16(d, i)                                                      \
    WB_SUMS_4(d, i), WB_SUMS_4(d, (i) + 4), WB_SUMS_4(d, (i) + 8),            \
        WB_SUMS_4(d, (i) + 12)
#define WB_SUMS_64(d, i)                                                      \
    WB_SUMS_16(d, i), WB_SUMS_16(d, (i) + 16), WB_SUMS_16(d, (i) + 32),       \
        WB_SUMS_16(d, (i) + 48)

/* 64 x 256 sums += A's 64 rows times B's 256 columns, over 16 values of k; with
 * add = 0 they begin anew. All 128 threads call it. With quad = thread % 32 / 4
 * and place = thread % 4, a thread has of each 8 columns, from
 * sums[columns / 2] on: [quad][2 place], [quad][2 place + 1], and the same of
 * row quad + 8; its warp has 16 rows from thread / 32 * 16 on. */
static __device__ __forceinline__ void wgmma_bf16(float *sums, uint64_t a,
                                                  uint64_t b, int add)
{
    asm volatile("{\n"
                 ".reg .pred add;\n"
                 "setp.ne.b32 add, %130, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 "
                 "{" WB_SUMS_TEXT "}, %128, %129, add, 1, 1, 0, 1;\n"
                 "}\n"
                 : WB_SUMS_64(sums, 0), WB_SUMS_64(sums, 64)
                 : "l"(a), "l"(b), "r"(add));
}

#undef WB_SUMS_TEXT
#undef WB_SUMS_4
#undef WB_SUMS_16
#undef WB_SUMS_64

/* This thread's stores to shared memory, before what the async proxy does
 * after the next barrier. */
static __device__ __forceinline__ void async_fence()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* A barrier in shared memory. Its phase ends when `arrivals` threads have
 * arrived and all bytes that were expected are there; the next begins. */
static __device__ __forceinline__ void barrier_init(uint64_t *barrier,
                                                    unsigned arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                     shared_address(barrier)),
                 "r"(arrivals)
                 : "memory");
}

/* After the last barrier_init, before others use the barriers. */
static __device__ __forceinline__ void barrier_init_done()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

static __device__ __forceinline__ void barrier_arrive(uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(
                     shared_address(barrier))
                 : "memory");
}

/* Arrives, and says how many bytes the phase also waits for. */
static __device__ __forceinline__ void barrier_expect(uint64_t *barrier,
                                                      unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     shared_address(barrier)),
                 "r"(bytes)
                 : "memory");
}

/* Waits for the end of the phase of this parity: 0 for the first, 1 for the
 * second, 0 for the third. */
static __device__ __forceinline__ void barrier_wait(uint64_t *barrier,
                                                    unsigned parity)
{
    unsigned over;

    do {
        asm volatile("{\n"
                     ".reg .pred over;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 over, [%1], "
                     "%2;\n"
                     "selp.b32 %0, 1, 0, over;\n"
                     "}\n"
                     : "=r"(over)
                     : "r"(shared_address(barrier)), "r"(parity)
                     : "memory");
    } while (!over);
}

/* Copies the box at (col, row) to shared memory; its bytes arrive at the
 * barrier. One thread calls it. What lies beyond the matrix becomes 0. */
static __device__ __forceinline__ void tensor_load(void *to,
                                                   const CUtensorMap *map,
                                                   int col, int row,
                                                   uint64_t *barrier)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx"
        "::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(to)),
        "l"(map), "r"(col), "r"(row), "r"(shared_address(barrier))
        : "memory");
}

/* Copies a box from shared memory, in chunks of 16 bytes; those that lie beyond
 * the matrix are left out. One thread calls these three: stores since the last
 * commit become a group, and the wait is for all groups but the newest N to
 * have been read. */
static __device__ __forceinline__ void tensor_store(const CUtensorMap *map,
                                                    const void *from, int col,
                                                    int row)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group "
                 "[%0, {%2, %3}], [%1];" ::"l"(map),
                 "r"(shared_address(from)), "r"(col), "r"(row)
                 : "memory");
}

static __device__ __forceinline__ void tensor_store_commit()
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

template <int N> static __device__ __forceinline__ void tensor_store_wait()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}

/* __syncthreads() for the 128 threads of a warpgroup; 1 <= number < 16. */
static __device__ __forceinline__ void group_sync(int number)
{
    asm volatile("bar.sync %0, %1;" ::"r"(number), "r"((int)GROUP) : "memory");
}

/* How many registers a thread of this warpgroup has from now on: a multiple of
 * 8, and over the block no more than it began with. */
template <int N> static __device__ __forceinline__ void registers_up()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N));
}

template <int N> static __device__ __forceinline__ void registers_down()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N));
}

/* Copies a matrix whose rows begin anywhere to one of rows `pitch` apart. */
static __global__ void repack(const gemm_bf16_t *from, gemm_bf16_t *to,
                              int rows, int columns, int leading, int pitch)
{
    for (int row = blockIdx.x; row < rows; row += gridDim.x)
        for (int col = threadIdx.x; col < columns; col += blockDim.x)
            to[(size_t)row * pitch + col] = from[(size_t)row * leading + col];
}

static inline int aligned_pitch(int columns)
{
    const int elements = 64; /* 128 bytes, so that boxes are whole lines */

    return (columns + elements - 1) / elements * elements;
}

/* Bytes of workspace that tensor_map needs for a matrix; often 0. */
static inline size_t tensor_map_workspace(int rows, int columns, int leading)
{
    return leading % 8 ? (size_t)rows * aligned_pitch(columns) * 2 : 0;
}

/* A map of a row-major bf16 matrix, for boxes of `box_rows` rows and 64
 * columns. The copy engine wants rows that begin on multiples of 16 bytes: if
 * they do not, the map is of a copy in `*workspace`, which is made on the
 * stream, and *workspace advances. cudaErrorMisalignedAddress: the matrix
 * itself begins elsewhere, and no workspace was asked for. */
static inline cudaError_t tensor_map(CUtensorMap *map,
                                     const gemm_bf16_t *matrix, int rows,
                                     int columns, int leading,
                                     unsigned box_rows, void **workspace,
                                     cudaStream_t stream)
{
    typedef CUresult encode(CUtensorMap *, CUtensorMapDataType, cuuint32_t,
                            void *, const cuuint64_t *, const cuuint64_t *,
                            const cuuint32_t *, const cuuint32_t *,
                            CUtensorMapInterleave, CUtensorMapSwizzle,
                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
    cudaDriverEntryPointQueryResult found;
    void *function = NULL;
#if CUDART_VERSION >= 12050
    cudaError_t error = cudaGetDriverEntryPointByVersion(
        "cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found);
#else
    cudaError_t error = cudaGetDriverEntryPoint(
        "cuTensorMapEncodeTiled", &function, cudaEnableDefault, &found);
#endif

    if (error != cudaSuccess)
        return error;
    if (found != cudaDriverEntryPointSuccess)
        return cudaErrorNotSupported;
    if (leading % 8) {
        gemm_bf16_t *copy = (gemm_bf16_t *)*workspace;
        int pitch = aligned_pitch(columns);

        repack<<<min(rows, 65535), 256, 0, stream>>>(matrix, copy, rows,
                                                     columns, leading, pitch);
        *workspace = copy + (size_t)rows * pitch;
        matrix = copy;
        leading = pitch;
    }
    if ((size_t)matrix % 16)
        return cudaErrorMisalignedAddress;

    cuuint64_t extents[2] = {(cuuint64_t)columns, (cuuint64_t)rows};
    cuuint64_t pitch[1] = {(cuuint64_t)leading * sizeof *matrix};
    cuuint32_t box[2] = {TILE_WIDTH, box_rows}, one[2] = {1, 1};
    CUresult result = ((encode *)function)(
        map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, (void *)matrix, extents,
        pitch, box, one, CU_TENSOR_MAP_INTERLEAVE_NONE,
        CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);

    return result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue;
}

#endif
