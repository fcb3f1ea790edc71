// SPDX-License-Identifier: MIT
/*
 * thirds.cu: trials of fp32 products by tensor cores: each number is the sum
 * of two in tf32, and of the four products of these the three large ones are
 * added.
 *
 *   third   C = A B
 *   swish   chapter 20's layer: bias and Swish, out of registers
 *   layer   chapter 20's step 2
 *   now     chapter 15's step 7
 *
 * A row of the table names rows x columns per tile, pairs of tiles on chip (s),
 * blocks per multiprocessor (b), and parts of k (p), a cluster's blocks.
 *
 * The hard idea: tensor cores leave out the last 13 bits of a number. So a
 * number stands for its own first part, and what it is more than that, which
 * fp32 has exactly, is the second. What is lost is 2^-20 of a product at most:
 * less than what a sum of 100 may lose anyway. Infinities become NaN.
 */
#include "op/gemm_tensor.cuh"
#include "slabs.cuh"

enum { MMA_M = 16, MMA_N = 8, MMA_K = 8 };

template <int BM_, int BN_, int STAGES_, int BLOCKS_> struct third {
    enum {
        BM = BM_, BN = BN_, BK = 16, STAGES = STAGES_, BLOCKS = BLOCKS_,
        WM = 64, WN = 32, DOWN = WM / MMA_M, ACROSS = WN / MMA_N, // of a warp
        THREADS = BM / WM * (BN / WN) * 32, SLICES = 1, SWAP = 8,
        A_PITCH = BK + 4, // 8 rows' fours lie in 32 banks
        B_PITCH = BN + 8, // four rows' eights do
        TILES = BM * A_PITCH + BK * B_PITCH, // floats
        RING = STAGES * TILES, SUMS = BM * BN,
        ON_CHIP = (RING > SUMS ? RING : SUMS) * sizeof(float) // bytes
    };
};

// Copies of ROWS x COLS of a matrix, of which rows x cols exist.
template <int ROWS, int COLS, int PITCH, int THREADS, bool WIDE>
static __device__ __forceinline__ void
bring(float *to, const float *from, int ld, int rows, int cols)
{
    const int step = WIDE ? 4 : 1;

#pragma unroll
    for (int i = 0; i < ROWS * COLS / step; i += THREADS) {
        int at = (i + threadIdx.x) * step, row = at / COLS, col = at % COLS;
        bool there = row < rows && col < cols;

        static_assert(ROWS * COLS / step % THREADS == 0, "whole shares");
        __pipeline_memcpy_async(to + row * PITCH + col,
                                from + (size_t)row * ld + col, 4 * step,
                                there ? 0 : 4 * step);
    }
}

// What tensor cores leave out of x.
static __device__ __forceinline__ unsigned rest(float x)
{
    unsigned first = __float_as_uint(x) & 0xffffe000;

    return __float_as_uint(x - __uint_as_float(first));
}

template <class T>
static __device__ __forceinline__ void
multiply(float (*sum)[T::ACROSS][4], const float *a_tile, const float *b_tile)
{
    int place = threadIdx.x % 4, quad = threadIdx.x % 32 / 4;

#pragma unroll
    for (int k = 0; k < T::BK; k += MMA_K) {
        float a[T::DOWN][4], b[T::ACROSS][2];
        unsigned low[T::DOWN][4];

#pragma unroll
        for (int i = 0; i < T::DOWN; i++)
#pragma unroll
            for (int e = 0; e < 4; e++) {
                a[i][e] =
                    a_tile[(i * MMA_M + e % 2 * 8 + quad) * T::A_PITCH + k +
                           e / 2 * 4 + place];
                low[i][e] = rest(a[i][e]);
            }
#pragma unroll
        for (int j = 0; j < T::ACROSS; j++)
#pragma unroll
            for (int e = 0; e < 2; e++)
                b[j][e] = b_tile[(k + e * 4 + place) * T::B_PITCH + j * MMA_N +
                                 quad];
#pragma unroll
        for (int j = 0; j < T::ACROSS; j++) {
            unsigned b_low[2] = {rest(b[j][0]), rest(b[j][1])};

#pragma unroll
            for (int i = 0; i < T::DOWN; i++)
                mma_tf32(sum[i][j], (const unsigned *)a[i], b_low);
        }
#pragma unroll
        for (int j = 0; j < T::ACROSS; j++)
#pragma unroll
            for (int i = 0; i < T::DOWN; i++)
                mma_tf32(sum[i][j], low[i], (const unsigned *)b[j]);
#pragma unroll
        for (int j = 0; j < T::ACROSS; j++)
#pragma unroll
            for (int i = 0; i < T::DOWN; i++)
                mma_tf32(sum[i][j], (const unsigned *)a[i],
                         (const unsigned *)b[j]);
    }
}

