// SPDX-License-Identifier: MIT
/*
 * rows_hint.cuh: a trial for chapter 21: row_chip.cuh's kernel for layer norm,
 * with hints for the caches. Rows of even length that a block holds.
 *
 *   hint_launch<UNITS, THREADS, BLOCKS, IN, OUT>(op, R, C)
 *
 * x and y are touched once, gamma and beta by every row: so x is to leave L1 to
 * them. UNITS vectors per thread; THREADS at most, and as many in a block whose
 * warps own rows; registers for BLOCKS per multiprocessor.
 *
 *   IN    0: as before; 1: x is not kept in L1; 2: nor in L2; gamma and beta
 *         are kept in L1
 *   OUT   0: as before; 1: y is not kept in L1; 2: it leaves L2 first
 */
#ifndef WB_ROWS_HINT_CUH
#define WB_ROWS_HINT_CUH

#include "op/row_chip.cuh"

template <int IN> static __device__ float4 hint_load(const void *from)
{
    float4 v;

    if (IN == 0)
        return *(const float4 *)from;
    if (IN == 1)
        asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, "
                     "[%4];"
                     : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                     : "l"(from));
    else
        asm volatile("{\n.reg .b64 policy;\n"
                     "createpolicy.fractional.L2::evict_first.b64 policy, "
                     "1.0;\n"
                     "ld.global.nc.L1::no_allocate.L2::cache_hint.v4.f32 "
                     "{%0, %1, %2, %3}, [%4], policy;\n}"
                     : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                     : "l"(from));
    return v;
}

static __device__ float4 hint_keep(const void *from)
{
    float4 v;

    asm("ld.global.nc.L1::evict_last.v4.f32 {%0, %1, %2, %3}, [%4];"
        : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
        : "l"(from));
    return v;
}

template <int OUT> static __device__ void hint_store(void *to, float4 v)
{
    if (OUT == 0)
        *(float4 *)to = v;
    else if (OUT == 1)
        asm volatile("st.global.L1::no_allocate.v4.f32 [%0], {%1, %2, %3, %4};"
                     ::"l"(to), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)
                     : "memory");
    else
        __stcs((float4 *)to, v);
}

// A spot that asks for gamma and beta with hints.
template <class Spot, int IN> struct hint_spot : Spot {
    __device__ hint_spot(const Spot &s) : Spot(s) {}
    __device__ void columns(const float *from, float *to) const
    {
        if (IN == 0)
            Spot::columns(from, to);
        else
#pragma unroll
            for (int e = 0; e < Spot::ELEMENTS; e += Spot::FEW)
                chip_vector<float>{hint_keep(from + this->col + e)}.get(to + e);
    }
};

template <class Op, int UNITS, int THREADS, int BLOCKS, int IN, int OUT>
static __global__ void __launch_bounds__(THREADS, BLOCKS)
row_hint(Op op, struct chip_plan plan)
{
    typedef typename Op::element element;
    typedef chip_row<element, false> row_t;
    typedef hint_spot<typename row_t::spot, IN> spot_t;
    enum { WIDTH = row_t::WIDTH };
    chip_place place(plan);
    row_t row(plan, place.group);
    union {
        float4 all;
        chip_vector<element> vector;
    } held[UNITS];
    typename Op::partial p = Op::none();
    float v[WIDTH], out[WIDTH];

#pragma unroll
    for (int i = 0; i < UNITS; i++) {
        int unit = place.rank + i * place.size;

        if (unit < row.count)
            held[i].all =
                hint_load<IN>(op.input(0) + row.first + (size_t)unit * WIDTH);
    }
#pragma unroll
    for (int i = 0; i < UNITS; i++) {
        int unit = place.rank + i * place.size;

        if (unit >= row.count)
            break;
        held[i].vector.get(v);
        op.add(p, v, row.at(unit));
    }

    typename Op::settled settled = op.settle(by_block::over<Op>(p, plan, 0));

#pragma unroll
    for (int i = 0; i < UNITS; i++) {
        int unit = place.rank + i * place.size;

        if (unit >= row.count)
            break;
        held[i].vector.get(v);
        op.finish(v, settled, spot_t(row.at(unit)), out);
        held[i].vector.set(out);
        hint_store<OUT>(op.output() + row.first + (size_t)unit * WIDTH,
                        held[i].all);
    }
}

template <int UNITS, int THREADS, int BLOCKS, int IN, int OUT, class Op>
static cudaError_t hint_launch(Op op, size_t rows, int cols)
{
    enum { WIDTH = CHIP_VECTOR / sizeof(typename Op::element) };
    struct chip_plan plan = chip_plan_of(rows, cols, WIDTH, UNITS, THREADS);
    size_t of_block = plan.lanes ? THREADS / plan.lanes : 1;

    if (cols % WIDTH || plan.blocks > 1)
        return cudaErrorInvalidValue;
    if (plan.lanes)
        plan.threads = THREADS;
    row_hint<Op, UNITS, THREADS, BLOCKS, IN, OUT>
        <<<(unsigned)((rows - 1) / of_block + 1), plan.threads>>>(op, plan);
    return cudaGetLastError();
}

#endif
