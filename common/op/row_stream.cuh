// SPDX-License-Identifier: MIT
/*
 * row_stream.cuh: row_chip.cuh's operations by blocks that stay, while rows
 * stream through rings in shared memory by bulk copies.
 *
 *   row_stream       the kernel
 *   stream_plan_of   how it is launched for rows of a length
 *   stream_launch    launches it
 *   stream_way       how threads share out a row
 *   stream_keeps     which columns an operation keeps, and which it sums
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
 * The hard idea: what warps and blocks know of a row travels by barriers that
 * count: warps arrive, blocks send words (st.async), whose bytes arrive at the
 * receiver's barrier. No thread waits for its stores, and what a row needs is
 * on its way while the next row is reduced. Words are sent into buffers that
 * were read long ago: every STREAM_PERIOD rows, the blocks of a cluster
 * arrive at a barrier, and wait for it only half a period later.
 *
 * Rows of odd length begin anywhere in a vector. A group takes its rows by
 * classes, WIDTH rows apart, so that its columns stay the same within a class.
 */
#ifndef WB_ROW_STREAM_CUH
#define WB_ROW_STREAM_CUH

#include "op/cluster_launch.cuh"
#include "op/row_barrier.cuh"
#include "op/row_chip.cuh"

enum {
    STREAM_TURNS = 16,          // rows that words may be sent for, at a time
    STREAM_PERIOD = 8,          // rows from one barrier of the cluster on
    STREAM_SLOTS = 24,          // of a ring, at most
    STREAM_SHARED = 218 * 1024, // bytes of a multiprocessor, for rings
    STREAM_REGISTERS = 65536    // of a multiprocessor
};

// KEPT: arrays of a float per column that stay in registers, array(op, 0)
// first. SUMS: the operation has collect().
template <class Member> struct stream_has {
    typedef void type;
};
template <class Op, class = void, class = void> struct stream_keeps {
    enum { KEPT = 0, SUMS = 0 };
    static __device__ const float *array(const Op &, int) { return NULL; }
};
template <class Op>
struct stream_keeps<Op, typename stream_has<decltype(&Op::kept)>::type, void> {
    enum { KEPT = Op::KEPT, SUMS = 0 };
    static __device__ const float *array(const Op &op, int i)
    {
        return op.kept(i);
    }
};
template <class Op>
struct stream_keeps<Op, void,
                    typename stream_has<decltype(&Op::columns)>::type> {
    enum { KEPT = 1, SUMS = 2 };
    static __device__ const float *array(const Op &op, int)
    {
        return op.columns();
    }
};

// MOST threads of a block; VECTORS of each input per lane and row, UNITS of
// them in a piece. LEAD pieces of the next row are reduced before this one is
// finished.
template <int MOST_, int VECTORS_, int UNITS_, int LEAD_>
struct stream_way {
    enum {
        MOST = MOST_,
        WARPS = MOST / CHIP_LANES,
        VECTORS = VECTORS_,
        UNITS = UNITS_,
        PIECES = (VECTORS + UNITS - 1) / UNITS,
        PIECE = UNITS * CHIP_LANES, // vectors
        OWN = VECTORS * CHIP_LANES, // vectors of a row that a warp owns
        LEAD = LEAD_ < PIECES ? LEAD_ : PIECES,
        LEAST = PIECES + LEAD + 1 // slots
    };
};

