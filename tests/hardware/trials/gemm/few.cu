// SPDX-License-Identifier: MIT
/*
 * few.cu: trials of products with few rows, and of small ones, in fp32.
 *
 *   regs   B straight to registers, a few rows ahead; A on chip. The warps of a
 *          block share k, and so do the blocks of a tile; the last one to end
 *          adds their parts up
 *   clus   the same, but the blocks of a tile are a cluster, and add up through
 *          each other's shared memory (compute capability 9.0)
 *   tile   tiles of A and B on chip, as chapter 15's step 4, but of any size;
 *          parts of k as above
 *   now    chapter 15's step 7
 *
 * A row of the table names rows x columns per tile, warps per block (x), rows
 * of B ahead (u), tiles on chip (s), parts of k (p). Shapes here are multiples
 * of what a kernel computes at a time.
 */
#include <cuda_pipeline_primitives.h>

#include "parts.cuh"

enum {
    STRETCH = 8192, // floats of A on chip at a time, if it can be
    MOST_PARTS = 64
};

// A warp reads 32 fours of B at a time: 128 / WIDTH rows. AHEAD such reads are
// under way, each begun where the one AHEAD before has been used.
template <int ROWS, int WIDTH, int WARPS, int AHEAD> struct regs {
    static const int ACROSS = WIDTH / 4, GROUPS = 32 / ACROSS;
    static const int UNIT = AHEAD * GROUPS, TURN = WARPS * UNIT; // of k
    static const int FIT = STRETCH / (ROWS * TURN);
    static const int DEEP = (FIT < 1 ? 1 : FIT) * TURN; // of k on chip
    static const int SUMS = WARPS * ROWS * WIDTH;
    static const int ON_CHIP =
        (ROWS * DEEP > SUMS ? ROWS * DEEP : SUMS) * sizeof(float);
};

// The next stretch of A, with zeros where the part or the matrix ends.
template <int ROWS, int DEEP>
static __device__ void load_stretch(float (*a)[DEEP], const float *A,
                                    struct gemm_shape s, int row0, int first,
                                    int end)
{
    for (int i = threadIdx.x; i < ROWS * DEEP / 4; i += blockDim.x) {
        int r = i / (DEEP / 4), k = i % (DEEP / 4) * 4;
        bool there = row0 + r < s.M && first + k < end;
        size_t at = there ? (size_t)(row0 + r) * s.lda + first + k : 0;

        __pipeline_memcpy_async(&a[r][k], A + at, FOUR, there ? 0 : FOUR);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

template <int ROWS, int WIDTH, int WARPS, int AHEAD, int BLOCKS, bool CLUSTER>
static __global__ void __launch_bounds__(WARPS * 32, BLOCKS)
    regs_gemm(const float *A, const float *B, float *C, struct gemm_shape s,
              int parts, float4 *partial)
{
    typedef regs<ROWS, WIDTH, WARPS, AHEAD> my;
    extern __shared__ __align__(16) float on_chip[];
    float(*a)[my::DEEP] = (float(*)[my::DEEP])on_chip;
    float4 *sums = (float4 *)on_chip;

    struct tile t = find(s, ROWS, WIDTH, parts);
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int group = lane / my::ACROSS, col = t.col0 + lane % my::ACROSS * 4;
    long long units = (s.K - 1) / my::UNIT + 1;
    int begin = units * t.part / parts * my::UNIT;
    int end = min((long long)s.K, units * (t.part + 1) / parts * my::UNIT);
    int k = warp * my::UNIT + group * AHEAD; // of b[0], from begin on
    const float *from = B + (size_t)(begin + k) * s.ldb + col;
    const float4 zero = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float4 b[AHEAD], sum[ROWS];

#pragma unroll
    for (int r = 0; r < ROWS; r++)
        sum[r] = zero;
#pragma unroll
    for (int i = 0; i < AHEAD; i++)
        b[i] = col < s.N && begin + k + i < end
                   ? __ldcs((const float4 *)(from + (size_t)i * s.ldb))
                   : zero;
    for (int turn = 0; begin + turn < end; turn += my::TURN) {
        if (turn % my::DEEP == 0) {
            __syncthreads(); // the stretch before has been read
            load_stretch<ROWS, my::DEEP>(a, A, s, t.row0, begin + turn, end);
            __syncthreads(); // the next one is there
        }
        const float *mine = &a[0][k % my::DEEP];

        k += my::TURN;
        from += (size_t)my::TURN * s.ldb;
#pragma unroll
        for (int q = 0; q < AHEAD; q += 4) {
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                float4 v = *(const float4 *)(mine + r * my::DEEP + q);

                add_times(&sum[r], v.x, b[q]);
                add_times(&sum[r], v.y, b[q + 1]);
                add_times(&sum[r], v.z, b[q + 2]);
                add_times(&sum[r], v.w, b[q + 3]);
            }
#pragma unroll
            for (int i = q; i < q + 4; i++)
                b[i] = col < s.N && begin + k + i < end
                           ? __ldcs((const float4 *)(from + (size_t)i * s.ldb))
                           : zero;
        }
    }
#pragma unroll
    for (int far = my::ACROSS; far < 32; far *= 2)
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            sum[r].x += __shfl_xor_sync(~0u, sum[r].x, far);
            sum[r].y += __shfl_xor_sync(~0u, sum[r].y, far);
            sum[r].z += __shfl_xor_sync(~0u, sum[r].z, far);
            sum[r].w += __shfl_xor_sync(~0u, sum[r].w, far);
        }
    __syncthreads(); // A has been read: the sums take its place
    if (group == 0)
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            sums[(warp * ROWS + r) * my::ACROSS + lane] = sum[r];
    __syncthreads(); // all warps' sums are there
    if (CLUSTER)
        finish_cluster(sums, WARPS, C, s, t, WIDTH, ROWS * WIDTH / 4);
    else
        finish(sums, WARPS, C, s, t, WIDTH, ROWS * WIDTH / 4, partial);
}

