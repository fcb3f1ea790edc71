// SPDX-License-Identifier: MIT
/*
 * word_bulk.cuh: a trial for chapter 21: a block or a cluster per row of any
 * length, as in row_cluster.cuh; each warp's part of the row comes by one bulk
 * copy, waits in shared memory, and is read word by word (word_row.cuh).
 *
 *   bulk_run   launches an operation over rows that a cluster holds
 */
#ifndef WB_WORD_BULK_CUH
#define WB_WORD_BULK_CUH

#include "op/row_cluster.cuh"

#include "op/row_unit.cuh"

template <class Op, int VECTORS> struct bulk_warp {
    typedef word_row<typename Op::element> row_t;
    enum {
        INPUTS = Op::INPUTS,
        WIDTH = row_t::WIDTH,
        OWN = VECTORS * CHIP_LANES,
        PLACE = (OWN + 1) * CHIP_VECTOR // bytes of an input
    };

    template <bool WHOLE>
    static __device__ __forceinline__ void
    get(const row_t &row, const char *mine, int i,
        const word_spot<typename Op::element, WHOLE> &at, float *v)
    {
#pragma unroll
        for (int k = 0; k < INPUTS; k++)
            row.template floats<WHOLE>(
                mine + k * PLACE + i * CHIP_LANES * CHIP_VECTOR, at, Op::pad(),
                v + k * WIDTH);
    }
    template <bool WHOLE>
    static __device__ __forceinline__ void
    add(const Op &op, const row_t &row, const char *mine, int first, int i,
        typename Op::partial &p)
    {
        float v[INPUTS * WIDTH];
        auto at = row.template at<WHOLE>(first + i);

        get<WHOLE>(row, mine, i, at, v);
        op.add(p, v, at);
    }
    template <bool WHOLE>
    static __device__ __forceinline__ void
    finish(const Op &op, const row_t &row, const char *mine, int first, int i,
           const typename Op::settled &settled)
    {
        float v[INPUTS * WIDTH], out[WIDTH];
        auto at = row.template at<WHOLE>(first + i);

        get<WHOLE>(row, mine, i, at, v);
        op.finish(v, settled, at, out);
        row.template store<WHOLE>(op.output(), first + i, at, out);
    }
};

template <class Op, class Together, int VECTORS, int MOST, int BLOCKS>
static __global__ void __launch_bounds__(MOST, BLOCKS)
word_bulk(Op op, struct chip_plan plan)
{
#if __CUDA_ARCH__ >= 900
    extern __shared__ uint4 shared[];
    typedef bulk_warp<Op, VECTORS> warp_t;
    enum { INPUTS = Op::INPUTS, OWN = warp_t::OWN };
    __shared__ uint64_t here[MOST / CHIP_LANES];
    int lane = threadIdx.x % CHIP_LANES, warp = threadIdx.x / CHIP_LANES;
    typename warp_t::row_t row(plan, blockIdx.x / plan.blocks);
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
                row.rest(mine + k * warp_t::PLACE, op.input(k), vector,
                               n);
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

template <class Op, int VECTORS, int MOST, int BLOCKS>
static cudaError_t bulk_run(Op op, size_t rows, int cols, cudaStream_t stream)
{
    enum {
        WIDTH = CHIP_VECTOR / sizeof(typename Op::element),
        PER = WORD / sizeof(typename Op::element)
    };
    int vectors = (cols + cols % PER - 1) / WIDTH + 1;
    struct chip_plan plan =
        chip_plan_of(rows, vectors * WIDTH, WIDTH, VECTORS, MOST);
    const void *kernel =
        plan.blocks > 1
            ? (const void *)word_bulk<Op, by_cluster, VECTORS, MOST, BLOCKS>
            : (const void *)word_bulk<Op, by_block, VECTORS, MOST, BLOCKS>;
    void *args[] = {&op, &plan};
    cudaError_t error;

    if (plan.blocks > CLUSTER_MOST)
        return cudaErrorInvalidValue;
    plan.cols = cols;
    if (plan.lanes) {
        plan.lanes = 0;
        plan.threads = CHIP_LANES;
    }
    plan.shared = (size_t)(plan.threads / CHIP_LANES) * Op::INPUTS *
                  bulk_warp<Op, VECTORS>::PLACE;
    if ((error = cudaFuncSetAttribute(
             kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
             (int)plan.shared)) != cudaSuccess)
        return error;
    return cluster_launch(kernel, &plan, rows, args, stream);
}
#endif
