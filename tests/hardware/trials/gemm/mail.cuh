// SPDX-License-Identifier: MIT
/*
 * mail.cuh: tiles whose k is shared by blocks, without divisions and tickets.
 *
 *   grid_for        columns of tiles, rows of tiles, parts of k; the parts of a
 *                   tile are far apart, and its last one begins last
 *   block_of        what a block computes
 *   mail_finish     adds up the groups' sums on chip and the blocks' parts
 *
 * The last part's block adds them up. The others send it their sums, and it
 * polls for the sums themselves: a word that is not 0 has come. Whoever sends a
 * 0 sends -0, which is another word and adds up to the same. What was read is
 * made 0 again, for the next launch. So a part costs one way through L2, where
 * tickets cost a store, a fence, an atomic and a load, one after the other.
 *
 * It waits for blocks of lower numbers alone, and those wait for nobody: so it
 * ends however few blocks run at a time, if they begin in order.
 */
#ifndef TRIAL_MAIL_CUH
#define TRIAL_MAIL_CUH

#include "parts.cuh"

enum {
    BOXES = 1 << 18, // fours that can be under way
    MOST_MAIL = 8    // parts
};

enum how {
    TICKET, // the last block to end adds up
    MAIL,   // the last part's block does
    ALONE,  // nobody does, and C is wrong: what does it cost?
    BARE    // and nothing is multiplied: what does reading B so take?
};

static __device__ float4 mailbox[BOXES];

static dim3 grid_for(struct gemm_shape s, int rows, int width, int parts)
{
    return dim3((s.N - 1) / width + 1, (s.M - 1) / rows + 1, parts);
}

// Of k per part: a multiple of `unit`. The last part has what is left.
static int share_of(int K, int unit, int parts)
{
    return ((K - 1) / unit / parts + 1) * unit;
}

struct block {
    int row0, col0, begin, end; // of C and of k
    int tile;
};

static __device__ struct block block_of(struct gemm_shape s, int rows,
                                        int width, int share)
{
    int begin = blockIdx.z * share;

    return {(int)blockIdx.y * rows, (int)blockIdx.x * width, begin,
            min(s.K, begin + share),
            (int)(blockIdx.y * gridDim.x + blockIdx.x)};
}

static __device__ float unlike_0(float x)
{
    return x == 0.0f ? -0.0f : x;
}

static __device__ void send(float4 *to, float4 v)
{
    asm volatile("st.volatile.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to),
                 "f"(unlike_0(v.x)), "f"(unlike_0(v.y)), "f"(unlike_0(v.z)),
                 "f"(unlike_0(v.w))
                 : "memory");
}

static __device__ void make_0(float4 *at)
{
    asm volatile("st.volatile.global.v4.f32 [%0], {%1, %1, %1, %1};" ::"l"(at),
                 "f"(0.0f)
                 : "memory");
}

// Four words; whether all have come.
static __device__ bool look(const float4 *at, float4 *v)
{
    asm volatile("ld.volatile.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v->x), "=f"(v->y), "=f"(v->z), "=f"(v->w)
                 : "l"(at)
                 : "memory");
    return __float_as_uint(v->x) && __float_as_uint(v->y) &&
           __float_as_uint(v->z) && __float_as_uint(v->w);
}

// What the other parts have of a four, `fours` apart, in their order.
static __device__ float4 receive(float4 *from, int others, int fours)
{
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f), v[MOST_MAIL - 1];
    bool all;

    do {
        all = true;
#pragma unroll
        for (int p = 0; p < MOST_MAIL - 1; p++)
            if (p < others)
                all = look(from + (size_t)p * fours, &v[p]) && all;
    } while (!all);
#pragma unroll
    for (int p = 0; p < MOST_MAIL - 1; p++)
        if (p < others) {
            add_times(&sum, 1.0f, v[p]);
            make_0(from + (size_t)p * fours);
        }
    return sum;
}

// sums, on chip: `fours` of each group, all stored. `store` takes the number of
// a four and its sum.
template <class Store>
static __device__ void mail_finish(const float4 *sums, int groups, int fours,
                                   struct block b, enum how how,
                                   float4 *partial, Store store)
{
    int parts = gridDim.z, part = blockIdx.z;
    float4 *mine = partial + ((size_t)b.tile * parts + part) * fours;
    float4 *box = mailbox + (size_t)b.tile * (parts - 1) * fours;

    for (int i = threadIdx.x; i < fours; i += blockDim.x) {
        float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

#pragma unroll 8
        for (int g = 0; g < groups; g++)
            add_times(&v, 1.0f, sums[g * fours + i]);
        if (how == MAIL && part < parts - 1)
            send(box + (size_t)part * fours + i, v);
        else if (how == MAIL && parts > 1) {
            float4 others = receive(box + i, parts - 1, fours);

            add_times(&others, 1.0f, v);
            store(i, others);
        } else if (parts > 1 && (how == TICKET || part > 0))
            mine[i] = v;
        else
            store(i, v);
    }
    if (how != TICKET || parts == 1 || !is_last(b.tile, parts))
        return;
    partial += (size_t)b.tile * parts * fours;
    for (int i = threadIdx.x; i < fours; i += blockDim.x)
        store(i, total(partial + i, parts, fours));
}

#endif