template <int ROWS, int WIDTH, int WARPS, int AHEAD, int BLOCKS, bool CLUSTER>
static bool launch_regs(const struct product *p, int parts)
{
    auto kernel = regs_gemm<ROWS, WIDTH, WARPS, AHEAD, BLOCKS, CLUSTER>;
    int tiles = ((p->s.M - 1) / ROWS + 1) * ((p->s.N - 1) / WIDTH + 1);

    return tiles <= TICKETS &&
           start(kernel, dim3(tiles * parts), WARPS * 32,
                 regs<ROWS, WIDTH, WARPS, AHEAD>::ON_CHIP, CLUSTER ? parts : 1,
                 (const float *)p->a, (const float *)p->b, (float *)p->c, p->s,
                 parts, (float4 *)p->scratch);
}

// As many parts as give `per` blocks to each multiprocessor, `most` at most.
static int parts_for(const struct product *p, int rows, int width, int deep,
                     int per, int most)
{
    int tiles = ((p->s.M - 1) / rows + 1) * ((p->s.N - 1) / width + 1);
    int parts = processors * per / tiles;

    parts = min(min(parts, most), (p->s.K - 1) / deep / 2 + 1);
    return max(1, min(parts, SCRATCH / (tiles * rows * width * FOUR / 4)));
}

template <int ROWS, int WIDTH, int WARPS, int AHEAD, int BLOCKS,
          bool CLUSTER = false>
static void add_regs(const struct product *p, int per, int most)
{
    typedef regs<ROWS, WIDTH, WARPS, AHEAD> my;
    int parts = parts_for(p, ROWS, WIDTH, my::UNIT, per, most);
    char name[64];

    snprintf(name, sizeof name, "%s %dx%d x%d u%d p%d",
             CLUSTER ? "clus" : "regs", ROWS, WIDTH, WARPS, AHEAD, parts);
    if (!CLUSTER || parts > 1)
        add(name, launch_regs<ROWS, WIDTH, WARPS, AHEAD, BLOCKS, CLUSTER>,
            parts, true);
}

template <int BM, int BN, int BK, int TM, int TN, int STAGES> struct tiles {
    static const int DOWN = BM / TM, ACROSS = BN / TN, THREADS = DOWN * ACROSS;
    static const int A_PITCH = BK + 4, B_PITCH = BN + 4;
    static const int ON_CHIP =
        STAGES * (BM * A_PITCH + BK * B_PITCH) * sizeof(float);
};

