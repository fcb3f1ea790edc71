// SPDX-License-Identifier: MIT
/*
 * row_share.cuh: what the threads of row_chip.cuh's kernels share out among
 * themselves, and how a thread's share comes and goes.
 *
 *   chip_plan, chip_plan_of     how a grid shares rows out
 *   chip_grid_of                how many blocks
 *   chip_first_row, chip_row_step   the rows of a warp or a block
 *   chip_share                  where a thread's vectors of a row lie
 *   chip_bring, chip_take, chip_put   global to shared memory, to registers,
 *                               and back to global memory
 *   chip_columns, chip_put_columns   what belongs to a thread's columns
 *   chip_tell, chip_hear        a float from block to block
 *   chip_exp, chip_max, chip_sum   an exponential; over some lanes of a warp
 */
#ifndef WB_ROW_SHARE_CUH
#define WB_ROW_SHARE_CUH

#include <cuda_bf16.h>
#include <cuda_pipeline_primitives.h>

enum {
    CHIP_LANES = 32,
    CHIP_WARP_BLOCK = 128, // threads of a block whose warps own rows
    CHIP_MOST = 512,       // threads of a block
    CHIP_STEADY = 8,       // rows until a row begins at the same place in a
                           // vector again, whatever its length
    CHIP_VECTOR = 16       // bytes
};

// Blocks of CHIP_MOST threads that registers must leave room for: two where a
// row's blocks wait for each other.
#define CHIP_BOUNDS(SPLIT) __launch_bounds__(CHIP_MOST, (SPLIT) ? 2 : 1)

// Rows are cut into vectors of 16 bytes. In whole rows they begin where the row
// begins; in shifted ones they begin at multiples of 16 bytes wherever the row
// begins.
enum chip_mode { CHIP_WHOLE, CHIP_SHIFTED };

struct chip_plan {
    size_t rows;
    int cols;
    int parts;    // blocks per row; 0: some lanes of a warp own a row
    int lanes;    // how many, then: a power of two
    int threads;  // of a block
    size_t shared;             // bytes of it
    unsigned long long *words; // parts > 1: floats with tags, see chip_tell
};

// What one access moves, and its elements as floats.
template <typename T> struct chip_vector;

template <> struct chip_vector<float> {
    float4 e;

    __device__ void get(float *v) const
    {
        v[0] = e.x;
        v[1] = e.y;
        v[2] = e.z;
        v[3] = e.w;
    }
    __device__ void set(const float *v)
    {
        e = make_float4(v[0], v[1], v[2], v[3]);
    }
};

// bf16 is the upper half of a float.
template <> struct chip_vector<__nv_bfloat16> {
    uint4 e;

    static __device__ void split(unsigned pair, float *v)
    {
        v[0] = __uint_as_float(pair << 16);
        v[1] = __uint_as_float(pair & 0xffff0000);
    }
    static __device__ unsigned pair(const float *v)
    {
        __nv_bfloat162 both = __floats2bfloat162_rn(v[0], v[1]);

        return *(const unsigned *)&both;
    }
    __device__ void get(float *v) const
    {
        split(e.x, v);
        split(e.y, v + 2);
        split(e.z, v + 4);
        split(e.w, v + 6);
    }
    __device__ void set(const float *v)
    {
        e = make_uint4(pair(v), pair(v + 2), pair(v + 4), pair(v + 6));
    }
};

// exp(x); below the smallest normal float it is 0.
static __device__ inline float chip_exp(float x)
{
    float y;

    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x * 1.4426950408889634f));
    return y;
}

static __device__ inline float chip_max(float x, int lanes)
{
    for (int step = lanes / 2; step > 0; step /= 2)
        x = fmaxf(x, __shfl_xor_sync(~0u, x, step));
    return x;
}

static __device__ inline float chip_sum(float x, int lanes)
{
    for (int step = lanes / 2; step > 0; step /= 2)
        x += __shfl_xor_sync(~0u, x, step);
    return x;
}

