// SPDX-License-Identifier: MIT
/*
 * row_ring.cuh: rows one after another through the same threads, which sum over
 * rows as they go: the kernel of row_sums.cuh.
 *
 *   row_ring          the kernel: a group of threads, some lanes, a block or a
 *                     cluster, takes one row after another
 *   struct chip_ring  a thread's vectors on their way
 *   struct ring_sums  its columns' sums
 *
 * Rows wait in shared memory, a ring of vectors per thread: a thread copies its
 * own vectors asynchronously and reads nothing else, so the copies need no
 * barrier.
 *
 * The hard idea: a thread keeps its columns from row to row, so their sums stay
 * in its registers until its last row. Rows of odd length begin elsewhere in a
 * vector each time; RING_STEADY rows further they begin at the same place
 * again, so that is how far apart a thread's rows lie, or a multiple.
 */
#ifndef WB_ROW_RING_CUH
#define WB_ROW_RING_CUH

#include <cuda_pipeline_primitives.h>

#include "op/row_cluster.cuh"

enum {
    RING_STEADY = 8, // rows until a row begins at the same place in a vector
    RING_FEW = 64,   // bytes of each input that a thread takes of a row,
    RING_MANY = 128, // and of the longest
    RING_KEPT = 16,  // columns of a thread for which registers are left
    RING_BLOCK = 256, // threads of a block whose warps own rows
    RING_MOST = 512   // threads of a block
};

// Vectors of each input that a thread has asked for beyond its row.
static constexpr int ring_ahead(int units)
{
    return units < 8 ? 4 : 5;
}

// Vector i of a row to shared memory, element by element; 0 behind the array's
// end. A loop, because only the array's last vector comes here.
template <typename T, class Row>
static __device__ void ring_take(const T *array, const Row &row, int i,
                                 chip_vector<T> *to)
{
    size_t from = row.first + (size_t)i * Row::WIDTH;

#pragma unroll 1
    for (int e = 0; e < Row::WIDTH; e++)
        ((T *)to)[e] = from + e < row.end ? array[from + e] : (T)0.0f;
}

// The vectors of a thread, in the order in which it needs them.
template <class Op, bool SHIFTED, int UNITS> struct chip_ring {
    typedef typename Op::element element;
    typedef chip_row<element, SHIFTED> row_t;
    enum { INPUTS = Op::INPUTS, SLOTS = UNITS + ring_ahead(UNITS) };

    chip_vector<element> *slots; // this thread's first
    size_t next;                 // the row whose vectors are asked for
    int unit, to;                // the next of them, and its slot

    __device__ chip_ring(void *shared, const chip_place &place)
        : slots((chip_vector<element> *)shared + threadIdx.x),
          next(place.group), unit(0), to(0)
    {
    }
    __device__ chip_vector<element> *at(int slot, int k) const
    {
        return slots + (slot * INPUTS + k) * blockDim.x;
    }
    // Asks for `count` vectors of each input.
    __device__ void bring(const Op &op, const struct chip_plan &plan,
                          const chip_place &place, int count)
    {
#pragma unroll
        for (int n = 0; n < count; n++) {
            row_t row(plan, next);
            int i = place.rank + unit * place.size;

            if (i < row.count)
#pragma unroll
                for (int k = 0; k < INPUTS; k++) {
                    const element *from = op.input(k);

                    if (row.bytes(i) == CHIP_VECTOR)
                        __pipeline_memcpy_async(
                            at(to, k), from + row.first + i * row_t::WIDTH,
                            CHIP_VECTOR);
                    else // the array's last: a copy of 16 would pass its end
                        ring_take(from, row, i, at(to, k));
                }
            __pipeline_commit();
            to = to + 1 == SLOTS ? 0 : to + 1;
            if (++unit == UNITS) {
                unit = 0;
                next += place.groups;
            }
        }
    }
};

// The sums of a thread's columns, and what belongs to these columns.
template <int UNITS, int WIDTH> struct ring_sums {
    enum { KEPT = UNITS * WIDTH <= RING_KEPT };
    float a[UNITS][WIDTH], b[UNITS][WIDTH];
    float columns[KEPT ? UNITS : 1][WIDTH];

    template <class Op, class Row>
    __device__ ring_sums(const Op &op, const Row &row, const chip_place &place)
    {
#pragma unroll
        for (int i = 0; i < UNITS; i++) {
            int unit = place.rank + i * place.size;

            if (KEPT && unit < row.count)
                row.at(unit).columns(op.columns(), columns[i]);
#pragma unroll
            for (int e = 0; e < WIDTH; e++)
                a[i][e] = b[i][e] = 0.0f;
        }
    }
    // Into a row of sums, a and then b, or on top of what is there.
    template <class Row>
    __device__ void put(const Row &row, const chip_place &place, float *to,
                        bool on_top) const
    {
#pragma unroll
        for (int i = 0; i < UNITS; i++) {
            int unit = place.rank + i * place.size;

            if (unit < row.count) {
                row.at(unit).put_columns(a[i], to, on_top);
                row.at(unit).put_columns(b[i], to + row.cols, on_top);
            }
        }
    }
};

