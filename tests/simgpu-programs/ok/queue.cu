// SPDX-License-Identifier: MIT
/* queue.cu: a queue for many producers and many consumers: a ring whose places
 * carry numbers, moved on by compare-and-swap behind fences. Its counters are
 * polled by atomics, by every thread. (Its checks of races once took a thousand
 * times as long as without.) */
#include "../check.h"

enum { PLACES = 64, BLOCKS = 4, THREADS = 32, EACH = 4 };
enum { VALUES = BLOCKS / 2 * THREADS * EACH };

struct queue {
    int value[PLACES];
    unsigned number[PLACES], head, tail;
};

__device__ unsigned look(unsigned *p)
{
    return *(volatile unsigned *)p;
}

/* The place that this thread may have, when its number is there: n + ready. */
__device__ bool claim(struct queue *q, unsigned *end, unsigned ready,
                      unsigned *n)
{
    *n = look(end);
    for (;;) {
        int ahead = (int)(look(&q->number[*n % PLACES]) - (*n + ready));
        __threadfence();
        if (ahead < 0)
            return false;
        unsigned old = ahead > 0 ? look(end) : atomicCAS(end, *n, *n + 1);
        if (ahead == 0 && old == *n)
            return true;
        *n = old;
    }
}

__device__ void pass_on(struct queue *q, unsigned n, unsigned number)
{
    __threadfence();
    atomicExch(&q->number[n % PLACES], number);
}

__global__ void work(struct queue *q, int *taken, int *sum)
{
    unsigned n;
    int me = blockIdx.x / 2 * THREADS + threadIdx.x;
    for (int i = 0; blockIdx.x % 2 && i < EACH; i++) {
        while (!claim(q, &q->tail, 0, &n))
            __nanosleep(20);
        q->value[n % PLACES] = me * EACH + i;
        pass_on(q, n, n + 1);
    }
    while (blockIdx.x % 2 == 0 && atomicAdd(taken, 0) < VALUES) {
        if (!claim(q, &q->head, 1, &n)) {
            __nanosleep(20);
            continue;
        }
        int value = q->value[n % PLACES];
        pass_on(q, n, n + PLACES);
        atomicAdd(sum, value);
        atomicAdd(taken, 1);
    }
}

int main(void)
{
    struct queue *q;
    int *sums;
    CUDA(cudaMallocManaged(&q, sizeof *q));
    CUDA(cudaMallocManaged(&sums, 2 * sizeof *sums));
    q->head = q->tail = 0;
    sums[0] = sums[1] = 0;
    for (unsigned n = 0; n < PLACES; n++)
        q->number[n] = n;
    work<<<BLOCKS, THREADS>>>(q, &sums[0], &sums[1]);
    CUDA(cudaDeviceSynchronize());
    CHECK_OF(sums[0] == VALUES, sums[0], VALUES);
    CHECK_OF(sums[1] == VALUES * (VALUES - 1) / 2, sums[1], VALUES);
    CUDA(cudaFree(q));
    CUDA(cudaFree(sums));
    return 0;
}
