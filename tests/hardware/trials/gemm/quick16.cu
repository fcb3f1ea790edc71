// SPDX-License-Identifier: MIT
/*
 * quick16.cu: trials of products with few rows in bf16, with B straight to
 * registers and mma.sync, as quick.cu does it in fp32.
 *
 *   mail, alone, bare   as in quick.cu
 *   now                 chapter 17's step 6
 *
 * A row of the table names rows x columns per tile, warps that share k (x),
 * steps of 16 of k ahead (u), blocks per multiprocessor (b), parts of k (p).
 * K here is a multiple of 16, N of 8.
 *
 * The hard idea: a lane loads eight neighbours of each of four rows of B, 16
 * bytes each, and these are its operands of eight mma: the j-th takes element j
 * of each row. So column n of what the j-th computes is column 8 n + j of C,
 * and nothing has to be exchanged.
 */
#include <cuda_pipeline_primitives.h>

#include "mail.cuh"

typedef __nv_bfloat16 element;

enum {
    TALL = 16,  // rows of an mma
    STEP = 16,  // of k
    ACROSS = 64, // columns per warp: eight mma
    EIGHT = 8 * sizeof(element),
    PAD = 8,     // elements: rows of A on chip begin in other banks
    LEAST_K = 256 // of k per part
};

template <int RM, int WN, int WK, int AHEAD> struct quick {
    static const int ROWS = RM * TALL, WIDTH = WN * ACROSS;
    static const int THREADS = WN * WK * 32, TURN = WK * AHEAD * STEP;
    static const int DEEP = (1024 / RM + TURN - 1) / TURN * TURN;
    static const int PITCH = DEEP + PAD, FOURS = ROWS * WIDTH / 4;
    static const int SUMS = WK * FOURS * FOUR, A = ROWS * PITCH * 2;
    static const int ON_CHIP = A > SUMS ? A : SUMS; // bytes
};

static __device__ void mma(float *sum, const unsigned *a, unsigned b0,
                           unsigned b1)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// A lane's four rows of a step of B: 2 q, 2 q + 1, 2 q + 8 and 2 q + 9.
struct rows {
    uint4 of[4];
};

