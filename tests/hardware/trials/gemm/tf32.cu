// SPDX-License-Identifier: MIT
/*
 * tf32.cu: trials of mma.sync in tf32.
 *
 * A row of the table names rows x columns x k per tile, pairs of tiles on chip
 * (s), blocks per multiprocessor (b), tiles of a stripe (t), and
 *
 *   T   turned over, C' = B' A': the columns of B are the instruction's rows,
 *       and a lane reads two neighbours of B at a time
 *   A   reads ahead, as chapter 16's step 4. Without it fewer registers are
 *       needed, and three blocks of 128 threads fit instead of two
 *   W   with A: a warp says that it has read a pair of tiles as soon as it has,
 *       and waits for the others a quarter of a pair later
 *   P   blocks that stay: the next tile's copies are under way while this one
 *       is stored
 *   now chapter 16's step 4
 *
 * A warp has 64 x 64 elements of C. Per 8 values of k it reads 4 KiB for 32
 * multiplications, about what shared memory gives in the time that they take:
 * wider tiles save what the copies write, and stripes what L2 has to give.
 */
#include <cuda_pipeline_primitives.h>

#include "contest.cuh"
#include "op/gemm_tensor.cuh"
#include "op/row_barrier.cuh"

enum { SIDE = 64, MMA_K = 8 };

template <int BM, int BN, int BK, int STAGES> struct tiles {
    static const int THREADS = BM / SIDE * (BN / SIDE) * 32;
    static const int CHUNKS = BK / 4, PITCH = BN + 8;
    static const int ON_CHIP = STAGES * (BM * BK + BK * PITCH) * sizeof(float);
};

// Where chunk c of row m of A's tile begins: 8 rows lie in 32 banks.
template <int BK> static __device__ int swizzled(int m, int c)
{
    return m * BK + (c ^ (BK == 32 ? m % 8 : m / 2 % 4)) * 4;
}

template <int BM, int BN, int BK, int STAGES, int BLOCKS, bool TURNED,
          bool AHEAD, int TALL, bool LATE, bool STAY>
