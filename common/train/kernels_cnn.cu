// SPDX-License-Identifier: MIT
// Kernels of the image model: 3 x 3 convolutions. A thread has a patch of
// neighbouring positions and several channels of the result in registers, so
// each value that it loads serves all of these channels, and each weight all of
// these positions. The weights come from shared memory, where a warp reads one
// address at a time.

#include "train/kernels.h"
#include "train/sums.cuh"

enum {
    THREADS = 128, // per block
    WIDE = 256,    // per block that adds slices
    LANES = 32,
    SIDE = 3, // of a kernel
    TAPS = SIDE * SIDE,
    WIDTH = 16, // channels of y per thread
    FEW = 8,    // channels of dx per thread, whose patch is larger
    ACROSS = 4, // columns of the larger side per patch
    DEPTH = 8   // channels of the other side whose weights are on chip
};

static unsigned blocks_for(size_t n)
{
    return (unsigned)((n - 1) / THREADS + 1);
}

static __host__ __device__ int out_side(struct train_conv2d s)
{
    return (s.side - 1) / s.stride + 1;
}

// Cell (row, col) of plane n, or 0 beside it, and where there is no plane n.
// Instead of what is not there something else is read, here and below: with a
// branch around each load they would wait for one another.
static __device__ float pixel(const float *planes, int n, int end, int side,
                              int row, int col)
{
    bool inside = n < end && row >= 0 && row < side && col >= 0 && col < side;
    float value = planes[inside ? (n * side + row) * side + col : 0];

    return inside ? value : 0.0f;
}

// Weights of channels o ... and i ... of a block: w is (out, in, TAPS). Those
// of channels that are not there are 0.
static __device__ float weight(const float *w, struct train_conv2d s, int o,
                               int i, int tap)
{
    bool there = o < s.out && i < s.in;
    float value = w[there ? (o * s.in + i) * TAPS + tap : 0];

    return there ? value : 0.0f;
}

// Which cells of a window from (row, col) on lie in a plane: a bit for each.
template <int ROWS, int COLS>
static __device__ unsigned seen(int side, int row, int col)
{
    unsigned cells = 0;

#pragma unroll
    for (int k = 0; k < ROWS * COLS; k++) {
        int r = row + k / COLS, c = col + k % COLS;

        if (r >= 0 && r < side && c >= 0 && c < side)
            cells |= 1u << k;
    }
    return cells;
}

// The window whose first cell, in the plane or beside it, `from` points to;
// from[own] is in the plane.
template <int ROWS, int COLS>
static __device__ void take_window(float (&to)[ROWS][COLS], const float *from,
                                   unsigned side, unsigned cells,
                                   unsigned own)
{
#pragma unroll
    for (int k = 0; k < ROWS * COLS; k++) {
        bool there = cells >> k & 1;
        unsigned at = there ? k / COLS * side + k % COLS : own;
        float value = from[at];

        to[k / COLS][k % COLS] = there ? value : 0.0f;
    }
}

// How many pieces of `each` cover n.
static __host__ __device__ int pieces(int n, int each)
{
    return (n - 1) / each + 1;
}

// A row of a patch goes out in one access where all rows begin at a multiple
// of its size. end: how many of its cells there are.
template <int N>
static __device__ void put_row(float *to, const float (&from)[N], int side,
                               int end)
{
    if (N == 4 && side % N == 0)
        *(float4 *)to = make_float4(from[0], from[1], from[2], from[N - 1]);
    else if (N == 2 && side % N == 0)
        *(float2 *)to = make_float2(from[0], from[N - 1]);
    else
#pragma unroll
        for (int i = 0; i < N; i++)
            if (i < end)
                to[i] = from[i];
}

