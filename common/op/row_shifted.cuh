// SPDX-License-Identifier: MIT
/*
 * row_shifted.cuh: how a warp takes a row of odd length by vectors.
 *
 *   shifted_row   as row_unit.cuh's rows: a lane takes 16 neighbouring bytes of
 *                 a unit, wherever the row begins
 *   shifted_spot  which columns these hold
 *
 * Where a row begins within a vector follows from its number modulo the
 * elements of a vector. Rows that are so far apart are a class: they begin
 * alike. row_stream.cuh lets a group take its rows class by class, so that a
 * lane has the same columns in each of them: what it keeps of these, and their
 * sums, stay in its registers. Such a row is one of even length that begins
 * `before` elements earlier: all its vectors move whole, and only in its first
 * and last unit are there elements to leave out.
 *
 * The hard idea: a row may touch one vector more than its columns fill; the
 * columns in this last one are then no more than the first one leaves free. A
 * lane that has the first vector takes them in these places, so that a row has
 * as many vectors as if it began at a boundary, whatever its class:
 *
 *     7 columns of fp32 that begin 3 elements behind a boundary
 *     in memory    . . . 0 | 1 2 3 4 | 5 6 . .
 *     by lanes     5 6 . 0 | 1 2 3 4
 *
 * In shared memory, the last one lies before the first. Rows have at least as
 * many columns as a vector has elements.
 */
#ifndef WB_ROW_SHIFTED_CUH
#define WB_ROW_SHIFTED_CUH

#include "op/row_unit.cuh"

// Column col + e for each element e of a vector whose bit in `live` is set;
// columns before the row's first are `around` further.
template <typename T, bool WHOLE> struct shifted_spot {
    enum { ELEMENTS = CHIP_VECTOR / sizeof(T) };
    int col, around;
    unsigned live;

    __device__ bool has(int e) const { return WHOLE || live >> e & 1; }
    __device__ int column(int e) const
    {
        return col + e < 0 ? col + e + around : col + e;
    }
    __device__ float count() const
    {
        return WHOLE  ? (float)ELEMENTS
               : live ? (float)__popc(live)
                      : UNIT_NOTHING;
    }
    __device__ void columns(const float *from, float *to) const
    {
#pragma unroll
        for (int e = 0; e < ELEMENTS; e++)
            to[e] = has(e) ? from[column(e)] : 0.0f;
    }
    __device__ void put_columns(const float *v, float *to) const
    {
#pragma unroll
        for (int e = 0; e < ELEMENTS; e++)
            if (has(e))
                to[column(e)] = v[e];
    }
};

template <typename T> struct shifted_row {
    enum {
        WIDTH = CHIP_VECTOR / sizeof(T),
        SKEWED = 1,
        BY_PIECE = 1
    };
    size_t begin; // element at which the row begins
    size_t end;   // of all rows
    int before;   // elements from a boundary to there
    int cols;
    int count;    // vectors

    __device__ shifted_row(const struct chip_plan &plan, size_t row)
        : begin(row * plan.cols), end(plan.rows * plan.cols),
          before((int)(begin % WIDTH)), cols(plan.cols),
          count(row < plan.rows ? vectors(plan.cols) : 0)
    {
    }
    static __host__ __device__ int classes(int cols)
    {
        int step = cols & -cols; // rows begin at multiples of this power of two

        return step < WIDTH ? WIDTH / step : 1;
    }
    static __host__ __device__ int vectors(int cols)
    {
        return (cols - 1) / WIDTH + 1;
    }
    // Does the first vector also hold columns of one behind the others?
    __device__ bool around() const { return before + cols > count * WIDTH; }
    // Elements from the first boundary on, without these.
    __device__ int length() const { return min(before + cols, count * WIDTH); }
    __device__ bool whole(int unit) const
    {
        return unit * CHIP_LANES * WIDTH >= before &&
               (unit + 1) * CHIP_LANES * WIDTH <= length();
    }
    template <bool WHOLE>
    __device__ shifted_spot<T, WHOLE> at(int unit) const
    {
        int vector = unit * CHIP_LANES + (int)threadIdx.x % CHIP_LANES;

        if (!WHOLE) // computed where it is asked for, and kept nowhere
            asm volatile("" : "+r"(vector));

        shifted_spot<T, WHOLE> s = {vector * WIDTH - before, count * WIDTH, 0};

#pragma unroll
        for (int e = 0; !WHOLE && e < WIDTH; e++)
            s.live |= (unsigned)(vector < count && s.column(e) < cols) << e;
        return s;
    }
    // Floats of a unit that lies at `from`; `pad` for what is not the row's.
    template <bool WHOLE>
    __device__ void floats(const char *from, const shifted_spot<T, WHOLE> &s,
                           float pad, float *v) const
    {
        const chip_vector<T> *last = (const chip_vector<T> *)from;
        chip_vector<T> vector = {};
        float others[WIDTH];

        if (WHOLE || s.live)
            vector.e = last[1 + threadIdx.x % CHIP_LANES].e;
        vector.get(v);
        if (WHOLE)
            return;
        vector = {};
        if (s.col < 0 && around())
            vector.e = last->e;
        vector.get(others);
#pragma unroll
        for (int e = 0; e < WIDTH; e++)
            v[e] = !s.has(e) ? pad : s.col + e < 0 ? others[e] : v[e];
    }
    template <bool WHOLE>
    __device__ void store(T *array, int, const shifted_spot<T, WHOLE> &s,
                          const float *v) const
    {
        T *row = array + begin;

        if (WHOLE || (s.col >= 0 && s.has(WIDTH - 1))) {
            chip_vector<T> some;

            some.set(v);
            ((chip_vector<T> *)(row + s.col))->e = some.e;
        } else
#pragma unroll
            for (int e = 0; e < WIDTH; e++)
                if (s.has(e))
                    row[s.column(e)] = (T)v[e];
    }
    // Vectors [i, i + n) of the row come to `to`, and the one around if they
    // begin the row: bytes that will arrive.
    __device__ unsigned bytes(int i, int n) const
    {
        return n > 0 ? (n + (i == 0 && around()) - cut(i, n)) * CHIP_VECTOR
                     : 0;
    }
    // One lane.
    __device__ void fetch(char *to, const T *array, int i, int n,
                          uint64_t *here) const
    {
#if ROW_BARRIERS && __CUDA_ARCH__ >= 900
        const T *first = array + (begin - before);
        bool more = n > 0 && i == 0 && around(), less = cut(i, n);
        int whole = n - (less && !more);

        if (whole > 0)
            bulk_in(to + CHIP_VECTOR, first + (size_t)i * WIDTH,
                    whole * CHIP_VECTOR, here);
        if (more && !less)
            bulk_in(to, first + (size_t)count * WIDTH, CHIP_VECTOR, here);
#endif
    }
    // Does the array end inside one of these? Then that is copied element by
    // element.
    __device__ bool cut(int i, int n) const
    {
        int behind = around() ? (i == 0) * (count + 1) : i + n;

        return n > 0 && begin - before + (size_t)behind * WIDTH > end;
    }
    __device__ void rest(char *to, const T *array, int i, int n) const
    {
        int place = around() ? 0 : n, vector = around() ? count : i + n - 1;
        size_t from = begin - before + (size_t)vector * WIDTH;

#pragma unroll 1
        for (int e = 0; e < WIDTH; e++)
            ((T *)(to + place * CHIP_VECTOR))[e] =
                from + e < end ? array[from + e] : T(0.0f);
    }
};

#endif
