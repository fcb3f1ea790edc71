// SPDX-License-Identifier: MIT
/*
 * slide.cuh: rows of odd length as if they were even: a candidate for chapter
 * 21.
 *
 *   slide        the kernel: blocks stay, and take rows gridDim.x apart
 *   slide_far    by blocks or clusters, one row ahead
 *   ..._plan_of, ..._launch
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
    typedef chip_vector<element> vectors_t[VECTORS][INPUTS];
    vectors_t held;
    int base; // the block's first vector
    float kept[KEPT][WIDTH], other[OTHER][WIDTH];
    float a[SUMMED][WIDTH], b[SUMMED][WIDTH];

    static __device__ int place(int i) // in the block's part of a row
    {
        return threadIdx.x + i * blockDim.x;
    }
    __device__ int vector(int i) const { return base + place(i); }
    __device__ bool whole(int i, int cols) const
    {
        return (vector(i) + 1) * WIDTH <= cols;
    }
    __device__ bool any(int i, int cols) const
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
    __device__ __forceinline__ void load(const char *slot, int size,
                                         unsigned bits, int cols)
    {
#pragma unroll
        for (int i = 0; i < VECTORS; i++)
#pragma unroll
            for (int k = 0; k < INPUTS; k++)
                if (any(i, cols)) {
                    const uint4 *from =
                        (const uint4 *)(slot + k * size) + place(i);
                    uint4 v = slide_by<WORDS_ON>(from[0], from[1], bits);

                    held[i][k] = *(chip_vector<element> *)&v;
                }
    }
    // size: bytes of an input in the slot.
    __device__ __forceinline__ void load(const char *slot, int size, int skew,
                                         int cols)
    {
        unsigned bits = skew % 4 * 8;

        switch (skew / 4) {
        case 0:
            return load<0>(slot, size, bits, cols);
        case 1:
            return load<1>(slot, size, bits, cols);
        case 2:
            return load<2>(slot, size, bits, cols);
        default:
            return load<3>(slot, size, bits, cols);
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
    static __device__ __forceinline__ void
    floats(const vectors_t &from, int i, const Spot &at, float *v)
    {
#pragma unroll
        for (int k = 0; k < INPUTS; k++) {
            from[i][k].get(v + k * WIDTH);
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

        floats(held, i, at, v);
        op.add(p, v, at);
    }
    template <bool WHOLE>
    __device__ __forceinline__ void finish(const Op &op, int i, int cols,
                                           const vectors_t &from,
                                           const typename Op::settled &s,
                                           uint4 *to)
    {
        float v[INPUTS * WIDTH], out[WIDTH];
        chip_vector<element> some;
        auto at = spot<WHOLE>(op, i, cols);

        floats(from, i, at, v);
        op.finish(v, s, at, out);
        some.set(out);
        to[place(i)] = *(const uint4 *)&some;
        stream_collect<keeps::SUMS != 0>::add(op, v, s, at, a[i % SUMMED],
                                              b[i % SUMMED]);
    }
    __device__ __forceinline__ typename Op::partial reduce(const Op &op,
                                                           int cols) const
    {
        typename Op::partial p = Op::none();

#pragma unroll
        for (int i = 0; i < VECTORS; i++)
            if (whole(i, cols))
                add<true>(op, i, cols, p);
            else if (any(i, cols))
                add<false>(op, i, cols, p);
        return p;
    }
    __device__ __forceinline__ void finish(const Op &op, int cols,
                                           const vectors_t &from,
                                           const typename Op::settled &s,
                                           uint4 *to)
    {
#pragma unroll
        for (int i = 0; i < VECTORS; i++)
            if (whole(i, cols))
                finish<true>(op, i, cols, from, s, to);
            else if (any(i, cols))
                finish<false>(op, i, cols, from, s, to);
    }
    __device__ void leave(float *sums, int cols) const
    {
#pragma unroll
        for (int i = 0; i < SUMMED; i++)
#pragma unroll
            for (int e = 0; e < WIDTH; e++) {
                int col = vector(i) * WIDTH + e;

                if (col < cols) {
                    sums[col] = a[i][e];
                    sums[cols + col] = b[i][e];
                }
            }
    }
};

// A block's part of a row: `cols` columns from `first` on; its first byte, and
// how far that is behind a boundary.
struct slide_row {
    size_t begin;
    int skew, cols;

    __device__ slide_row(size_t row, int of_row, int first, int own, int size)
        : begin((row * of_row + first) * size),
          skew((int)(begin % CHIP_VECTOR)), cols(own)
    {
    }
};

// Thread 0 asks for a row, whose last bytes may end the array, of `end` bytes,
// inside a vector: those it copies by itself.
template <class Op>
static __device__ void slide_ask(const Op &op, const slide_row &row,
                                 size_t end, char *slot, int place,
                                 uint64_t *here)
{
    typedef typename Op::element element;
    size_t from = row.begin - row.skew;
    size_t need = row.cols ? row.skew + row.cols * sizeof(element) : 0;
    size_t most = need ? (end - from) / CHIP_VECTOR * CHIP_VECTOR : 0;
    unsigned bytes =
        (unsigned)((need + CHIP_VECTOR - 1) / CHIP_VECTOR * CHIP_VECTOR);

    if (bytes > most) {
        bytes = (unsigned)most;
        for (int k = 0; k < Op::INPUTS; k++)
            for (size_t at = bytes; at < need; at += sizeof(element))
                *(element *)(slot + k * place + at) =
                    op.input(k)[(from + at) / sizeof(element)];
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    bar_expect(here, bytes * Op::INPUTS);
    for (int k = 0; k < Op::INPUTS && bytes > 0; k++)
        bulk_in(slot + k * place, (const char *)op.input(k) + from, bytes,
                here);
}

// Aligned vectors of a row of results, each of two vectors that are aligned by
// columns; and, element by element, what the row has of those at its ends.
template <int WORDS_ON, typename T>
static __device__ __forceinline__ void slide_out(T *array,
                                                 const slide_row &row,
                                                 const char *from)
{
    const int width = CHIP_VECTOR / sizeof(T), off = row.skew > 0;
    const int bytes = row.cols * (int)sizeof(T);
    const int last = (row.skew + bytes) / CHIP_VECTOR; // whole ones end there
    const unsigned bits = (CHIP_VECTOR - row.skew) % 4 * 8;
    const uint4 *local = (const uint4 *)from;
    char *to = (char *)array + row.begin - row.skew;
    int head = off ? min(row.cols, (CHIP_VECTOR - row.skew) / (int)sizeof(T))
                   : 0;
    int tail = max(head, (last * CHIP_VECTOR - row.skew) / (int)sizeof(T));
    int e = threadIdx.x < width ? (int)threadIdx.x
                                : tail + (int)threadIdx.x - width;

    for (int j = off + threadIdx.x; j < last; j += blockDim.x)
        ((uint4 *)to)[j] =
            slide_by<WORDS_ON>(local[j - off], local[j - off + 1], bits);
    if (threadIdx.x < width ? e < head
                            : threadIdx.x < 2 * width && e < row.cols)
        ((T *)((char *)array + row.begin))[e] = ((const T *)from)[e];
}

template <typename T>
static __device__ __forceinline__ void slide_store(T *array,
                                                   const slide_row &row,
                                                   const char *from)
{
    switch ((CHIP_VECTOR - row.skew) % CHIP_VECTOR / 4) {
    case 0:
        return slide_out<0>(array, row, from);
    case 1:
        return slide_out<1>(array, row, from);
    case 2:
        return slide_out<2>(array, row, from);
    default:
        return slide_out<3>(array, row, from);
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
    size_t end = plan.rows * plan.cols * sizeof(element);
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
    auto row_of = [&](size_t n) {
        return slide_row(blockIdx.x + n * gridDim.x, plan.cols, 0, plan.cols,
                         sizeof(element));
    };
    auto ask = [&](size_t n, int to) {
        if (threadIdx.x == 0 && n < count)
            slide_ask(op, row_of(n), end, ring + to * size, plan.place,
                      here + to);
    };

    for (int i = 0; i < plan.slots; i++)
        ask(i, i);
    t.base = 0;
    t.begin(op, plan.cols);
    for (size_t n = 0; n < count; n++) {
        bar_wait(here + slot, parity);
        t.load(ring + slot * size, plan.place, row_of(n).skew, plan.cols);

        // Its barrier: the slot is read, and the results before are there.
        typename Op::settled s = op.settle(
            chip_over_block<Op>(t.reduce(op, plan.cols), (int)(n % 2)));

        ask(n + plan.slots, slot);
        if (n > 0)
            slide_store(op.output(), row_of(n - 1),
                        out + (n - 1) % 2 * plan.place);
        t.finish(op, plan.cols, t.held, s, (uint4 *)(out + n % 2 * plan.place));
        slot = slot + 1 == plan.slots ? 0 : slot + 1;
        parity ^= slot == 0;
    }
    __syncthreads(); // the last results are there
    slide_store(op.output(), row_of(count - 1),
                out + (count - 1) % 2 * plan.place);
    if (stream_keeps<Op>::SUMS)
        t.leave(sums + (size_t)blockIdx.x * 2 * plan.cols, plan.cols);
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

// The same with rows that a block or a cluster of blocks holds, and with the
// next row reduced before this one is finished: what blocks know of it is under
// way meanwhile (row_known.cuh). sums: `groups` rows of 2 * cols floats.
template <class Op, int VECTORS, int MOST, int PER>
static __global__ void __launch_bounds__(MOST, PER)
    slide_far(Op op, struct chip_plan plan, int slots, int place, int groups,
              float *sums)
{
#if ROW_BARRIERS && __CUDA_ARCH__ >= 900
    typedef typename Op::element element;
    typedef slide_thread<Op, VECTORS> thread_t;
    extern __shared__ uint4 shared[];
    __shared__ stream_known<Op, stream_way<MOST, VECTORS, 1, 1>> known;
    __shared__ uint64_t here[SLIDE_SLOTS];
    char *ring = (char *)shared, *out;
    thread_t t;
    size_t group = blockIdx.x / plan.blocks;
    int count = (int)((plan.rows - group - 1) / groups + 1);
    int slot = 0, size = Op::INPUTS * place;
    int columns = blockDim.x * VECTORS * t.WIDTH; // of a block
    int first = blockIdx.x % plan.blocks * columns;
    int own = max(0, min(columns, plan.cols - first));
    unsigned parity = 0;

    out = ring + slots * size;
    for (int i = threadIdx.x; i < (slots * size + 2 * place) / CHIP_VECTOR;
         i += blockDim.x)
        shared[i] = make_uint4(0, 0, 0, 0); // what lies behind rows is read
    if (threadIdx.x == 0)
        for (int i = 0; i < slots; i++)
            bar_init(here + i, 1);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    known.start(plan);
    auto row_of = [&](int n) {
        return slide_row(group + (size_t)n * groups, plan.cols, first, own,
                         sizeof(element));
    };
    auto ask = [&](int n, int to) {
        if (threadIdx.x == 0 && n < count)
            slide_ask(op, row_of(n), plan.rows * plan.cols * sizeof(element),
                      ring + to * size, place, here + to);
    };
    auto take = [&](int n) { // the next row, in `slot`
        bar_wait(here + slot, parity);
        t.load(ring + slot * size, place, row_of(n).skew, plan.cols);
        slot = slot + 1 == slots ? 0 : slot + 1;
        parity ^= slot == 0;
        known.tell(t.reduce(op, plan.cols), plan, n);
    };

    for (int i = 0; i < slots; i++)
        ask(i, i);
    t.base = first / t.WIDTH;
    t.begin(op, plan.cols);
    take(0);
    for (int n = 0, done = 0; n < count; n++) {
        typename thread_t::vectors_t now;

#pragma unroll
        for (int i = 0; i < VECTORS; i++)
#pragma unroll
            for (int k = 0; k < Op::INPUTS; k++)
                now[i][k] = t.held[i][k];
        known.pace(plan, n);
        if (n + 1 < count)
            take(n + 1);
        __syncthreads(); // row n's slot is read; the results before are there
        ask(n + slots, done);
        done = done + 1 == slots ? 0 : done + 1;
        if (n > 0)
            slide_store(op.output(), row_of(n - 1),
                        out + (n - 1) % 2 * place);
        t.finish(op, plan.cols, now, op.settle(known.ask(plan, n)),
                 (uint4 *)(out + n % 2 * place));
    }
    __syncthreads(); // the last results are there
    slide_store(op.output(), row_of(count - 1), out + (count - 1) % 2 * place);
    if (stream_keeps<Op>::SUMS)
        t.leave(sums + group * 2 * plan.cols, plan.cols);
    known.stop(plan, count);
#endif
}

struct slide_far_plan {
    struct chip_plan rows;
    int slots, place, groups;
    const void *kernel;
};

template <class Op, int VECTORS, int MOST, int PER>
static cudaError_t slide_far_plan_of(size_t rows, int cols,
                                     struct slide_far_plan *plan)
{
    const int width = CHIP_VECTOR / sizeof(typename Op::element);
    struct cudaFuncAttributes about;
    int vectors = (cols - 1) / width + 1, of_sm, fixed;
    size_t groups;
    cudaError_t error;

    plan->kernel = (const void *)slide_far<Op, VECTORS, MOST, PER>;
    plan->rows = chip_plan_of(rows, vectors * width, width, VECTORS, MOST);
    plan->rows.cols = cols;
    if (plan->rows.lanes)
        plan->rows.threads = CHIP_LANES;
    plan->rows.lanes = 0;
    if (!cluster_fits(plan->kernel, &plan->rows) || cols < width)
        return cudaErrorInvalidValue;
    if ((error = cudaFuncGetAttributes(&about, plan->kernel)) != cudaSuccess)
        return error;
    plan->place = (plan->rows.threads * VECTORS + 2) * CHIP_VECTOR;
    fixed = 2 * plan->place + (int)about.sharedSizeBytes + 1024;
    of_sm = STREAM_REGISTERS / ((about.numRegs + 7) / 8 * 8) /
            plan->rows.threads;
    for (plan->slots = 0; of_sm > 0 && plan->slots < SLIDE_LEAST; of_sm--) {
        int room = STREAM_SHARED / of_sm - fixed;

        plan->slots = room > 0 ? room / (Op::INPUTS * plan->place) : 0;
    }
    if (plan->slots < SLIDE_LEAST)
        return cudaErrorInvalidValue;
    plan->slots = plan->slots < SLIDE_SLOTS ? plan->slots : (int)SLIDE_SLOTS;
    plan->rows.shared = (plan->slots * Op::INPUTS + 2) * plan->place;
    error = cluster_groups(plan->kernel, &plan->rows, &groups);
    plan->groups = groups < rows ? (int)groups : (int)rows;
    return error != cudaSuccess   ? error
           : plan->groups > 0 ? cudaSuccess
                              : cudaErrorInvalidValue;
}

template <class Op>
static cudaError_t slide_far_launch(Op op, struct slide_far_plan plan,
                                    float *sums, cudaStream_t stream)
{
    void *args[] = {&op,         &plan.rows,   &plan.slots,
                    &plan.place, &plan.groups, &sums};

    return cluster_launch(plan.kernel, &plan.rows, plan.groups, args, stream);
}

#endif