static __global__ void
__launch_bounds__(BM / SIDE * (BN / SIDE) * 32, BLOCKS)
    tf32_gemm(const float *A, const float *B, float *C, struct gemm_shape s)
{
    typedef tiles<BM, BN, BK, STAGES> my;
    extern __shared__ __align__(128) float on_chip[];
    float(*a_tile)[BM * BK] = (float(*)[BM * BK])on_chip;
    float(*b_tile)[BK * my::PITCH] = (float(*)[BK * my::PITCH])(a_tile +
                                                                STAGES);

    __shared__ uint64_t read; // LATE: all warps have read a pair of tiles
    const int warps = my::THREADS / 32;
    int tiles = s.M / BM * (s.N / BN), row0, col0;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int quad = lane / 4, place = lane % 4;
    int w_row = warp / (BN / SIDE) * SIDE, w_col = warp % (BN / SIDE) * SIDE;
    int a_m = threadIdx.x / my::CHUNKS, a_c = threadIdx.x % my::CHUNKS;
    int b_k = threadIdx.x * 4 / BN, b_n = threadIdx.x * 4 % BN;
    const float *a_from, *b_from;
    int left = 0, coming = blockIdx.x; // the next tile to be copied
    unsigned parity = 0;
    float sum[4][8][4];
    unsigned a[AHEAD ? 2 : 1][4][4], b[AHEAD ? 2 : 1][8][2];

    auto find = [&](int tile) {
        int across = s.N / BN, rest = tile % (TALL * across);
        int first = tile / (TALL * across) * TALL;
        int tall = min((int)TALL, s.M / BM - first);

        row0 = (first + rest % tall) * BM;
        col0 = rest / tall * BN;
    };
    auto stage = [&](int at) {
        if (left == 0 && coming < tiles) {
            find(coming);
            a_from = A + (size_t)(row0 + a_m) * s.lda + a_c * 4;
            b_from = B + (size_t)b_k * s.ldb + col0 + b_n;
            left = s.K;
            coming += gridDim.x;
        }
        float *a_to = a_tile[at] + swizzled<BK>(a_m, a_c);
        float *b_to = b_tile[at] + b_k * my::PITCH + b_n;

#pragma unroll
        for (int m = 0; m < BM; m += my::THREADS / my::CHUNKS)
            if (left > 0)
                __pipeline_memcpy_async(a_to + m * BK,
                                        a_from + (size_t)m * s.lda, 16);
#pragma unroll
        for (int k = 0; k < BK; k += my::THREADS * 4 / BN)
            if (left > 0)
                __pipeline_memcpy_async(b_to + k * my::PITCH,
                                        b_from + (size_t)k * s.ldb, 16);
        __pipeline_commit();
        a_from += BK;
        b_from += (size_t)BK * s.ldb;
        left = max(0, left - BK);
    };
    auto fetch = [&](int to, int at, int k) {
        const float *row = b_tile[at] + (k + place) * my::PITCH + w_col;

#pragma unroll
        for (int i = 0; i < 4; i++) {
            int up = TURNED ? lane / 16 : lane / 8 % 2;
            int on = TURNED ? lane / 8 % 2 : lane / 16;
            int m = w_row + i * 16 + up * 8 + lane % 8;

            load_matrices(TURNED ? &b[to][i * 2][0] : a[to][i],
                          a_tile[at] + swizzled<BK>(m, k / 4 + on));
        }
#pragma unroll
        for (int i = 0; TURNED && i < 4; i++)
#pragma unroll
            for (int e = 0; e < 2; e++) {
                float2 v = *(const float2 *)(row + e * 4 * my::PITCH + i * 16 +
                                             quad * 2);

                a[to][i][e * 2] = __float_as_uint(v.x);
                a[to][i][e * 2 + 1] = __float_as_uint(v.y);
            }
#pragma unroll
        for (int j = 0; !TURNED && j < 8; j++)
#pragma unroll
            for (int e = 0; e < 2; e++)
                b[to][j][e] =
                    __float_as_uint(row[e * 4 * my::PITCH + j * 8 + quad]);
    };
    auto multiply = [&](int from) {
#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int jj = 0; jj < 8; jj++) {
                int j = i % 2 ? 7 - jj : jj;

                mma_tf32(sum[i][j], a[from][i], b[from][j]);
            }
    };

    auto store = [&]() {
#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = 0; j < 8; j++)
#pragma unroll
                for (int e = 0; e < 2; e++) {
                    const float *v = sum[i][j];
                    int m = w_row + (TURNED ? j * 8 + place * 2 + e
                                            : i * 16 + quad + e * 8);
                    int n = w_col + (TURNED ? i * 16 + quad * 2
                                            : j * 8 + place * 2);

                    *(float2 *)(C + (size_t)(row0 + m) * s.ldc + col0 + n) =
                        TURNED ? make_float2(v[e], v[e + 2])
                               : make_float2(v[e * 2], v[e * 2 + 1]);
                }
    };

    if (LATE && threadIdx.x == 0)
        bar_init(&read, warps);
    for (int i = 0; i < STAGES - 1; i++)
        stage(i);
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads(); // the first pair is there
    if (AHEAD)
        fetch(0, 0, 0);
    for (int tile = blockIdx.x, now = 0; tile < tiles; tile += gridDim.x) {
#pragma unroll
        for (int i = 0; i < 128; i++)
            sum[i / 32][i / 4 % 8][i % 4] = 0.0f;
        for (int first = 0; first < s.K; first += BK) {
            int free = (now + STAGES - 1) % STAGES;

            if (!AHEAD)
                stage(free); // it was read before the last barrier
#pragma unroll
            for (int k = 0; k < BK / MMA_K; k++) {
                bool end = k == BK / MMA_K - 1;

                if (!AHEAD)
                    fetch(0, now, k * MMA_K);
                if (!AHEAD)
                    multiply(0);
                if (end && !LATE) {
                    __pipeline_wait_prior(STAGES - 2);
                    __syncthreads(); // the next pair is there, this one is read
                }
                if (end && LATE)
                    bar_wait(&read, parity);
                if (end) {
                    parity ^= 1;
                    now = (now + 1) % STAGES;
                }
                if (AHEAD)
                    fetch((k + 1) % 2, now, end ? 0 : (k + 1) * MMA_K);
                if (AHEAD && k == 0)
                    stage(free);
                if (LATE && k == BK / MMA_K - 2) {
                    __pipeline_wait_prior(STAGES - 2);
                    __syncwarp(); // this warp has read this pair
                    if (lane == 0)
                        bar_arrive(&read);
                }
                if (AHEAD)
                    multiply(k % 2);
            }
        }
        find(tile);
        store();
    }
}

