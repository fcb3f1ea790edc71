// SPDX-License-Identifier: MIT
/*
 * rows_grid.cuh: a trial for chapter 21's long rows: each block has the same
 * columns of every row, and all blocks of the GPU own a row together. Layer
 * norm and its gradient; rows of even length.
 *
 *   grid_run<T, BACKWARD>(arrays, R, C, most, work, bytes)
 *   batch_run<T>(arrays, R, C, most, work, bytes)   LOCAL: the gradient with
 *         whole rows per block, by the same scheme; up to 8 KiB per row
 *
 * With a cluster of 16 blocks per row some multiprocessors stay idle, and a
 * thread has many columns, whose gamma, beta and sums fill its registers. Here
 * a thread has one vector, no multiprocessor is idle, and sums over rows need
 * no second kernel. What a block knows of a row goes through global memory,
 * which takes microseconds; but it has until the next batch of rows is reduced.
 *
 * The hard idea: a word in global memory is its own flag. All are filled with
 * ones first, a NaN that no arithmetic gives, and whoever needs a word reads it
 * until it is another. All blocks have to run at a time: a cooperative launch.
 *
 * Three batches of rows are in shared memory: one is reduced, one finished, and
 * one is coming by bulk copies. Some warps reduce a row together, without a
 * barrier of the block; for the results, a thread has a column.
 */
#ifndef WB_ROWS_GRID_CUH
#define WB_ROWS_GRID_CUH

#include "op/row_barrier.cuh"
#include "op/row_chip.cuh"
#include "op/row_sums.cuh"

enum {
    GRID_THREADS = 512,
    GRID_WARPS = GRID_THREADS / CHIP_LANES,
    GRID_RING = 3,
    GRID_BATCH = 64,           // rows of a batch, at most
    GRID_TEAMS = GRID_WARPS / 2, // of more than one warp
    GRID_BLOCKS = 5,           // blocks per lane, whose words it reads
    GRID_SHARED = 216 * 1024,  // bytes
    GRID_FOUR = 4              // floats of an access
};

template <typename T> struct grid_arrays {
    const T *x, *dy;
    const float *gamma, *beta;
    T *out;
    float *a, *b; // sums over rows, of dy z and of dy
    float eps;
};

// own: vectors per block. team: warps that reduce a row; wide: threads that
// finish one.
struct grid_plan {
    size_t rows;
    int cols, own, blocks, batch, team, wide;
    size_t shared;
};

static __device__ inline bool grid_there(float word)
{
    return __float_as_uint(word) != ~0u;
}

// SAID words of a block about a row.
template <int SAID> static __device__ void grid_tell(float *to, const float *v)
{
    if (SAID == 2)
        asm volatile("st.relaxed.gpu.global.v2.f32 [%0], {%1, %2};" ::"l"(to),
                     "f"(v[0]), "f"(v[1])
                     : "memory");
    else
        asm volatile("st.relaxed.gpu.global.v4.f32 [%0], {%1, %2, %3, %4};" ::
                         "l"(to), "f"(v[0]), "f"(v[1]), "f"(v[2]), "f"(v[3])
                     : "memory");
}
template <int SAID> static __device__ bool grid_ask(const float *from, float *v)
{
    bool there = true;

    if (SAID == 2)
        asm volatile("ld.relaxed.gpu.global.v2.f32 {%0, %1}, [%2];"
                     : "=f"(v[0]), "=f"(v[1])
                     : "l"(from)
                     : "memory");
    else
        asm volatile("ld.relaxed.gpu.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3])
                     : "l"(from)
                     : "memory");
#pragma unroll
    for (int i = 0; i < SAID; i++)
        there = there && grid_there(v[i]);
    return there;
}

// z = scale x + shift; dx = scale g + slope x + base
struct grid_known {
    float scale, shift, slope, base;
};

