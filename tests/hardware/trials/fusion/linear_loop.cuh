// SPDX-License-Identifier: MIT
// linear_loop.cuh: chapter 15's loop for linear_parts.cuh; included once behind
// each of its copies, in that copy's namespace.

// M and N are multiples of the tile's.
template <int PARTS, class Epilogue>
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    loop_kernel(const float *X, const float *W, struct linear_shape s,
                Epilogue epilogue)
{
    extern __shared__ __align__(16) float on_chip[]; // the sums of a tile
    struct gemm_shape g = {s.M, s.N, s.K, s.K, s.N, s.N};
    int down = s.M / BM, steps = (s.K - 1) / BK + 1;
    int part = blockIdx.x % PARTS, tile = blockIdx.x / PARTS;
    int row0 = tile % down * BM, col0 = tile / down * BN;
    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    int t_row = warp / (BN / WN) * WM + lane / 2 % DOWN * 4;
    int t_col = warp % (BN / WN) * WN + (lane / 16 * 2 + lane % 2) * 4;
    float sum[TM][TN] = {{0.0f}};

    multiply(sum, X, W, g, row0, col0, t_row, t_col, steps * part / PARTS * BK,
             min(s.K, steps * (part + 1) / PARTS * BK), true);
    __pipeline_wait_prior(0);
    __syncthreads(); // the ring is read: sums take its place
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j += 4) {
            int m = t_row + i / 4 * 4 * DOWN + i % 4;

            *(float4 *)(on_chip + m * BN + t_col + j * ACROSS) = make_float4(
                sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
        }
    parts_finish<PARTS, 1, BM, BN, THREADS>(on_chip, s, row0, col0,
                                                     part, epilogue);
}

template <int PARTS, class Epilogue>
static cudaError_t loop_launch(const float *X, const float *W,
                               struct linear_shape s, Epilogue epilogue)
{
    void *args[] = {&X, &W, &s, &epilogue};

    return parts_run((const void *)loop_kernel<PARTS, Epilogue>,
                     s.M / BM * (s.N / BN), PARTS,
                     THREADS,
                     BM * BN * sizeof(float), args);
}