template <int BM, int BN, int BK, int STAGES, int BLOCKS, bool TURNED,
          bool AHEAD, int TALL, bool LATE, bool STAY>
static bool launch(const struct product *p, int)
{
    typedef tiles<BM, BN, BK, STAGES> my;
    int tiles = p->s.M / BM * (p->s.N / BN), room = processors;
    auto kernel = tf32_gemm<BM, BN, BK, STAGES, BLOCKS, TURNED, AHEAD, TALL, LATE,
                            STAY>;

#ifdef SIMULATED
    room = 1; // so that a block has several tiles
#endif
    return start(kernel, dim3(STAY ? min(tiles, room * BLOCKS) : tiles),
                 my::THREADS, my::ON_CHIP, 1, (const float *)p->a,
                 (const float *)p->b, (float *)p->c, p->s);
}

template <int BM, int BN, int BK, int STAGES, int BLOCKS, bool TURNED,
          bool AHEAD, int TALL, bool LATE = false, bool STAY = false>
static void add_one(void)
{
    char name[64];

    snprintf(name, sizeof name, "%dx%dx%d s%d b%d t%d %s%s%s%s", BM,
             BN, BK, STAGES, BLOCKS, TALL, TURNED ? "T" : "",
             AHEAD ? "A" : "", LATE ? "W" : "", STAY ? "P" : "");
    add(name, launch<BM, BN, BK, STAGES, BLOCKS, TURNED, AHEAD, TALL, LATE,
                     STAY>, 0, true);
}

static void candidates(const struct product *)
{
    //      rows cols  k  s  b  turned ahead tall late stay
    add_one<128, 128, 32, 3, 2, true, true, 1>();
    add_one<128, 128, 32, 3, 2, true, true, 1, true>();
    add_one<128, 128, 32, 3, 2, true, true, 1, true, true>();
    add_one<128, 256, 32, 4, 1, true, true, 8, true, true>();
    add_one<256, 128, 32, 4, 1, true, true, 8>();
    add_one<256, 128, 32, 4, 1, true, true, 8, true>();
    add_one<256, 128, 32, 4, 1, true, true, 8, false, true>();
    add_one<256, 128, 32, 4, 1, true, true, 8, true, true>();
    add_one<256, 128, 32, 4, 1, true, true, 16, true, true>();
    add_one<256, 128, 32, 4, 1, true, true, 4, true, true>();
    add_one<256, 128, 16, 8, 1, true, true, 8, true, true>();
    add_one<256, 128, 32, 4, 1, false, true, 8, true, true>();
}

static void one(int side)
{
    contest<float>("tf32 ", side, side, side, 2e-3f, true,
                   stage_of<float, gemm_tf32>, candidates);
}

int main()
{
    contest_open();
#ifdef SIMULATED
    one(256);
#else
    one(4096); // warms up, too
    one(4096);
    one(8192);
#endif
    return 0;
}
