// SPDX-License-Identifier: MIT
/*
 * vector.cu: trials of a vector times a matrix, and of a matrix times a vector,
 * in fp32 and bf16: gemm_vector.cuh, with blocks of several sizes.
 *
 *   row       C has one row: a block has a few columns, and all of k
 *   column    C has one column: a block has a row of A
 *   now       chapter 15's step 7, or chapter 17's step 6
 *
 * A row of the table names columns or rows per block, and its threads (x). A
 * warp per row of A, of 2 to 8 in a block, was slower wherever a block per row
 * was fast (vector-h200.txt), and is gone.
 */
#include "contest.cuh"
#include "op/gemm_vector.cuh"

template <class T, int COLS, int THREADS>
static bool launch(const struct product *p, int)
{
    return vector_launch<T, COLS, THREADS>((const T *)p->a, (const T *)p->b,
                                           (T *)p->c, p->s, 1.0f, 0.0f,
                                           0) == cudaSuccess;
}

template <class T, int COLS, int THREADS> static void add_row(void)
{
    char name[64];

    snprintf(name, sizeof name, "row %d x%d", COLS, THREADS);
    add(name, launch<T, COLS, THREADS>, 0, true);
}

template <class T, int THREADS> static void add_column(void)
{
    char name[64];

    snprintf(name, sizeof name, "column 1 x%d", THREADS);
    add(name, launch<T, 1, THREADS>, 0, true);
}

template <class T> static void candidates(const struct product *p)
{
    if (p->s.M == 1) {
        add_row<T, 1, 128>();
        add_row<T, 1, 512>();
        add_row<T, 1, 1024>();
        add_row<T, 2, 256>();
        add_row<T, 2, 1024>();
        add_row<T, 4, 256>();
        add_row<T, 4, 512>();
        add_row<T, 4, 1024>();
        add_row<T, 8, 256>();
        add_row<T, 8, 512>();
        add_row<T, 8, 1024>();
        add_row<T, 16, 256>();
        add_row<T, 16, 1024>();
        add_row<T, 32, 256>();
        add_row<T, 32, 1024>();
    } else {
        add_column<T, 64>();
        add_column<T, 128>();
        add_column<T, 256>();
        add_column<T, 512>();
        add_column<T, 1024>();
    }
}

template <class T>
static void one(const char *kind, launcher *now, float tolerance, int M, int N,
                int K)
{
    contest<T>(kind, M, N, K, tolerance, false, now, candidates<T>);
}

// The same shapes in both types.
template <class T>
static void all(const char *kind, launcher *now, float tolerance)
{
    static const int shapes[][3] = {
#ifdef SIMULATED
        {1, 1, 1}, {1, 37, 333}, {1, 6, 1100}, {5, 1, 1500}, {71, 1, 35}
#else
        {1, 371, 2560}, {1, 371, 2560}, {1, 6, 2272}, {1, 10, 96},
        {1, 64, 672}, {1, 24, 542}, {1, 988, 861}, {1, 28, 160},
        {1, 2, 1088}, {1, 4096, 4096}, {68, 1, 2691}, {7, 1, 2624},
        {8, 1, 1856}, {13, 1, 2208}, {489, 1, 1829}, {4096, 1, 4096}
#endif
    };

    for (const int *s : shapes)
        one<T>(kind, now, tolerance, s[0], s[1], s[2]);
}

int main()
{
    contest_open();
#ifdef BF16
    all<gemm_bf16_t>("bf16 ", stage_of<gemm_bf16_t, gemm_bf16_bf16>, 8e-3f);
#else
    all<float>("", stage_of<float, gemm_f32>, 1e-6f);
#endif
    return 0;
}
