// SPDX-License-Identifier: MIT
// What panel.cu and panel_bf16.cu share: a product with a short k, whose lanes
// lie along the rows of C. A file that includes this defines, before it:
//
//   TM, TN, WARPS, BLOCKS   sizes, which a candidate changes in its own file
//   element                 of A, B and C
//   bring, arrived          an element's way on chip, as fp32; all are there
//   widened, rounded        an element as fp32, and fp32 as an element
//   LAUNCHER, QUERY         the operator's symbols

enum {
    LANES = 32,
    BK = LANES, // of k on chip at a time: a lane copies one of a row of A
    HIGH = WARPS * TM,  // rows of C per block
    WIDE = LANES * TN,  // columns
    THREADS = WARPS * LANES
};

// Two tiles on chip, with zeros where the matrices end and where k does: up to
// `deep`, a multiple of four.
static __device__ __forceinline__ void
load(float (*a)[BK], float (*b)[WIDE], const element *A, const element *B,
     struct gemm_shape s, int row0, int col0, int first, int deep)
{
    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;

    if (lane < deep)
#pragma unroll 8
        for (int i = 0; i < TM; i++) {
            int m = row0 + warp * TM + i, k = first + lane;

            bring(&a[warp * TM + i][lane], A + (size_t)m * s.lda + k, A,
                  m < s.M && k < s.K);
        }
    for (int i = warp; i < deep; i += WARPS)
#pragma unroll
        for (int j = 0; j < TN; j++) {
            int k = first + i, n = col0 + j * LANES + lane;

            bring(&b[i][j * LANES + lane], B + (size_t)k * s.ldb + n, B,
                  k < s.K && n < s.N);
        }
    arrived();
}

// A warp has TM rows of C, and a lane every 32nd of their columns: a warp's
// stores are whole rows of 128 bytes wherever a row begins, all lanes read one
// address of A on chip, and neighbours read neighbours of B.
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    gemm(const element *A, const element *B, element *C, struct gemm_shape s,
         float alpha, float beta)
{
    __shared__ __align__(16) float a[HIGH][BK];
    __shared__ float b[BK][WIDE];
    int across = (s.N - 1) / WIDE + 1;
    int row0 = blockIdx.x / across * HIGH, col0 = blockIdx.x % across * WIDE;
    int row = threadIdx.x / LANES * TM, lane = threadIdx.x % LANES;
    float sum[TM][TN] = {{0.0f}};

    for (int first = 0, left = s.K; left > 0; first += BK, left -= BK) {
        int deep = (min(left, (int)BK) + 3) / 4 * 4;

        load(a, b, A, B, s, row0, col0, first, deep);
        __syncthreads(); // the tiles are complete
        for (int k = 0; k < deep; k += 4) {
            float column[4][TN];

#pragma unroll
            for (int e = 0; e < 4; e++)
#pragma unroll
                for (int j = 0; j < TN; j++)
                    column[e][j] = b[k + e][j * LANES + lane];
#pragma unroll
            for (int i = 0; i < TM; i++) {
                float4 four = *(const float4 *)&a[row + i][k];

#pragma unroll
                for (int j = 0; j < TN; j++) {
                    sum[i][j] += four.x * column[0][j];
                    sum[i][j] += four.y * column[1][j];
                    sum[i][j] += four.z * column[2][j];
                    sum[i][j] += four.w * column[3][j];
                }
            }
        }
        __syncthreads(); // nobody reads them any more
    }
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j++) {
            int m = row0 + row + i, n = col0 + j * LANES + lane;
            element *c = C + (size_t)m * s.ldc + n;

            if (m < s.M && n < s.N)
                *c = rounded(beta == 0.0f
                                 ? alpha * sum[i][j]
                                 : alpha * sum[i][j] + beta * widened(*c));
        }
}

size_t QUERY(struct gemm_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t LAUNCHER(const element *A, const element *B, element *C,
                     struct gemm_shape shape, float alpha, float beta,
                     void *workspace, cudaStream_t stream)
{
    unsigned down = (shape.M - 1) / HIGH + 1, across = (shape.N - 1) / WIDE + 1;

    (void)workspace;
    gemm<<<down * across, THREADS, 0, stream>>>(A, B, C, shape, alpha, beta);
    return cudaGetLastError();
}
