// SPDX-License-Identifier: MIT
/*
 * atomics.cu: how long atomics take that meet at few words, as NAME,VALUE,UNIT
 * lines: clocks of the whole GPU per lane.
 *
 *   nvcc -O3 -arch=native -o atomics tests/hardware/atomics.cu && ./atomics
 *   ./atomics one   launches each once, and prints how its milliseconds become
 *                   the row's value: for book/predicted-rates.sh
 *
 * NAME is TYPE_HOW_WORDS: all lanes add 1 to words that a hash draws
 * (`random`), to the block's number modulo WORDS (`alike`: all lanes of a warp
 * meet), or to consecutive words (`row`). common/simgpu/core/model/contention.c
 * takes its clocks from here. Two blocks of 1024 threads are resident, or one
 * where the name ends in `_half`: whether that matters is a question of its own.
 */
#include <cstdio>
#include <cstdlib>

enum { BLOCK = 1024, EACH = 32, WORDS_MOST = 1 << 20, REPEAT = 5 };
enum how { RANDOM, ALIKE, ROW };

static int repeat = REPEAT;

static void cuda(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "atomics: %s\n", cudaGetErrorString(error));
    exit(1);
}

static __device__ unsigned mixed(unsigned x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

template <class Type>
static __global__ void adds(Type *words, unsigned n, how how)
{
    unsigned thread = blockIdx.x * BLOCK + threadIdx.x;

    for (unsigned i = 0; i < EACH; i++) {
        unsigned at = how == RANDOM  ? mixed(thread * EACH + i)
                      : how == ALIKE ? blockIdx.x + i
                                     : thread + i * BLOCK;
        atomicAdd(words + at % n, (Type)1);
    }
}

template <class Type>
static float best_ms(Type *words, int blocks, unsigned n, how how,
                     size_t shared)
{
    cudaEvent_t begin, end;
    float best = 1e30f, ms;

    cuda(cudaFuncSetAttribute(adds<Type>,
                              cudaFuncAttributeMaxDynamicSharedMemorySize,
                              (int)shared));
    cuda(cudaEventCreate(&begin));
    cuda(cudaEventCreate(&end));
    for (int i = 0; i < repeat; i++) {
        cuda(cudaEventRecord(begin));
        adds<Type><<<blocks, BLOCK, shared>>>(words, n, how);
        cuda(cudaEventRecord(end));
        cuda(cudaEventSynchronize(end));
        cuda(cudaEventElapsedTime(&ms, begin, end));
        best = ms < best ? ms : best;
    }
    return best;
}

template <class Type>
static void measure(const char *type, Type *words, int sms, int khz)
{
    static const char *const names[] = {"random", "alike", "row"};

    for (int how = RANDOM; how <= ROW; how++)
        for (unsigned n = 1; n <= WORDS_MOST; n *= 4)
            for (int half = 0; half < 2; half++) {
                int blocks = 2 * sms;
                float ms = best_ms(words, blocks, n, (enum how)how,
                                   half ? 128 << 10 : 0);

                double per_ms = khz / ((double)blocks * BLOCK * EACH);
                printf(repeat == 1 ? "%s_%s_%u%s,%g,0\n"
                                   : "%s_%s_%u%s,%.4f,clocks\n",
                       type, names[how], n, half ? "_half" : "",
                       repeat == 1 ? per_ms : ms * per_ms);
            }
}

int main(int argc, char **argv)
{
    int sms, khz;
    void *words;

    (void)argv;
    if (argc > 1)
        repeat = 1;
    cuda(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    cuda(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
    cuda(cudaMalloc(&words, WORDS_MOST * sizeof(float)));
    cuda(cudaMemset(words, 0, WORDS_MOST * sizeof(float)));
    puts("name,value,unit");
    measure("u32", (unsigned *)words, sms, khz);
    measure("f32", (float *)words, sms, khz);
    return 0;
}