#if ROW_BARRIERS && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900)
template <typename T, bool BACKWARD, bool LOCAL> struct grid_block {
    enum {
        INPUTS = BACKWARD ? 2 : 1,
        SAID = BACKWARD ? 4 : 2,
        WIDTH = CHIP_VECTOR / sizeof(T),
        FOURS = WIDTH / GRID_FOUR
    };
    typedef chip_vector<T> vector;
    const grid_arrays<T> &of;
    const grid_plan &plan;
    uint64_t *here; // a batch has come
    vector *ring;
    float4 *gammas; // FOURS planes of plan.own
    float *said;
    int first, count; // vectors
    int warp, lane;

    // The first row of a batch of this block's.
    __device__ size_t row_of(int batch) const
    {
        return LOCAL ? ((size_t)batch * gridDim.x + blockIdx.x) * plan.batch
                     : (size_t)batch * plan.batch;
    }
    __device__ int rows_of(int batch) const
    {
        size_t begin = row_of(batch);
        size_t left = begin < plan.rows ? plan.rows - begin : 0;

        return left < (size_t)plan.batch ? (int)left : plan.batch;
    }
    __device__ vector *at(int batch, int row, int k) const
    {
        return ring + ((batch % GRID_RING * plan.batch + row) * INPUTS + k) *
                          plan.own;
    }
    __device__ float *words(size_t row, int block) const
    {
        return said + (row * plan.blocks + block) * SAID;
    }
    __device__ size_t element(size_t row, int i) const // of the block's vector
    {
        return row * plan.cols + (size_t)(first + i) * WIDTH;
    }
    // Asks for a batch; one warp.
    __device__ void fetch(int batch) const
    {
        int rows = rows_of(batch);
        uint64_t *bar = here + batch % GRID_RING;

        if (lane == 0)
            bar_expect(bar, rows * INPUTS * count * CHIP_VECTOR);
        __syncwarp(); // the bytes are expected
        for (int i = lane; i < rows * INPUTS; i += CHIP_LANES) {
            int row = i / INPUTS, k = i % INPUTS;

            bulk_in(at(batch, row, k),
                    (k ? of.dy : of.x) +
                        element(row_of(batch) + row, 0),
                    count * CHIP_VECTOR, bar);
        }
    }
    // What a team's lanes know of their columns of a row: sums of the distances
    // from the block's first element.
    __device__ void sums_of(int batch, int row, float pivot, float *sum) const
    {
        const vector *x = at(batch, row, 0), *dy = at(batch, row, INPUTS - 1);
        float v[WIDTH], g[WIDTH], gamma[WIDTH];

#pragma unroll
        for (int i = 0; i < SAID; i++)
            sum[i] = 0.0f;
#pragma unroll 4
        for (int i = warp % plan.team * CHIP_LANES + lane; i < count;
             i += plan.team * CHIP_LANES) {
            x[i].get(v);
            if (BACKWARD) {
                dy[i].get(g);
#pragma unroll
                for (int f = 0; f < FOURS; f++)
                    chip_vector<float>{gammas[f * plan.own + i]}.get(
                        gamma + f * GRID_FOUR);
            }
#pragma unroll
            for (int e = 0; e < WIDTH; e++) {
                float far = v[e] - pivot;

                sum[0] += far;
                sum[1] += far * far;
                if (BACKWARD) {
                    sum[2] += g[e] * gamma[e];
                    sum[3] += g[e] * gamma[e] * far;
                }
            }
        }
#pragma unroll
        for (int i = 0; i < SAID; i++)
            sum[i] = chip_sum(sum[i], CHIP_LANES);
    }
    __device__ grid_known settle(float mean, float squares, float g,
                                 float gx) const
    {
        float all = (float)plan.cols, scale = rsqrtf(squares / all + of.eps);
        float slope = -scale * scale * scale * gx / all;

        return {scale, -mean * scale, slope, -scale * g / all - slope * mean};
    }
    // What the block knows of each row of a batch, it tells the others; or all
    // is known.
    __device__ void reduce(int batch, float (*of_warp)[GRID_WARPS][SAID],
                           grid_known *known) const
    {
        int team = warp / plan.team, rows = rows_of(batch);

        bar_wait(here + batch % GRID_RING, batch / GRID_RING & 1);
        for (int row = team; row < rows; row += GRID_WARPS / plan.team) {
            float sum[SAID], v[WIDTH], n = (float)(count * WIDTH);

            at(batch, row, 0)->get(v);
            sums_of(batch, row, v[0], sum);
            if (plan.team > 1) {
                if (lane == 0)
                    for (int i = 0; i < SAID; i++)
                        of_warp[row][warp % plan.team][i] = sum[i];
                asm volatile("bar.sync %0, %1;" ::"r"(team + 1),
                             "r"(plan.team * CHIP_LANES)
                             : "memory"); // the team's sums are there
                for (int i = 0; i < SAID; i++) {
                    sum[i] = 0.0f;
                    for (int w = 0; w < plan.team; w++)
                        sum[i] += of_warp[row][w][i];
                }
            }
            if (warp % plan.team == 0 && lane == 0) {
                float far = sum[0] / n, say[SAID] = {v[0] + far,
                                                     sum[1] - far * sum[0]};

                if (BACKWARD) {
                    say[SAID - 2] = sum[SAID - 2];
                    say[SAID - 1] = sum[SAID - 1] - sum[SAID - 2] * far;
                }
                if (LOCAL)
                    known[row] = settle(say[0], say[1], say[SAID - 2],
                                        say[SAID - 1]);
                else
                    grid_tell<SAID>(words(row_of(batch) + row, blockIdx.x),
                                    say);
            }
        }
    }
    // What all blocks know of a row; a warp.
    __device__ grid_known ask(size_t row) const
    {
        float said_by[GRID_BLOCKS][SAID], n[GRID_BLOCKS], mean = 0.0f;
        float squares = 0.0f, g = 0.0f, gx = 0.0f, all = (float)plan.cols;
        bool there;

        do {
            there = true;
#pragma unroll
            for (int j = 0; j < GRID_BLOCKS; j++) {
                int block = j * CHIP_LANES + lane;

                if (block < plan.blocks)
                    there = grid_ask<SAID>(words(row, block), said_by[j]) &&
                            there;
            }
        } while (!__all_sync(~0u, there));
#pragma unroll
        for (int j = 0; j < GRID_BLOCKS; j++) {
            int block = j * CHIP_LANES + lane;

            n[j] = block >= plan.blocks ? 0.0f
                   : block + 1 < plan.blocks
                       ? (float)(plan.own * WIDTH)
                       : all - (float)(block * plan.own * WIDTH);
            if (block < plan.blocks)
                mean += n[j] * said_by[j][0];
        }
        mean = chip_sum(mean, CHIP_LANES) / all;
#pragma unroll
        for (int j = 0; j < GRID_BLOCKS; j++)
            if (n[j] > 0.0f) {
                float far = said_by[j][0] - mean;

                squares += said_by[j][1] + n[j] * far * far;
                if (BACKWARD) {
                    g += said_by[j][SAID - 2];
                    gx += said_by[j][SAID - 1] + said_by[j][SAID - 2] * far;
                }
            }

        squares = chip_sum(squares, CHIP_LANES);
        if (BACKWARD) {
            g = chip_sum(g, CHIP_LANES);
            gx = chip_sum(gx, CHIP_LANES);
        }
        return settle(mean, squares, g, gx);
    }
};
#endif

