// SPDX-License-Identifier: MIT
/*
 * row_known.cuh: what the warps and blocks that take rows as they stream
 * (row_stream.cuh) tell each other, and which rows are whose.
 *
 *   stream_way     how threads share out a row
 *   stream_keeps   which columns an operation keeps, and which it sums
 *   stream_known   what is known of a row, warp by warp and block by block
 *   stream_share   the rows of a block or cluster
 *
 * The hard idea: what warps and blocks know of a row travels by barriers that
 * count: warps arrive, blocks send words (st.async), whose bytes arrive at the
 * receiver's barrier. No thread waits for its stores, and what a row needs is
 * on its way while the next row is reduced. Words are sent into buffers that
 * were read long ago: every STREAM_PERIOD rows, the blocks of a cluster
 * arrive at a barrier, and wait for it only half a period later.
 */
#ifndef WB_ROW_KNOWN_CUH
#define WB_ROW_KNOWN_CUH

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
// finished. A ring has room for DEPTH rows; BLOCKS per multiprocessor.
template <int MOST_, int VECTORS_, int UNITS_, int LEAD_, int DEPTH_ = 3,
          int BLOCKS_ = 1>
struct stream_way {
    enum {
        MOST = MOST_,
        WARPS = MOST / CHIP_LANES,
        VECTORS = VECTORS_,
        UNITS = UNITS_,
        DEPTH = DEPTH_,
        BLOCKS = BLOCKS_,
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

        // One loop for both: with two, nvcc takes 71 registers for 64.
        bar_wait_cluster((one ? warps : blocks) + now,
                         turn / STREAM_TURNS & 1);
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
    // Every n-th of them, from the i-th on.
    __device__ stream_rows every(int n, int i) const
    {
        return {at(i), step * n, i < count ? (count - 1 - i) / n + 1 : 0};
    }
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
#endif

#endif