// The words are 0 before the launch; both accesses are atomic. A float and its
// tag arrive together, so no fence is needed between them.
static __device__ inline void chip_tell(unsigned long long *word, float x)
{
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(word),
                 "l"(1ull << 32 | __float_as_uint(x))
                 : "memory");
}

static __device__ inline float chip_hear(const unsigned long long *word)
{
    unsigned long long heard;

    do
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                     : "=l"(heard)
                     : "l"(word)
                     : "memory");
    while (heard >> 32 == 0);
    return __uint_as_float((unsigned)heard);
}

// Rows go to warps by as many as one holds, or to groups of blocks.
static __device__ inline size_t chip_first_row(const struct chip_plan &plan)
{
    size_t warp = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) / CHIP_LANES;

    return plan.parts ? blockIdx.x / plan.parts
                      : warp * (CHIP_LANES / plan.lanes);
}

static __device__ inline size_t chip_row_step(const struct chip_plan &plan)
{
    return plan.parts ? gridDim.x / plan.parts
                      : (size_t)gridDim.x * blockDim.x / plan.lanes;
}

// Which of a row's vectors are a thread's: number rank, rank + size, ...
struct chip_place {
    int part; // of the row's blocks
    int rank, size;

    __device__ chip_place(const struct chip_plan &plan)
    {
        part = plan.parts ? blockIdx.x % plan.parts : 0;
        size = plan.parts ? blockDim.x * plan.parts : plan.lanes;
        rank = plan.parts ? part * blockDim.x + threadIdx.x
                          : threadIdx.x & (plan.lanes - 1);
    }
};

// Where a thread's vectors of a row lie. A row beyond the last has none.
template <class Op, chip_mode MODE> struct chip_share {
    typedef typename Op::element element;
    enum {
        SHIFTED = MODE == CHIP_SHIFTED,
        WIDTH = CHIP_VECTOR / sizeof(element), // elements of a vector
        UNITS = Op::VECTORS,
        HELD = UNITS * WIDTH // elements of a thread
    };
    typedef chip_vector<element> vector;
    size_t first; // element at which the row's first vector begins
    int before;   // elements in it that are not the row's
    int cols;
    int count;    // vectors of the row
    int rank, size;

    __device__ chip_share(const struct chip_plan &plan,
                          const struct chip_place &place, size_t row)
    {
        size_t begin = row * plan.cols;

        before = SHIFTED ? (int)(begin % WIDTH) : 0;
        first = begin - before;
        cols = plan.cols;
        count = row < plan.rows ? (before + cols - 1) / WIDTH + 1 : 0;
        rank = place.rank;
        size = place.size;
    }
    // The thread's vector number i, if it has that many.
    __device__ int at(int i) const
    {
        return rank + i * size;
    }
    __device__ bool has(int i) const
    {
        return at(i) < count;
    }
    // The column of its first element: negative before the row.
    __device__ int col(int i) const
    {
        return at(i) * WIDTH - before;
    }
    __device__ bool live(int i, int e) const
    {
        return (unsigned)(col(i) + e) < (unsigned)cols;
    }
    // Whether all of it is the row's.
    __device__ bool full(int i) const
    {
        return !SHIFTED || (col(i) >= 0 && col(i) + WIDTH <= cols);
    }
    // A bit per element that the thread holds.
    __device__ unsigned live_bits() const
    {
        unsigned bits = 0;

#pragma unroll
        for (int i = 0; i < UNITS; i++) {
            unsigned some = (1ull << WIDTH) - 1;

            if (!full(i)) {
                some = 0;
                for (int e = 0; e < WIDTH; e++)
                    some |= (unsigned)live(i, e) << e;
            }
            if (has(i))
                bits |= some << i * WIDTH;
        }
        return bits;
    }
};