template <typename T, bool BACKWARD, bool LOCAL>
static __global__ void __launch_bounds__(GRID_THREADS, 1)
row_grid(grid_arrays<T> of, grid_plan plan, float *said)
{
#if ROW_BARRIERS && __CUDA_ARCH__ >= 900
    typedef grid_block<T, BACKWARD, LOCAL> block_t;
    enum { WIDTH = block_t::WIDTH, SAID = block_t::SAID,
           INPUTS = block_t::INPUTS };
    extern __shared__ uint4 shared[];
    __shared__ uint64_t here[GRID_RING];
    __shared__ float of_warp[GRID_TEAMS][GRID_WARPS][SAID];
    __shared__ grid_known known[2][GRID_BATCH];
    chip_vector<T> *ring = (chip_vector<T> *)shared;
    int first = LOCAL ? 0 : blockIdx.x * plan.own;
    block_t block = {of, plan, here, ring,
                     (float4 *)(ring + GRID_RING * plan.batch * INPUTS *
                                           plan.own),
                     said, first, min(plan.own, plan.cols / WIDTH - first),
                     (int)threadIdx.x / CHIP_LANES,
                     (int)threadIdx.x % CHIP_LANES};
    size_t per_turn = (size_t)plan.batch * (LOCAL ? gridDim.x : 1);
    int batches = (int)((plan.rows - 1) / per_turn) + 1;
    int col = threadIdx.x % plan.wide, fold = threadIdx.x / plan.wide;
    bool works = col < block.count;
    float gamma[WIDTH], beta[WIDTH], a[WIDTH], b[WIDTH];

    if (threadIdx.x == 0)
        for (int i = 0; i < GRID_RING; i++)
            bar_init(here + i, 1);
    __syncthreads(); // the barriers may be used
    if (block.warp == 0)
        for (int i = 0; i < GRID_RING && i < batches; i++)
            block.fetch(i);
#pragma unroll
    for (int e = 0; e < WIDTH; e++) {
        int at = (first + col) * WIDTH + e;

        gamma[e] = works ? of.gamma[at] : 0.0f;
        beta[e] = works && !BACKWARD ? of.beta[at] : 0.0f;
        a[e] = b[e] = 0.0f;
    }
    if (BACKWARD && works && fold == 0)
#pragma unroll
        for (int e = 0; e < WIDTH; e++)
            ((float *)(block.gammas + e / GRID_FOUR * plan.own +
                       col))[e % GRID_FOUR] = gamma[e];
    __syncthreads(); // all of gamma is there

#pragma unroll 1
    for (int i = 0; i <= batches; i++) {
        if (i < batches)
            block.reduce(i, of_warp, known[i % 2]);
        if (i == 0) {
            __syncthreads(); // of_warp is read; rows may be known
            continue;
        }

        int rows = block.rows_of(i - 1);
        size_t above = block.row_of(i - 1);

        if (!LOCAL) {
            for (int row = block.warp; row < rows; row += GRID_WARPS) {
                grid_known k = block.ask(above + row);

                if (block.lane == 0)
                    known[(i - 1) % 2][row] = k;
            }
            __syncthreads(); // the batch is known
        }
#pragma unroll 2
        for (int row = fold; row < rows && works;
             row += GRID_THREADS / plan.wide) {
            grid_known k = known[(i - 1) % 2][row];
            float v[WIDTH], g[WIDTH], out[WIDTH];
            chip_vector<T> some;

            block.at(i - 1, row, 0)[col].get(v);
            if (BACKWARD)
                block.at(i - 1, row, 1)[col].get(g);
#pragma unroll
            for (int e = 0; e < WIDTH; e++) {
                float z = v[e] * k.scale + k.shift;

                if (BACKWARD) {
                    out[e] = g[e] * gamma[e] * k.scale +
                             (v[e] * k.slope + k.base);
                    a[e] += g[e] * z;
                    b[e] += g[e];
                } else
                    out[e] = z * gamma[e] + beta[e];
            }
            some.set(out);
            ((chip_vector<T> *)(of.out + block.element(above + row, col)))->e =
                some.e;
        }
        __syncthreads(); // the batch is read: another may take its place
        if (block.warp == 0 && i - 1 + GRID_RING < batches)
            block.fetch(i - 1 + GRID_RING);
    }
    if (!BACKWARD)
        return;

    float *all = (float *)shared; // a column after the other, a and b

    for (int turn = 0; turn < GRID_THREADS / plan.wide; turn++) {
        if (works && fold == turn)
#pragma unroll
            for (int e = 0; e < WIDTH; e++) {
                float *to = all + (col * WIDTH + e) * 2;

                to[0] = a[e] + (turn ? to[0] : 0.0f);
                to[1] = b[e] + (turn ? to[1] : 0.0f);
            }
        __syncthreads(); // in this order
    }
    if (LOCAL) { // a row of sums per block
        of.a = said + (size_t)blockIdx.x * 2 * plan.cols;
        of.b = of.a + plan.cols;
    }
    for (int i = threadIdx.x; i < block.count * WIDTH; i += GRID_THREADS) {
        of.a[first * WIDTH + i] = all[2 * i];
        of.b[first * WIDTH + i] = all[2 * i + 1];
    }
#endif
}

