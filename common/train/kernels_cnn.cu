// SPDX-License-Identifier: MIT
// Kernels of the image model: 3 x 3 convolutions and the classifier. A thread
// of a convolution has a patch of neighbouring positions and several channels
// of the result in registers, so each value that it loads serves all of these
// channels, and each weight all of these positions. The weights come from
// shared memory, where a warp reads one address at a time.

#include "train/kernels.h"
#include "train/sums.cuh"

enum {
    THREADS = 128, // per block of a convolution
    WIDE = 256,    // per block of the classifier
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

// plane[row][col], or 0 beside it.
static __device__ float pixel(const float *plane, int side, int row, int col)
{
    bool inside = row >= 0 && row < side && col >= 0 && col < side;

    return inside ? plane[row * side + col] : 0.0f;
}

// Weights of channels o ... and i ... of a block: w is (out, in, TAPS). Those
// of channels that are not there are 0.
static __device__ float weight(const float *w, struct train_conv2d s, int o,
                               int i, int tap)
{
    return o < s.out && i < s.in ? w[(o * s.in + i) * TAPS + tap] : 0.0f;
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
    unsigned at = blockIdx.x * THREADS + threadIdx.x; // may pass B side cols
    bool inside = at < (unsigned)s.B * side * cols;
    int row = at / cols % side, col = at % cols * OWN, b = at / cols / side;
    float sum[WIDTH][OWN] = {};

    for (int first = 0; first < s.in; first += DEPTH) {
        __syncthreads(); // the weights before these were used
        for (int k = threadIdx.x; k < DEPTH * TAPS * WIDTH; k += THREADS)
            chip[k / WIDTH / TAPS][k / WIDTH % TAPS][k % WIDTH] =
                weight(w, s, o + k % WIDTH, first + k / WIDTH / TAPS,
                       k / WIDTH % TAPS);
        __syncthreads(); // these weights are there
        for (int i = first; inside && i < s.in && i < first + DEPTH; i++) {
            const float *from = x + ((size_t)b * s.in + i) * s.side * s.side;
            float near[SIDE][COLS];

#pragma unroll
            for (int k = 0; k < SIDE * COLS; k++)
                near[k / COLS][k % COLS] =
                    pixel(from, s.side, row * BY - 1 + k / COLS,
                          col * BY - 1 + k % COLS);
#pragma unroll
            for (int k = 0; k < TAPS * WIDTH * OWN; k++) {
                int tap = k / OWN / WIDTH, n = k / OWN % WIDTH, e = k % OWN;

                sum[n][e] += chip[i - first][tap][n] *
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
static __global__ void __launch_bounds__(THREADS, 6)
    conv2d_input_grad(const float *dy, const float *w, float *dx,
                      struct train_conv2d s)
{
    constexpr int LOW = BY == 1 ? -1 : 0, ROWS = 2 - LOW;
    constexpr int COLS = ACROSS / BY + 1 - LOW;
    __shared__ __align__(16) float chip[DEPTH][TAPS][FEW];
    int side = out_side(s), i = blockIdx.y * FEW;
    int rows = pieces(s.side, BY), cols = pieces(s.side, ACROSS);
    unsigned at = blockIdx.x * THREADS + threadIdx.x; // may pass B rows cols
    bool inside = at < (unsigned)s.B * rows * cols;
    int row = at / cols % rows, col = at % cols * ACROSS, b = at / cols / rows;
    float sum[BY][FEW][ACROSS] = {};

    for (int first = 0; first < s.out; first += DEPTH) {
        __syncthreads(); // the weights before these were used
        for (int k = threadIdx.x; k < DEPTH * TAPS * FEW; k += THREADS)
            chip[k / FEW / TAPS][k / FEW % TAPS][k % FEW] =
                weight(w, s, first + k / FEW / TAPS, i + k % FEW,
                       k / FEW % TAPS);
        __syncthreads(); // these weights are there
        for (int o = first; inside && o < s.out && o < first + DEPTH; o++) {
            const float *from = dy + ((size_t)b * s.out + o) * side * side;
            float near[ROWS][COLS];

#pragma unroll
            for (int k = 0; k < ROWS * COLS; k++)
                near[k / COLS][k % COLS] =
                    pixel(from, side, row + LOW + k / COLS,
                          col / BY + LOW + k % COLS);
#pragma unroll
            for (int k = 0; k < TAPS * FEW * BY * ACROSS; k++) {
                int tap = k / ACROSS / BY / FEW, n = k / ACROSS / BY % FEW;
                int a = k / ACROSS % BY, e = k % ACROSS;
                int up = a + 1 - tap / SIDE, left = e + 1 - tap % SIDE;

                if (up % BY == 0 && left % BY == 0)
                    sum[a][n][e] += chip[o - first][tap][n] *
                                    near[up / BY - LOW][left / BY - LOW];
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

// A block per channel of x, GROUP channels of y and slice of the images. A
// thread takes positions and keeps a sum for each weight; slice s leaves its
// sums in partial[s], which is as large as w.
enum { GROUP = 8, SUMS = GROUP * TAPS };

static __global__ void conv2d_weight_grad(const float *dy, const float *x,
                                          float *partial,
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
            value[tap] = pixel(from, s.side, row + tap / SIDE,
                               col + tap % SIDE);
#pragma unroll
        for (int n = 0; n < GROUP; n++) {
            float own = o + n < s.out ? g[(size_t)n * cells] : 0.0f;

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

// A warp per weight, a lane per slice and every 32nd after it.
static __global__ void add_slices(const float *partial, float *dw, int n,
                                  int slices)
{
    int k = (blockIdx.x * THREADS + threadIdx.x) / LANES; // may pass n
    float sum = 0.0f;

    for (int slice = threadIdx.x % LANES; k < n && slice < slices;
         slice += LANES)
        sum += partial[(size_t)slice * n + k];
    sum = warp_sum(sum);
    if (k < n && threadIdx.x % LANES == 0)
        dw[k] = sum;
}

// Enough for a GPU with 132 multiprocessors; not more than there are images.
static int slices_for(struct train_conv2d s)
{
    const int enough = 1024; // blocks
    int most = (enough - 1) / (s.in * ((s.out - 1) / GROUP + 1)) + 1;

    return most < s.B ? most : s.B;
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
    dim3 grid(s.in * ((s.out - 1) / GROUP + 1), slices);

    conv2d_weight_grad<<<grid, THREADS, 0, stream>>>(dy, x, partial, s, slices);
    add_slices<<<blocks_for((size_t)weights(s) * LANES), THREADS, 0, stream>>>(
        partial, dw, weights(s), slices);
    return cudaGetLastError();
}

// A block per plane.
static __global__ void pool(const float *x, float *mean, int S)
{
    float sum = 0.0f;

    for (int i = threadIdx.x; i < S; i += WIDE)
        sum += x[(size_t)blockIdx.x * S + i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        mean[blockIdx.x] = sum / S;
}

// One block, a thread per image: logits, their gradient, loss and hits.
static __global__ void classify(const float *mean, const float *w,
                                const float *bias, const float *label,
                                float *de, float *losses, float *hits,
                                const float *clock, struct evonorm_shape s)
{
    unsigned step = (unsigned)*clock - 1;
    float loss = 0.0f, right = 0.0f;

    for (int b = threadIdx.x; b < s.B; b += WIDE) {
        float logit[TRAIN_CLASSES], most = -INFINITY, sum = 0.0f;
        int first = 0, wanted = (int)label[b];

        for (int k = 0; k < TRAIN_CLASSES; k++)
            logit[k] = bias[k];
        for (int c = 0; c < s.C; c++)
            for (int k = 0; k < TRAIN_CLASSES; k++)
                logit[k] += mean[b * s.C + c] * w[c * TRAIN_CLASSES + k];
        for (int k = 0; k < TRAIN_CLASSES; k++) {
            if (logit[k] > most) {
                most = logit[k];
                first = k;
            }
        }
        for (int k = 0; k < TRAIN_CLASSES; k++)
            sum += expf(logit[k] - most);
        for (int k = 0; k < TRAIN_CLASSES; k++) {
            de[b * TRAIN_CLASSES + k] =
                (expf(logit[k] - most) / sum - (k == wanted)) / s.B;
            if (k == wanted)
                loss += logf(sum) + most - logit[k];
        }
        right += first == wanted;
    }
    loss = block_sum(loss);
    right = block_sum(right);
    if (threadIdx.x == 0) {
        losses[step] = loss / s.B;
        hits[step] = right;
    }
}

cudaError_t train_classify(const float *x, const float *w, const float *bias,
                           const float *label, float *mean, float *de,
                           float *losses, float *hits, const float *clock,
                           struct evonorm_shape s, cudaStream_t stream)
{
    pool<<<s.B * s.C, WIDE, 0, stream>>>(x, mean, s.S);
    classify<<<1, WIDE, 0, stream>>>(mean, w, bias, label, de, losses, hits,
                                        clock, s);
    return cudaGetLastError();
}

// A block per plane of dx; those after it sum for a weight each.
static __global__ void classify_grad(const float *mean, const float *w,
                                     const float *de, float *dx, float *dw,
                                     float *dbias, struct evonorm_shape s)
{
    int planes = s.B * s.C, sum = blockIdx.x - planes; // of c and k; c == C:
    int c = sum / TRAIN_CLASSES, k = sum % TRAIN_CLASSES; // bias
    float g = 0.0f;

    if (sum < 0) {
        int b = blockIdx.x / s.C;

        c = blockIdx.x % s.C;
        for (k = 0; k < TRAIN_CLASSES; k++)
            g += de[b * TRAIN_CLASSES + k] * w[c * TRAIN_CLASSES + k];
        for (int i = threadIdx.x; i < s.S; i += WIDE)
            dx[(size_t)blockIdx.x * s.S + i] = g / s.S;
        return;
    }
    for (int b = threadIdx.x; b < s.B; b += WIDE)
        g += de[b * TRAIN_CLASSES + k] * (c < s.C ? mean[b * s.C + c] : 1.0f);
    g = block_sum(g);
    if (threadIdx.x == 0)
        *(c < s.C ? dw + sum : dbias + k) = g;
}

cudaError_t train_classify_grad(const float *mean, const float *w,
                                const float *de, float *dx, float *dw,
                                float *dbias, struct evonorm_shape s,
                                cudaStream_t stream)
{
    unsigned blocks = s.B * s.C + (s.C + 1) * TRAIN_CLASSES;

    classify_grad<<<blocks, WIDE, 0, stream>>>(mean, w, de, dx, dw, dbias,
                                                  s);
    return cudaGetLastError();
}