template <int BM, int BN, int BK, int TM, int TN, int STAGES, int BLOCKS>
static __global__ void __launch_bounds__(BM / TM * (BN / TN), BLOCKS)
    tile_gemm(const float *A, const float *B, float *C, struct gemm_shape s,
              int parts, float4 *partial)
{
    typedef tiles<BM, BN, BK, TM, TN, STAGES> my;
    extern __shared__ __align__(16) float on_chip[];
    float(*a)[BM][my::A_PITCH] = (float(*)[BM][my::A_PITCH])on_chip;
    float(*b)[BK][my::B_PITCH] = (float(*)[BK][my::B_PITCH])(a + STAGES);

    struct tile t = find(s, BM, BN, parts);
    long long steps = s.K / BK;
    int begin = steps * t.part / parts, end = steps * (t.part + 1) / parts;
    int x = threadIdx.x % my::ACROSS, y = threadIdx.x / my::ACROSS;
    float4 sum[TM][TN / 4];
    auto stage = [&](int step) {
        for (int i = threadIdx.x; step < end && i < BM * BK / 4;
             i += my::THREADS) {
            int m = i / (BK / 4), k = i % (BK / 4) * 4;

            __pipeline_memcpy_async(
                &a[step % STAGES][m][k],
                A + (size_t)(t.row0 + m) * s.lda + step * BK + k, FOUR);
        }
        for (int i = threadIdx.x; step < end && i < BK * BN / 4;
             i += my::THREADS) {
            int k = i / (BN / 4), n = i % (BN / 4) * 4;

            __pipeline_memcpy_async(
                &b[step % STAGES][k][n],
                B + (size_t)(step * BK + k) * s.ldb + t.col0 + n, FOUR);
        }
        __pipeline_commit();
    };

#pragma unroll
    for (int i = 0; i < TM * TN / 4; i++)
        sum[i / (TN / 4)][i % (TN / 4)] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int i = 0; i < STAGES - 1; i++)
        stage(begin + i);
    for (int step = begin; step < end; step++) {
        int at = step % STAGES;

        __pipeline_wait_prior(STAGES - 2);
        __syncthreads(); // this pair is there, the one before has been read
        stage(step + STAGES - 1);
#pragma unroll
        for (int k = 0; k < BK; k += 4) {
            float row[TM][4];

#pragma unroll
            for (int i = 0; i < TM; i++)
                *(float4 *)row[i] =
                    *(const float4 *)&a[at][y + i * my::DOWN][k];
#pragma unroll
            for (int e = 0; e < 4; e++)
#pragma unroll
                for (int j = 0; j < TN / 4; j++) {
                    float4 v = *(
                        const float4 *)&b[at][k + e][(x + j * my::ACROSS) * 4];

#pragma unroll
                    for (int i = 0; i < TM; i++)
                        add_times(&sum[i][j], row[i][e], v);
                }
        }
    }

    float4 *mine = partial + (size_t)blockIdx.x * (BM * BN / 4);

#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN / 4; j++) {
            int m = y + i * my::DOWN, n = x + j * my::ACROSS;

            if (parts > 1)
                mine[m * (BN / 4) + n] = sum[i][j];
            else
                put(C, s, t.row0 + m, t.col0 + n * 4, sum[i][j]);
        }
    if (parts > 1)
        join(C, s, t, BN, BM * BN / 4, partial);
}

template <int BM, int BN, int BK, int TM, int TN, int STAGES, int BLOCKS>
static bool launch_tiles(const struct product *p, int parts)
{
    typedef tiles<BM, BN, BK, TM, TN, STAGES> my;
    auto kernel = tile_gemm<BM, BN, BK, TM, TN, STAGES, BLOCKS>;

    return start(kernel, dim3(p->s.M / BM * (p->s.N / BN) * parts),
                 my::THREADS, my::ON_CHIP, 1, (const float *)p->a,
                 (const float *)p->b, (float *)p->c, p->s, parts,
                 (float4 *)p->scratch);
}

template <int BM, int BN, int BK, int TM, int TN, int STAGES, int BLOCKS>
static void add_tiles(const struct product *p, int per, int most)
{
    int parts = parts_for(p, BM, BN, BK, per, most);
    char name[64];

    snprintf(name, sizeof name, "tile %dx%dx%d %dx%d s%d p%d", BM, BN, BK, TM,
             TN, STAGES, parts);
    if (p->s.M % BM == 0 && p->s.N % BN == 0 && p->s.K % BK == 0)
        add(name, launch_tiles<BM, BN, BK, TM, TN, STAGES, BLOCKS>, parts,
            true);
}

