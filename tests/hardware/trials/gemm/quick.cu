// SPDX-License-Identifier: MIT
/*
 * quick.cu: trials of products with few rows in fp32: what do beginning and end
 * of a block cost?
 *
 *   ticket  chapter 15's step 7, but its blocks know their tile and their k
 *           without a division, and rows per tile may be one
 *   mail    and the last part's block polls for the others' sums (mail.cuh)
 *   alone   as ticket, but nobody adds up: its C is wrong
 *   bare    and nothing is multiplied: B read in the same order
 *   now     chapter 15's step 7
 *
 * A row of the table names rows x columns per tile, threads per block (x), rows
 * of B ahead (u), blocks per multiprocessor (b), parts of k (p). Shapes here
 * are multiples of four.
 */
#include <cuda_pipeline_primitives.h>

#include "mail.cuh"

enum { EDGE = 16, LEAST_K = 128 }; // parts begin at; of k per part

template <int ROWS, int WIDTH, int THREADS, int AHEAD> struct quick {
    static const int ACROSS = WIDTH / 4, GROUPS = THREADS / ACROSS;
    static const int TURN = GROUPS * AHEAD; // of k: all groups' rows of B
    static const int DEEP = (4096 / ROWS + TURN - 1) / TURN * TURN;
    static const int FOURS = ROWS * ACROSS;
    static const int SUMS = GROUPS * FOURS * FOUR;
    static const int ON_CHIP =
        ROWS * DEEP * 4 > SUMS ? ROWS * DEEP * 4 : SUMS; // bytes
};

// Up to DEEP of k of the block's rows of A, whole turns, with zeros where there
// is nothing: what is multiplied by B's zeros must be a number.
template <int ROWS, int TURN, int DEEP>
static __device__ void bring_a(float (*a)[DEEP], const float *A,
                               struct gemm_shape s, struct block t, int first)
{
    int deep = min(DEEP, ((t.end - first - 1) / TURN + 1) * TURN);

    for (int r = 0; r < ROWS; r++)
        for (int k = threadIdx.x * 4; k < deep; k += blockDim.x * 4) {
            bool there = t.row0 + r < s.M && first + k < t.end;
            size_t at = there ? (size_t)(t.row0 + r) * s.lda + first + k : 0;

            __pipeline_memcpy_async(&a[r][k], A + at, FOUR, there ? 0 : FOUR);
        }
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

template <int ROWS, int WIDTH, int THREADS, int AHEAD, int BLOCKS, enum how HOW>
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    quick_gemm(const float *A, const float *B, float *C, struct gemm_shape s,
               int share, float4 *partial)
{
    typedef quick<ROWS, WIDTH, THREADS, AHEAD> my;
    extern __shared__ __align__(16) float on_chip[];
    float(*a)[my::DEEP] = (float(*)[my::DEEP])on_chip;
    struct block t = block_of(s, ROWS, WIDTH, share);
    int group = threadIdx.x / my::ACROSS, col = threadIdx.x % my::ACROSS * 4;
    bool inside = t.col0 + col < s.N;
    int k = t.begin + group * AHEAD; // of b[0]
    const float *from = B + (size_t)k * s.ldb + t.col0 + col;
    const float4 zero = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float4 b[AHEAD], sum[ROWS];

#pragma unroll
    for (int i = 0; i < AHEAD; i++)
        b[i] = inside && k + i < t.end
                   ? __ldcs((const float4 *)(from + (size_t)i * s.ldb))
                   : zero;
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        sum[r] = zero;
    for (int first = t.begin; first < t.end; first += my::TURN) {
        int turn = (first - t.begin) % my::DEEP;

        if (HOW != BARE && turn == 0) {
            __syncthreads(); // the stretch before has been read
            bring_a<ROWS, my::TURN>(a, A, s, t, first);
            __syncthreads(); // this one is there
        }
        const float *mine = a[0] + turn + group * AHEAD;

        k += my::TURN;
        from += (size_t)my::TURN * s.ldb;
#pragma unroll
        for (int q = 0; q < AHEAD; q += 4) {
            if (HOW == BARE) {
#pragma unroll
                for (int i = 0; i < 4; i++)
                    add_times(&sum[i % ROWS], 1.0f, b[q + i]);
            } else {
#pragma unroll
                for (int r = 0; r < ROWS; r++) {
                    float4 v = *(const float4 *)(mine + r * my::DEEP + q);

                    add_times(&sum[r], v.x, b[q]);
                    add_times(&sum[r], v.y, b[q + 1]);
                    add_times(&sum[r], v.z, b[q + 2]);
                    add_times(&sum[r], v.w, b[q + 3]);
                }
            }
#pragma unroll
            for (int i = q; i < q + 4; i++)
                b[i] = inside && k + i < t.end
                           ? __ldcs((const float4 *)(from + (size_t)i * s.ldb))
                           : zero;
        }
    }
    __syncthreads(); // A has been read: the sums take its place

    float4 *sums = (float4 *)on_chip;

#pragma unroll
    for (int r = 0; r < ROWS; r++)
        sums[group * my::FOURS + r * my::ACROSS + col / 4] = sum[r];
    __syncthreads(); // all groups' sums are there
    mail_finish(sums, my::GROUPS, my::FOURS, t, HOW, partial,
                [&](int i, float4 v) {
                    put(C, s, t.row0 + i / my::ACROSS,
                        t.col0 + i % my::ACROSS * 4, v);
                });
}

template <int ROWS, int WIDTH, int THREADS, int AHEAD, int BLOCKS, enum how HOW>
static bool launch_quick(const struct product *p, int parts)
{
    typedef quick<ROWS, WIDTH, THREADS, AHEAD> my;
    auto kernel = quick_gemm<ROWS, WIDTH, THREADS, AHEAD, BLOCKS, HOW>;
    dim3 grid = grid_for(p->s, ROWS, WIDTH, parts);
    int share = share_of(p->s.K, EDGE, parts);

    if (grid.x * grid.y > TICKETS || parts > MOST_MAIL ||
        (size_t)grid.x * grid.y * parts * my::FOURS > BOXES ||
        share * (parts - 1) >= p->s.K)
        return false;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         my::ON_CHIP);
    kernel<<<grid, THREADS, my::ON_CHIP>>>(
        (const float *)p->a, (const float *)p->b, (float *)p->c, p->s, share,
        (float4 *)p->scratch);
    return cudaPeekAtLastError() == cudaSuccess;
}