static __device__ unsigned word(uint4 v, int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

// Element j of two rows, side by side.
static __device__ unsigned pair(uint4 low, uint4 high, int j)
{
    return __byte_perm(word(low, j / 2), word(high, j / 2),
                       j % 2 ? 0x7632 : 0x5410);
}

static __device__ void load(struct rows *b, const element *from, int ldb,
                            bool there)
{
#pragma unroll
    for (int i = 0; i < 4; i++)
        b->of[i] = there ? __ldcs((const uint4 *)(from + (size_t)(i / 2 * 8 +
                                                                  i % 2) *
                                                             ldb))
                         : make_uint4(0, 0, 0, 0);
}

// Up to DEEP of k of the block's rows of A, whole turns, with zeros where there
// is nothing: what is multiplied by B's zeros must be a number.
template <class My>
static __device__ void bring_a(element (*a)[My::PITCH], const element *A,
                               struct gemm_shape s, struct block t, int first)
{
    int left = (t.end - first - 1) / My::TURN * My::TURN + My::TURN;
    int eights = min(My::DEEP, left) / 8;

    for (int i = threadIdx.x; i < My::ROWS * eights; i += My::THREADS) {
        int r = i % My::ROWS, k = i / My::ROWS * 8;
        bool there = t.row0 + r < s.M && first + k < t.end;
        size_t at = there ? (size_t)(t.row0 + r) * s.lda + first + k : 0;

        __pipeline_memcpy_async(&a[r][k], A + at, EIGHT, there ? 0 : EIGHT);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

template <int RM, int WN, int WK, int AHEAD, int BLOCKS, enum how HOW>
static __global__ void __launch_bounds__(WN * WK * 32, BLOCKS)
    quick16_gemm(const element *A, const element *B, element *C,
                 struct gemm_shape s, int share, float4 *partial)
{
    typedef quick<RM, WN, WK, AHEAD> my;
    extern __shared__ __align__(16) unsigned char on_chip[];
    element(*a)[my::PITCH] = (element(*)[my::PITCH])on_chip;
    struct block t = block_of(s, my::ROWS, my::WIDTH, share);
    int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, q = threadIdx.x % 4;
    int of_k = warp % WK, w_col = warp / WK * ACROSS;
    int col = t.col0 + w_col + g * 8, k = t.begin + of_k * AHEAD * STEP;
    const element *from = B + (size_t)(k + 2 * q) * s.ldb + col;
    bool inside = col < s.N;
    struct rows b[AHEAD];
    float sum[RM][8][4] = {};

#pragma unroll
    for (int u = 0; u < AHEAD; u++)
        load(&b[u], from + (size_t)u * STEP * s.ldb, s.ldb,
             inside && k + u * STEP < t.end);
    for (int first = t.begin; first < t.end; first += my::TURN) {
        int turn = (first - t.begin) % my::DEEP;

        if (HOW != BARE && turn == 0) {
            __syncthreads(); // the stretch before has been read
            bring_a<my>(a, A, s, t, first);
            __syncthreads(); // this one is there
        }
        k += my::TURN;
        from += (size_t)my::TURN * s.ldb;
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            int at = turn + (of_k * AHEAD + u) * STEP + 2 * q;

#pragma unroll
            for (int m = 0; HOW != BARE && m < RM; m++) {
                const element *row = &a[m * TALL + g][at];
                unsigned v[4] = {
                    *(const unsigned *)row,
                    *(const unsigned *)(row + 8 * my::PITCH),
                    *(const unsigned *)(row + 8),
                    *(const unsigned *)(row + 8 * my::PITCH + 8)};

#pragma unroll
                for (int j = 0; j < 8; j++)
                    mma(sum[m][j], v, pair(b[u].of[0], b[u].of[1], j),
                        pair(b[u].of[2], b[u].of[3], j));
            }
#pragma unroll
            for (int i = 0; HOW == BARE && i < 4; i++)
                sum[0][i][0] += __uint_as_float(b[u].of[i].x ^ b[u].of[i].y ^
                                                b[u].of[i].z ^ b[u].of[i].w);
            load(&b[u], from + (size_t)u * STEP * s.ldb, s.ldb,
                 inside && k + u * STEP < t.end);
        }
    }
    __syncthreads(); // A has been read: the sums take its place

    float *sums = (float *)on_chip + of_k * my::FOURS * 4;

#pragma unroll
    for (int m = 0; m < RM; m++)
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float *to = sums + (m * TALL + g + i / 2 * 8) * my::WIDTH + w_col +
                        (2 * q + i % 2) * 8;

#pragma unroll
            for (int j = 0; j < 8; j += 4)
                *(float4 *)(to + j) =
                    make_float4(sum[m][j][i], sum[m][j + 1][i],
                                sum[m][j + 2][i], sum[m][j + 3][i]);
        }
    __syncthreads(); // all warps' sums are there
    mail_finish((const float4 *)on_chip, WK, my::FOURS, t, HOW, partial,
                [&](int i, float4 v) {
                    int row = t.row0 + i / (my::WIDTH / 4);
                    int to = t.col0 + i % (my::WIDTH / 4) * 4;
                    __nv_bfloat162 two[2] = {__floats2bfloat162_rn(v.x, v.y),
                                             __floats2bfloat162_rn(v.z, v.w)};

                    if (row < s.M && to < s.N)
                        *(uint2 *)(C + (size_t)row * s.ldc + to) =
                            *(uint2 *)two;
                });
}

template <int RM, int WN, int WK, int AHEAD, int BLOCKS, enum how HOW>
static bool launch_quick(const struct product *p, int parts)
{
    typedef quick<RM, WN, WK, AHEAD> my;
    auto kernel = quick16_gemm<RM, WN, WK, AHEAD, BLOCKS, HOW>;
    dim3 grid = grid_for(p->s, my::ROWS, my::WIDTH, parts);
    int share = share_of(p->s.K, STEP, parts);

    if (grid.x * grid.y > TICKETS || parts > MOST_MAIL || p->s.K % STEP ||
        (size_t)grid.x * grid.y * parts * my::FOURS > BOXES ||
        share * (parts - 1) >= p->s.K)
        return false;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         my::ON_CHIP);
    kernel<<<grid, my::THREADS, my::ON_CHIP>>>(
        (const element *)p->a, (const element *)p->b, (element *)p->c, p->s,
        share, (float4 *)p->scratch);
    return cudaPeekAtLastError() == cudaSuccess;
}