// Sets the copies of a thread's share of a row in motion.
template <class Op, chip_mode MODE>
static __device__ void chip_bring(const Op &op, const struct chip_plan &plan,
                                  const chip_share<Op, MODE> &share,
                                  void *slots)
{
    typedef chip_share<Op, MODE> share_t;
    typedef typename share_t::vector vector;
    enum { WIDTH = share_t::WIDTH };
    vector *slot = (vector *)slots + threadIdx.x;

#pragma unroll
    for (int k = 0; k < Op::INPUTS; k++)
#pragma unroll
        for (int i = 0; i < share_t::UNITS; i++, slot += blockDim.x) {
            size_t at = share.first + (size_t)(share.at(i) * WIDTH);
            size_t beyond = 0; // elements past the array's end

            if (!share.has(i))
                continue;
            if (share_t::SHIFTED && at + WIDTH > plan.rows * plan.cols)
                beyond = at + WIDTH - plan.rows * plan.cols;
            __pipeline_memcpy_async(slot, op.input(k) + at, sizeof *slot,
                                    beyond * sizeof(*op.input(k)));
        }
    __pipeline_commit();
}

// What has arrived, as floats; nothing else of the row is here.
template <class Op, chip_mode MODE>
static __device__ void chip_take(const chip_share<Op, MODE> &share,
                                 const void *slots, float *v)
{
    typedef chip_share<Op, MODE> share_t;
    typedef typename share_t::vector vector;
    enum { WIDTH = share_t::WIDTH };
    const vector *slot = (const vector *)slots + threadIdx.x;

#pragma unroll
    for (int k = 0; k < Op::INPUTS; k++)
#pragma unroll
        for (int i = 0; i < share_t::UNITS; i++, slot += blockDim.x) {
            float *to = v + (k * share_t::UNITS + i) * WIDTH;

            if (share.has(i)) {
                slot->get(to);
                if (!share.full(i))
#pragma unroll
                    for (int e = 0; e < WIDTH; e++)
                        to[e] = share.live(i, e) ? to[e] : Op::pad();
            } else
#pragma unroll
                for (int e = 0; e < WIDTH; e++)
                    to[e] = Op::pad();
        }
}

template <class Op, chip_mode MODE>
static __device__ void chip_put(const Op &op,
                                const chip_share<Op, MODE> &share,
                                const float *v,
                                const typename Op::settled &settled,
                                const typename Op::kept &kept)
{
    typedef chip_share<Op, MODE> share_t;
    typedef typename share_t::vector vector;
    enum { WIDTH = share_t::WIDTH };

#pragma unroll
    for (int i = 0; i < share_t::UNITS; i++) {
        typename Op::element *to =
            op.output() + share.first + (size_t)(share.at(i) * WIDTH);
        float of[WIDTH];

        if (!share.has(i))
            continue;
#pragma unroll
        for (int e = 0; e < WIDTH; e++)
            of[e] = op.finish(v, i * WIDTH + e, settled, kept);
        if (share.full(i)) {
            vector some;

            some.set(of);
            ((vector *)to)->e = some.e;
        } else
#pragma unroll
            for (int e = 0; e < WIDTH; e++)
                if (share.live(i, e))
                    to[e] = (typename Op::element)of[e];
    }
}

// The numbers of a thread's columns, one per element that it holds.
template <class Op, chip_mode MODE>
static __device__ void chip_columns(const chip_share<Op, MODE> &share,
                                    const float *from, float *to)
{
    typedef chip_share<Op, MODE> share_t;
    enum { WIDTH = share_t::WIDTH, FEW = 4 }; // floats of a vector

#pragma unroll
    for (int i = 0; i < share_t::UNITS; i++)
        if (!share_t::SHIFTED && share.has(i))
#pragma unroll
            for (int e = 0; e < WIDTH; e += FEW)
                ((const chip_vector<float> *)(from + share.col(i) + e))
                    ->get(to + i * WIDTH + e);
        else
#pragma unroll
            for (int e = 0; e < WIDTH; e++)
                to[i * WIDTH + e] = share.has(i) && share.live(i, e)
                                        ? from[share.col(i) + e]
                                        : 0.0f;
}

