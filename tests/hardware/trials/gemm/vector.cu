// SPDX-License-Identifier: MIT
/*
 * vector.cu: trials of a vector times a matrix, and of a matrix times a vector,
 * in fp32 and bf16. Nothing is shared between blocks: one pass, one launch.
 *
 *   row       C has one row: a block has a few columns, and all of k
 *   column    C has one column: a block has a row of A, or several
 *   now       chapter 15's step 7, or chapter 17's step 6
 *
 * A row of the table names columns or rows per block, and its threads (x).
 *
 * The hard idea: such a product takes little longer than an empty kernel, so
 * what counts is how many ways to memory and through barriers lie behind each
 * other. All loads of a thread are under way at once, as far as there are
 * registers, and sums meet once on chip. A block per few columns reads less
 * than a sector of each row of B; its neighbour finds the rest in L2.
 */
#include "contest.cuh"

enum { FLIGHT = 16 };
static const unsigned ALL = ~0u;

// The sums of a block's threads for each of COUNT cells, thread % COUNT;
// those of a warp meet by shuffles, those of warps on chip. Thread `cell`,
// below COUNT, gets the whole one.
template <int COUNT, int THREADS>
static __device__ float meet(float sum, float (*of_warp)[COUNT])
{
    const int kept = COUNT < 32 ? COUNT : 32, warps = THREADS / 32;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float all = 0.0f;

#pragma unroll
    for (int far = kept; far < 32; far *= 2)
        sum += __shfl_xor_sync(ALL, sum, far);
    if (lane < kept)
        of_warp[warp][lane] = sum;
    __syncthreads(); // each warp has left its sums
    if (threadIdx.x < COUNT)
#pragma unroll
        for (int w = 0; w < warps; w++)
            all += of_warp[w][threadIdx.x];
    return all;
}

template <class T, int COLS, int THREADS>
static __global__ void __launch_bounds__(THREADS)
    row_times(const T *__restrict__ A, const T *__restrict__ B, T *C,
              struct gemm_shape s)
{
    const int groups = THREADS / COLS;
    __shared__ float of_warp[THREADS / 32][COLS];
    int col = blockIdx.x * COLS + threadIdx.x % COLS;
    int group = threadIdx.x / COLS;
    float sum = 0.0f;

    for (int first = group; first < s.K; first += groups * FLIGHT) {
        float a[FLIGHT], b[FLIGHT];

#pragma unroll
        for (int i = 0; i < FLIGHT; i++) {
            int k = first + i * groups;
            bool there = k < s.K && col < s.N;

            a[i] = there ? (float)A[k] : 0.0f;
            b[i] = there ? (float)B[(size_t)k * s.ldb + col] : 0.0f;
        }
#pragma unroll
        for (int i = 0; i < FLIGHT; i++)
            sum += a[i] * b[i];
    }
    sum = meet<COLS, THREADS>(sum, of_warp);
    if (threadIdx.x < COLS && col < s.N)
        C[col] = (T)sum;
}

template <class T, int ROWS, int THREADS>
static __global__ void __launch_bounds__(THREADS)
    times_column(const T *__restrict__ A, const T *__restrict__ B, T *C,
                 struct gemm_shape s)
{
    const int each = THREADS / ROWS; // threads of a row
    __shared__ float of_warp[THREADS / 32][1];
    int row = blockIdx.x * ROWS + threadIdx.x / each;
    const T *a_row = A + (size_t)row * s.lda;
    float sum = 0.0f;

    for (int first = threadIdx.x % each; first < s.K; first += each * FLIGHT) {
        float a[FLIGHT], b[FLIGHT];

#pragma unroll
        for (int i = 0; i < FLIGHT; i++) {
            int k = first + i * each;
            bool there = k < s.K && row < s.M;

            a[i] = there ? (float)a_row[k] : 0.0f;
            b[i] = there ? (float)B[(size_t)k * s.ldb] : 0.0f;
        }
#pragma unroll
        for (int i = 0; i < FLIGHT; i++)
            sum += a[i] * b[i];
    }
    if (ROWS == 1) {
        sum = meet<1, THREADS>(sum, of_warp);
        if (threadIdx.x == 0)
            C[(size_t)row * s.ldc] = (T)sum;
    } else {
        static_assert(ROWS == 1 || each == 32, "a warp has a row, or a block");
        for (int far = 16; far > 0; far /= 2)
            sum += __shfl_xor_sync(ALL, sum, far);
        if (threadIdx.x % 32 == 0 && row < s.M)
            C[(size_t)row * s.ldc] = (T)sum;
    }
}

template <class T, int COLS, int THREADS>
static bool launch_row(const struct product *p, int)
{
    return start(row_times<T, COLS, THREADS>, dim3((p->s.N - 1) / COLS + 1),
                 THREADS, 0, 1, (const T *)p->a, (const T *)p->b, (T *)p->c,
                 p->s);
}

template <class T, int ROWS, int THREADS>
static bool launch_column(const struct product *p, int)
{
    return start(times_column<T, ROWS, THREADS>, dim3((p->s.M - 1) / ROWS + 1),
                 THREADS, 0, 1, (const T *)p->a, (const T *)p->b, (T *)p->c,
                 p->s);
}

template <class T, int COLS, int THREADS> static void add_row(void)
{
    char name[64];

    snprintf(name, sizeof name, "row %d x%d", COLS, THREADS);
    add(name, launch_row<T, COLS, THREADS>, 0, true);
}

template <class T, int ROWS, int THREADS> static void add_column(void)
{
    char name[64];

    snprintf(name, sizeof name, "column %d x%d", ROWS, THREADS);
    add(name, launch_column<T, ROWS, THREADS>, 0, true);
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
        add_column<T, 1, 64>();
        add_column<T, 1, 128>();
        add_column<T, 1, 256>();
        add_column<T, 1, 512>();
        add_column<T, 1, 1024>();
        add_column<T, 2, 64>();
        add_column<T, 4, 128>();
        add_column<T, 8, 256>();
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