template <int ROWS, int WIDTH, int THREADS, int AHEAD, int BLOCKS, enum how HOW>
static void add_one(const struct product *p)
{
    static const char *const names[] = {"ticket", "mail", "alone", "bare"};
    dim3 grid = grid_for(p->s, ROWS, WIDTH, 1);
    int parts = processors * BLOCKS / (int)(grid.x * grid.y);
    char name[64];

    parts = max(1, min(min(parts, (int)MOST_MAIL), p->s.K / LEAST_K));
    snprintf(name, sizeof name, "%s %dx%d x%d u%d b%d p%d", names[HOW], ROWS,
             WIDTH, THREADS, AHEAD, BLOCKS, parts);
    add(name, launch_quick<ROWS, WIDTH, THREADS, AHEAD, BLOCKS, HOW>, parts,
        HOW == TICKET || HOW == MAIL);
}

template <int ROWS, int WIDTH, int THREADS, int AHEAD, int BLOCKS>
static void add_four(const struct product *p)
{
    add_one<ROWS, WIDTH, THREADS, AHEAD, BLOCKS, TICKET>(p);
    add_one<ROWS, WIDTH, THREADS, AHEAD, BLOCKS, MAIL>(p);
    add_one<ROWS, WIDTH, THREADS, AHEAD, BLOCKS, ALONE>(p);
    add_one<ROWS, WIDTH, THREADS, AHEAD, BLOCKS, BARE>(p);
}

static bool now(const struct product *p, int)
{
    return gemm_f32((const float *)p->a, (const float *)p->b, (float *)p->c,
                    p->s, 1.0f, 0.0f, p->scratch, 0) == cudaSuccess;
}

static void one_row(const struct product *p)
{
    add_four<1, 64, 256, 8, 2>(p);
    add_four<1, 128, 256, 8, 2>(p);
    add_one<1, 128, 256, 8, 4, MAIL>(p);
    add_one<1, 128, 512, 8, 2, MAIL>(p);
    add_one<1, 256, 256, 16, 2, MAIL>(p);
    add_one<1, 512, 512, 16, 1, MAIL>(p);
    add_one<1, 32, 512, 16, 1, MAIL>(p);
    add_one<1, 32, 1024, 8, 1, MAIL>(p);
    add_one<1, 32, 256, 16, 2, MAIL>(p);
}

static void eight_rows(const struct product *p)
{
    add_four<8, 64, 256, 8, 2>(p);
    add_four<8, 128, 256, 8, 2>(p);
    add_one<8, 32, 512, 8, 1, MAIL>(p);
    add_one<8, 32, 256, 8, 2, MAIL>(p);
    add_one<8, 64, 512, 8, 1, MAIL>(p);
    add_one<8, 128, 512, 8, 1, MAIL>(p);
    add_one<8, 256, 512, 8, 1, MAIL>(p);
    add_one<4, 64, 256, 8, 2, MAIL>(p);
}

static void sixteen_rows(const struct product *p)
{
    add_four<16, 128, 256, 4, 2>(p);
    add_four<16, 64, 256, 4, 2>(p);
    add_one<16, 32, 256, 8, 1, MAIL>(p);
    add_one<16, 64, 256, 8, 1, MAIL>(p);
    add_one<16, 32, 256, 4, 2, MAIL>(p);
    add_one<16, 256, 256, 4, 2, MAIL>(p);
    add_one<8, 64, 256, 8, 2, MAIL>(p);
    add_one<8, 128, 256, 8, 2, MAIL>(p);
}

static void one(int M, int N, int K)
{
    struct product p = {{M, N, K, K, N, N}};
    char title[64];

    snprintf(title, sizeof title, "%dx%dx%d", M, N, K);
    product_open<float>(&p);
    add_libraries<float>(&p, false);
    add("now", now, 0, true);
    if (M == 1)
        one_row(&p);
    if (M <= 8)
        eight_rows(&p);
    else
        sixteen_rows(&p);
    contest_hold<float>(title, &p, 1e-6f);
    product_close(&p);
}

int main()
{
    contest_open();
#ifdef SIMULATED
    one(1, 260, 1540);
    one(7, 132, 388);
    one(12, 388, 640);
    one(20, 36, 1028);
#else
    one(1, 4096, 4096); // warms up, too
    one(1, 4096, 4096);
    one(8, 4096, 4096);
    one(8, 7168, 576);
    one(16, 4096, 2752);
    one(16, 4096, 4096);
    one(64, 4096, 4096);
#endif
    return 0;
}