// A thread per patch of y: ACROSS / BY columns, WIDTH of its channels. BY: the
// stride.
template <int BY>
static __global__ void __launch_bounds__(THREADS)
    conv2d(const float *x, const float *w, float *y, struct train_conv2d s)
{
    constexpr int OWN = ACROSS / BY, COLS = ACROSS - BY + SIDE;
    __shared__ __align__(16) float chip[DEPTH][TAPS][WIDTH];
    int side = out_side(s), o = blockIdx.y * WIDTH, cols = pieces(side, OWN);
    unsigned own = blockIdx.x * THREADS + threadIdx.x;
    bool inside = own < (unsigned)s.B * side * cols;
    unsigned at = inside ? own : 0;
    int row = at / cols % side, col = at % cols * OWN, b = at / cols / side;
    int plane = s.side * s.side, top = row * BY - 1, left = col * BY - 1;
    unsigned cells = seen<SIDE, COLS>(s.side, top, left);
    const float *from = x + (ptrdiff_t)b * s.in * plane + top * s.side + left;
    float sum[WIDTH][OWN] = {};

    for (int first = 0; first < s.in; first += DEPTH) {
        __syncthreads(); // the weights before these were used
        for (int k = threadIdx.x; k < DEPTH * TAPS * WIDTH; k += THREADS)
            chip[k / WIDTH / TAPS][k / WIDTH % TAPS][k % WIDTH] =
                weight(w, s, o + k % WIDTH, first + k / WIDTH / TAPS,
                       k / WIDTH % TAPS);
        __syncthreads(); // these weights are there
        for (int i = 0; i < DEPTH && first + i < s.in; i++, from += plane) {
            float near[SIDE][COLS];

            take_window(near, from, s.side, cells, s.side + 1);
#pragma unroll
            for (int k = 0; k < TAPS * WIDTH * OWN; k++) {
                int tap = k / OWN / WIDTH, n = k / OWN % WIDTH, e = k % OWN;

                sum[n][e] += chip[i][tap][n] *
                             near[tap / SIDE][e * BY + tap % SIDE];
            }
        }
    }
#pragma unroll
    for (int n = 0; n < WIDTH; n++)
        if (inside && o + n < s.out)
            put_row(y + (((size_t)b * s.out + o + n) * side + row) * side + col,
                    sum[n], side, side - col);
}

cudaError_t train_conv2d(const float *x, const float *w, float *y,
                         struct train_conv2d s, cudaStream_t stream)
{
    int side = out_side(s);
    size_t patches = (size_t)s.B * side * pieces(side, ACROSS / s.stride);
    dim3 grid(blocks_for(patches), pieces(s.out, WIDTH));

    if (s.stride == 1)
        conv2d<1><<<grid, THREADS, 0, stream>>>(x, w, y, s);
    else
        conv2d<2><<<grid, THREADS, 0, stream>>>(x, w, y, s);
    return cudaGetLastError();
}

// A thread per patch of dx: BY rows of ACROSS columns, FEW of its channels.
// Row a of it was read by tap row p where a + 1 - p is a multiple of BY, for
// row (a + 1 - p) / BY of dy, counted from the patch's own; alike for columns.
// LOW is the first of these.
template <int BY>
static __global__ void __launch_bounds__(THREADS, 4)
    conv2d_input_grad(const float *dy, const float *w, float *dx,
                      struct train_conv2d s)
{
    constexpr int LOW = BY == 1 ? -1 : 0, ROWS = 2 - LOW;
    constexpr int COLS = ACROSS / BY + 1 - LOW;
    __shared__ __align__(16) float chip[DEPTH][TAPS][FEW];
    int side = out_side(s), i = blockIdx.y * FEW;
    int rows = pieces(s.side, BY), cols = pieces(s.side, ACROSS);
    unsigned own = blockIdx.x * THREADS + threadIdx.x;
    bool inside = own < (unsigned)s.B * rows * cols;
    unsigned at = inside ? own : 0;
    int row = at / cols % rows, col = at % cols * ACROSS, b = at / cols / rows;
    int plane = side * side, top = row + LOW, left = col / BY + LOW;
    unsigned cells = seen<ROWS, COLS>(side, top, left);
    const float *from = dy + (ptrdiff_t)b * s.out * plane + top * side + left;
    float sum[BY][FEW][ACROSS] = {};