static void one_row(const struct product *p)
{
    add_regs<1, 128, 8, 16, 2>(p, 2, MOST_PARTS);
    add_regs<1, 128, 16, 16, 1>(p, 1, MOST_PARTS);
    add_regs<1, 128, 8, 8, 4>(p, 4, MOST_PARTS);
    add_regs<1, 64, 16, 16, 1>(p, 1, MOST_PARTS);
    add_regs<1, 32, 16, 8, 2>(p, 2, MOST_PARTS);
    add_regs<1, 128, 16, 16, 1, true>(p, 1, 8);
}

static void eight_rows(const struct product *p)
{
    for (int per = 1; per <= 3; per++) {
        add_regs<8, 128, 8, 8, 2>(p, per, MOST_PARTS);
        add_regs<8, 128, 8, 12, 1>(p, per, MOST_PARTS);
        add_regs<8, 128, 4, 16, 3>(p, per, MOST_PARTS);
        add_regs<8, 64, 8, 8, 2>(p, per, MOST_PARTS);
    }
    add_regs<8, 128, 8, 8, 2>(p, 2, 4);
    add_regs<8, 128, 16, 8, 1>(p, 1, MOST_PARTS);
    add_regs<8, 32, 8, 8, 2>(p, 2, 8);
    add_regs<8, 128, 8, 8, 2, true>(p, 1, 8);
    add_regs<8, 128, 8, 8, 2, true>(p, 2, 8);
    add_regs<8, 128, 16, 8, 1, true>(p, 1, 8);
}

static void sixteen_rows(const struct product *p)
{
    for (int per = 1; per <= 3; per++) {
        add_regs<16, 128, 8, 8, 1>(p, per, MOST_PARTS);
        add_regs<16, 128, 8, 4, 2>(p, per, MOST_PARTS);
        add_regs<16, 64, 8, 4, 2>(p, per, MOST_PARTS);
    }
    add_regs<16, 32, 8, 8, 1>(p, 1, 8);
    add_regs<16, 128, 8, 8, 1, true>(p, 1, 8);
}

static void more_rows(const struct product *p)
{
    for (int per = 1; per <= 3; per++) {
        add_tiles<32, 128, 16, 4, 8, 4, 3>(p, per, MOST_PARTS);
        add_tiles<64, 128, 16, 8, 8, 4, 3>(p, per, MOST_PARTS);
        add_tiles<64, 128, 32, 8, 8, 3, 2>(p, per, MOST_PARTS);
        add_tiles<64, 64, 16, 8, 8, 4, 6>(p, per * 2, MOST_PARTS);
    }
}

static void small(const struct product *p)
{
    for (int per = 1; per <= 2; per++)
        for (int most = 1; most <= 8; most *= 2) {
            add_regs<8, 64, 8, 8, 2>(p, per, most);
            add_regs<8, 32, 8, 8, 2>(p, per, most);
            add_regs<16, 32, 8, 8, 1>(p, per, most);
            add_tiles<16, 64, 16, 4, 4, 4, 2>(p, per, most);
            add_tiles<32, 32, 16, 4, 4, 4, 2>(p, per, most);
            add_tiles<32, 64, 16, 4, 4, 4, 2>(p, per, most);
            add_tiles<64, 64, 16, 4, 8, 4, 2>(p, per, most);
        }
}

static void candidates(const struct product *p)
{
    int M = p->s.M;

    if (M == 1)
        one_row(p);
    if (M <= 8)
        eight_rows(p);
    else if (M <= 64)
        sixteen_rows(p);
    else
        small(p);
    if (M == 32 || M == 64)
        more_rows(p);
}

static void one(int M, int N, int K)
{
    contest<float>("", M, N, K, 1e-6f, false, stage_of<float, gemm_f32>,
                   candidates);
}

int main()
{
    contest_open();
#ifdef SIMULATED
    one(1, 260, 512);
    one(12, 388, 640);
    one(64, 256, 256);
    one(128, 128, 128);
#else
    one(8, 4096, 4096); // warms up, too
    one(8, 4096, 4096);
    one(16, 4096, 2752);
    one(8, 7168, 576);
    one(1, 4096, 4096);
    one(16, 4096, 4096);
    one(32, 4096, 4096);
    one(64, 4096, 4096);
    one(128, 128, 128);
    one(256, 128, 128);
    one(256, 256, 256);
    one(512, 256, 256);
    one(512, 256, 512);
    one(1024, 512, 256);
#endif
    return 0;
}
