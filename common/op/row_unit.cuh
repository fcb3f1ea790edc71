// SPDX-License-Identifier: MIT
/*
 * row_unit.cuh: how a warp takes a row that bulk copies bring to shared memory,
 * 512 bytes at a time: a unit.
 *
 *   vector_row   a lane takes 16 neighbouring bytes of a unit
 *   word_row     a lane takes four words of it, 32 apart
 *
 * Both have the same members, as has row_shifted.cuh's shifted_row:
 *
 *   classes(cols)             ways in which such rows begin
 *   vectors(cols)             vectors of such a row, at most
 *   whole(unit)               has the row all of this unit?
 *   at<WHOLE>(unit)           which columns a lane has of it (a chip_spot)
 *   floats, store             a lane's part of a unit
 *   cut, bytes, fetch, rest   how some vectors of the row come
 *
 * The hard idea is in word_row, for rows of odd length. Wherever such a row
 * begins, the lanes of a warp read and write neighbouring words, and a lane's
 * columns are the same in each row: in fp32 always, in bf16 in every second
 * row. Bulk copies need boundaries of 16 bytes, so that a piece of a row comes
 * with what lies between its ends and the next boundaries; its words begin
 * `skew` bytes into its place in shared memory.
 */
#ifndef WB_ROW_UNIT_CUH
#define WB_ROW_UNIT_CUH

#include "op/row_barrier.cuh"
#include "op/row_share.cuh"

enum { WORDS = 4, WORD = 4 }; // of a lane and unit; bytes

// How many elements a lane has that has none: not 0, which would divide by 0;
// but what stands for them must not count, however far it is from the mean.
#define UNIT_NOTHING 0x1p-100f

// Columns of a lane: WORDS words, 32 apart, of which the first begins at col.
template <typename T, bool WHOLE> struct word_spot {
    enum {
        ELEMENTS = CHIP_VECTOR / sizeof(T),
        PER = WORD / sizeof(T) // elements of a word
    };
    int col, cols;

    static __device__ int after(int e) // columns from col on
    {
        return e / PER * CHIP_LANES * PER + e % PER;
    }
    __device__ bool has(int e) const
    {
        return WHOLE || (unsigned)(col + after(e)) < (unsigned)cols;
    }
    __device__ float count() const
    {
        int n = 0;

#pragma unroll
        for (int e = 0; e < ELEMENTS; e++)
            n += has(e);
        return n ? (float)n : UNIT_NOTHING;
    }
    __device__ void columns(const float *from, float *to) const
    {
#pragma unroll
        for (int e = 0; e < ELEMENTS; e++)
            to[e] = has(e) ? from[col + after(e)] : 0.0f;
    }
    __device__ void put_columns(const float *v, float *to) const
    {
#pragma unroll
        for (int e = 0; e < ELEMENTS; e++)
            if (has(e))
                to[col + after(e)] = v[e];
    }
};

template <typename T> struct word_row {
    enum {
        WIDTH = CHIP_VECTOR / sizeof(T), // elements of a lane and unit
        PER = WORD / sizeof(T),
        SKEWED = 1, // vectors that a piece may have more than it shows
        BY_PIECE = 0 // is a piece taken at once, or unit by unit?
    };
    size_t first; // byte at which the row's first word begins
    size_t end;   // of all rows
    int before;   // elements of the first word that are not the row's
    int skew;     // bytes from a boundary to the first word
    int cols;
    int count;    // vectors of 16 bytes, from the first word on

    __device__ word_row(const struct chip_plan &plan, size_t row)
    {
        size_t begin = row * plan.cols;

        before = PER > 1 ? (int)(begin % PER) : 0;
        first = (begin - before) * sizeof(T);
        skew = (int)(first % CHIP_VECTOR);
        end = plan.rows * plan.cols * sizeof(T);
        cols = plan.cols;
        count = row < plan.rows ? (before + cols - 1) / WIDTH + 1 : 0;
    }
    static __host__ __device__ int classes(int cols) { return 1 + cols % PER; }
    static int vectors(int cols)
    {
        return (cols + cols % PER - 1) / WIDTH + 1;
    }
    // The column at which a lane's part of unit `unit` begins.
    __device__ int col(int unit) const
    {
        return unit * CHIP_LANES * WIDTH + threadIdx.x % CHIP_LANES * PER -
               before;
    }
    __device__ bool whole(int unit) const
    {
        return unit * CHIP_LANES * WIDTH >= before &&
               (unit + 1) * CHIP_LANES * WIDTH - before <= cols;
    }
    template <bool WHOLE> __device__ word_spot<T, WHOLE> at(int unit) const
    {
        return {col(unit), cols};
    }
    // Floats of a unit that lies at `from`; `pad` for what is not the row's.
    template <bool WHOLE>
    __device__ void floats(const char *from, const word_spot<T, WHOLE> &s,
                           float pad, float *v) const
    {
        const unsigned *word = (const unsigned *)(from + skew) +
                               threadIdx.x % CHIP_LANES;

#pragma unroll
        for (int w = 0; w < WORDS; w++) {
            int e = w * PER;
            bool any = s.has(e) || s.has(e + PER - 1);
            unsigned two = any ? word[w * CHIP_LANES] : 0;

            if (PER == 1)
                v[e] = __uint_as_float(two);
            else
                chip_vector<__nv_bfloat16>::split(two, v + e);
        }
#pragma unroll
        for (int e = 0; e < WIDTH; e++)
            v[e] = s.has(e) ? v[e] : pad;
    }
    template <bool WHOLE>
    __device__ void store(T *array, int unit, const word_spot<T, WHOLE> &s,
                          const float *v) const
    {
        unsigned *to = (unsigned *)((char *)array + first) +
                       unit * CHIP_LANES * WORDS + threadIdx.x % CHIP_LANES;

#pragma unroll
        for (int w = 0; w < WORDS; w++) {
            int e = w * PER;

            if (PER == 1 ? s.has(e) : s.has(e) && s.has(e + PER - 1))
                to[w * CHIP_LANES] =
                    PER == 1 ? __float_as_uint(v[e])
                             : chip_vector<__nv_bfloat16>::pair(v + e);
            else if (PER > 1)
                for (int h = 0; h < PER; h++)
                    if (s.has(e + h))
                        ((T *)(to + w * CHIP_LANES))[h] = (T)v[e + h];
        }
    }
    // Vectors [i, i + n) of the row come to `to`: bytes that will arrive.
    __device__ unsigned bytes(int i, int n) const
    {
        size_t from = first - skew + (size_t)i * CHIP_VECTOR, most;

        if (n <= 0)
            return 0;
        most = (end - from) / CHIP_VECTOR * CHIP_VECTOR; // whole vectors
        n += skew > 0;
        return (unsigned)(most < (size_t)n * CHIP_VECTOR
                              ? most
                              : (size_t)n * CHIP_VECTOR);
    }
    // One lane. Behind the array's last boundary it copies by itself.
    __device__ void fetch(char *to, const T *array, int i, int n,
                          uint64_t *here) const
    {
#if ROW_BARRIERS && __CUDA_ARCH__ >= 900
        const char *from = (const char *)array + first - skew +
                           (size_t)i * CHIP_VECTOR;
        unsigned whole = bytes(i, n);

        if (whole > 0)
            bulk_in(to, from, whole, here);
#endif
    }
    __device__ bool cut(int i, int n) const
    {
        return n > 0 && bytes(i, n) < (unsigned)(n + (skew > 0)) * CHIP_VECTOR;
    }
    __device__ void rest(char *to, const T *array, int i, int n) const
    {
        unsigned whole = bytes(i, n);
        size_t from = first - skew + (size_t)i * CHIP_VECTOR + whole;

        for (int e = 0; whole + e * sizeof(T) < (n + 1) * CHIP_VECTOR &&
                        e < WIDTH;
             e++)
            ((T *)(to + whole))[e] =
                from + e * sizeof(T) < end
                    ? *(const T *)((const char *)array + from + e * sizeof(T))
                    : T(0.0f);
    }
};

