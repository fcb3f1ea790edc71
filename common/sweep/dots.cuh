// SPDX-License-Identifier: MIT
// What dots.cu and dots_bf16.cu share: a product for C with very few columns.
// A file that includes this defines, before it:
//
//   ROWS, COLS, WARPS, THREADS, LANES   the sizes
//   element            of A, B and C
//   widened, rounded   an element as fp32, and fp32 as an element
//   LAUNCHER, QUERY    the operator's symbols

static __device__ float warp_sum(float value)
{
    for (int far = LANES / 2; far > 0; far /= 2)
        value += __shfl_down_sync(0xffffffffu, value, far);
    return value;
}

// `share` warps have the same ROWS rows of C, and COLS of their columns: lane
// and warp take every (share * LANES)-th k, neighbours in a row of A. `down`
// blocks have the same columns: blocks are numbered along x alone, of which a
// grid may have more than 65,535.
static __global__ void __launch_bounds__(THREADS)
    dots(const element *__restrict__ A, const element *__restrict__ B,
         element *C, struct gemm_shape s, float alpha, float beta, int share,
         unsigned down)
{
    __shared__ float of_warp[WARPS][ROWS][COLS];
    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    int group0 = blockIdx.x % down * (WARPS / share);
    int row0 = (group0 + warp / share) * ROWS;
    int col0 = blockIdx.x / down * COLS;
    const element *a = A + (size_t)row0 * s.lda, *b = B + col0;
    float sum[ROWS][COLS] = {{0.0f}};

#pragma unroll 4
    for (int k = warp % share * LANES + lane; k < s.K; k += share * LANES) {
        float at_a[ROWS], at_b[COLS];

#pragma unroll
        for (int i = 0; i < ROWS; i++)
            at_a[i] = row0 + i < s.M ? widened(a[(size_t)i * s.lda + k]) : 0.0f;
#pragma unroll
        for (int j = 0; j < COLS; j++)
            at_b[j] =
                col0 + j < s.N ? widened(b[(size_t)k * s.ldb + j]) : 0.0f;
#pragma unroll
        for (int i = 0; i < ROWS; i++)
#pragma unroll
            for (int j = 0; j < COLS; j++)
                sum[i][j] += at_a[i] * at_b[j];
    }
#pragma unroll
    for (int i = 0; i < ROWS; i++)
#pragma unroll
        for (int j = 0; j < COLS; j++)
            if (col0 + j < s.N) {
                float all = warp_sum(sum[i][j]);

                if (lane == 0)
                    of_warp[warp][i][j] = all;
            }
    __syncthreads(); // each warp has left its sums
    for (int at = threadIdx.x; at < WARPS / share * ROWS * COLS;
         at += THREADS) {
        int i = at / COLS % ROWS, j = at % COLS, first = at / COLS / ROWS;
        int m = (group0 + first) * ROWS + i;
        float all = 0.0f;

        if (m >= s.M || col0 + j >= s.N)
            continue;
        for (int w = 0; w < share; w++)
            all += of_warp[first * share + w][i][j];
        element *c = C + (size_t)m * s.ldc + col0 + j;
        *c = rounded(beta == 0.0f ? alpha * all
                                  : alpha * all + beta * widened(*c));
    }
}

size_t QUERY(struct gemm_shape shape)
{
    (void)shape;
    return 0;
}

// The fewer rows there are, the more warps share one.
cudaError_t LAUNCHER(const element *A, const element *B, element *C,
                     struct gemm_shape shape, float alpha, float beta,
                     void *workspace, cudaStream_t stream)
{
    int device = 0, room = 1, share = 1, groups = (shape.M - 1) / ROWS + 1;

    (void)workspace; // none was asked for
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&room, cudaDevAttrMultiProcessorCount, device);
    while (share < WARPS && groups * share < 2 * WARPS * room &&
           share * LANES < shape.K)
        share *= 2;
    unsigned down = (groups - 1) / (WARPS / share) + 1;
    unsigned across = (shape.N - 1) / COLS + 1;

    dots<<<down * across, THREADS, 0, stream>>>(A, B, C, shape, alpha, beta,
                                                share, down);
    return cudaGetLastError();
}
