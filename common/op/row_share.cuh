// SPDX-License-Identifier: MIT
/*
 * row_share.cuh: how threads share out the rows of a matrix, 16 bytes at a
 * time; and what they need to put their parts of a row together.
 *
 *   chip_plan, chip_place   which threads own a row; a thread's place in it
 *   chip_row                where the vectors of a row lie
 *   chip_spot               which columns a vector holds
 *   chip_vector             16 bytes as floats
 *   chip_exp                an exponential
 *   chip_max, chip_sum      over some lanes of a warp
 *   chip_over_block         what all threads of a block know together
 *
 * The hard idea: vectors lie at multiples of 16 bytes wherever a row begins.
 * Rows of odd length begin inside a vector (SHIFTED): the first and the last
 * vector of such a row also hold elements of its neighbours. Only these two are
 * handled element by element; all between them are moved whole.
 */
#ifndef WB_ROW_SHARE_CUH
#define WB_ROW_SHARE_CUH

#include <cuda_bf16.h>

enum {
    CHIP_LANES = 32,
    CHIP_VECTOR = 16 // bytes
};

struct chip_plan {
    size_t rows;
    int cols;
    int lanes;     // of a warp that own a row, a power of two; 0: whole blocks
    int threads;   // of a block
    int blocks;    // that own a row: a cluster, if more than one
    size_t shared; // bytes of a block, dynamic
};

// What one access moves, and its elements as floats.
template <typename T> struct chip_vector;

template <> struct chip_vector<float> {
    float4 e;

    __device__ void get(float *v) const
    {
        v[0] = e.x;
        v[1] = e.y;
        v[2] = e.z;
        v[3] = e.w;
    }
    __device__ void set(const float *v)
    {
        e = make_float4(v[0], v[1], v[2], v[3]);
    }
};

// bf16 is the upper half of a float.
template <> struct chip_vector<__nv_bfloat16> {
    uint4 e;

    static __device__ void split(unsigned pair, float *v)
    {
        v[0] = __uint_as_float(pair << 16);
        v[1] = __uint_as_float(pair & 0xffff0000);
    }
    static __device__ unsigned pair(const float *v)
    {
        __nv_bfloat162 both = __floats2bfloat162_rn(v[0], v[1]);

        return *(const unsigned *)&both;
    }
    __device__ void get(float *v) const
    {
        split(e.x, v);
        split(e.y, v + 2);
        split(e.z, v + 4);
        split(e.w, v + 6);
    }
    __device__ void set(const float *v)
    {
        e = make_uint4(pair(v), pair(v + 2), pair(v + 4), pair(v + 6));
    }
};

// A thread's place: it owns vectors rank, rank + size, ... of rows group,
// group + groups, ...
struct chip_place {
    size_t group, groups;
    int rank, size;

    __device__ chip_place(const struct chip_plan &plan)
    {
        if (plan.lanes) {
            int of_block = blockDim.x / plan.lanes;

            group = (size_t)blockIdx.x * of_block + threadIdx.x / plan.lanes;
            groups = (size_t)gridDim.x * of_block;
            rank = threadIdx.x & (plan.lanes - 1);
            size = plan.lanes;
        } else {
            group = blockIdx.x / plan.blocks;
            groups = gridDim.x / plan.blocks;
            rank = blockIdx.x % plan.blocks * blockDim.x + threadIdx.x;
            size = plan.blocks * blockDim.x;
        }
    }
};

// The columns col, col + 1, ... of a vector of WIDTH elements, of which those
// belong to the row whose bit in live is set.
template <int WIDTH, bool SHIFTED> struct chip_spot {
    enum { ELEMENTS = WIDTH, FEW = 4 }; // floats of a vector
    int col;
    unsigned live;

    __device__ bool full() const
    {
        return !SHIFTED || live == (1u << WIDTH) - 1;
    }
    __device__ bool has(int e) const { return full() || live >> e & 1; }
    __device__ float count() const
    {
        return full() ? (float)WIDTH : (float)__popc(live);
    }
    // What an array of floats, one per column, holds for these.
    __device__ void columns(const float *from, float *to) const
    {
#pragma unroll
        for (int e = 0; e < WIDTH; e += SHIFTED ? 1 : FEW)
            if (SHIFTED)
                to[e] = has(e) ? from[col + e] : 0.0f;
            else
                chip_vector<float>{__ldg((const float4 *)(from + col + e))}.get(
                    to + e);
    }
    // The same the other way, or on top of what is there.
    __device__ void put_columns(const float *v, float *to, bool on_top) const
    {
#pragma unroll
        for (int e = 0; e < WIDTH; e += SHIFTED ? 1 : FEW) {
            chip_vector<float> *four = (chip_vector<float> *)(to + col + e);
            float some[FEW] = {0.0f};

            if (!SHIFTED) {
                if (on_top)
                    four->get(some);
                for (int i = 0; i < FEW; i++)
                    some[i] += v[e + i];
                four->set(some);
            } else if (has(e))
                to[col + e] = v[e] + (on_top ? to[col + e] : 0.0f);
        }
    }
};