    for (int first = 0; first < s.out; first += DEPTH) {
        __syncthreads(); // the weights before these were used
        for (int k = threadIdx.x; k < DEPTH * TAPS * FEW; k += THREADS)
            chip[k / FEW / TAPS][k / FEW % TAPS][k % FEW] =
                weight(w, s, first + k / FEW / TAPS, i + k % FEW,
                       k / FEW % TAPS);
        __syncthreads(); // these weights are there
        for (int o = 0; o < DEPTH && first + o < s.out; o++, from += plane) {
            float near[ROWS][COLS];

            take_window(near, from, side, cells, -LOW * (side + 1));
#pragma unroll
            for (int k = 0; k < TAPS * FEW * BY * ACROSS; k++) {
                int tap = k / ACROSS / BY / FEW, n = k / ACROSS / BY % FEW;
                int a = k / ACROSS % BY, e = k % ACROSS;
                int p = a + 1 - tap / SIDE, q = e + 1 - tap % SIDE;

                if (p % BY == 0 && q % BY == 0)
                    sum[a][n][e] +=
                        chip[o][tap][n] * near[p / BY - LOW][q / BY - LOW];
            }
        }
    }
#pragma unroll
    for (int k = 0; k < BY * FEW; k++) {
        int n = k % FEW, r = row * BY + k / FEW;

        if (inside && i + n < s.in && r < s.side)
            put_row(dx + (((size_t)b * s.in + i + n) * s.side + r) * s.side +
                        col,
                    sum[k / FEW][n], s.side, s.side - col);
    }
}

cudaError_t train_conv2d_input_grad(const float *dy, const float *w, float *dx,
                                    struct train_conv2d s, cudaStream_t stream)
{
    size_t patches = (size_t)s.B * pieces(s.side, s.stride) *
                     pieces(s.side, ACROSS);
    dim3 grid(blocks_for(patches), pieces(s.in, FEW));

    if (s.stride == 1)
        conv2d_input_grad<1><<<grid, THREADS, 0, stream>>>(dy, w, dx, s);
    else
        conv2d_input_grad<2><<<grid, THREADS, 0, stream>>>(dy, w, dx, s);
    return cudaGetLastError();
}

// The gradient of the weights is a matrix product: of dy, and of x in nine
// places, over all positions. With few channels of x a thread takes positions
// of one of them: a block per channel of x, GROUP channels of y and slice of
// the images. A thread keeps a sum for each weight; slice s leaves its sums in
// partial[s], which is as large as w.
enum { GROUP = 8, SUMS = GROUP * TAPS };

static __global__ void __launch_bounds__(THREADS, 4)
    few_weights_grad(const float *dy, const float *x, float *partial,
                     struct train_conv2d s, int slices)
{
    __shared__ float of_warp[THREADS / LANES][SUMS];
    int i = blockIdx.x % s.in, o = blockIdx.x / s.in * GROUP;
    int side = out_side(s), cells = side * side, slice = blockIdx.y;
    int last = (int)((long long)s.B * (slice + 1) / slices) * cells;
    float sum[GROUP][TAPS] = {{0.0f}};

