// SPDX-License-Identifier: MIT
/*
 * row_stream.cuh: row_chip.cuh's operations by blocks that stay, while rows
 * stream through rings in shared memory by bulk copies.
 *
 *   row_stream       the kernel
 *   stream_plan_of   how it is launched for rows of a length
 *   stream_launch    launches it
 *
 * op/row_long.cuh says which rows are taken so. An operation may have
 *
 *   KEPT, kept(i)    arrays of a float per column that it asks `at` for
 *
 * or the members that row_sums.cuh asks for.
 *
 * Each warp owns some columns of a row. What belongs to these columns (gamma,
 * beta, sums over rows) stays in its registers from row to row. One lane asks
 * for pieces of rows, far ahead; all lanes reduce a piece as it comes, and
 * finish it once the whole row is known.
 *
 * What warps and blocks know of a row, they tell each other by row_known.cuh.
 *
 * Rows of odd length begin anywhere in a vector. row_unit.cuh's words leave a
 * thread the same columns in each of them; in bf16 in every second one, so that
 * a group takes its rows by two classes. row_shifted.cuh's vectors leave it the
 * same columns in every fourth or eighth row.
 */
#ifndef WB_ROW_STREAM_CUH
#define WB_ROW_STREAM_CUH

#include "op/row_known.cuh"
#include "op/row_shifted.cuh"

// How many ways there are for a row to begin, if columns are kept.
template <class Op, class Row>
static __host__ __device__ int stream_classes(int cols)
{
    return stream_keeps<Op>::KEPT ? Row::classes(cols) : 1;
}

#if ROW_BARRIERS && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900)
// A warp's pieces on their way.
template <class Op, class Row, class Way> struct stream_ring {
    typedef typename Op::element element;
    enum {
        INPUTS = Op::INPUTS,
        PLACE = (Way::PIECE + Row::SKEWED) * CHIP_VECTOR // of a piece, bytes
    };
    char *base;
    uint64_t *here;      // a slot's piece has come
    int slots, first;    // first: the warp's first vector of a row
    int next, piece, to; // what is asked for next, and its slot
    int from, slot;      // what is reduced next, what is finished next
    unsigned parity;     // the phase in which `from` comes

    __device__ int unit(int i) const { return first / CHIP_LANES + i; }
    __device__ char *at(int s, int k) const
    {
        return base + (s * INPUTS + k) * PLACE;
    }
    __device__ const char *unit_at(int s, int k, int i) const
    {
        return at(s, k) + i % Way::UNITS * CHIP_LANES * CHIP_VECTOR;
    }
    __device__ int after(int s) const { return s + 1 == slots ? 0 : s + 1; }
    // Vectors of piece j that the row has.
    __device__ int count(const Row &row, int j) const
    {
        int most = min((int)Way::PIECE, Way::OWN - j * Way::PIECE);

        return max(min(row.count - first - j * Way::PIECE, most), 0);
    }
    // Asks for the next piece, if there is one; one lane.
    __device__ void ask(const Op &op, const struct chip_plan &plan,
                        const stream_rows &rows)
    {
        if (next >= rows.count)
            return;
        Row row(plan, rows.at(next));
        int i = first + piece * Way::PIECE, n = count(row, piece);

        if (row.cut(i, n)) { // the array ends inside the last vector
            for (int k = 0; k < INPUTS; k++)
                row.rest(at(to, k), op.input(k), i, n);
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        }
        bar_expect(here + to, row.bytes(i, n) * INPUTS);
        for (int k = 0; k < INPUTS; k++)
            row.fetch(at(to, k), op.input(k), i, n, here + to);
        to = after(to);
        if (++piece == Way::PIECES) {
            piece = 0;
            next++;
        }
    }
};

// A spot whose columns' values wait in registers.
template <class Spot> struct stream_spot : Spot {
    const float *array, *kept, *other; // kept: of `array`; other: of another

    __device__ stream_spot(const Spot &s, const float *array_,
                           const float *kept_, const float *other_)
        : Spot(s), array(array_), kept(kept_), other(other_)
    {
    }
    __device__ void columns(const float *from, float *to) const
    {
#pragma unroll
        for (int e = 0; e < Spot::ELEMENTS; e++)
            to[e] = from == array ? kept[e] : other[e];
    }
};

