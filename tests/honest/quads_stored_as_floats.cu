// SPDX-License-Identifier: MIT
// honest: every 16-byte store of put() compiled as four of 4 bytes
// chapter: 07 forward
// expect: PASS
#include "op/dwconv.h"

enum {
    THREADS = 128, // per block: 4 warps
    BLOCKS = 3,    // of a multiprocessor at a time
    WARP = 32,
    TILE = 48      // times, and taps, of a lane at a time
};

// Where quad q of a row stands: eight lanes that read the same quad of their
// rows, or eight quads of a row, meet eight different bank groups.
static __device__ int place(int row, int q)
{
    return row * TILE + (q ^ (row / 2 % 4)) * 4;
}

// Quad q of the lane's own row.
static __device__ void get(const float *tile, int q, float *x)
{
    float4 v = *(const float4 *)(tile + place(threadIdx.x % WARP, q));

    x[0] = v.x;
    x[1] = v.y;
    x[2] = v.z;
    x[3] = v.w;
}

static __device__ void put(float *tile, int q, const float *x)
{
    *(float4 *)(tile + place(threadIdx.x % WARP, q)) =
        make_float4(x[0], x[1], x[2], x[3]);
}

// Copies the n floats from[start ...] of each lane's row to the warp's tile,
// zeros after them; start is negative in a lane without a row.
static __device__ void stage(float *tile, const float *from, int start, int n,
                             bool quads)
{
    int lane = threadIdx.x % WARP;

    __syncwarp(); // all have read what was there
    if (quads) // rows begin at multiples of 16 bytes, and n is one of 4
#pragma unroll
        for (int i = 0; i < TILE / 4; i++) {
            int e = (i * WARP + lane) * 4;
            int c = e % TILE;
            int begin = __shfl_sync(0xffffffffu, start, e / TILE);
            float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

            if (begin >= 0 && c < n)
                v = *(const float4 *)(from + begin + c);
            *(float4 *)(tile + place(e / TILE, c / 4)) = v;
        }
    else
#pragma unroll 12
    for (int i = 0; i < TILE; i++) {
        int e = i * WARP + lane;
        int c = e % TILE;
        int begin = __shfl_sync(0xffffffffu, start, e / TILE);

        tile[place(e / TILE, c / 4) + c % 4] = begin >= 0 && c < n ? from[begin + c] : 0.0f;
    }
    __syncwarp(); // the tile is full
}

// The way back; adds to what is there if `more`.
static __device__ void unstage(const float *tile, float *to, int start, int n,
                               bool more, bool quads)
{
    int lane = threadIdx.x % WARP;

    __syncwarp(); // all have written their row
    if (quads) {
#pragma unroll
        for (int i = 0; i < TILE / 4; i++) {
            int e = (i * WARP + lane) * 4;
            int c = e % TILE;
            int begin = __shfl_sync(0xffffffffu, start, e / TILE);

            if (begin >= 0 && c < n) {
                float4 v = *(const float4 *)(tile + place(e / TILE, c / 4));
                float4 *place = (float4 *)(to + begin + c);

                if (more) {
                    float4 old = *place;

                    v.x += old.x;
                    v.y += old.y;
                    v.z += old.z;
                    v.w += old.w;
                }
                *place = v;
            }
        }
        return;
    }
#pragma unroll 12
    for (int i = 0; i < TILE; i++) {
        int e = i * WARP + lane;
        int c = e % TILE;
        int begin = __shfl_sync(0xffffffffu, start, e / TILE);

        if (begin >= 0 && c < n)
            to[begin + c] = (more ? to[begin + c] : 0.0f) +
                            tile[place(e / TILE, c / 4) + c % 4];
    }
}

// Outputs at the times of a tile, from the x at those times.
static __device__ void add_own(float *sum, const float *w, const float *tile)
{
#pragma unroll
    for (int s = 0; s < TILE; s += 4) {
        float x[4];

        get(tile, s / 4, x);
#pragma unroll
        for (int j = 0; j < 4; j++)
#pragma unroll
            for (int t = s + j; t < TILE; t++)
                sum[t] += w[t - s - j] * x[j];
    }
}

// The same from the x of the tile before.
static __device__ void add_before(float *sum, const float *w,
                                  const float *tile)
{
#pragma unroll
    for (int s = 0; s < TILE; s += 4) {
        float x[4];

        get(tile, s / 4, x);
#pragma unroll
        for (int j = 0; j < 4; j++)
#pragma unroll
            for (int t = 0; t < s + j; t++)
                sum[t] += w[t + TILE - s - j] * x[j];
    }
}

// Each of `warps` warps takes 32 rows, and every (32 * warps)-th row after
// them: a multiple of H, so the channels stay the same.
static __global__ void __launch_bounds__(THREADS, BLOCKS)
forward(const float *x, const float *w, float *y, struct dwconv_shape s,
        unsigned warps)
{
    __shared__ __align__(16) float tiles[THREADS * TILE];
    float *tile = tiles + threadIdx.x / WARP * WARP * TILE;

    unsigned begin = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned rows = (unsigned)s.B * s.H;
    int h = begin % s.H;
    bool quads = s.L % 4 == 0;
    int taps = min(s.K, s.L);

    if (begin / WARP >= warps) // a warp to spare, all its lanes
        return;
    for (int first = 0; first < taps; first += TILE) {
        float weight[TILE];

        stage(tile, w, begin < rows ? h * s.K + first : -1, s.K - first,
              s.K % 4 == 0);
#pragma unroll
        for (int q = 0; q < TILE / 4; q++)
            get(tile, q, weight + 4 * q);

        // The same for all lanes of the warp: those without a row stay.
        for (unsigned group = begin / WARP * WARP; group < rows;
             group += warps * WARP) {
            unsigned i = group + begin % WARP;
            bool have = i < rows;
            int row = have ? (int)(i * s.L) : -1;

            for (int t0 = first; t0 < s.L; t0 += TILE) {
                int own = t0 - first; // a multiple of TILE, at least 0
                float sum[TILE] = {0.0f};

                stage(tile, x, have ? row + own : -1, s.L - own, quads);
                add_own(sum, weight, tile);
                if (own > 0) {
                    stage(tile, x, have ? row + own - TILE : -1, TILE, quads);
                    add_before(sum, weight, tile);
                }
                __syncwarp();
#pragma unroll
                for (int q = 0; q < TILE / 4; q++)
                    put(tile, q, sum + 4 * q);
                unstage(tile, y, have ? row + t0 : -1, s.L - t0, first > 0,
                        quads);
            }
        }
    }
}

size_t dwconv_forward_workspace(struct dwconv_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t dwconv_forward(const float *x, const float *w, float *y,
                           struct dwconv_shape shape, void *workspace,
                           cudaStream_t stream)
{
    (void)workspace;
    int device = 0, processors = 1;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount,
                           device);

    unsigned rows = (unsigned)shape.B * shape.H;
    unsigned groups = (rows + WARP - 1) / WARP;
    unsigned warps = processors * BLOCKS * (THREADS / WARP);
    unsigned step = shape.H; // warps * WARP must be a multiple of H

    for (int i = 1; i < WARP && step % 2 == 0; i *= 2)
        step /= 2;
    warps = warps > step ? warps / step * step : step;
    if (warps > groups)
        warps = groups; // one group for each: any number will do
    forward<<<(warps * WARP + THREADS - 1) / THREADS, THREADS, 0, stream>>>(
        x, w, y, shape, warps);
    return cudaGetLastError();
}
