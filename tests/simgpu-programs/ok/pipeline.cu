// SPDX-License-Identifier: MIT
/* pipeline.cu: pieces of work pass three streams: one copies in, one computes,
 * one copies out and calls the host. Events order them; two buffers per stage
 * are used again and again. */
#include "../check.h"

enum { PIECES = 9, PIECE = 1500, SLOTS = 2, THREADS = 128 };

__global__ void smooth(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * 2 + (i ? x[i - 1] : 0) + (i + 1 < n ? x[i + 1] : 0);
}

struct note {
    const int *result;
    long long sum;
};

static void CUDART_CB add_up(void *p)
{
    struct note *note = (struct note *)p;
    for (int i = 0; i < PIECE; i++)
        note->sum += note->result[i];
}

int main()
{
    int *in, *out, *x[SLOTS], *y[SLOTS];
    static struct note notes[PIECES];
    cudaStream_t load, compute, store;
    cudaEvent_t loaded[SLOTS], computed[SLOTS], stored[SLOTS];
    CUDA(cudaMallocHost(&in, PIECES * PIECE * sizeof *in));
    CUDA(cudaMallocHost(&out, PIECES * PIECE * sizeof *out));
    for (int i = 0; i < PIECES * PIECE; i++)
        in[i] = (int)(i * 2654435761u >> 22);
    CUDA(cudaStreamCreateWithFlags(&load, cudaStreamNonBlocking));
    CUDA(cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking));
    CUDA(cudaStreamCreateWithFlags(&store, cudaStreamNonBlocking));
    for (int s = 0; s < SLOTS; s++) {
        CUDA(cudaMalloc(&x[s], PIECE * sizeof *x[s]));
        CUDA(cudaMalloc(&y[s], PIECE * sizeof *y[s]));
        CUDA(cudaEventCreateWithFlags(&loaded[s], cudaEventDisableTiming));
        CUDA(cudaEventCreateWithFlags(&computed[s], cudaEventDisableTiming));
        CUDA(cudaEventCreateWithFlags(&stored[s], cudaEventDisableTiming));
    }
    for (int p = 0; p < PIECES; p++) {
        int s = p % SLOTS;
        int *result = out + p * PIECE;
        if (p >= SLOTS) /* its input has been read */
            CUDA(cudaStreamWaitEvent(load, computed[s], 0));
        CUDA(cudaMemcpyAsync(x[s], in + p * PIECE, PIECE * sizeof *in,
                             cudaMemcpyHostToDevice, load));
        CUDA(cudaEventRecord(loaded[s], load));
        CUDA(cudaStreamWaitEvent(compute, loaded[s], 0));
        if (p >= SLOTS) /* its output has been copied */
            CUDA(cudaStreamWaitEvent(compute, stored[s], 0));
        smooth<<<(PIECE + THREADS - 1) / THREADS, THREADS, 0, compute>>>(
            x[s], y[s], PIECE);
        CUDA(cudaEventRecord(computed[s], compute));
        CUDA(cudaStreamWaitEvent(store, computed[s], 0));
        CUDA(cudaMemcpyAsync(result, y[s], PIECE * sizeof *out,
                             cudaMemcpyDeviceToHost, store));
        CUDA(cudaEventRecord(stored[s], store));
        notes[p].result = result;
        CUDA(cudaLaunchHostFunc(store, add_up, &notes[p]));
    }
    CUDA(cudaDeviceSynchronize());
    for (int p = 0; p < PIECES; p++) {
        const int *x0 = in + p * PIECE;
        long long sum = 0;
        for (int i = 0; i < PIECE; i++)
            sum += 4LL * x0[i];
        CHECK(notes[p].sum == sum - x0[0] - x0[PIECE - 1]);
    }
    printf("%d pieces\n", PIECES);
    return 0;
}