// WIDE_A, WIDE: rows of A, and those of B and C, are whole 16 bytes.
template <class T, bool WIDE_A, bool WIDE, class Epilogue>
static __global__ void __launch_bounds__(T::THREADS, T::BLOCKS)
    third_gemm(const float *A, const float *B, struct gemm_shape s, int parts,
               Epilogue epilogue)
{
    extern __shared__ __align__(16) float on_chip[]; // ON_CHIP bytes
    int down = (s.M - 1) / T::BM + 1, part = blockIdx.x % parts;
    int tile = blockIdx.x / parts, steps = (s.K - 1) / T::BK + 1;
    int row0 = tile % down * T::BM, col0 = tile / down * T::BN;
    int begin = (long long)steps * part / parts * T::BK;
    int end = min((long long)s.K,
                  (long long)steps * (part + 1) / parts * T::BK);
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int w_row = warp / (T::BN / T::WN) * T::WM;
    int w_col = warp % (T::BN / T::WN) * T::WN, coming = begin;
    float sum[T::DOWN][T::ACROSS][4] = {{{0.0f}}};
    auto stage = [&](int at) {
        float *to = on_chip + at * T::TILES;

        bring<T::BM, T::BK, T::A_PITCH, T::THREADS, WIDE_A>(
            to, A + (size_t)row0 * s.lda + coming, s.lda, s.M - row0,
            end - coming);
        bring<T::BK, T::BN, T::B_PITCH, T::THREADS, WIDE>(
            to + T::BM * T::A_PITCH, B + (size_t)coming * s.ldb + col0, s.ldb,
            end - coming, s.N - col0);
        __pipeline_commit();
        coming += T::BK;
    };

    for (int i = 0; i < T::STAGES - 1; i++)
        stage(i);
    for (int k = begin, now = 0; k < end; k += T::BK) {
        const float *pair = on_chip + now * T::TILES;

        __pipeline_wait_prior(T::STAGES - 2);
        __syncthreads(); // this pair is there, the one before has been read
        stage(now == 0 ? T::STAGES - 1 : now - 1);
        multiply<T>(sum, pair + w_row * T::A_PITCH,
                    pair + T::BM * T::A_PITCH + w_col);
        now = now + 1 == T::STAGES ? 0 : now + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads(); // the ring is read: sums take its place
#pragma unroll
    for (int i = 0; i < T::DOWN; i++)
#pragma unroll
        for (int j = 0; j < T::ACROSS; j++)
#pragma unroll
            for (int e = 0; e < 4; e += 2)
                *(float2 *)(on_chip + slab_place<T>(
                                          w_row + i * MMA_M + e / 2 * 8 +
                                              lane / 4,
                                          w_col + j * MMA_N + lane % 4 * 2)) =
                    make_float2(sum[i][j][e], sum[i][j][e + 1]);
    if (parts > 1)
        cooperative_groups::this_cluster().sync(); // all sums are there
    else
        __syncthreads();
    slab_finish<T, WIDE>(on_chip, s, row0, col0, parts, epilogue);
    if (parts > 1) // no block ends while another reads from it
        cooperative_groups::this_cluster().sync();
}

template <class T, class Epilogue>
static bool launch(const struct product *p, int parts, Epilogue epilogue)
{
    struct gemm_shape s = p->s;
    bool wide = (s.N | s.ldb | s.ldc) % 4 == 0, a = (s.K | s.lda) % 4 == 0;
    auto kernel = wide && a ? third_gemm<T, true, true, Epilogue>
                  : wide    ? third_gemm<T, false, true, Epilogue>
                  : a       ? third_gemm<T, true, false, Epilogue>
                            : third_gemm<T, false, false, Epilogue>;

    return start(kernel, dim3(slab_tiles<T>(s) * parts), T::THREADS,
                 T::ON_CHIP, parts, (const float *)p->a, (const float *)p->b,
                 s, parts, epilogue);
}

template <class T> static bool product_of(const struct product *p, int parts)
{
    return launch<T>(p, parts, plain{(float *)p->c, p->s.ldc});
}

template <class T> static bool layer_of(const struct product *p, int parts)
{
    return launch<T>(p, parts, swish{{(float *)p->c, p->s.ldc},
                                     (const float *)p->half});
}

// With one part of k, as many as run at a time, and one less.
template <class T> static void add_one(const struct product *p)
{
    int steps = (p->s.K - 1) / T::BK + 1;
    int most = min(processors * T::BLOCKS / slab_tiles<T>(p->s),
                   min((int)PORTABLE, steps / 4));
    char name[64];

    for (int parts = 1; parts <= max(1, most); parts++)
        if (parts == 1 || parts >= most - 1) {
            snprintf(name, sizeof name, "third %dx%d s%d b%d p%d", T::BM, T::BN,
                     T::STAGES, T::BLOCKS, parts);
            add(name, product_of<T>, parts, true);
            snprintf(name, sizeof name, "swish %dx%d s%d b%d p%d", T::BM, T::BN,
                     T::STAGES, T::BLOCKS, parts);
            if (p->s.M == 256)
                add(name, layer_of<T>, parts, false);
        }
}

// Right is what common/op/gemm.h allows: tensor cores cut their sums off.
static void one(int M, int N, int K)
{
    const float unit = 0x1p-24f;

    contest<float>("", M, N, K, (K + 2) * unit, false,
                   stage_of<float, gemm_f32>,
                   [](const struct product *p) {
                       if (p->s.M == 256)
                           add("layer", layer, 0, false);
                       add_one<third<128, 128, 4, 1>>(p);
                       add_one<third<128, 128, 3, 2>>(p);
                       add_one<third<64, 128, 4, 3>>(p);
                       add_one<third<64, 64, 4, 6>>(p);
                       add_one<third<128, 64, 4, 3>>(p);
                   });
}

int main()
{
    contest_open();
#ifdef SIMULATED
    one(70, 131, 53);
    one(67, 36, 420);
    one(130, 66, 72);
#else
    one(256, 4096, 4096); // warms up, too
    one(256, 4096, 4096);
    one(3936, 89, 1709);
    one(391, 2029, 202);
    one(3717, 153, 3380);
    one(128, 2630, 613);
    one(3968, 480, 576);
    one(255, 1062, 576);
    one(416, 1088, 3104);
    one(928, 161, 874);
    one(2424, 576, 256);
    one(2048, 2048, 2048);
#endif
    return 0;
}
