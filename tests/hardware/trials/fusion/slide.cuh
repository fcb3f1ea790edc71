// SPDX-License-Identifier: MIT
/*
 * slide.cuh: rows of odd length as if they were even: a candidate for chapter
 * 21.
 *
 *   slide        the kernel: blocks stay, and take rows gridDim.x apart
 *   slide_plan_of, slide_launch
 *
 * A row comes by one bulk copy per input, with what lies between its ends and
 * the next boundaries of 16 bytes. In shared memory a thread reads the two
 * aligned vectors that its columns lie in, and slides them into place: a shift
 * that is the same for the whole row. So each thread has the same aligned
 * columns in each row: what belongs to them stays in its registers, all its
 * accesses are of 16 bytes, and no lane leaves a vector out but at a row's end.
 * Results go the other way: aligned by columns into shared memory; and there,
 * while the next row is put together, threads read what two vectors hold of an
 * aligned vector of the array.
 *
 * The hard idea: that needs no barrier of its own. The barrier in which row n
 * is put together also says that the results of row n - 1 are in shared memory,
 * and that all threads have read row n, so that another row may take its place.
 */
#ifndef WB_SLIDE_CUH
#define WB_SLIDE_CUH

#include "op/row_known.cuh"
#include "op/row_stream.cuh"
#include "op/row_unit.cuh"

enum { SLIDE_SLOTS = 16, SLIDE_LEAST = 3 };

struct slide_plan {
    size_t rows;
    int cols, threads, slots;
    int place; // bytes of a row, from boundary to boundary, and a vector more
    int shared, groups;
    const void *kernel;
};

// Columns from col on, of which the row may not have the last ones.
template <typename T, bool WHOLE> struct slide_spot {
    enum { ELEMENTS = CHIP_VECTOR / sizeof(T) };
    int col, cols;

    __device__ bool has(int e) const { return WHOLE || col + e < cols; }
    __device__ float count() const
    {
        return WHOLE ? (float)ELEMENTS
                     : (float)min((int)ELEMENTS, cols - col);
    }
    __device__ void columns(const float *from, float *to) const
    {
#pragma unroll
        for (int e = 0; e < ELEMENTS; e++)
            to[e] = has(e) ? from[col + e] : 0.0f;
    }
};

// 16 bytes of two vectors, from byte 4 WORDS_ON + bits / 8 of the first on.
template <int WORDS_ON>
static __device__ __forceinline__ uint4 slide_by(uint4 a, uint4 b,
                                                 unsigned bits)
{
    unsigned w[9] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, 0};
    const int n = WORDS_ON;

    return make_uint4(__funnelshift_r(w[n], w[n + 1], bits),
                      __funnelshift_r(w[n + 1], w[n + 2], bits),
                      __funnelshift_r(w[n + 2], w[n + 3], bits),
                      __funnelshift_r(w[n + 3], w[n + 4], bits));
}

