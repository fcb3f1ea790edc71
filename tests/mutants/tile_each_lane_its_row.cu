// SPDX-License-Identifier: MIT
// mutant: a tile, but each lane copies its own row: the loads are as far apart
// chapter: 07 tile
// expect: TECHNIQUE
// say: global_load_bytes_over_asked
//> todo kernel (about 100 lines)
enum {
    LANES = 32,
    TILE = 48, // time steps, and taps, that a lane has in registers
    WARPS = 4, // per block
    BLOCKS = 3 // per multiprocessor: as many as the registers allow
};

#define ALL_LANES 0xffffffffu
#define NO_ROW    0xffffffffu

// Copies columns [first, first + TILE) of 32 rows into the tile, zeros where
// there are none. Row r begins where lane r's `start` says; it has `length`
// columns.
static __device__ void stage(float *tile, const float *from, unsigned start,
                             unsigned first, unsigned length)
{
    int lane = threadIdx.x % LANES;

    __syncwarp(); // all lanes have read what the tile held before
#pragma unroll 12
    for (int c = 0; c < TILE; c++)
        tile[lane * TILE + c] = start != NO_ROW && first + c < length
                                    ? from[start + first + c]
                                    : 0.0f;
    __syncwarp(); // the tile is full: lanes may read each other's pieces
}

// The way back: adds to what is there, or replaces it.
static __device__ void unstage(const float *tile, float *to, unsigned start,
                               unsigned first, unsigned length, bool add)
{
    int lane = threadIdx.x % LANES;

    __syncwarp(); // every lane has put its sums into the tile
#pragma unroll 12
    for (int i = 0; i < TILE; i++) {
        int slot = i * LANES + lane, row = slot / TILE, c = slot % TILE;
        unsigned begin = __shfl_sync(ALL_LANES, start, row);
        float one = tile[row * TILE + c];

        if (begin != NO_ROW && first + c < length) {
            float *cell = to + begin + first + c;

            *cell = add ? *cell + one : one;
        }
    }
}

// The tile holds the same TILE time steps as the sums: tap t - s, s <= t.
static __device__ void add_own(float *sum, const float *w, const float *tile)
{
#pragma unroll
    for (int s = 0; s < TILE; s++) {
        float x = tile[threadIdx.x % LANES * TILE + s];

#pragma unroll
        for (int t = s; t < TILE; t++)
            sum[t] += w[t - s] * x;
    }
}

// The tile holds the TILE time steps before: tap t - s + TILE, s > t.
static __device__ void add_before(float *sum, const float *w,
                                  const float *tile)
{
#pragma unroll
    for (int s = 0; s < TILE; s++) {
        float x = tile[threadIdx.x % LANES * TILE + s];

#pragma unroll
        for (int t = 0; t < s; t++)
            sum[t] += w[t - s + TILE] * x;
    }
}

// A lane owns a row, and keeps the weights of its channel in registers.
static __global__ void __launch_bounds__(WARPS *LANES, BLOCKS)
    forward(const float *x, const float *w, float *y, struct dwconv_shape s,
            unsigned rows)
{
    __shared__ float tiles[WARPS][LANES * TILE];

    unsigned lane = threadIdx.x % LANES;
    unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned start = row < rows ? row * s.L : NO_ROW;
    unsigned channel = row % s.H;
    float *tile = tiles[threadIdx.x / LANES];

    for (unsigned first = 0; first < min(s.K, s.L); first += TILE) {
        float weights[TILE];

        stage(tile, w, channel * s.K, first, s.K);
#pragma unroll
        for (int k = 0; k < TILE; k++)
            weights[k] = tile[lane * TILE + k];

        for (unsigned t0 = first; t0 < s.L; t0 += TILE) {
            float sum[TILE] = {0.0f};

            stage(tile, x, start, t0 - first, s.L);
            add_own(sum, weights, tile);
            if (t0 > first) {
                stage(tile, x, start, t0 - first - TILE, s.L);
                add_before(sum, weights, tile);
            }
#pragma unroll
            for (int t = 0; t < TILE; t++)
                tile[lane * TILE + t] = sum[t];
            unstage(tile, y, start, t0, s.L, first > 0);
        }
    }
}
//< todo