    for (int at = (int)((long long)s.B * slice / slices) * cells + threadIdx.x;
         at < last; at += THREADS) {
        int cell = at % cells, b = at / cells;
        int row = cell / side * s.stride - 1, col = cell % side * s.stride - 1;
        const float *from = x + ((size_t)b * s.in + i) * s.side * s.side;
        const float *g = dy + ((size_t)b * s.out + o) * cells + cell;
        float value[TAPS];

#pragma unroll
        for (int tap = 0; tap < TAPS; tap++)
            value[tap] = pixel(from, 0, 1, s.side, row + tap / SIDE,
                               col + tap % SIDE);
#pragma unroll
        for (int n = 0; n < GROUP; n++) {
            float own = g[(o + n < s.out ? n : 0) * cells]; // else not kept

#pragma unroll
            for (int tap = 0; tap < TAPS; tap++)
                sum[n][tap] += own * value[tap];
        }
    }
#pragma unroll
    for (int k = 0; k < SUMS; k++) {
        float all = warp_sum(sum[k / TAPS][k % TAPS]);

        if (threadIdx.x % LANES == 0)
            of_warp[threadIdx.x / LANES][k] = all;
    }
    __syncthreads(); // each warp has left its sums
    for (int k = threadIdx.x; k < SUMS && o + k / TAPS < s.out; k += THREADS) {
        float all = 0.0f;

        for (int warp = 0; warp < THREADS / LANES; warp++)
            all += of_warp[warp][k];
        partial[((slice * s.out + o + k / TAPS) * s.in + i) * TAPS + k % TAPS] =
            all;
    }
}

// With many, a thread has a channel of x: lane i of warp w the weights of
// channel i and GROUP channels of y. A block goes over tiles of y, BAND rows of
// PIECE columns, and keeps x and dy of a tile on chip. Lanes are an odd number
// of cells of x apart, and so in banks of their own; all of them read the same
// dy. Beside the images, and where there is no channel, both are 0.
enum {
    OUT = THREADS / LANES * GROUP, // channels of y per block
    BAND = 2,
    PIECE = 16,
    PITCH = OUT + 4, // of dy: 16 bytes, and few conflicts
    TILES_AT_A_TIME = 396
};

template <int BY> struct tile {
    enum { ROWS = (BAND - 1) * BY + SIDE, COLS = (PIECE - 1) * BY + SIDE };
    float x[LANES][ROWS * COLS | 1];
    __align__(16) float dy[BAND * PIECE][PITCH];
};

static __host__ __device__ int tiles_of(struct train_conv2d s)
{
    int side = out_side(s);

    return s.B * pieces(side, BAND) * pieces(side, PIECE);
}

// Tile `at` of all, channels i ... of x and o ... of y.
template <int BY>
static __device__ void take_tile(struct tile<BY> *to, const float *dy,
                                 const float *x, struct train_conv2d s, int at,
                                 int i, int o)
{
    constexpr int ROWS = tile<BY>::ROWS, COLS = tile<BY>::COLS;
    int side = out_side(s), across = pieces(side, PIECE);
    int down = pieces(side, BAND), b = at / across / down;
    int row = at / across % down * BAND, col = at % across * PIECE;

    x += ((size_t)b * s.in + i) * s.side * s.side;
    dy += ((size_t)b * s.out + o) * side * side;
#pragma unroll 8
    for (int k = threadIdx.x; k < LANES * ROWS * COLS; k += THREADS) {
        int n = k / COLS / ROWS, r = k / COLS % ROWS, c = k % COLS;

        to->x[n][r * COLS + c] =
            pixel(x, n, s.in - i, s.side, row * BY - 1 + r, col * BY - 1 + c);
    }
#pragma unroll
    for (int k = threadIdx.x; k < OUT * BAND * PIECE; k += THREADS) {
        int n = k / PIECE / BAND, r = k / PIECE % BAND, c = k % PIECE;

        to->dy[r * PIECE + c][n] =
            pixel(dy, n, s.out - o, side, row + r, col + c);
    }
}

template <int BY>
static __global__ void __launch_bounds__(THREADS, 3)
    weights_grad(const float *dy, const float *x, float *partial,
                 struct train_conv2d s)
{
    __shared__ struct tile<BY> chip;
    int lane = threadIdx.x % LANES, own = threadIdx.x / LANES * GROUP;
    int blocks = pieces(s.in, LANES); // of channels of x
    int i = blockIdx.x % blocks * LANES, o = blockIdx.x / blocks * OUT;
    int columns = min(PIECE, out_side(s));
    float sum[GROUP][TAPS] = {{0.0f}};