// Threads and rows of a batch for blocks of plan->own vectors.
template <class Block>
static cudaError_t grid_share(grid_plan *plan, int most, bool sums)
{
    for (plan->wide = CHIP_LANES; plan->wide < plan->own;)
        plan->wide *= 2;
    if (plan->cols % Block::WIDTH || plan->wide > GRID_THREADS)
        return cudaErrorInvalidValue;
    for (plan->batch = most; plan->batch > 1; plan->batch /= 2) {
        plan->shared = (size_t)plan->own * CHIP_VECTOR *
                       (GRID_RING * plan->batch * Block::INPUTS +
                        (sums ? Block::FOURS : 0));
        if (plan->shared <= GRID_SHARED)
            break;
    }
    if (plan->batch < 2 ||
        (size_t)plan->own * Block::WIDTH * 8 > plan->shared)
        return cudaErrorInvalidValue;
    plan->team = plan->batch < GRID_WARPS ? GRID_WARPS / plan->batch : 1;
    return cudaSuccess;
}

// most: rows of a batch, at most; a power of two.
template <typename T, bool BACKWARD>
static cudaError_t grid_run(grid_arrays<T> of, size_t rows, int cols, int most,
                            float *work, size_t bytes)
{
    typedef grid_block<T, BACKWARD, false> block_t;
    const void *kernel = (const void *)row_grid<T, BACKWARD, false>;
    int device, sms, vectors = cols / block_t::WIDTH;
    grid_plan plan = {rows, cols};
    void *args[] = {&of, &plan, &work};
    cudaError_t error;
    size_t need;

    if ((error = cudaGetDevice(&device)) != cudaSuccess ||
        (error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount,
                                        device)) != cudaSuccess)
        return error;
    plan.own = ((vectors - 1) / sms / 2 + 1) * 2; // whole sectors
    plan.blocks = (vectors - 1) / plan.own + 1;
    need = rows * plan.blocks * block_t::SAID * sizeof(float);
    if (plan.blocks > GRID_BLOCKS * CHIP_LANES || need > bytes)
        return cudaErrorInvalidValue;
    if ((error = grid_share<block_t>(&plan, most, BACKWARD)) != cudaSuccess ||
        (error = cudaFuncSetAttribute(
             kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
             (int)plan.shared)) != cudaSuccess ||
        (error = cudaMemsetAsync(work, 0xff, need, 0)) != cudaSuccess)
        return error;
    return cudaLaunchCooperativeKernel(kernel, dim3(plan.blocks),
                                       dim3(GRID_THREADS), args, plan.shared,
                                       0);
}

