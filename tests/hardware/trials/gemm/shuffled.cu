// SPDX-License-Identifier: MIT
/*
 * shuffled.cu: chapter 15's step 7, whose two groups of a warp add up by
 * shuffles before their sums go to shared memory, and nothing else changed.
 *
 *   now        step 7
 *   shuffled   the same: half as many sums stored and added up on chip
 *
 * Groups of 16 threads have tiles of 8 rows only, so the products here are
 * those that step 7 computes by them. The kernel is step 7's but for its end.
 */
#include "contest.cuh"
#include "op/gemm_few.cuh"

// Groups of a warp: their sums are added up by shuffles.
template <int ROWS> static __device__ constexpr int shared_by()
{
    return 32 / few<ROWS>::ACROSS;
}

template <int ROWS> static __device__ void add_halves(float (*sum)[4])
{
#pragma unroll
    for (int far = few<ROWS>::ACROSS; far < 32; far *= 2)
#pragma unroll
        for (int i = 0; i < ROWS * 4; i++)
            sum[i / 4][i % 4] +=
                __shfl_xor_sync(~0u, sum[i / 4][i % 4], far);
}

// few_finish, for as many sums as there are warps.
template <int ROWS>
static __device__ void finish_fewer(const float *sums, float *C,
                                    struct gemm_shape s, int row0, int col0,
                                    float alpha, float beta, bool wide,
                                    int parts, float *partial)
{
    const int width = few<ROWS>::WIDTH, size = ROWS * width;
    int tile = blockIdx.x / parts, n = few<ROWS>::GROUPS / shared_by<ROWS>();
    float *mine = partial + (size_t)blockIdx.x * size;

    __syncthreads(); // all groups' sums are stored
    if (parts > 1) {
        for (int at = threadIdx.x * 4; at < size; at += FEW_THREADS * 4)
            *(float4 *)(mine + at) = few_add(sums + at, n, size);
        if (!few_is_last(tile, parts))
            return;
        sums = partial + (size_t)tile * parts * size;
        n = parts;
    }
    for (int at = threadIdx.x * 4; at < size; at += FEW_THREADS * 4) {
        int row = row0 + at / width, col = col0 + at % width;

        if (row < s.M)
            few_put(C + (size_t)row * s.ldc + col, few_add(sums + at, n, size),
                    s.N - col, alpha, beta, wide);
    }
}

// Four neighbours, on a boundary of 16 bytes: one access.
static __device__ void get(float *four, const float *from)
{
    float4 v = *(const float4 *)from;

    four[0] = v.x;
    four[1] = v.y;
    four[2] = v.z;
    four[3] = v.w;
}

// The step's kernel, but for its last lines.
template <int ROWS, bool WIDE>
static __global__ void __launch_bounds__(FEW_THREADS, WIDE ? 2 : 1)
    few_gemm(const float *A, const float *B, float *C, struct gemm_shape s,
             float alpha, float beta, int parts, float *partial)
{
    typedef few<ROWS> my;
    extern __shared__ __align__(16) float on_chip[]; // my::ON_CHIP bytes
    float(*a)[my::DEEP] = (float(*)[my::DEEP])on_chip;
    struct few_block t = few_find<ROWS>(s, parts);
    int group = threadIdx.x / my::ACROSS, place = threadIdx.x % my::ACROSS * 4;
    int count = s.N - t.col0 - place, k = t.begin + group * my::AHEAD;
    const float *from = B + (size_t)k * s.ldb + t.col0 + place;
    float b[my::AHEAD][4], four[4], sum[ROWS][4] = {{0.0f}};

#pragma unroll // b and sum stay in registers if their indices are constants
    for (int i = 0; i < my::AHEAD; i++)
        few_load<WIDE>(b[i], from + (size_t)i * s.ldb,
                       k + i < t.end ? count : 0);
    for (int first = t.begin; first < t.end; first += my::TURN) {
        if ((first - t.begin) % my::DEEP == 0) {
            __syncthreads(); // the stretch before has been read
            few_stretch<ROWS>(a, A, s, t.row0, first, t.end);
            __syncthreads(); // all of this one is there
        }
        const float *mine = a[0] + (k - t.begin) % my::DEEP;

        k += my::TURN;
        from += (size_t)my::TURN * s.ldb;
#pragma unroll
        for (int q = 0; q < my::AHEAD; q += 4) {
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                get(four, mine + r * my::DEEP + q);
                for (int i = 0; i < 16; i++)
                    sum[r][i % 4] += four[i / 4] * b[q + i / 4][i % 4];
            }
#pragma unroll
            for (int i = q; i < q + 4; i++)
                few_load<WIDE>(b[i], from + (size_t)i * s.ldb,
                               k + i < t.end ? count : 0);
        }
    }
    add_halves<ROWS>(sum);
    __syncthreads(); // A has been read: the sums take its place
    if (group % shared_by<ROWS>() == 0)
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            *(float4 *)(on_chip + (group / shared_by<ROWS>() * ROWS + r) *
                                      my::WIDTH + place) =
                make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]);
    finish_fewer<ROWS>(on_chip, C, s, t.row0, t.col0, alpha, beta, WIDE, parts,
                       partial);
}

static bool now(const struct product *p, int)
{
    return gemm_f32((const float *)p->a, (const float *)p->b, (float *)p->c,
                    p->s, 1.0f, 0.0f, p->scratch, 0) == cudaSuccess;
}

static bool shuffled(const struct product *p, int)
{
    return few_launch((const float *)p->a, (const float *)p->b, (float *)p->c,
                      p->s, few_rows(p->s), 1.0f, 0.0f, (float *)p->scratch,
                      0) == cudaSuccess;
}

static void one(int M, int N, int K)
{
    struct product p = {{M, N, K, K, N, N}};
    char title[64];

    snprintf(title, sizeof title, "%dx%dx%d", M, N, K);
    product_open<float>(&p);
    add_libraries<float>(&p, false);
    add("now", now, 0, true);
    add("shuffled", shuffled, 0, true);
    contest_hold<float>(title, &p, 1e-6f);
    product_close(&p);
}

int main()
{
    contest_open();
#ifdef SIMULATED
    one(1, 260, 512);
    one(8, 256, 1280);
    one(128, 128, 128);
#else
    one(8, 4096, 4096); // warms up, too
    one(8, 4096, 4096);
    one(1, 4096, 4096);
    one(8, 7168, 576);
    one(128, 128, 128);
    one(256, 128, 128);
    one(256, 256, 256);
    one(512, 256, 256);
    one(512, 256, 512);
#endif
    return 0;
}
