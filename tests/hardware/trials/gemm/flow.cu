// SPDX-License-Identifier: MIT
/*
 * flow.cu: trials of products with few rows in fp32, whose bytes flow through
 * rings on chip.
 *
 *   flow   each warp has a ring of its own, filled by cp.async: what a lane
 *          needs of B it copies itself, and the warp's values of A are shared.
 *          No barrier of the block until the sums are added up. With 32
 *          columns per tile there are 128 tiles at N = 4096, and k need not be
 *          cut; with 64 and 128 the blocks of a tile are a cluster
 *   bulk   the same, but rows of B come by cp.async.bulk (9.0)
 *   now    chapter 15's step 7
 *
 * A row of the table names rows x columns per tile, warps per block (x), slots
 * of a ring, each of 2 KiB of B (s), blocks of a tile (p), whether they add up
 * by a cluster (c) or by tickets (t), and whether L2 fetches 256 bytes at a
 * time (f). Shapes here are multiples of four.
 */
#include <cuda_pipeline_primitives.h>

#include "op/row_barrier.cuh"
#include "parts.cuh"

// A slot of a warp's ring: for each of GROUPS groups of lanes, four rows of B,
// and four values of k of each row of A.
template <int ROWS, int WIDTH, int WARPS, int SLOTS> struct ring {
    static const int ACROSS = WIDTH / 4, GROUPS = 32 / ACROSS;
    static const int TURN = WARPS * GROUPS * 4;         // of k
    static const int B = 4 * 32 * 4, A = ROWS * GROUPS * 4; // floats
    static const int SLOT = (B + A + 31) / 32 * 32, RING = SLOTS * SLOT;
    static const int SUMS = WARPS * ROWS * WIDTH;
    static const int FLOATS = WARPS * RING > SUMS ? WARPS * RING : SUMS;
    static const int ON_CHIP = FLOATS * sizeof(float);
};

// Copies 16 bytes, or makes them 0.
template <bool FAR>
static __device__ __forceinline__ void bring(float *to, const float *from,
                                             bool there)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(to);

    if (FAR)
        asm volatile("cp.async.cg.shared.global.L2::256B [%0], [%1], 16, %2;" ::
                         "r"(at), "l"(from), "r"(there ? 16 : 0)
                     : "memory");
    else
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at),
                     "l"(from), "r"(there ? 16 : 0)
                     : "memory");
}

template <int ROWS, int WIDTH, int WARPS, int SLOTS, int BLOCKS, bool CLUSTER,
          bool FAR, bool BULK>
static __global__ void __launch_bounds__(WARPS * 32, BLOCKS)
    flow_gemm(const float *A, const float *B, float *C, struct gemm_shape s,
              int parts, float4 *partial)
{
    typedef ring<ROWS, WIDTH, WARPS, SLOTS> my;
    extern __shared__ __align__(128) float on_chip[];
    __shared__ uint64_t full[BULK ? WARPS * SLOTS : 1];

    struct tile t = find(s, ROWS, WIDTH, parts);
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int group = lane / my::ACROSS, col = t.col0 + lane % my::ACROSS * 4;
    long long fours = (s.K - 1) / 4 + 1;
    int begin = fours * t.part / parts * 4;
    int end = min((long long)s.K, fours * (t.part + 1) / parts * 4);
    int turns = (end - begin - 1) / my::TURN + 1;
    int next = begin + warp * my::GROUPS * 4; // of k, to be copied
    float *mine = on_chip + warp * my::RING;
    uint64_t *bars = full + (BULK ? warp * SLOTS : 0);
    float4 sum[ROWS];

    auto stage = [&](int at) {
        float *to = mine + at * my::SLOT;
        int k = next + group * 4;
        const float *from = B + (size_t)k * s.ldb + col;

        if (BULK && lane == 0 && next < end) {
            int rows = min(my::GROUPS * 4, end - next);
            int bytes = min((int)WIDTH, s.N - t.col0) * 4;

            bar_expect(&bars[at], rows * bytes);
            for (int i = 0; i < rows; i++)
                bulk_in(to + i * WIDTH,
                        B + (size_t)(next + i) * s.ldb + t.col0, bytes,
                        &bars[at]);
        }
#pragma unroll
        for (int i = 0; !BULK && i < 4; i++) {
            bool there = k + i < end && col < s.N;

            bring<FAR>(to + (i * 32 + lane) * 4,
                       there ? from + (size_t)i * s.ldb : B, there);
        }
#pragma unroll
        for (int e = lane; e < ROWS * my::GROUPS; e += 32) {
            int r = t.row0 + e / my::GROUPS, ak = next + e % my::GROUPS * 4;
            bool there = r < s.M && ak < end;

            bring<false>(to + my::B + e * 4,
                         there ? A + (size_t)r * s.lda + ak : A, there);
        }
        __pipeline_commit();
        next += my::TURN;
    };

    for (int i = 0; BULK && lane == 0 && i < SLOTS; i++)
        bar_init(&bars[i], 1);
    __syncwarp(); // the barriers are there
    for (int i = 0; i < SLOTS - 1; i++)
        stage(i);
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        sum[r] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int turn = 0, now = 0, parity = 0; turn < turns; turn++) {
        const float *slot = mine + now * my::SLOT;
        const float *row = BULK ? slot + group * 4 * WIDTH + col - t.col0
                                : slot + lane * 4;
        int k = next - (SLOTS - 1) * my::TURN; // of this warp's slot
        bool any = !BULK || (k + group * 4 < end && col < s.N); // was copied
        float4 b[4];

        if (BULK && k < end)
            bar_wait(&bars[now], parity);
        __pipeline_wait_prior(SLOTS - 2);
        __syncwarp(); // this slot is there, the one before has been read
        stage(now == 0 ? SLOTS - 1 : now - 1);
#pragma unroll
        for (int i = 0; i < 4; i++)
            b[i] = any ? *(const float4 *)(row + i * (BULK ? WIDTH : 128))
                       : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            float4 a = *(const float4 *)(slot + my::B +
                                         (r * my::GROUPS + group) * 4);

            add_times(&sum[r], a.x, b[0]);
            add_times(&sum[r], a.y, b[1]);
            add_times(&sum[r], a.z, b[2]);
            add_times(&sum[r], a.w, b[3]);
        }
        now = now + 1 == SLOTS ? 0 : now + 1;
        parity ^= now == 0;
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
    __pipeline_wait_prior(0);
    __syncthreads(); // no ring is in use any more: the sums take their place

    float4 *sums = (float4 *)on_chip;

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