template <bool SUMS> struct stream_collect {
    template <class Op, class S, class Spot>
    static __device__ void add(const Op &op, const float *v, const S &s,
                               const Spot &at, float *a, float *b)
    {
        op.collect(v, s, at, a, b);
    }
};
template <> struct stream_collect<false> {
    template <class Op, class S, class Spot>
    static __device__ void add(const Op &, const float *, const S &,
                               const Spot &, float *, float *)
    {
    }
};

// A thread's columns, its ring, and what it does with a piece.
template <class Op, class Row, class Way> struct stream_thread {
    typedef stream_ring<Op, Row, Way> ring_t;
    typedef stream_keeps<Op> keeps;
    enum {
        INPUTS = Op::INPUTS, WIDTH = Row::WIDTH,
        KEPT = keeps::KEPT ? Way::VECTORS : 1,
        OTHER = keeps::KEPT > 1 ? Way::VECTORS : 1,
        SUMMED = keeps::SUMS ? Way::VECTORS : 1,
        STEP = Row::BY_PIECE ? Way::UNITS : 1 // units from branch to branch
    };
    ring_t ring;
    float kept[KEPT][WIDTH], other[OTHER][WIDTH];
    float a[SUMMED][WIDTH], b[SUMMED][WIDTH];

    // Units of this thread to the end of piece j.
    static __host__ __device__ constexpr int end(int j)
    {
        return (j + 1) * Way::UNITS < Way::VECTORS ? (j + 1) * Way::UNITS
                                                   : (int)Way::VECTORS;
    }
    // Has the row all of unit i and of those that are taken with it?
    __device__ bool whole(const Row &row, int i) const
    {
        int last = min(i + STEP, end(i / Way::UNITS)) - 1;

        return row.whole(ring.unit(i)) &&
               (STEP == 1 || row.whole(ring.unit(last)));
    }
    // A share's first row is `row`.
    __device__ __forceinline__ void begin(const Op &op,
                                          const struct chip_plan &plan,
                                          const stream_rows &rows,
                                          const Row &row)
    {
        ring.next = ring.piece = 0;
        if (threadIdx.x % CHIP_LANES == 0)
            for (int i = 0; i < ring.slots; i++)
                ring.ask(op, plan, rows);
#pragma unroll
        for (int i = 0; i < Way::VECTORS; i++) {
            auto at = row.template at<false>(ring.unit(i));

            if (keeps::KEPT > 0)
                at.columns(keeps::array(op, 0), kept[i % KEPT]);
            if (keeps::KEPT > 1)
                at.columns(keeps::array(op, 1), other[i % OTHER]);
#pragma unroll
            for (int e = 0; e < WIDTH; e++)
                a[i % SUMMED][e] = b[i % SUMMED][e] = 0.0f;
        }
    }
    template <bool WHOLE>
    __device__ __forceinline__ auto spot(const Op &op, const Row &row,
                                         int i) const
    {
        auto at = row.template at<WHOLE>(ring.unit(i));

        return stream_spot<decltype(at)>(at, keeps::array(op, 0),
                                         kept[i % KEPT], other[i % OTHER]);
    }
    template <bool WHOLE, class Spot>
    __device__ __forceinline__ void get(const Row &row, int slot, int i,
                                        const Spot &at, float *v) const
    {
#pragma unroll
        for (int k = 0; k < INPUTS; k++)
            row.template floats<WHOLE>(ring.unit_at(slot, k, i), at, Op::pad(),
                                       v + k * WIDTH);
    }
    template <bool WHOLE>
    __device__ __forceinline__ void reduce_unit(const Op &op, const Row &row,
                                                int i,
                                                typename Op::partial &p) const
    {
        float v[INPUTS * WIDTH];
        auto at = spot<WHOLE>(op, row, i);

        get<WHOLE>(row, ring.from, i, at, v);
        op.add(p, v, at);
    }
    // Piece j of a row, as soon as it is there.
    __device__ __forceinline__ void reduce(const Op &op, const Row &row,
                                           int j, typename Op::partial &p)
    {
        bar_wait(ring.here + ring.from, ring.parity);
#pragma unroll
        for (int i = j * Way::UNITS; i < end(j); i += STEP)
            if (whole(row, i)) {
#pragma unroll
                for (int u = i; u < i + STEP && u < end(j); u++)
                    reduce_unit<true>(op, row, u, p);
            } else {
#pragma unroll
                for (int u = i; u < i + STEP && u < end(j); u++)
                    if (ring.unit(u) * CHIP_LANES < row.count)
                        reduce_unit<false>(op, row, u, p);
            }
        ring.from = ring.after(ring.from);
        ring.parity ^= ring.from == 0;
    }
    template <bool WHOLE>
    __device__ __forceinline__ void
    finish_unit(const Op &op, const Row &row, int i,
                const typename Op::settled &settled)
    {
        float v[INPUTS * WIDTH], out[WIDTH];
        auto at = spot<WHOLE>(op, row, i);

        get<WHOLE>(row, ring.slot, i, at, v);
        op.finish(v, settled, at, out);
        row.template store<WHOLE>(op.output(), ring.unit(i), at, out);
        stream_collect<keeps::SUMS != 0>::add(op, v, settled, at,
                                              a[i % SUMMED], b[i % SUMMED]);
    }
    // Piece j of a row that is known; another piece may take its place.
    __device__ __forceinline__ void finish(const Op &op,
                                           const struct chip_plan &plan,
                                           const stream_rows &rows,
                                           const Row &row, int j,
                                           const typename Op::settled &settled)
    {
#pragma unroll
        for (int i = j * Way::UNITS; i < end(j); i += STEP)
            if (whole(row, i)) {
#pragma unroll
                for (int u = i; u < i + STEP && u < end(j); u++)
                    finish_unit<true>(op, row, u, settled);
            } else {
#pragma unroll
                for (int u = i; u < i + STEP && u < end(j); u++)
                    if (ring.unit(u) * CHIP_LANES < row.count)
                        finish_unit<false>(op, row, u, settled);
            }
        __syncwarp(); // the piece is read
        if (threadIdx.x % CHIP_LANES == 0)
            ring.ask(op, plan, rows);
        ring.slot = ring.after(ring.slot);
    }
    __device__ __forceinline__ void leave(const Row &row, float *to) const
    {
#pragma unroll
        for (int i = 0; i < SUMMED; i++) {
            auto at = row.template at<false>(ring.unit(i));

            at.put_columns(a[i], to);
            at.put_columns(b[i], to + row.cols);
        }
    }
};