// The same the other way. In shifted rows cols is no multiple of a vector.
template <class Op, chip_mode MODE>
static __device__ void chip_put_columns(const chip_share<Op, MODE> &share,
                                        const float *v, float *to)
{
    typedef chip_share<Op, MODE> share_t;
    enum { WIDTH = share_t::WIDTH, FEW = 4 };

#pragma unroll
    for (int i = 0; i < share_t::UNITS; i++)
        if (!share_t::SHIFTED && share.has(i))
#pragma unroll
            for (int e = 0; e < WIDTH; e += FEW)
                ((chip_vector<float> *)(to + share.col(i) + e))
                    ->set(v + i * WIDTH + e);
        else
#pragma unroll
            for (int e = 0; e < WIDTH; e++)
                if (share.has(i) && share.live(i, e))
                    to[share.col(i) + e] = v[i * WIDTH + e];
}

static inline size_t chip_round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

// The fewest threads that hold a row: lanes of a warp, else whole warps of as
// few blocks as can be.
template <class Op, chip_mode MODE>
static struct chip_plan chip_plan_of(size_t rows, int cols, int most)
{
    typedef chip_share<Op, MODE> share_t;
    size_t width = share_t::WIDTH, units = share_t::UNITS;
    size_t shift = share_t::SHIFTED ? width - 1 : 0;
    size_t vectors = (cols + shift - 1) / width + 1;
    size_t threads = (vectors - 1) / units + 1;
    struct chip_plan plan = {rows, cols, 0, 1, CHIP_WARP_BLOCK, 0, NULL};

    if (threads <= CHIP_LANES)
        while ((size_t)plan.lanes < threads)
            plan.lanes *= 2;
    else {
        plan.parts = (int)((threads - 1) / most + 1);
        plan.threads = (int)chip_round_up((threads - 1) / plan.parts + 1,
                                          CHIP_LANES);
    }
    plan.shared =
        (size_t)plan.threads * Op::INPUTS * Op::VECTORS * CHIP_VECTOR;
    return plan;
}

template <typename Partial>
static size_t chip_words(const struct chip_plan &plan)
{
    return plan.rows * plan.parts * (sizeof(Partial) / sizeof(float));
}

struct chip_grid {
    unsigned blocks; // 0: too few run at a time for one row
    unsigned rows;   // that they work on at a time
};

// Blocks that share rows out evenly, with `rounds` rows each or fewer; 0: as
// many as have `busy` threads per multiprocessor. The GPU's own scheduler hands
// out blocks as others end, so that no multiprocessor waits at the end of the
// launch. A row's blocks wait for each other, so they all run at a time.
static inline cudaError_t chip_grid_of(const void *kernel,
                                       const struct chip_plan *plan, int rounds,
                                       int busy, struct chip_grid *grid)
{
    size_t of_block = plan->parts ? 1 : CHIP_WARP_BLOCK / plan->lanes;
    size_t parts = plan->parts > 1 ? plan->parts : 1;
    size_t groups = (plan->rows - 1) / of_block + 1, most;
    int device, sms, blocks;
    cudaError_t error;

    if ((error = cudaGetDevice(&device)) != cudaSuccess ||
        (error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount,
                                        device)) != cudaSuccess ||
        (error = cudaFuncSetAttribute(
             kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
             (int)plan->shared)) != cudaSuccess ||
        (error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
             &blocks, kernel, plan->threads, plan->shared)) != cudaSuccess)
        return error;
    if (rounds == 0 && blocks > busy / plan->threads)
        blocks = busy / plan->threads;

    most = rounds && parts == 1 ? (groups - 1) / rounds + 1
                                : (size_t)sms * blocks / parts;
    if (most > CHIP_STEADY)
        most -= most % CHIP_STEADY;
    groups = groups < most ? groups : most;
    grid->blocks = (unsigned)(groups * parts);
    grid->rows = (unsigned)(groups * of_block);
    return cudaSuccess;
}

#endif
