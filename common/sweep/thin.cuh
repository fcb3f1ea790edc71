// SPDX-License-Identifier: MIT
// What thin.cu and thin_bf16.cu share: a product whose k is split among blocks.
// A file that includes this defines, before it:
//
//   TM, TN, BK, THREADS, PITCH, BLOCKS, JOINED   the sizes, which a candidate
//                                                changes in its own file
//   element            of A, B and C
//   widened, rounded   an element as fp32, and fp32 as an element
//   LAUNCHER, QUERY    the operator's symbols

static __device__ void finish(element *c, float sum, float alpha, float beta)
{
    *c = rounded(beta == 0.0f ? alpha * sum
                              : alpha * sum + beta * widened(*c));
}

// Two tiles on chip, with zeros where the matrices end or the part does.
static __device__ void load(float (*a)[PITCH], float (*b)[TN],
                            const element *A, const element *B,
                            struct gemm_shape s, int row, int col, int first,
                            int end)
{
    for (int i = threadIdx.x; i < TM * BK; i += THREADS) {
        int m = row + i / BK, k = first + i % BK;

        a[i / BK][i % BK] =
            m < s.M && k < end ? widened(A[(size_t)m * s.lda + k]) : 0.0f;
    }
    for (int i = threadIdx.x; i < BK * TN; i += THREADS) {
        int k = first + i / TN, n = col + i % TN;

        b[i / TN][i % TN] =
            k < end && n < s.N ? widened(B[(size_t)k * s.ldb + n]) : 0.0f;
    }
}

// blockIdx.y is the part of k. With one part the cells are final; otherwise
// they go to partial, M x N per part.
static __global__ void __launch_bounds__(THREADS)
    gemm(const element *A, const element *B, element *C, struct gemm_shape s,
         float alpha, float beta, int parts, float *partial)
{
    __shared__ float a[TM][PITCH], b[BK][TN];
    int across = (s.N - 1) / TN + 1, steps = (s.K - 1) / BK + 1;
    int row = blockIdx.x / across * TM, col = blockIdx.x % across * TN;
    int m = threadIdx.x / TN, n = threadIdx.x % TN, part = blockIdx.y;
    int from = (int)((long long)steps * part / parts) * BK;
    int end = min((int)((long long)steps * (part + 1) / parts) * BK, s.K);
    float sum = 0.0f;

    for (int first = from; first < end; first += BK) {
        load(a, b, A, B, s, row, col, first, end);
        __syncthreads(); // the tiles are complete
        for (int k = 0; k < BK; k++)
            sum += a[m][k] * b[k][n];
        __syncthreads(); // nobody reads them any more
    }
    row += m;
    col += n;
    if (row >= s.M || col >= s.N)
        return;
    if (parts == 1)
        finish(C + (size_t)row * s.ldc + col, sum, alpha, beta);
    else
        partial[((size_t)part * s.M + row) * s.N + col] = sum;
}

// The parts of a cell, in their order.
static __global__ void join(const float *partial, element *C,
                            struct gemm_shape s, float alpha, float beta,
                            int parts)
{
    size_t cells = (size_t)s.M * s.N;
    size_t cell = (size_t)blockIdx.x * JOINED + threadIdx.x;
    float sum = 0.0f;

    if (cell >= cells)
        return;
    for (int part = 0; part < parts; part++)
        sum += partial[part * cells + cell];
    finish(C + cell / s.N * s.ldc + cell % s.N, sum, alpha, beta);
}

static int tiles_of(struct gemm_shape s)
{
    return ((s.M - 1) / TM + 1) * ((s.N - 1) / TN + 1);
}

// As many parts as there is room for, and none without a step of k.
static int parts_of(struct gemm_shape s)
{
    int device = 0, room = 1;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&room, cudaDevAttrMultiProcessorCount, device);
    return max(1, min((s.K - 1) / BK + 1, room * BLOCKS / tiles_of(s)));
}

size_t QUERY(struct gemm_shape shape)
{
    int parts = parts_of(shape);

    return parts > 1 ? sizeof(float) * parts * shape.M * shape.N : 0;
}

cudaError_t LAUNCHER(const element *A, const element *B, element *C,
                     struct gemm_shape shape, float alpha, float beta,
                     void *workspace, cudaStream_t stream)
{
    int parts = parts_of(shape);
    dim3 grid(tiles_of(shape), parts);
    size_t cells = (size_t)shape.M * shape.N;
    float *partial = (float *)workspace;

    gemm<<<grid, THREADS, 0, stream>>>(A, B, C, shape, alpha, beta, parts,
                                       partial);
    if (parts > 1)
        join<<<(unsigned)((cells - 1) / JOINED + 1), JOINED, 0, stream>>>(
            partial, C, shape, alpha, beta, parts);
    return cudaGetLastError();
}