template <int ROWS, int WIDTH, int WARPS, int SLOTS, int BLOCKS, bool CLUSTER,
          bool FAR, bool BULK>
static bool launch_flow(const struct product *p, int parts)
{
    auto kernel =
        flow_gemm<ROWS, WIDTH, WARPS, SLOTS, BLOCKS, CLUSTER, FAR, BULK>;
    int tiles = ((p->s.M - 1) / ROWS + 1) * ((p->s.N - 1) / WIDTH + 1);

    return tiles <= TICKETS &&
           start(kernel, dim3(tiles * parts), WARPS * 32,
                 ring<ROWS, WIDTH, WARPS, SLOTS>::ON_CHIP, CLUSTER ? parts : 1,
                 (const float *)p->a, (const float *)p->b, (float *)p->c, p->s,
                 parts, (float4 *)p->scratch);
}

// parts: blocks of a tile; below zero, a cluster of so many.
template <int ROWS, int WIDTH, int WARPS, int SLOTS, int BLOCKS,
          bool FAR = false, bool BULK = false>
static void add_flow(int parts)
{
    char name[64];

    snprintf(name, sizeof name, "%s %dx%d x%d s%d p%d%s%s",
             BULK ? "bulk" : "flow", ROWS, WIDTH, WARPS, SLOTS, abs(parts),
             parts < 0 ? "c" : parts > 1 ? "t" : "", FAR ? " f" : "");
    if (parts < 0)
        add(name, launch_flow<ROWS, WIDTH, WARPS, SLOTS, BLOCKS, true, FAR,
                              BULK>, -parts, true);
    else
        add(name, launch_flow<ROWS, WIDTH, WARPS, SLOTS, BLOCKS, false, FAR,
                              BULK>, parts, true);
}

template <int ROWS> static void add_all(int N)
{
    const bool tall = ROWS > 8;

    //       rows  cols warps slots blocks
    add_flow<ROWS, 32, 8, tall ? 9 : 11, 1>(1);
    add_flow<ROWS, 32, 8, tall ? 9 : 11, 1, true>(1);
    add_flow<ROWS, 32, 16, tall ? 4 : 5, 1>(1);
    add_flow<ROWS, 32, 8, tall ? 4 : 5, 2>(1);
    add_flow<ROWS, 32, 4, tall ? 9 : 11, 2>(1);
    add_flow<ROWS, 64, 8, tall ? 10 : 12, 1>(2);
    add_flow<ROWS, 64, 8, tall ? 10 : 12, 1>(-2);
    add_flow<ROWS, 64, 8, 5, 2>(tall || N > 5000 ? 2 : 4);
    add_flow<ROWS, 64, 8, 5, 2>(tall || N > 5000 ? -2 : -4);
    add_flow<ROWS, 128, 8, 12, 1>(4);
    add_flow<ROWS, 128, 8, 12, 1>(-4);
    add_flow<ROWS, 128, 8, 12, 1, true>(-4);
    add_flow<ROWS, 128, 8, 6, 2>(8);
    add_flow<ROWS, 128, 8, 6, 2>(-8);
    add_flow<ROWS, 128, 8, 12, 1, false, true>(4);
    add_flow<ROWS, 128, 8, 12, 1, false, true>(-4);
    add_flow<ROWS, 64, 8, 10, 1, false, true>(-2);
}

static void one(int M, int N, int K)
{
    contest<float>("", M, N, K, 1e-6f, false, stage_of<float, gemm_f32>,
                   [](const struct product *p) {
                       if (p->s.M == 1)
                           add_all<1>(p->s.N);
                       else if (p->s.M <= 8)
                           add_all<8>(p->s.N);
                       else
                           add_all<16>(p->s.N);
                   });
}

int main()
{
    contest_open();
#ifdef SIMULATED
    one(1, 260, 512);
    one(8, 132, 388);
    one(12, 388, 640);
#else
    one(8, 4096, 4096); // warms up, too
    one(8, 4096, 4096);
    one(1, 4096, 4096);
    one(16, 4096, 4096);
    one(16, 4096, 2752);
    one(8, 7168, 576);
#endif
    return 0;
}
