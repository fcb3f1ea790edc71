// SPDX-License-Identifier: MIT
/* polls_beside.cu: work that comes while a kernel polls. The host launches,
 * records, queries and copies before it sets the flag; a host function, a copy,
 * a graph or a kernel on another stream ends the polling. All kernels are
 * loaded before; that cudaMalloc does not wait, no GPU promises. */
#include <unistd.h>

#include "../check.h"

__global__ void for_flag(volatile int *flag, int *got)
{
    while (*flag == 0)
        ;
    *got = *flag;
}

__global__ void add(int *x, int by)
{
    *x += by;
}

/* data is there before the flag. */
__global__ void for_data(volatile int *flag, const int *data, int *sum)
{
    while (*flag == 0)
        ;
    __threadfence();
    for (int k = 0; k < 64; k++)
        *sum += data[k];
}

__global__ void in_turn(volatile int *turn, int me, int *tries)
{
    int n = 0;
    for (int k = 0; k < 5; k++) {
        while (*turn != me)
            n++;
        __threadfence();
        *turn = 1 - me;
    }
    *tries = n;
}

/* Memory of the host: what to do, and the answer. */
__global__ void serve(volatile int *box)
{
    for (;;) {
        int wanted;
        while ((wanted = box[0]) == 0)
            ;
        if (wanted < 0)
            return;
        box[0] = 0;
        __threadfence_system();
        box[1] = 2 * wanted;
    }
}

static void CUDART_CB set(void *flag)
{
    *(volatile int *)flag = 7;
}

static int *x, *device_flag;
static volatile int *box;
static cudaStream_t polling, other;

static int number(int k)
{
    int n;
    CUDA(cudaMemcpy(&n, x + k, sizeof n, cudaMemcpyDeviceToHost));
    return n;
}

static void clear(void)
{
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaMemset(x, 0, 64 * sizeof *x));
    CUDA(cudaMemset(device_flag, 0, sizeof *device_flag));
    box[0] = box[1] = box[2] = 0;
    CUDA(cudaDeviceSynchronize());
}

static void all_before_the_flag(void)
{
    cudaEvent_t behind, beside;
    float ms;
    int *more;
    CUDA(cudaEventCreate(&behind));
    CUDA(cudaEventCreate(&beside));
    for_flag<<<1, 1, 0, polling>>>(box, x);
    add<<<1, 1, 0, polling>>>(x, 10);
    CUDA(cudaMemcpyAsync((void *)(box + 2), x, sizeof *x,
                         cudaMemcpyDeviceToHost, polling));
    CUDA(cudaEventRecord(behind, polling));
    add<<<1, 1, 0, other>>>(x + 1, 3);
    CUDA(cudaEventRecord(beside, other));
    CUDA(cudaStreamWaitEvent(other, behind, 0));
    add<<<1, 1, 0, other>>>(x, 100);
    if (SIMULATED)
        CUDA(cudaMalloc(&more, 64 << 20));
    for (int k = 0; k < 3; k++) {
        CHECK(cudaStreamQuery(polling) == cudaErrorNotReady);
        CHECK(cudaEventQuery(behind) == cudaErrorNotReady);
        CHECK(cudaStreamQuery(other) == cudaErrorNotReady);
    }
    CUDA(cudaEventSynchronize(beside));
    CHECK(cudaEventElapsedTime(&ms, beside, behind) == cudaErrorNotReady);
    cudaGetLastError();
    set((void *)box);
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaEventElapsedTime(&ms, beside, behind));
    CHECK(ms > 0);
    CHECK_OF(number(0) == 117, number(0), 117);
    CHECK_OF(number(1) == 3, number(1), 3);
    CHECK_OF(box[2] == 17, box[2], 17);
    if (SIMULATED)
        CUDA(cudaFree(more));
}

static void by_a_host_function(void)
{
    for_flag<<<1, 1, 0, polling>>>(box, x);
    CUDA(cudaLaunchHostFunc(polling, set, (void *)(box + 1)));
    for_flag<<<1, 1, 0, polling>>>(box + 1, x + 1);
    CUDA(cudaLaunchHostFunc(other, set, (void *)box));
    CUDA(cudaDeviceSynchronize());
    CHECK_OF(number(0) == 7, number(0), 7);
    CHECK_OF(number(1) == 7, number(1), 7);
}

static void by_copies(void)
{
    int data[64], sum = 0, one = 1;
    for (int k = 0; k < 64; k++)
        sum += data[k] = k + 1;
    for_data<<<1, 1, 0, polling>>>(device_flag, x, x + 64);
    CUDA(cudaMemcpyAsync(x, data, sizeof data, cudaMemcpyHostToDevice, other));
    CUDA(cudaMemcpyAsync(device_flag, &one, sizeof one, cudaMemcpyHostToDevice,
                         other));
    CUDA(cudaDeviceSynchronize());
    CHECK_OF(number(64) == sum, number(64), sum);
}

static void by_kernels(void)
{
    in_turn<<<1, 1, 0, polling>>>(device_flag, 1, x);
    in_turn<<<1, 1, 0, other>>>(device_flag, 0, x + 1);
    CUDA(cudaDeviceSynchronize());
    CHECK(number(0) > 0);
}

static void by_graph(void)
{
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    CUDA(cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal));
    CUDA(cudaMemsetAsync(device_flag, 1, sizeof *device_flag, other));
    add<<<1, 1, 0, other>>>(x + 1, 2);
    CUDA(cudaStreamEndCapture(other, &graph));
    CUDA(cudaGraphInstantiate(&ready, graph, 0));
    CUDA(cudaGraphUpload(ready, other));
    CUDA(cudaStreamSynchronize(other));
    for_flag<<<1, 1, 0, polling>>>(device_flag, x);
    CUDA(cudaGraphLaunch(ready, other));
    CUDA(cudaDeviceSynchronize());
    CHECK_OF(number(0) == 0x01010101, number(0), 0x01010101);
    CHECK_OF(number(1) == 2, number(1), 2);
}

static void by_messages(void)
{
    serve<<<1, 1, 0, polling>>>(box);
    for (int k = 1; k <= 10; k++) {
        add<<<1, 1, 0, other>>>(x, k);
        box[1] = 0;
        box[0] = k;
        while (box[1] == 0)
            ;
        CHECK_OF(box[1] == 2 * k, box[1], 2 * k);
        CUDA(cudaStreamSynchronize(other));
    }
    box[0] = -1;
    CUDA(cudaStreamSynchronize(polling));
    CHECK_OF(number(0) == 55, number(0), 55);
}

static void load(void)
{
    LOAD(for_flag);
    LOAD(add);
    LOAD(for_data);
    LOAD(in_turn);
    LOAD(serve);
}

int main(void)
{
    load();
    CUDA(cudaMalloc(&x, 65 * sizeof *x));
    CUDA(cudaMemset(x, 0, 65 * sizeof *x));
    CUDA(cudaMalloc(&device_flag, sizeof *device_flag));
    CUDA(cudaMallocHost((void **)&box, 3 * sizeof *box));
    CUDA(cudaStreamCreateWithFlags(&polling, cudaStreamNonBlocking));
    CUDA(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    void (*const ways[])(void) = {all_before_the_flag, by_a_host_function,
                                  by_copies, by_kernels, by_graph,
                                  by_messages};
    for (unsigned k = 0; k < sizeof ways / sizeof *ways; k++) {
        clear();
        ways[k]();
    }
    return 0;
}
