// SPDX-License-Identifier: MIT
/*
 * row_cluster.cuh: row_chip.cuh's operations over rows that are too long for a
 * block: a cluster of blocks owns a row.
 *
 *   row_cluster_run   launches an operation over rows of any length
 *   by_cluster        how a cluster puts a row together
 *
 * Clusters need compute capability 9.0 and `arch = compute_90`. Without them,
 * and where no cluster holds a row, rows are read twice. If there are many rows
 * that row_long.cuh has a rule for, they stream through shared memory instead.
 * Some of odd length come by bulk copies.
 *
 * The hard idea: the blocks of a cluster run at the same time, and each writes
 * what it knows into the shared memory of all, which takes one barrier. Before
 * that, all blocks must have started: a barrier that is free, as it passes
 * while the row's loads are on their way. Where there are more rows than one,
 * buffers alternate: no block is two rows ahead of another.
 */
#ifndef WB_ROW_CLUSTER_CUH
#define WB_ROW_CLUSTER_CUH

#include "op/cluster_launch.cuh"
#include "op/row_bulk.cuh"
#include "op/row_chip.cuh"
#include "op/row_long.cuh"

enum { CLUSTER_BLOCK = 512 }; // threads of a block, if 16 of them are enough

struct by_cluster {
    // A block's shared memory may be written as soon as the block runs.
    static __device__ void start()
    {
#if __CUDA_ARCH__ >= 900
        cooperative_groups::this_cluster().sync();
#endif
    }
    template <class Op>
    static __device__ typename Op::partial
    over(typename Op::partial p, const struct chip_plan &, int turn)
    {
#if __CUDA_ARCH__ >= 900
        __shared__ typename Op::partial of_block[2][CLUSTER_MOST];
        cooperative_groups::cluster_group cluster =
            cooperative_groups::this_cluster();
        int rank = threadIdx.x % CHIP_LANES, blocks = cluster.num_blocks();

        p = chip_over_block<Op>(p, turn);
        if ((int)threadIdx.x < blocks)
            *cluster.map_shared_rank(&of_block[turn][cluster.block_rank()],
                                     threadIdx.x) = p;
        cluster.sync(); // what each block knows is here: it may be read
        p = rank < blocks ? of_block[turn][rank] : Op::none();
        return Op::join(p, CHIP_LANES);
#else
        return p; // never launched: cluster_fits
#endif
    }
};

// The threads that hold a row, of blocks of CLUSTER_BLOCK or else of more.
template <class Op>
static struct chip_plan cluster_plan_of(size_t rows, int cols)
{
    enum { WIDTH = CHIP_VECTOR / sizeof(typename Op::element) };
    constexpr int units = chip_units<Op>(CHIP_MANY);
    struct chip_plan plan =
        chip_plan_of(rows, cols, WIDTH, units, CLUSTER_BLOCK);

    return plan.blocks <= CLUSTER_MOST
               ? plan
               : chip_plan_of(rows, cols, WIDTH, units, CHIP_MOST);
}

// Together says how a cluster puts a row together.
template <class Together, class Op>
static cudaError_t row_cluster_run(Op op, size_t rows, int cols,
                                   cudaStream_t stream)
{
    enum { WIDTH = CHIP_VECTOR / sizeof(typename Op::element) };
    constexpr int units = chip_units<Op>(CHIP_MANY);
    const void *kernel =
        cols % WIDTH == 0 ? (const void *)row_chip<Op, false, units, Together>
                          : (const void *)row_chip<Op, true, units, Together>;
    struct chip_plan plan = cluster_plan_of<Op>(rows, cols);
    struct stream_plan streams;
    void *args[] = {&op, &plan};

    if (long_plan<Op>(rows, cols, &streams))
        return stream_launch(op, streams, NULL, stream);
    if (bulk_takes<Op>(cols)) {
        bool taken;
        typedef word_row<typename Op::element> row_t;
        cudaError_t error =
            bulk_run<Together, row_t>(op, rows, cols, stream, &taken);

        if (taken || error != cudaSuccess)
            return error;
    }
    if (chip_fits<Op>(cols))
        return row_chip_run(op, rows, cols, stream);
    if (!cluster_fits(kernel, &plan))
        return row_twice_run(op, rows, cols, sums_of_nothing(), (unsigned)rows,
                             stream);
    return cluster_launch(kernel, &plan, rows, args, stream);
}

#endif
