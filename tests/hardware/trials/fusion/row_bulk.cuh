// SPDX-License-Identifier: MIT
/*
 * row_bulk.cuh: a trial for chapter 21: a cluster per row, as in
 * row_cluster.cuh, but each warp's part of the row comes by one bulk copy and
 * waits in shared memory. Registers do not limit how many blocks a
 * multiprocessor holds: three with 64 KiB each, where row_chip.cuh has two.
 *
 *   bulk_run   launches an operation over rows that a cluster holds
 */
#ifndef WB_ROW_BULK_CUH
#define WB_ROW_BULK_CUH

#include "op/row_long.cuh"

template <class Op, bool SHIFTED, int VECTORS, int MOST>
static __global__ void __launch_bounds__(MOST)
row_bulk(Op op, struct chip_plan plan)
{
#if __CUDA_ARCH__ >= 900
    extern __shared__ uint4 shared[];
    typedef chip_row<typename Op::element, SHIFTED> row_t;
    typedef chip_vector<typename Op::element> vector;
    enum {
        INPUTS = Op::INPUTS, WIDTH = row_t::WIDTH, OWN = VECTORS * CHIP_LANES
    };
    __shared__ uint64_t here[MOST / CHIP_LANES];
    int lane = threadIdx.x % CHIP_LANES, warp = threadIdx.x / CHIP_LANES;
    row_t row(plan, blockIdx.x / plan.blocks);
    int of_block = plan.threads / CHIP_LANES;
    int first = (blockIdx.x % plan.blocks * of_block + warp) * OWN;
    vector *mine = (vector *)shared + warp * OWN * INPUTS;
    typename Op::partial p = Op::none();
    float v[INPUTS * WIDTH], out[WIDTH];

    if (lane == 0) {
        int count = max(min(row.count - first, (int)OWN), 0);

        bar_init(here + warp, 1);
        if (SHIFTED && count > 0 &&
            row.bytes(first + count - 1) != CHIP_VECTOR) {
            count--; // the array ends inside the last vector
            for (int k = 0; k < INPUTS; k++)
                mine[k * OWN + count] = row.load(op.input(k), first + count);
        }
        bar_expect(here + warp, count * CHIP_VECTOR * INPUTS);
        if (count > 0)
            for (int k = 0; k < INPUTS; k++)
                bulk_in(mine + k * OWN,
                        op.input(k) + row.first + (size_t)first * WIDTH,
                        count * CHIP_VECTOR, here + warp);
    }
    by_cluster::start();
    bar_wait(here + warp, 0);
#pragma unroll 4
    for (int i = 0; i < VECTORS; i++) {
        int unit = first + i * CHIP_LANES + lane;
        typename row_t::spot at = row.at(unit);

        if (unit >= row.count)
            break;
#pragma unroll
        for (int k = 0; k < INPUTS; k++)
            row.floats(mine[k * OWN + i * CHIP_LANES + lane], at, Op::pad(),
                       v + k * WIDTH);
        op.add(p, v, at);
    }
    __syncwarp();
    typename Op::settled settled =
        op.settle(by_cluster::over<Op>(p, plan, 0));
#pragma unroll 4
    for (int i = 0; i < VECTORS; i++) {
        int unit = first + i * CHIP_LANES + lane;
        typename row_t::spot at = row.at(unit);

        if (unit >= row.count)
            break;
#pragma unroll
        for (int k = 0; k < INPUTS; k++)
            row.floats(mine[k * OWN + i * CHIP_LANES + lane], at, Op::pad(),
                       v + k * WIDTH);
        op.finish(v, settled, at, out);
        row.store(op.output(), unit, at, out);
    }
#endif
}

template <class Op, bool SHIFTED, int VECTORS, int MOST>
static cudaError_t bulk_run(Op op, size_t rows, int cols, cudaStream_t stream)
{
    enum { WIDTH = CHIP_VECTOR / sizeof(typename Op::element) };
    const void *kernel = (const void *)row_bulk<Op, SHIFTED, VECTORS, MOST>;
    struct chip_plan plan = chip_plan_of(rows, cols, WIDTH, VECTORS, MOST);
    void *args[] = {&op, &plan};
    cudaError_t error;

    if (plan.blocks > CLUSTER_MOST)
        return cudaErrorInvalidValue;
    if (plan.lanes) {
        plan.lanes = 0;
        plan.threads = CHIP_LANES;
    }
    plan.shared = (size_t)plan.threads * VECTORS * CHIP_VECTOR * Op::INPUTS;
    if ((error = cudaFuncSetAttribute(
             kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
             (int)plan.shared)) != cudaSuccess)
        return error;
    return cluster_launch(kernel, &plan, rows, args, stream);
}
#endif