#if ROW_BARRIERS && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900)
template <class Op, int VECTORS> struct slide_thread {
    typedef typename Op::element element;
    typedef stream_keeps<Op> keeps;
    enum {
        INPUTS = Op::INPUTS,
        WIDTH = CHIP_VECTOR / sizeof(element),
        KEPT = keeps::KEPT ? VECTORS : 1,
        OTHER = keeps::KEPT > 1 ? VECTORS : 1,
        SUMMED = keeps::SUMS ? VECTORS : 1
    };
    chip_vector<element> held[VECTORS][INPUTS];
    float kept[KEPT][WIDTH], other[OTHER][WIDTH];
    float a[SUMMED][WIDTH], b[SUMMED][WIDTH];

    static __device__ int vector(int i)
    {
        return threadIdx.x + i * blockDim.x;
    }
    static __device__ bool whole(int i, int cols)
    {
        return (vector(i) + 1) * WIDTH <= cols;
    }
    static __device__ bool any(int i, int cols)
    {
        return vector(i) * WIDTH < cols;
    }
    __device__ void begin(const Op &op, int cols)
    {
#pragma unroll
        for (int i = 0; i < VECTORS; i++) {
            slide_spot<element, false> at = {vector(i) * WIDTH, cols};

            if (keeps::KEPT > 0)
                at.columns(keeps::array(op, 0), kept[i % KEPT]);
            if (keeps::KEPT > 1)
                at.columns(keeps::array(op, 1), other[i % OTHER]);
#pragma unroll
            for (int e = 0; e < WIDTH; e++)
                a[i % SUMMED][e] = b[i % SUMMED][e] = 0.0f;
        }
    }
    template <int WORDS_ON>
    __device__ __forceinline__ void load(const char *slot, int place,
                                         unsigned bits, int cols)
    {
#pragma unroll
        for (int i = 0; i < VECTORS; i++)
#pragma unroll
            for (int k = 0; k < INPUTS; k++)
                if (any(i, cols)) {
                    const uint4 *from =
                        (const uint4 *)(slot + k * place) + vector(i);
                    uint4 v = slide_by<WORDS_ON>(from[0], from[1], bits);

                    held[i][k] = *(chip_vector<element> *)&v;
                }
    }
    template <bool WHOLE>
    __device__ __forceinline__ auto spot(const Op &op, int i, int cols) const
    {
        typedef slide_spot<element, WHOLE> spot_t;

        return stream_spot<spot_t>(spot_t{vector(i) * WIDTH, cols},
                                   keeps::array(op, 0), kept[i % KEPT],
                                   other[i % OTHER]);
    }
    template <class Spot>
    __device__ __forceinline__ void floats(int i, const Spot &at,
                                           float *v) const
    {
#pragma unroll
        for (int k = 0; k < INPUTS; k++) {
            held[i][k].get(v + k * WIDTH);
#pragma unroll
            for (int e = 0; e < WIDTH; e++)
                v[k * WIDTH + e] = at.has(e) ? v[k * WIDTH + e] : Op::pad();
        }
    }
    template <bool WHOLE>
    __device__ __forceinline__ void add(const Op &op, int i, int cols,
                                        typename Op::partial &p) const
    {
        float v[INPUTS * WIDTH];
        auto at = spot<WHOLE>(op, i, cols);

        floats(i, at, v);
        op.add(p, v, at);
    }
    template <bool WHOLE>
    __device__ __forceinline__ void finish(const Op &op, int i, int cols,
                                           const typename Op::settled &s,
                                           uint4 *to)
    {
        float v[INPUTS * WIDTH], out[WIDTH];
        chip_vector<element> some;
        auto at = spot<WHOLE>(op, i, cols);

        floats(i, at, v);
        op.finish(v, s, at, out);
        some.set(out);
        to[vector(i)] = *(const uint4 *)&some;
        stream_collect<keeps::SUMS != 0>::add(op, v, s, at, a[i % SUMMED],
                                              b[i % SUMMED]);
    }
};

// A row: its first byte, and how far that is behind a boundary.
struct slide_row {
    size_t begin;
    int skew;

    __device__ slide_row(const slide_plan &plan, size_t row, int size)
        : begin(row * plan.cols * size), skew((int)(begin % CHIP_VECTOR))
    {
    }
};