// One share of a group's rows. turn: rows that the group has done before.
template <class Op, class Row, class Way, class Known>
static __device__ __forceinline__ void
stream_one(stream_thread<Op, Row, Way> &t, Known &known, const Op &op,
           const struct chip_plan &plan, const stream_rows &rows,
           unsigned &turn)
{
    enum { PIECES = Way::PIECES, LEAD = Way::LEAD };
    typename Op::partial next = Op::none();

#pragma unroll
    for (int j = 0; j < PIECES; j++)
        t.reduce(op, Row(plan, rows.first), j, next);
    known.tell(next, plan, turn);
#pragma unroll 1
    for (int n = 0; n < rows.count; n++, turn++) {
        bool last = n + 1 == rows.count;
        Row row(plan, rows.at(n)), after(plan, rows.at(last ? n : n + 1));

        next = Op::none();
#pragma unroll
        for (int j = 0; j < LEAD; j++)
            if (!last)
                t.reduce(op, after, j, next);
        known.pace(plan, turn);
        if (LEAD == PIECES && !last)
            known.tell(next, plan, turn + 1);

        typename Op::settled settled = op.settle(known.ask(plan, turn));

#pragma unroll
        for (int j = 0; j < PIECES; j++) {
            t.finish(op, plan, rows, row, j, settled);
            if (j + LEAD < PIECES && !last)
                t.reduce(op, after, j + LEAD, next);
        }
        if (LEAD < PIECES && !last)
            known.tell(next, plan, turn + 1);
    }
}

#endif

template <class Op, class Row, class Way>
static __global__ void __launch_bounds__(Way::MOST, Way::BLOCKS)
row_stream(Op op, struct chip_plan plan, int slots, int groups, float *sums)
{
#if ROW_BARRIERS && __CUDA_ARCH__ >= 900
    extern __shared__ uint4 shared[];
    typedef stream_thread<Op, Row, Way> thread_t;
    __shared__ stream_known<Op, Way> known;
    __shared__ uint64_t here[Way::WARPS][STREAM_SLOTS];
    int warp = threadIdx.x / CHIP_LANES, of_block = plan.threads / CHIP_LANES;
    int group = blockIdx.x / plan.blocks;
    int classes = stream_classes<Op, Row>(plan.cols);
    unsigned turn = 0;
    thread_t t;

    t.ring = {(char *)shared +
                  warp * slots * Op::INPUTS * thread_t::ring_t::PLACE,
              here[warp], slots,
              (int)(blockIdx.x % plan.blocks * of_block + warp) * Way::OWN,
              0, 0, 0, 0, 0, 0};
    if (threadIdx.x % CHIP_LANES == 0)
        for (int i = 0; i < slots; i++)
            bar_init(here[warp] + i, 1);
    known.start(plan);
#pragma unroll 1
    for (int c = 0; c < classes; c++) {
        stream_share share(plan, group, groups, c, classes);
        Row row(plan, share.rows.first);

        if (!share.due)
            continue;
        t.begin(op, plan, share.rows, row);
        if (share.rows.count > 0)
            stream_one(t, known, op, plan, share.rows, turn);
        if (stream_keeps<Op>::SUMS)
            t.leave(row, sums + (size_t)(group + c) * 2 * plan.cols);
    }
    known.stop(plan, turn);
#endif
}