// Where the vectors of a row lie; a row beyond the last has none.
template <typename T, bool SHIFTED> struct chip_row {
    enum { WIDTH = CHIP_VECTOR / sizeof(T) }; // elements of a vector
    typedef chip_spot<WIDTH, SHIFTED> spot;
    size_t first; // element at which the row's first vector begins
    size_t end;   // of all rows
    int before;   // elements of the first vector that are not the row's
    int cols;
    int count;    // vectors

    __device__ chip_row(const struct chip_plan &plan, size_t row)
    {
        size_t begin = row * plan.cols;

        before = SHIFTED ? (int)(begin % WIDTH) : 0;
        first = begin - before;
        end = plan.rows * plan.cols;
        cols = plan.cols;
        count = row < plan.rows ? (before + cols - 1) / WIDTH + 1 : 0;
    }
    __device__ spot at(int i) const
    {
        spot s = {i * WIDTH - before, (1u << WIDTH) - 1};

        if (SHIFTED && (s.col < 0 || s.col + WIDTH > cols)) {
            s.live = 0;
            for (int e = 0; e < WIDTH; e++)
                s.live |= (unsigned)(s.col + e >= 0 && s.col + e < cols) << e;
        }
        return s;
    }
    // Bytes of a vector that lie in the array; fewer than all behind its end.
    __device__ unsigned bytes(int i) const
    {
        size_t from = first + (size_t)i * WIDTH;

        return SHIFTED && from + WIDTH > end
                   ? (unsigned)(end - from) * (unsigned)sizeof(T)
                   : CHIP_VECTOR;
    }
    __device__ chip_vector<T> load(const T *array, int i) const
    {
        const T *from = array + first + (size_t)i * WIDTH;
        chip_vector<T> v;

        if (bytes(i) == CHIP_VECTOR)
            v.e = ((const chip_vector<T> *)from)->e;
        else {
            float some[WIDTH];

#pragma unroll
            for (int e = 0; e < WIDTH; e++)
                some[e] = e * sizeof(T) < bytes(i) ? (float)from[e] : 0.0f;
            v.set(some);
        }
        return v;
    }
    // A vector of an input as floats, `pad` for what is not the row's.
    __device__ void floats(const chip_vector<T> &vector, const spot &s,
                           float pad, float *v) const
    {
        vector.get(v);
        if (!s.full())
#pragma unroll
            for (int e = 0; e < WIDTH; e++)
                v[e] = s.has(e) ? v[e] : pad;
    }
    __device__ void store(T *array, int i, const spot &s, const float *v) const
    {
        T *to = array + first + (size_t)i * WIDTH;

        if (s.full()) {
            chip_vector<T> some;

            some.set(v);
            ((chip_vector<T> *)to)->e = some.e;
        } else
#pragma unroll
            for (int e = 0; e < WIDTH; e++)
                if (s.has(e))
                    to[e] = (T)v[e];
    }
};

// exp(x); below the smallest normal float it is 0.
static __device__ inline float chip_exp(float x)
{
    float y;

    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x * 1.4426950408889634f));
    return y;
}

static __device__ inline float chip_max(float x, int lanes)
{
    for (int step = lanes / 2; step > 0; step /= 2)
        x = fmaxf(x, __shfl_xor_sync(~0u, x, step));
    return x;
}

static __device__ inline float chip_sum(float x, int lanes)
{
    for (int step = lanes / 2; step > 0; step /= 2)
        x += __shfl_xor_sync(~0u, x, step);
    return x;
}

// All threads of the block get what they know together. `turn` alternates from
// call to call, so that a warp which is ahead does not write where others still
// read.
template <class Op>
static __device__ typename Op::partial
chip_over_block(typename Op::partial p, int turn)
{
    __shared__ typename Op::partial of_warp[2][CHIP_LANES];
    int lane = threadIdx.x % CHIP_LANES;

    p = Op::join(p, CHIP_LANES);
    if (lane == 0)
        of_warp[turn][threadIdx.x / CHIP_LANES] = p;
    __syncthreads(); // of_warp is full: it may be read
    p = lane < (int)blockDim.x / CHIP_LANES ? of_warp[turn][lane] : Op::none();
    return Op::join(p, CHIP_LANES);
}

#endif