// Columns of a lane: a vector, from col on.
template <typename T, bool WHOLE> struct vector_spot {
    enum { ELEMENTS = CHIP_VECTOR / sizeof(T), FEW = 4 }; // floats of a vector
    int col, cols;

    __device__ bool has(int) const { return WHOLE || col < cols; }
    __device__ float count() const
    {
        return has(0) ? (float)ELEMENTS : UNIT_NOTHING;
    }
    __device__ void columns(const float *from, float *to) const
    {
        chip_vector<float> none = {make_float4(0.0f, 0.0f, 0.0f, 0.0f)};

#pragma unroll
        for (int e = 0; e < ELEMENTS; e += FEW)
            (has(0) ? *(const chip_vector<float> *)(from + col + e) : none)
                .get(to + e);
    }
    __device__ void put_columns(const float *v, float *to) const
    {
#pragma unroll
        for (int e = 0; e < ELEMENTS; e += FEW)
            if (has(0))
                ((chip_vector<float> *)(to + col + e))->set(v + e);
    }
};

template <typename T> struct vector_row {
    enum {
        WIDTH = CHIP_VECTOR / sizeof(T),
        SKEWED = 0,
        BY_PIECE = 0
    };
    size_t first; // element at which the row begins
    int cols;
    int count; // vectors

    __device__ vector_row(const struct chip_plan &plan, size_t row)
        : first(row * plan.cols), cols(plan.cols),
          count(row < plan.rows ? plan.cols / WIDTH : 0)
    {
    }
    // How many ways there are for a row to begin.
    static __host__ __device__ int classes(int) { return 1; }
    static int vectors(int cols) { return cols / WIDTH; }
    __device__ bool whole(int unit) const
    {
        return (unit + 1) * CHIP_LANES <= count;
    }
    template <bool WHOLE> __device__ vector_spot<T, WHOLE> at(int unit) const
    {
        return {(unit * CHIP_LANES + (int)threadIdx.x % CHIP_LANES) * WIDTH,
                cols};
    }
    template <bool WHOLE>
    __device__ void floats(const char *from, const vector_spot<T, WHOLE> &s,
                           float pad, float *v) const
    {
        if (s.has(0)) {
            ((const chip_vector<T> *)from)[threadIdx.x % CHIP_LANES].get(v);
            return;
        }
#pragma unroll
        for (int e = 0; e < WIDTH; e++)
            v[e] = pad;
    }
    template <bool WHOLE>
    __device__ void store(T *array, int, const vector_spot<T, WHOLE> &s,
                          const float *v) const
    {
        chip_vector<T> some;

        some.set(v);
        if (s.has(0))
            ((chip_vector<T> *)(array + first + s.col))->e = some.e;
    }
    __device__ unsigned bytes(int, int n) const
    {
        return n > 0 ? n * CHIP_VECTOR : 0;
    }
    __device__ void fetch(char *to, const T *array, int i, int n,
                          uint64_t *here) const
    {
#if ROW_BARRIERS && __CUDA_ARCH__ >= 900
        if (n > 0)
            bulk_in(to, array + first + (size_t)i * WIDTH, n * CHIP_VECTOR,
                    here);
#endif
    }
    __device__ bool cut(int, int) const { return false; }
    __device__ void rest(char *, const T *, int, int) const {}
};

#endif