#if ROW_BARRIERS && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900)
// What warps, and then blocks, know of a row; `turn` counts rows.
template <class Op, class Way> struct stream_known {
    typedef typename Op::partial partial;
    partial of_warp[STREAM_TURNS][Way::WARPS];
    partial of_block[STREAM_TURNS][CLUSTER_MOST];
    uint64_t warps[STREAM_TURNS], blocks[STREAM_TURNS];

    __device__ void start(const struct chip_plan &plan)
    {
        if (threadIdx.x < STREAM_TURNS) {
            bar_init(warps + threadIdx.x, plan.threads / CHIP_LANES);
            bar_init(blocks + threadIdx.x, 1);
        }
        cooperative_groups::this_cluster().sync();
    }
    // All that was sent for rows before the arrival has been read by the wait.
    __device__ void pace(const struct chip_plan &plan, unsigned turn)
    {
        if (plan.blocks == 1)
            return;
        __syncwarp(); // a warp arrives as one
        if (turn % STREAM_PERIOD == 0)
            cooperative_groups::this_cluster().barrier_arrive();
        if (turn % STREAM_PERIOD == STREAM_PERIOD / 2)
            cooperative_groups::this_cluster().barrier_wait();
    }
    // After the last row: has the last arrival been waited for?
    __device__ void stop(const struct chip_plan &plan, unsigned turns)
    {
        unsigned since = turns % STREAM_PERIOD;

        if (plan.blocks > 1 && since > 0 && since <= STREAM_PERIOD / 2)
            cooperative_groups::this_cluster().barrier_wait();
        cooperative_groups::this_cluster().sync();
    }
    __device__ void tell(partial p, const struct chip_plan &plan,
                         unsigned turn)
    {
        int lane = threadIdx.x % CHIP_LANES, warp = threadIdx.x / CHIP_LANES;
        int rank = blockIdx.x % plan.blocks, now = turn % STREAM_TURNS;

        p = Op::join(p, CHIP_LANES);
        if (lane == 0) {
            of_warp[now][warp] = p;
            bar_arrive(warps + now);
        }
        if (plan.blocks == 1 || warp != 0)
            return;
        bar_wait(warps + now, turn / STREAM_TURNS & 1);
        p = lane < plan.threads / CHIP_LANES ? of_warp[now][lane]
                                             : Op::none();
        p = Op::join(p, CHIP_LANES);
        if (lane == 0)
            bar_expect(blocks + now, plan.blocks * sizeof p);
        if (lane < plan.blocks)
            for (int i = 0; i < (int)(sizeof p / sizeof(float)); i++)
                bar_send((float *)&of_block[now][rank] + i,
                         ((const float *)&p)[i], blocks + now, lane);
    }
    __device__ partial ask(const struct chip_plan &plan, unsigned turn)
    {
        int lane = threadIdx.x % CHIP_LANES, now = turn % STREAM_TURNS;
        bool one = plan.blocks == 1;
        int count = one ? plan.threads / CHIP_LANES : plan.blocks;
        partial p = Op::none();

        bar_wait((one ? warps : blocks) + now, turn / STREAM_TURNS & 1);
        if (lane < count)
            p = one ? of_warp[now][lane] : of_block[now][lane];
        return Op::join(p, CHIP_LANES);
    }
};

// Rows first, first + step, ...: count of them.
struct stream_rows {
    size_t first;
    int step, count;

    __device__ size_t at(int i) const { return first + (size_t)step * i; }
};

// The share of a group in the rows of class c, which begin alike; rows are
// counted class by class. Its sums may be due though it has no row: where a
// group ends with a class, nobody else leaves sums at its place in the next.
struct stream_share {
    struct stream_rows rows;
    bool due;

    __device__ stream_share(const struct chip_plan &plan, int group, int groups,
                            int c, int classes)
    {
        size_t begin = plan.rows * group / groups;
        size_t end = plan.rows * (group + 1) / groups, before = 0, count = 0;

        for (int i = 0; i <= c; i++) {
            before += count;
            count = (plan.rows + classes - 1 - i) / classes;
        }

        size_t lo = begin > before ? begin - before : 0;
        size_t hi = end > before ? end - before : 0;

        lo = lo < count ? lo : count;
        hi = hi < count ? hi : count;
        rows = {c + lo * classes, classes, (int)(hi - lo)};
        due = hi > lo || (c > 0 && end == before && end < plan.rows);
    }
};

