// SPDX-License-Identifier: MIT
/*
 * row_bulk.cuh: row_chip.cuh's operations over rows of odd length: a block or a
 * cluster per row, whose warps' parts of the row come by one bulk copy each,
 * wait in shared memory, and are read word by word (row_unit.cuh).
 *
 *   bulk_run    launches an operation, if the card can
 *
 * op/row_long.cuh says which rows are taken so. Where row_chip.cuh handles both
 * ends of such a row element by element, with branches around each vector, no
 * access here depends on where the row begins. Registers do not limit how many
 * blocks a multiprocessor holds.
 */
#ifndef WB_ROW_BULK_CUH
#define WB_ROW_BULK_CUH

#include "op/cluster_launch.cuh"
#include "op/row_chip.cuh"
#include "op/row_known.cuh"
#include "op/row_unit.cuh"

// What a warp does with a unit of its row.
template <class Op, class Row, int VECTORS> struct bulk_warp {
    enum {
        INPUTS = Op::INPUTS,
        WIDTH = Row::WIDTH,
        OWN = VECTORS * CHIP_LANES,
        PLACE = (OWN + Row::SKEWED) * CHIP_VECTOR // bytes of an input
    };

    template <bool WHOLE, class Spot>
    static __device__ __forceinline__ void
    get(const Row &row, const char *mine, int i, const Spot &at, float *v)
    {
#pragma unroll
        for (int k = 0; k < INPUTS; k++)
            row.template floats<WHOLE>(
                mine + k * PLACE + i * CHIP_LANES * CHIP_VECTOR, at, Op::pad(),
                v + k * WIDTH);
    }
    template <bool WHOLE>
    static __device__ __forceinline__ void
    add(const Op &op, const Row &row, const char *mine, int first, int i,
        typename Op::partial &p)
    {
        float v[INPUTS * WIDTH];
        auto at = row.template at<WHOLE>(first + i);

        get<WHOLE>(row, mine, i, at, v);
        op.add(p, v, at);
    }
    template <bool WHOLE>
    static __device__ __forceinline__ void
    finish(const Op &op, const Row &row, const char *mine, int first, int i,
           const typename Op::settled &settled)
    {
        float v[INPUTS * WIDTH], out[WIDTH];
        auto at = row.template at<WHOLE>(first + i);

        get<WHOLE>(row, mine, i, at, v);
        op.finish(v, settled, at, out);
        row.template store<WHOLE>(op.output(), first + i, at, out);
    }
};

template <class Op, class Row, class Together, int VECTORS, int MOST,
          int BLOCKS>
static __global__ void __launch_bounds__(MOST, BLOCKS)
row_bulk(Op op, struct chip_plan plan)
{
#if ROW_BARRIERS && __CUDA_ARCH__ >= 900
    extern __shared__ uint4 shared[];
    typedef bulk_warp<Op, Row, VECTORS> warp_t;
    enum { INPUTS = Op::INPUTS, OWN = warp_t::OWN };
    __shared__ uint64_t here[MOST / CHIP_LANES];
    int lane = threadIdx.x % CHIP_LANES, warp = threadIdx.x / CHIP_LANES;
    Row row(plan, blockIdx.x / plan.blocks);
    int of_block = plan.threads / CHIP_LANES;
    int vector = (blockIdx.x % plan.blocks * of_block + warp) * OWN;
    int first = vector / CHIP_LANES;
    char *mine = (char *)shared + warp * INPUTS * warp_t::PLACE;
    typename Op::partial p = Op::none();

    if (lane == 0) {
        int n = max(min(row.count - vector, (int)OWN), 0);

        bar_init(here + warp, 1);
        if (row.cut(vector, n))
            for (int k = 0; k < INPUTS; k++)
                row.rest(mine + k * warp_t::PLACE, op.input(k), vector, n);
        bar_expect(here + warp, row.bytes(vector, n) * INPUTS);
        for (int k = 0; k < INPUTS; k++)
            row.fetch(mine + k * warp_t::PLACE, op.input(k), vector, n,
                      here + warp);
    }
    Together::start();
    __syncwarp();
    bar_wait(here + warp, 0);
#pragma unroll
    for (int i = 0; i < VECTORS; i++)
        if (row.whole(first + i))
            warp_t::template add<true>(op, row, mine, first, i, p);
        else if ((first + i) * CHIP_LANES < row.count)
            warp_t::template add<false>(op, row, mine, first, i, p);

    typename Op::settled settled =
        op.settle(Together::template over<Op>(p, plan, 0));

#pragma unroll
    for (int i = 0; i < VECTORS; i++)
        if (row.whole(first + i))
            warp_t::template finish<true>(op, row, mine, first, i, settled);
        else if ((first + i) * CHIP_LANES < row.count)
            warp_t::template finish<false>(op, row, mine, first, i, settled);
#endif
}

// What a block takes: THREADS, and VECTORS of each input per thread: 32
// columns, of all inputs together.
template <class Op> struct bulk_way {
    enum {
        THREADS = 544, // 16,385 columns are one more than 512 threads take
        VECTORS =
            32 * sizeof(typename Op::element) / CHIP_VECTOR / Op::INPUTS,
        BLOCKS = stream_keeps<Op>::KEPT ? 2 : 3 // per multiprocessor
    };
};

template <class Op, class Row>
static struct chip_plan bulk_plan_of(size_t rows, int cols)
{
    typedef bulk_way<Op> way;
    struct chip_plan plan =
        chip_plan_of(rows, Row::vectors(cols) * Row::WIDTH, Row::WIDTH,
                     way::VECTORS, way::THREADS);

    plan.cols = cols;
    if (plan.lanes)
        plan.threads = CHIP_LANES;
    plan.lanes = 0;
    plan.shared = (size_t)(plan.threads / CHIP_LANES) * Op::INPUTS *
                  bulk_warp<Op, Row, way::VECTORS>::PLACE;
    return plan;
}

// Row says how a warp takes a row, Together how a cluster puts it together.
// `taken`: were the rows taken?
template <class Together, class Row, class Op>
static cudaError_t bulk_run(Op op, size_t rows, int cols, cudaStream_t stream,
                            bool *taken)
{
    typedef bulk_way<Op> way;
    struct chip_plan plan = bulk_plan_of<Op, Row>(rows, cols);
    const void *kernel =
        plan.blocks > 1
            ? (const void *)row_bulk<Op, Row, Together, way::VECTORS,
                                     way::THREADS, way::BLOCKS>
            : (const void *)row_bulk<Op, Row, by_block, way::VECTORS,
                                     way::THREADS, way::BLOCKS>;
    void *args[] = {&op, &plan};
    cudaError_t error;

    *taken = ROW_BARRIERS && cluster_fits(kernel, &plan);
    if (!*taken)
        return cudaSuccess;
    error = allow_shared(kernel);
    return error == cudaSuccess
               ? cluster_launch(kernel, &plan, rows, args, stream)
               : error;
}

#endif
