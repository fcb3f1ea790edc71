// SPDX-License-Identifier: MIT
/* radix.cu: a stable radix sort of pairs, 4 bits at a time: counts per block, a
 * scan over counts, ranks by __match_any_sync; and a scan in one pass whose
 * blocks look back at the sums of those before, by acquire and release. */
#include <cuda/atomic>

#include "../check.h"

enum { THREADS = 128, WARPS = THREADS / 32, BINS = 16, N = 5000,
       BLOCKS = (N + THREADS - 1) / THREADS };

__global__ void count(const unsigned *key, int n, int shift, int *counts)
{
    __shared__ int bins[BINS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (threadIdx.x < BINS)
        bins[threadIdx.x] = 0;
    __syncthreads(); // bins are zero
    if (i < n)
        atomicAdd(&bins[key[i] >> shift & (BINS - 1)], 1);
    __syncthreads(); // bins are counted
    if (threadIdx.x < BINS)
        counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

enum { EMPTY = 0, SUM = 1, PREFIX = 2 };

/* Exclusive, in place; state: a word per block, zeros; ticket: zero. */
__global__ void scan(int *x, int n, unsigned long long *state, int *ticket)
{
    __shared__ int warp_sum[WARPS], number, before;
    if (threadIdx.x == 0)
        number = atomicAdd(ticket, 1);
    __syncthreads(); // number is drawn
    int i = number * THREADS + threadIdx.x, lane = threadIdx.x % 32;
    int v = i < n ? x[i] : 0, sum = v;
    for (int d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(0xffffffff, sum, d);
        sum += lane >= d ? left : 0;
    }
    if (lane == 31)
        warp_sum[threadIdx.x / 32] = sum;
    __syncthreads(); // warp_sum is complete
    int total = 0, mine = 0;
    for (int w = 0; w < WARPS; w++) {
        mine += w < (int)threadIdx.x / 32 ? warp_sum[w] : 0;
        total += warp_sum[w];
    }
    typedef cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> ref;
    if (threadIdx.x == 0) {
        int back = 0;
        ref(state[number]).store((unsigned long long)SUM << 32 | total,
                                 cuda::memory_order_release);
        for (int k = number - 1; k >= 0; k--) {
            unsigned long long s;
            do
                s = ref(state[k]).load(cuda::memory_order_acquire);
            while (s >> 32 == EMPTY);
            back += (int)s;
            if (s >> 32 == PREFIX)
                break;
        }
        ref(state[number]).store((unsigned long long)PREFIX << 32 |
                                     (unsigned)(back + total),
                                 cuda::memory_order_release);
        before = back;
    }
    __syncthreads(); // before is known
    if (i < n)
        x[i] = before + mine + sum - v;
}

__global__ void scatter(const unsigned *key, const unsigned *value, int n,
                        int shift, const int *offset, unsigned *to_key,
                        unsigned *to_value)
{
    __shared__ int seen[WARPS][BINS];
    int i = blockIdx.x * THREADS + threadIdx.x, warp = threadIdx.x / 32;
    unsigned lane = threadIdx.x % 32;
    for (int k = threadIdx.x; k < WARPS * BINS; k += THREADS)
        seen[k / BINS][k % BINS] = 0;
    __syncthreads(); // seen is zero
    int digit = i < n ? key[i] >> shift & (BINS - 1) : BINS;
    unsigned alike = __match_any_sync(0xffffffff, digit);
    int rank = __popc(alike & ((1u << lane) - 1));
    if (digit < BINS && rank == 0)
        seen[warp][digit] = __popc(alike);
    __syncthreads(); // seen is counted
    if (digit == BINS)
        return;
    int at = offset[digit * gridDim.x + blockIdx.x] + rank;
    for (int w = 0; w < warp; w++)
        at += seen[w][digit];
    to_key[at] = key[i];
    to_value[at] = value[i];
}

int main(void)
{
    unsigned *key[2], *value[2];
    int *counts, *ticket, n = BINS * BLOCKS;
    unsigned long long *state;
    int scans = (n + THREADS - 1) / THREADS;
    for (int k = 0; k < 2; k++) {
        CUDA(cudaMallocManaged(&key[k], N * sizeof **key));
        CUDA(cudaMallocManaged(&value[k], N * sizeof **value));
    }
    CUDA(cudaMalloc(&counts, n * sizeof *counts));
    CUDA(cudaMalloc(&state, scans * sizeof *state));
    CUDA(cudaMalloc(&ticket, sizeof *ticket));
    unsigned x = 1;
    for (int i = 0; i < N; i++) {
        x = x * 1664525 + 1013904223;
        key[0][i] = x >> 8 & 0xffff;
        value[0][i] = i;
    }
    for (int pass = 0; pass < 4; pass++) {
        int from = pass % 2;
        CUDA(cudaMemset(state, 0, scans * sizeof *state));
        CUDA(cudaMemset(ticket, 0, sizeof *ticket));
        count<<<BLOCKS, THREADS>>>(key[from], N, 4 * pass, counts);
        scan<<<scans, THREADS>>>(counts, n, state, ticket);
        scatter<<<BLOCKS, THREADS>>>(key[from], value[from], N, 4 * pass,
                                     counts, key[!from], value[!from]);
    }
    CUDA(cudaDeviceSynchronize());
    x = 1;
    for (int i = 1; i < N; i++)
        CHECK(key[0][i - 1] < key[0][i] || (key[0][i - 1] == key[0][i] &&
                                            value[0][i - 1] < value[0][i]));
    return 0;
}
