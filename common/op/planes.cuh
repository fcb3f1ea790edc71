// SPDX-License-Identifier: MIT
/*
 * planes.cuh: a warp and a plane, which is one channel of one image: how its
 * values come and go, and what is known of them.
 *
 *   plane_load, plane_store   a round of a plane to a thread's registers, and
 *                             back
 *   plane_keep                the same, to shared memory
 *   plane_at                  which position of the plane a register holds
 *   plane_rounds, plane_wide
 *   moments_of                mean and squared distances of a round
 *   struct moments            these, and how two sets of values become one
 *   lanes_sum, over_block, struct total   over a warp; over a block; a sum
 *
 * A warp takes PLANE_ROUND values per round, PLANE_HELD per lane: a plane of
 * 28 x 28 is one round. Where planes begin at multiples of 16 bytes (WIDE), an
 * access moves 16 bytes per lane.
 *
 * The hard idea: no variance is computed from a mean of squares. A lane takes
 * squared distances from the mean of its own values, and sets of values are put
 * together by Chan's formula (chapter 21).
 */
#ifndef WB_PLANES_CUH
#define WB_PLANES_CUH

enum {
    LANES = 32,
    MOST_WARPS = 32,                // of a block
    PLANE_HELD = 28,                // values of a lane
    PLANE_ROUND = PLANE_HELD * LANES,
    PLANE_WIDTH = 4                 // floats of a wide access
};

static inline __host__ __device__ int plane_rounds(int positions)
{
    return (positions - 1) / PLANE_ROUND + 1;
}

// Do all planes begin at multiples of 16 bytes?
static inline __host__ __device__ bool plane_wide(int positions)
{
    return positions % PLANE_WIDTH == 0;
}

// The position of value i of this lane; at or behind the end: there is none.
template <bool WIDE> static __device__ int plane_at(int round, int i)
{
    int lane = threadIdx.x % LANES, step = WIDE ? PLANE_WIDTH : 1;

    return round * PLANE_ROUND + (i / step * LANES + lane) * step + i % step;
}

// What lies behind the plane's end is 0.
template <bool WIDE>
static __device__ void plane_load(const float *plane, int positions, int round,
                                  float *v)
{
#pragma unroll
    for (int i = 0; i < PLANE_HELD; i += WIDE ? PLANE_WIDTH : 1) {
        int at = plane_at<WIDE>(round, i);

        if (WIDE) {
            float4 some = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

            if (at < positions)
                some = *(const float4 *)(plane + at);
            v[i] = some.x;
            v[i + 1] = some.y;
            v[i + 2] = some.z;
            v[i + 3] = some.w;
        } else
            v[i] = at < positions ? plane[at] : 0.0f;
    }
}

// To global memory. As a plain assignment, the compiler would take a store of
// 16 bytes apart where the values come out of a long computation.
template <bool WIDE>
static __device__ void plane_store(float *plane, int positions, int round,
                                   const float *v)
{
#pragma unroll
    for (int i = 0; i < PLANE_HELD; i += WIDE ? PLANE_WIDTH : 1) {
        int at = plane_at<WIDE>(round, i);

        if (at >= positions)
            break;
        if (WIDE)
            __stcg((float4 *)(plane + at),
                   make_float4(v[i], v[i + 1], v[i + 2], v[i + 3]));
        else
            plane[at] = v[i];
    }
}

// To shared memory, from which plane_load takes it again.
template <bool WIDE>
static __device__ void plane_keep(float *plane, int positions, int round,
                                  const float *v)
{
#pragma unroll
    for (int i = 0; i < PLANE_HELD; i += WIDE ? PLANE_WIDTH : 1) {
        int at = plane_at<WIDE>(round, i);

        if (at >= positions)
            break;
        if (WIDE)
            *(float4 *)(plane + at) =
                make_float4(v[i], v[i + 1], v[i + 2], v[i + 3]);
        else
            plane[at] = v[i];
    }
}

static __device__ float lanes_sum(float x)
{
    for (int step = LANES / 2; step > 0; step /= 2)
        x += __shfl_xor_sync(~0u, x, step);
    return x;
}

// A sum, for over_block.
struct total {
    float of;

    static __device__ struct total none() { return {0.0f}; }
    __device__ struct total over_warp() const { return {lanes_sum(of)}; }
};

// What is known of some values: how many, their mean, and the sum of their
// squared distances from it.
struct moments {
    float n, mean, squares;

    static __device__ struct moments none() { return {0.0f, 0.0f, 0.0f}; }
    // Of these values and others.
    __device__ void join(const struct moments &other)
    {
        float far = other.mean - mean, sum = n + other.n;
        float share = sum > 0.0f ? other.n / sum : 0.0f;

        squares += other.squares + far * far * n * share;
        mean += far * share;
        n = sum;
    }
    // Of all lanes of the warp, each of which gets it.
    __device__ struct moments over_warp() const
    {
        float all = lanes_sum(n);
        float middle = all > 0.0f ? lanes_sum(n * mean) / all : 0.0f;
        float far = n > 0.0f ? mean - middle : 0.0f;

        return {all, middle, lanes_sum(squares + n * far * far)};
    }
};

// Of the values that this lane holds of a round.
template <bool WIDE>
static __device__ struct moments moments_of(const float *v, int positions,
                                            int round)
{
    struct moments m = moments::none();

#pragma unroll
    for (int i = 0; i < PLANE_HELD; i++) {
        m.n += plane_at<WIDE>(round, i) < positions;
        m.mean += v[i];
    }
    m.mean = m.n > 0.0f ? m.mean / m.n : 0.0f;
#pragma unroll
    for (int i = 0; i < PLANE_HELD; i++) {
        float far = plane_at<WIDE>(round, i) < positions ? v[i] - m.mean : 0.0f;

        m.squares += far * far;
    }
    return m;
}

// All threads of the block get what they know together. T has none() and
// over_warp(); `shared` has a T per warp, and may be used again at once.
template <class T> static __device__ T over_block(T own, T *shared)
{
    int lane = threadIdx.x % LANES, warps = blockDim.x / LANES;

    own = own.over_warp();
    if (lane == 0)
        shared[threadIdx.x / LANES] = own;
    __syncthreads(); // what each warp knows is there: it may be read
    own = lane < warps ? shared[lane] : T::none();
    __syncthreads(); // all have read: shared may be filled again
    return own.over_warp();
}

#endif