// The gradient with whole rows per block, batch by batch.
template <typename T>
static cudaError_t batch_run(grid_arrays<T> of, size_t rows, int cols, int most,
                             float *work, size_t bytes)
{
    typedef grid_block<T, true, true> block_t;
    const void *kernel = (const void *)row_grid<T, true, true>;
    int device;
    grid_plan plan = {rows, cols, cols / block_t::WIDTH};
    void *args[] = {&of, &plan, &work};
    cudaError_t error;

    if ((error = cudaGetDevice(&device)) != cudaSuccess ||
        (error = cudaDeviceGetAttribute(&plan.blocks,
                                        cudaDevAttrMultiProcessorCount,
                                        device)) != cudaSuccess)
        return error;
    if ((size_t)plan.blocks * 2 * cols * sizeof(float) > bytes)
        return cudaErrorInvalidValue;
    if ((error = grid_share<block_t>(&plan, most, true)) != cudaSuccess ||
        (error = cudaFuncSetAttribute(
             kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
             (int)plan.shared)) != cudaSuccess ||
        (error = cudaLaunchKernel(kernel, dim3(plan.blocks), dim3(GRID_THREADS),
                                  args, plan.shared, 0)) != cudaSuccess)
        return error;
    row_sums_join<<<(2 * cols - 1) / CHIP_LANES + 1, SUMS_THREADS>>>(
        work, of.a, of.b, cols, plan.blocks);
    return cudaGetLastError();
}

#endif