    for (int at = blockIdx.y; at < tiles_of(s); at += gridDim.y) {
        __syncthreads(); // the tile before this one was used
        take_tile(&chip, dy, x, s, at, i, o);
        __syncthreads(); // the tile is there
        for (int row = 0; row < BAND; row++)
#pragma unroll 2
            for (int col = 0; col < columns; col++) {
                const float *g = &chip.dy[row * PIECE + col][own];
                const float *from =
                    &chip.x[lane][(row * tile<BY>::COLS + col) * BY];

#pragma unroll
                for (int k = 0; k < SUMS; k++)
                    sum[k / TAPS][k % TAPS] +=
                        g[k / TAPS] * from[k % TAPS / SIDE * tile<BY>::COLS +
                                           k % SIDE];
            }
    }
    partial += ((size_t)(blockIdx.y * s.out + o + own) * s.in + i + lane) *
               TAPS;
#pragma unroll
    for (int k = 0; k < SUMS; k++)
        if (o + own + k / TAPS < s.out && i + lane < s.in)
            partial[(size_t)k / TAPS * s.in * TAPS + k % TAPS] =
                sum[k / TAPS][k % TAPS];
}

// A lane per weight, a warp for every eighth slice.
static __global__ void add_slices(const float *partial, float *dw, int n,
                                  int slices)
{
    __shared__ float of_warp[WIDE / LANES][LANES];
    int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    int k = blockIdx.x * LANES + lane; // may pass n
    float sum = 0.0f;

#pragma unroll 8
    for (int slice = warp; slice < slices; slice += WIDE / LANES)
        sum += k < n ? partial[(size_t)slice * n + k] : 0.0f;
    of_warp[warp][lane] = sum;
    __syncthreads(); // each warp has left its sums
    if (warp == 0 && k < n) {
        sum = 0.0f;
        for (int i = 0; i < WIDE / LANES; i++)
            sum += of_warp[i][lane];
        dw[k] = sum;
    }
}

static bool is_few(struct train_conv2d s)
{
    return s.in < LANES / 2;
}

// Blocks for one slice.
static int blocks_per_slice(struct train_conv2d s)
{
    return is_few(s) ? s.in * pieces(s.out, GROUP)
                     : pieces(s.in, LANES) * pieces(s.out, OUT);
}

// Enough for a GPU with 132 multiprocessors; not more than there are images, or
// tiles.
static int slices_for(struct train_conv2d s)
{
    const int enough = is_few(s) ? 1024 : TILES_AT_A_TIME; // blocks
    int most = pieces(enough, blocks_per_slice(s));
    int there = is_few(s) ? s.B : tiles_of(s);

    return most < there ? most : there;
}

static int weights(struct train_conv2d s)
{
    return s.out * s.in * TAPS;
}

size_t train_conv2d_partial(struct train_conv2d s)
{
    return (size_t)slices_for(s) * weights(s);
}

cudaError_t train_conv2d_weight_grad(const float *dy, const float *x,
                                     float *dw, float *partial,
                                     struct train_conv2d s, cudaStream_t stream)
{
    int slices = slices_for(s);
    dim3 grid(blocks_per_slice(s), slices);

    if (is_few(s))
        few_weights_grad<<<grid, THREADS, 0, stream>>>(dy, x, partial, s,
                                                       slices);
    else if (s.stride == 1)
        weights_grad<1><<<grid, THREADS, 0, stream>>>(dy, x, partial, s);
    else
        weights_grad<2><<<grid, THREADS, 0, stream>>>(dy, x, partial, s);
    add_slices<<<pieces(weights(s), LANES), WIDE, 0, stream>>>(
        partial, dw, weights(s), slices);
    return cudaGetLastError();
}