template <int RM, int WN, int WK, int AHEAD, int BLOCKS, enum how HOW>
static void add_one(const struct product *p)
{
    typedef quick<RM, WN, WK, AHEAD> my;
    static const char *const names[] = {"ticket", "mail", "alone", "bare"};
    dim3 grid = grid_for(p->s, my::ROWS, my::WIDTH, 1);
    int parts = processors * BLOCKS / (int)(grid.x * grid.y);
    char name[64];

    parts = max(1, min(min(parts, (int)MOST_MAIL), p->s.K / LEAST_K));
    snprintf(name, sizeof name, "%s %dx%d x%d u%d b%d p%d", names[HOW],
             my::ROWS, my::WIDTH, WK, AHEAD, BLOCKS, parts);
    add(name, launch_quick<RM, WN, WK, AHEAD, BLOCKS, HOW>, parts,
        HOW == TICKET || HOW == MAIL);
}

static bool now(const struct product *p, int)
{
    return gemm_bf16_bf16((element *)p->a, (element *)p->b, (element *)p->c,
                          p->s, 1.0f, 0.0f, p->scratch, 0) == cudaSuccess;
}

static void one(int M, int N, int K)
{
    struct product p = {{M, N, K, K, N, N}};
    char title[64];

    snprintf(title, sizeof title, "bf16 %dx%dx%d", M, N, K);
    product_open<element>(&p);
    add_libraries<element>(&p, false);
    add("now", now, 0, true);
    //      RM WN WK u  b
    add_one<1, 1, 8, 2, 2, MAIL>(&p);
    add_one<1, 1, 8, 2, 2, TICKET>(&p);
    add_one<1, 1, 8, 2, 2, ALONE>(&p);
    add_one<1, 1, 8, 2, 2, BARE>(&p);
    add_one<1, 1, 8, 4, 2, MAIL>(&p);
    add_one<1, 1, 8, 4, 1, MAIL>(&p);
    add_one<1, 1, 16, 2, 1, MAIL>(&p);
    add_one<1, 1, 4, 4, 4, MAIL>(&p);
    add_one<1, 2, 4, 4, 2, MAIL>(&p);
    add_one<1, 2, 8, 2, 1, MAIL>(&p);
    add_one<1, 4, 4, 2, 1, MAIL>(&p);
    if (M > 16) {
        add_one<2, 1, 8, 2, 2, MAIL>(&p);
        add_one<2, 2, 8, 2, 1, MAIL>(&p);
        add_one<4, 1, 8, 1, 1, MAIL>(&p);
        add_one<4, 1, 8, 2, 1, MAIL>(&p);
        add_one<4, 1, 8, 2, 1, BARE>(&p);
    }
    contest_hold<element>(title, &p, 8e-3f);
    product_close(&p);
}

int main()
{
    contest_open();
#ifdef SIMULATED
    one(1, 136, 1040);
    one(17, 72, 784);
    one(50, 264, 528);
#else
    one(1, 4096, 4096); // warms up, too
    one(1, 4096, 4096);
    one(16, 4096, 4096);
    one(64, 4096, 4096);
    one(16, 4096, 2752);
    one(8, 7168, 576);
#endif
    return 0;
}