// A warp's pieces on their way.
template <class Op, bool SHIFTED, class Way> struct stream_ring {
    typedef typename Op::element element;
    typedef chip_row<element, SHIFTED> row_t;
    typedef chip_vector<element> vector;
    enum { INPUTS = Op::INPUTS, WIDTH = row_t::WIDTH };
    vector *base;
    uint64_t *here;      // a slot's piece has come
    int slots, first;    // first: the warp's first vector of a row
    int next, piece, to; // what is asked for next, and its slot
    int from, slot;      // what is reduced next, what is finished next
    unsigned parity;     // the phase in which `from` comes

    __device__ int unit(int i) const
    {
        return first + i * CHIP_LANES + threadIdx.x % CHIP_LANES;
    }
    __device__ vector *at(int s, int k) const
    {
        return base + (s * INPUTS + k) * Way::PIECE;
    }
    __device__ vector *mine(int s, int k, int i) const
    {
        return at(s, k) + i % Way::UNITS * CHIP_LANES +
               threadIdx.x % CHIP_LANES;
    }
    __device__ int after(int s) const { return s + 1 == slots ? 0 : s + 1; }
    // Vectors of piece j that the row has.
    __device__ int count(const row_t &row, int j) const
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
        row_t row(plan, rows.at(next));
        int i = first + piece * Way::PIECE, n = count(row, piece);

        if (SHIFTED && n > 0 && row.bytes(i + n - 1) != CHIP_VECTOR) {
            n--; // the array ends inside the last vector
            for (int k = 0; k < INPUTS; k++)
                at(to, k)[n] = row.load(op.input(k), i + n);
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        }
        bar_expect(here + to, n * CHIP_VECTOR * INPUTS);
        for (int k = 0; n > 0 && k < INPUTS; k++)
            bulk_in(at(to, k), op.input(k) + row.first + (size_t)i * WIDTH,
                    n * CHIP_VECTOR, here + to);
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
template <class Op, bool SHIFTED, class Way> struct stream_thread {
    typedef stream_ring<Op, SHIFTED, Way> ring_t;
    typedef typename ring_t::row_t row_t;
    typedef stream_spot<typename row_t::spot> spot_t;
    typedef stream_keeps<Op> keeps;
    enum {
        INPUTS = Op::INPUTS, WIDTH = row_t::WIDTH,
        KEPT = keeps::KEPT ? Way::VECTORS : 1,
        OTHER = keeps::KEPT > 1 ? Way::VECTORS : 1,
        SUMMED = keeps::SUMS ? Way::VECTORS : 1
    };
    ring_t ring;
    float kept[KEPT][WIDTH], other[OTHER][WIDTH];
    float a[SUMMED][WIDTH], b[SUMMED][WIDTH];

    // A share's first row is `row`.
    __device__ __forceinline__ void begin(const Op &op,
                                          const struct chip_plan &plan,
                                          const stream_rows &rows,
                                          const row_t &row)
    {
        ring.next = ring.piece = 0;
        if (threadIdx.x % CHIP_LANES == 0)
            for (int i = 0; i < ring.slots; i++)
                ring.ask(op, plan, rows);
#pragma unroll
        for (int i = 0; i < Way::VECTORS; i++) {
            typename row_t::spot at = row.at(ring.unit(i));

            if (keeps::KEPT > 0 && ring.unit(i) < row.count)
                at.columns(keeps::array(op, 0), kept[i % KEPT]);
            if (keeps::KEPT > 1 && ring.unit(i) < row.count)
                at.columns(keeps::array(op, 1), other[i % OTHER]);
#pragma unroll
            for (int e = 0; e < WIDTH; e++)
                a[i % SUMMED][e] = b[i % SUMMED][e] = 0.0f;
        }
    }
    __device__ __forceinline__ spot_t spot(const Op &op, const row_t &row,
                                           int i) const
    {
        return spot_t(row.at(ring.unit(i)), keeps::array(op, 0),
                      kept[i % KEPT], other[i % OTHER]);
    }
    __device__ __forceinline__ void get(const row_t &row, int slot, int i,
                                        const spot_t &at, float *v) const
    {
#pragma unroll
        for (int k = 0; k < INPUTS; k++)
            row.floats(*ring.mine(slot, k, i), at, Op::pad(), v + k * WIDTH);
    }
    // Piece j of a row, as soon as it is there.
    __device__ __forceinline__ void reduce(const Op &op, const row_t &row,
                                           int j, typename Op::partial &p)
    {
        float v[INPUTS * WIDTH];

        bar_wait(ring.here + ring.from, ring.parity);
#pragma unroll
        for (int u = 0; u < Way::UNITS; u++) {
            int i = j * Way::UNITS + u;

            if (i < Way::VECTORS && ring.unit(i) < row.count) {
                spot_t at = spot(op, row, i);

                get(row, ring.from, i, at, v);
                op.add(p, v, at);
            }
        }
        ring.from = ring.after(ring.from);
        ring.parity ^= ring.from == 0;
    }
    // Piece j of a row that is known; another piece may take its place.
    __device__ __forceinline__ void finish(const Op &op,
                                           const struct chip_plan &plan,
                                           const stream_rows &rows,
                                           const row_t &row, int j,
                                           const typename Op::settled &settled)
    {
        float v[INPUTS * WIDTH], out[WIDTH];

#pragma unroll
        for (int u = 0; u < Way::UNITS; u++) {
            int i = j * Way::UNITS + u;

            if (i >= Way::VECTORS || ring.unit(i) >= row.count)
                continue;
            spot_t at = spot(op, row, i);

            get(row, ring.slot, i, at, v);
            op.finish(v, settled, at, out);
            row.store(op.output(), ring.unit(i), at, out);
            stream_collect<keeps::SUMS != 0>::add(op, v, settled, at,
                                                  a[i % SUMMED],
                                                  b[i % SUMMED]);
        }
        __syncwarp(); // the piece is read
        if (threadIdx.x % CHIP_LANES == 0)
            ring.ask(op, plan, rows);
        ring.slot = ring.after(ring.slot);
    }
    __device__ __forceinline__ void leave(const row_t &row, float *to) const
    {
#pragma unroll
        for (int i = 0; i < SUMMED; i++)
            if (ring.unit(i) < row.count) {
                typename row_t::spot at = row.at(ring.unit(i));

                at.put_columns(a[i], to, false);
                at.put_columns(b[i], to + row.cols, false);
            }
    }
};

// One share of a group's rows. turn: rows that the group has done before.
template <class Op, bool SHIFTED, class Way>
static __device__ __forceinline__ void
stream_one(stream_thread<Op, SHIFTED, Way> &t, stream_known<Op, Way> &known,
           const Op &op, const struct chip_plan &plan, const stream_rows &rows,
           unsigned &turn)
{
    typedef chip_row<typename Op::element, SHIFTED> row_t;
    enum { PIECES = Way::PIECES, LEAD = Way::LEAD };
    typename Op::partial next = Op::none();

#pragma unroll
    for (int j = 0; j < PIECES; j++)
        t.reduce(op, row_t(plan, rows.first), j, next);
    known.tell(next, plan, turn);
#pragma unroll 1
    for (int n = 0; n < rows.count; n++, turn++) {
        bool last = n + 1 == rows.count;
        row_t row(plan, rows.at(n)), after(plan, rows.at(last ? n : n + 1));

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

template <class Op, bool SHIFTED, class Way>
static __global__ void __launch_bounds__(Way::MOST, 1)
row_stream(Op op, struct chip_plan plan, int slots, int groups, float *sums)
{
#if ROW_BARRIERS && __CUDA_ARCH__ >= 900
    extern __shared__ uint4 shared[];
    typedef stream_thread<Op, SHIFTED, Way> thread_t;
    typedef typename thread_t::row_t row_t;
    typedef typename thread_t::ring_t::vector vector;
    enum { CLASSES = SHIFTED && stream_keeps<Op>::KEPT ? row_t::WIDTH : 1 };
    __shared__ stream_known<Op, Way> known;
    __shared__ uint64_t here[Way::WARPS][STREAM_SLOTS];
    int warp = threadIdx.x / CHIP_LANES, of_block = plan.threads / CHIP_LANES;
    int group = blockIdx.x / plan.blocks;
    unsigned turn = 0;
    thread_t t;

    t.ring = {(vector *)shared + warp * slots * Op::INPUTS * Way::PIECE,
              here[warp], slots,
              (int)(blockIdx.x % plan.blocks * of_block + warp) * Way::OWN,
              0, 0, 0, 0, 0, 0};
    if (threadIdx.x % CHIP_LANES == 0)
        for (int i = 0; i < slots; i++)
            bar_init(here[warp] + i, 1);
    known.start(plan);
#pragma unroll 1
    for (int c = 0; c < CLASSES; c++) {
        stream_share share(plan, group, groups, c, CLASSES);
        row_t row(plan, share.rows.first);

        if (!share.due)
            continue;
        t.begin(op, plan, share.rows, row);
        if (share.rows.count > 0)
            stream_one<Op, SHIFTED, Way>(t, known, op, plan, share.rows, turn);
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
    int sums; // rows of sums that are left
};

// As many blocks per multiprocessor as registers leave room for, if their rings
// are long enough.
template <class Op, bool SHIFTED, class Way>
static cudaError_t stream_plan_of(size_t rows, int cols,
                                  struct stream_plan *plan)
{
    enum { WIDTH = CHIP_VECTOR / sizeof(typename Op::element),
           MOST = 3 * Way::PIECES,
           SLOTS = MOST < STREAM_SLOTS ? (int)MOST : (int)STREAM_SLOTS };
    struct cudaFuncAttributes about;
    cudaError_t error;
    size_t slot, fixed, groups;
    int of_sm, device, most;

    plan->kernel = (const void *)row_stream<Op, SHIFTED, Way>;
    plan->rows = chip_plan_of(rows, cols, WIDTH, Way::VECTORS, Way::MOST);
    if (plan->rows.lanes)
        plan->rows.threads = CHIP_LANES;
    plan->rows.lanes = 0;
    if (SHIFTED && stream_keeps<Op>::KEPT && rows < WIDTH)
        return cudaErrorInvalidValue; // stream_share: no class is empty
    if (!ROW_BARRIERS || !cluster_fits(plan->kernel, &plan->rows))
        return cudaErrorInvalidValue;
    if ((error = cudaFuncGetAttributes(&about, plan->kernel)) != cudaSuccess)
        return error;
    slot = (size_t)plan->rows.threads * Way::UNITS * CHIP_VECTOR * Op::INPUTS;
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
    if ((error = cudaGetDevice(&device)) != cudaSuccess ||
        (error = cudaDeviceGetAttribute(
             &most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device)) !=
            cudaSuccess)
        return error;
    if (plan->rows.shared + about.sharedSizeBytes > (size_t)most)
        return cudaErrorInvalidValue; // a smaller card
    if ((error = cluster_groups(plan->kernel, &plan->rows, &groups)) !=
        cudaSuccess)
        return error;
    plan->groups = groups < rows ? (int)groups : (int)rows;
    plan->sums = plan->groups +
                 (SHIFTED && stream_keeps<Op>::KEPT ? WIDTH - 1 : 0);
    return plan->groups > 0 ? cudaSuccess : cudaErrorInvalidValue;
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