struct stream_plan {
    struct chip_plan rows;
    const void *kernel;
    int slots, groups;
    int abreast; // rows of a group at a time
    int sums;    // rows of sums that are left
};

// As many groups as run at a time. fixed: bytes of shared memory besides rings.
static inline cudaError_t stream_groups(struct stream_plan *plan, size_t fixed,
                                        size_t rows, int classes)
{
    int device, most;
    size_t groups;
    cudaError_t error;

    if ((error = cudaGetDevice(&device)) != cudaSuccess ||
        (error = cudaDeviceGetAttribute(
             &most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device)) !=
            cudaSuccess)
        return error;
    if (plan->rows.shared + fixed > (size_t)most)
        return cudaErrorInvalidValue; // a smaller card
    if ((error = cluster_groups(plan->kernel, &plan->rows, &groups)) !=
        cudaSuccess)
        return error;
    plan->groups = groups < rows ? (int)groups : (int)rows;
    plan->sums = plan->groups + classes - 1;
    return plan->groups > 0 ? cudaSuccess : cudaErrorInvalidValue;
}

// As many blocks per multiprocessor as registers leave room for, if their rings
// are long enough.
template <class Op, class Row, class Way>
static cudaError_t stream_plan_of(size_t rows, int cols,
                                  struct stream_plan *plan)
{
    enum { MOST = Way::DEPTH * Way::PIECES,
           SLOTS = MOST < STREAM_SLOTS ? (int)MOST : (int)STREAM_SLOTS };
    struct cudaFuncAttributes about;
    cudaError_t error;
    size_t slot, fixed;
    int of_sm, classes = stream_classes<Op, Row>(cols);

    plan->kernel = (const void *)row_stream<Op, Row, Way>;
    plan->rows = chip_plan_of(rows, Row::vectors(cols) * Row::WIDTH,
                              Row::WIDTH, Way::VECTORS, Way::MOST);
    plan->rows.cols = cols;
    if (plan->rows.lanes)
        plan->rows.threads = CHIP_LANES;
    plan->rows.lanes = 0;
    if (rows < (size_t)classes)
        return cudaErrorInvalidValue; // stream_share: no class is empty
    if (!ROW_BARRIERS || !cluster_fits(plan->kernel, &plan->rows))
        return cudaErrorInvalidValue;
    if ((error = cudaFuncGetAttributes(&about, plan->kernel)) != cudaSuccess)
        return error;
    slot = (size_t)(plan->rows.threads / CHIP_LANES) * Op::INPUTS *
           (Way::PIECE + Row::SKEWED) * CHIP_VECTOR;
    fixed = about.sharedSizeBytes + 1024;
    of_sm = STREAM_REGISTERS / ((about.numRegs + 7) / 8 * 8) /
            plan->rows.threads;
    for (plan->slots = 0; of_sm > 0 && plan->slots < Way::LEAST; of_sm--) {
        size_t room = STREAM_SHARED / of_sm;

        plan->slots = room > fixed ? (int)((room - fixed) / slot) : 0;
    }
    if (plan->slots < Way::LEAST)
        return cudaErrorInvalidValue;
    plan->slots = plan->slots < SLOTS ? plan->slots : SLOTS;
    plan->rows.shared = plan->slots * slot;
    plan->abreast = 1;
    return stream_groups(plan, about.sharedSizeBytes, rows, classes);
}

// sums: plan->sums rows of 2 * cols floats, for operations that have any.
template <class Op>
static cudaError_t stream_launch(Op op, struct stream_plan plan, float *sums,
                              cudaStream_t stream)
{
    void *args[] = {&op, &plan.rows, &plan.slots, &plan.groups, &sums};

    return cluster_launch(plan.kernel, &plan.rows, plan.groups, args, stream);
}

#endif