// Thread 0 asks for a row, whose last bytes may end the array inside a vector:
// those it copies by itself.
template <class Op>
static __device__ void slide_ask(const Op &op, const slide_plan &plan,
                                 size_t n, char *slot, uint64_t *here)
{
    typedef typename Op::element element;
    size_t number = blockIdx.x + n * gridDim.x;

    if (number >= plan.rows)
        return;
    slide_row row(plan, number, sizeof(element));
    size_t end = plan.rows * plan.cols * sizeof(element);
    size_t from = row.begin - row.skew;
    size_t need = row.skew + plan.cols * sizeof(element);
    size_t most = (end - from) / CHIP_VECTOR * CHIP_VECTOR;
    unsigned bytes =
        (unsigned)((need + CHIP_VECTOR - 1) / CHIP_VECTOR * CHIP_VECTOR);

    if (bytes > most) {
        bytes = (unsigned)most;
        for (int k = 0; k < Op::INPUTS; k++)
            for (size_t at = bytes; at < need; at += sizeof(element))
                *(element *)(slot + k * plan.place + at) =
                    op.input(k)[(from + at) / sizeof(element)];
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    bar_expect(here, bytes * Op::INPUTS);
    for (int k = 0; k < Op::INPUTS && bytes > 0; k++)
        bulk_in(slot + k * plan.place, (const char *)op.input(k) + from, bytes,
                here);
}

// Aligned vectors of a row of results, each of two vectors that are aligned by
// columns; and, element by element, what the row has of those at its ends.
template <int WORDS_ON, typename T>
static __device__ __forceinline__ void slide_out(T *array,
                                                 const slide_plan &plan,
                                                 const slide_row &row,
                                                 const char *from)
{
    const int width = CHIP_VECTOR / sizeof(T), off = row.skew > 0;
    const int bytes = plan.cols * (int)sizeof(T);
    const int last = (row.skew + bytes) / CHIP_VECTOR; // whole ones end there
    const unsigned bits = (CHIP_VECTOR - row.skew) % 4 * 8;
    const uint4 *local = (const uint4 *)from;
    char *to = (char *)array + row.begin - row.skew;
    int head = off ? min(plan.cols, (CHIP_VECTOR - row.skew) / (int)sizeof(T))
                   : 0;
    int tail = max(head, (last * CHIP_VECTOR - row.skew) / (int)sizeof(T));
    int e = threadIdx.x < width ? (int)threadIdx.x
                                : tail + (int)threadIdx.x - width;

    for (int j = off + threadIdx.x; j < last; j += blockDim.x)
        ((uint4 *)to)[j] =
            slide_by<WORDS_ON>(local[j - off], local[j - off + 1], bits);
    if (threadIdx.x < width ? e < head
                            : threadIdx.x < 2 * width && e < plan.cols)
        ((T *)((char *)array + row.begin))[e] = ((const T *)from)[e];
}

template <typename T>
static __device__ __forceinline__ void slide_store(T *array,
                                                   const slide_plan &plan,
                                                   const slide_row &row,
                                                   const char *from)
{
    switch ((CHIP_VECTOR - row.skew) % CHIP_VECTOR / 4) {
    case 0:
        return slide_out<0>(array, plan, row, from);
    case 1:
        return slide_out<1>(array, plan, row, from);
    case 2:
        return slide_out<2>(array, plan, row, from);
    default:
        return slide_out<3>(array, plan, row, from);
    }
}
#endif

// sums: gridDim.x rows of 2 * cols floats.
template <class Op, int VECTORS, int MOST, int PER>
static __global__ void __launch_bounds__(MOST, PER)
    slide(Op op, struct slide_plan plan, float *sums)
{
#if ROW_BARRIERS && __CUDA_ARCH__ >= 900
    typedef typename Op::element element;
    extern __shared__ uint4 shared[];
    __shared__ uint64_t here[SLIDE_SLOTS];
    char *ring = (char *)shared, *out;
    slide_thread<Op, VECTORS> t;
    size_t count = (plan.rows - blockIdx.x - 1) / gridDim.x + 1;
    int slot = 0, size = Op::INPUTS * plan.place;
    unsigned parity = 0;

    out = ring + plan.slots * size;
    for (int i = threadIdx.x; i < plan.shared / CHIP_VECTOR; i += blockDim.x)
        shared[i] = make_uint4(0, 0, 0, 0); // what lies behind rows is read
    if (threadIdx.x == 0)
        for (int i = 0; i < plan.slots; i++)
            bar_init(here + i, 1);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads(); // zeros and barriers are there
    if (threadIdx.x == 0)
        for (int i = 0; i < plan.slots; i++)
            slide_ask(op, plan, i, ring + i * size, here + i);
    t.begin(op, plan.cols);
    for (size_t n = 0; n < count; n++) {
        slide_row row(plan, blockIdx.x + n * gridDim.x, sizeof(element));
        const char *from = ring + slot * size;
        unsigned bits = row.skew % 4 * 8;
        typename Op::partial p = Op::none();
        uint4 *to = (uint4 *)(out + n % 2 * plan.place);

        bar_wait(here + slot, parity);
        switch (row.skew / 4) {
        case 0:
            t.template load<0>(from, plan.place, bits, plan.cols);
            break;
        case 1:
            t.template load<1>(from, plan.place, bits, plan.cols);
            break;
        case 2:
            t.template load<2>(from, plan.place, bits, plan.cols);
            break;
        default:
            t.template load<3>(from, plan.place, bits, plan.cols);
        }
#pragma unroll
        for (int i = 0; i < VECTORS; i++)
            if (t.whole(i, plan.cols))
                t.template add<true>(op, i, plan.cols, p);
            else if (t.any(i, plan.cols))
                t.template add<false>(op, i, plan.cols, p);

        // Its barrier: the slot is read, and the results before are there.
        typename Op::settled s =
            op.settle(chip_over_block<Op>(p, (int)(n % 2)));

        if (threadIdx.x == 0)
            slide_ask(op, plan, n + plan.slots, ring + slot * size,
                      here + slot);
        if (n > 0)
            slide_store(op.output(), plan,
                        slide_row(plan, blockIdx.x + (n - 1) * gridDim.x,
                                  sizeof(element)),
                        out + (n - 1) % 2 * plan.place);
#pragma unroll
        for (int i = 0; i < VECTORS; i++)
            if (t.whole(i, plan.cols))
                t.template finish<true>(op, i, plan.cols, s, to);
            else if (t.any(i, plan.cols))
                t.template finish<false>(op, i, plan.cols, s, to);
        slot = slot + 1 == plan.slots ? 0 : slot + 1;
        parity ^= slot == 0;
    }
    __syncthreads(); // the last results are there
    slide_store(op.output(), plan,
                slide_row(plan, blockIdx.x + (count - 1) * gridDim.x,
                          sizeof(element)),
                out + (count - 1) % 2 * plan.place);
    if (stream_keeps<Op>::SUMS) {
        float *mine = sums + (size_t)blockIdx.x * 2 * plan.cols;

#pragma unroll
        for (int i = 0; i < t.SUMMED; i++)
#pragma unroll
            for (int e = 0; e < t.WIDTH; e++) {
                int col = t.vector(i) * t.WIDTH + e;

                if (col < plan.cols) {
                    mine[col] = t.a[i][e];
                    mine[plan.cols + col] = t.b[i][e];
                }
            }
    }
#endif
}

// Rows that a block holds; cudaErrorInvalidValue for others. As many blocks as
// registers leave room for, if each has slots enough.
template <class Op, int VECTORS, int MOST, int PER>
static cudaError_t slide_plan_of(size_t rows, int cols, struct slide_plan *plan)
{
    const int width = CHIP_VECTOR / sizeof(typename Op::element);
    int vectors = (cols - 1) / width + 1, of_sm, device, processors, fixed;
    int threads = ((vectors - 1) / VECTORS / CHIP_LANES + 1) * CHIP_LANES;
    struct cudaFuncAttributes about;
    cudaError_t error;

    if (threads > MOST || cols < width)
        return cudaErrorInvalidValue;
    plan->kernel = (const void *)slide<Op, VECTORS, MOST, PER>;
    plan->rows = rows;
    plan->cols = cols;
    plan->threads = threads;
    plan->place = (vectors + 2) * CHIP_VECTOR;
    if ((error = cudaFuncGetAttributes(&about, plan->kernel)) != cudaSuccess ||
        (error = cudaGetDevice(&device)) != cudaSuccess ||
        (error = cudaDeviceGetAttribute(
             &processors, cudaDevAttrMultiProcessorCount, device)) !=
            cudaSuccess)
        return error;
    fixed = 2 * plan->place + (int)about.sharedSizeBytes + 1024;
    of_sm = STREAM_REGISTERS / ((about.numRegs + 7) / 8 * 8) / threads;
    of_sm = of_sm < 32 ? of_sm : 32;
    for (plan->slots = 0; of_sm > 0 && plan->slots < SLIDE_LEAST; of_sm--) {
        int room = STREAM_SHARED / of_sm - fixed;

        plan->slots = room > 0 ? room / (Op::INPUTS * plan->place) : 0;
    }
    if (plan->slots < SLIDE_LEAST)
        return cudaErrorInvalidValue;
    of_sm++;
    plan->slots = plan->slots < SLIDE_SLOTS ? plan->slots : (int)SLIDE_SLOTS;
    plan->shared = (plan->slots * Op::INPUTS + 2) * plan->place;
    plan->groups = of_sm * processors;
    plan->groups = (size_t)plan->groups < rows ? plan->groups : (int)rows;
    return cudaFuncSetAttribute(plan->kernel,
                                cudaFuncAttributeMaxDynamicSharedMemorySize,
                                plan->shared);
}

template <class Op>
static cudaError_t slide_launch(Op op, struct slide_plan plan, float *sums,
                                cudaStream_t stream)
{
    void *args[] = {&op, &plan, &sums};

    return cudaLaunchKernel(plan.kernel, dim3(plan.groups), dim3(plan.threads),
                            args, plan.shared, stream);
}

#endif