// Vector i of a thread, whose columns it may have kept.
template <class Spot, class Sums> struct ring_spot : Spot {
    const float *kept;

    __device__ ring_spot(const Spot &spot, const Sums &sums, int i)
        : Spot(spot), kept(sums.columns[Sums::KEPT ? i : 0])
    {
    }
    __device__ void columns(const float *from, float *to) const
    {
        if (!Sums::KEPT)
            Spot::columns(from, to);
        else
#pragma unroll
            for (int e = 0; e < Spot::ELEMENTS; e++)
                to[e] = kept[e];
    }
};

// Leaves a row of sums per block or cluster. The groups of lanes of a block add
// up theirs one after another, in `all`, which is shared.
template <class Sums, class Row>
static __device__ void ring_leave(const Sums &sums, const Row &row,
                                  const struct chip_plan &plan, float *all,
                                  float *rows)
{
    chip_place place(plan);
    int width = 2 * plan.cols;
    float *to = rows + (size_t)(blockIdx.x / plan.blocks) * width;

    if (plan.lanes == 0) {
        sums.put(row, place, to, false);
        return;
    }
    __syncthreads(); // nobody's ring is read any more
    for (int col = threadIdx.x; col < width; col += blockDim.x)
        all[col] = 0.0f;
    for (int group = 0; group < (int)blockDim.x / plan.lanes; group++) {
        __syncthreads(); // the group before has added its own
        if ((int)threadIdx.x / plan.lanes == group)
            sums.put(row, place, all, true);
    }
    __syncthreads(); // all have
    for (int col = threadIdx.x; col < width; col += blockDim.x)
        to[col] = all[col];
}

template <class Op, bool SHIFTED, int UNITS, class Together>
static __global__ void __launch_bounds__(RING_MOST, 1)
row_ring(Op op, struct chip_plan plan, float *rows)
{
    extern __shared__ uint4 shared[];
    typedef chip_ring<Op, SHIFTED, UNITS> ring_t;
    typedef typename ring_t::row_t row_t;
    enum { INPUTS = Op::INPUTS, WIDTH = row_t::WIDTH, SLOTS = ring_t::SLOTS };
    typedef ring_sums<UNITS, WIDTH> sums_t;
    typedef ring_spot<typename row_t::spot, sums_t> spot_t;
    chip_place place(plan);
    ring_t ring(shared, place);
    sums_t sums(op, row_t(plan, place.group), place);
    float v[INPUTS * WIDTH], out[WIDTH];
    int turn = 0, begin = 0; // the slot of the row's first vector
    size_t first = place.group;

    if (plan.lanes) // the lanes of a warp stay together, for their shuffles
        first -= threadIdx.x % CHIP_LANES / plan.lanes;
    ring.bring(op, plan, place, SLOTS);
    Together::start();
    for (; first < plan.rows; first += place.groups, turn ^= 1) {
        row_t row(plan, place.group);
        typename Op::partial p = Op::none();
        typename Op::settled settled;

        __pipeline_wait_prior(SLOTS - UNITS);
#pragma unroll
        for (int pass = 0; pass < 2; pass++) {
#pragma unroll
            for (int i = 0; i < UNITS; i++) {
                int unit = place.rank + i * place.size;
                int slot = begin + i < SLOTS ? begin + i : begin + i - SLOTS;
                spot_t at(row.at(unit), sums, i);

                if (unit >= row.count)
                    continue;
#pragma unroll
                for (int k = 0; k < INPUTS; k++)
                    row.floats(*ring.at(slot, k), at, Op::pad(),
                               v + k * WIDTH);
                if (pass == 0)
                    op.add(p, v, at);
                else {
                    op.finish(v, settled, at, out);
                    row.store(op.output(), unit, at, out);
                    op.collect(v, settled, at, sums.a[i], sums.b[i]);
                }
            }
            if (pass == 0)
                settled =
                    op.settle(Together::template over<Op>(p, plan, turn));
        }
        ring.bring(op, plan, place, UNITS);
        place.group += place.groups;
        begin = begin + UNITS < SLOTS ? begin + UNITS : begin + UNITS - SLOTS;
    }
    __pipeline_wait_prior(0);
    ring_leave(sums, row_t(plan, chip_place(plan).group), plan,
               (float *)shared, rows);
}

#endif
