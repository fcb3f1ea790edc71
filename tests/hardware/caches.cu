// SPDX-License-Identifier: MIT
/*
 * caches.cu: what a launch finds in L2 that the launch before it left there,
 * what loads of constants cost, and reads at random, as NAME,VALUE,UNIT lines.
 *
 *   nvcc -O3 -arch=native -o caches tests/hardware/caches.cu && ./caches
 *   ./caches one    launches each of them once, and prints how its milliseconds
 *                   become the row's value, or that it only came before: for
 *                   book/predicted-rates.sh, which explains the lines
 *
 * held_SEQUENCE_MIB: microseconds of the last launch of a sequence: the median
 * of all launches together, less that of those before it. Letters: what L2 is
 * full of at first (m: of a memset's dirty lines, as where stages are timed; k:
 * of lines that were read), then each launch, over arrays of so many MiB.
 *
 *     r, R   reads X; reads Y           b    reads X from its end
 *     w, W   writes X; writes Y         c    copies X to Y
 *     d      copies Y to Z              e    copies Y to X
 *
 * constant_KIND_WORDS: clocks of a multiprocessor per load of a warp, from so
 * many words of 4 bytes. walk: all lanes load one word, the next one each time;
 * jump: one word, 64 bytes on; near_D, far_D: D different words per warp, side
 * by side or 32 bytes apart. latency_constant_WORDS: clocks of one thread that
 * follows indices 64 bytes apart.
 *
 * random_LANES_MIB: picoseconds of the GPU per lane that reads 4 bytes of an
 * array of so many MiB, after a memset made L2 cold; so many lanes in a row
 * read one stretch, whose place a hash draws. random_again_: the same launch,
 * again.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

enum {
    BLOCK = 1024,
    LANES = 32,
    REPEAT = 64,         // loads of constants, UNROLL at a time
    UNROLL = 8,
    CONSTANTS = 16384,   // words: all of constant memory
    EACH = 32,           // words that a lane reads at random
    SAMPLES = 15,
};

static const size_t mib = (size_t)1 << 20;
static const double LAUNCH_MS = 2.7e-3; // for `one`
static bool one;
static int sms, khz;
static size_t flush_bytes;
static char *flush;
static float *out;

static void cuda(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "caches: %s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

static char *array(size_t bytes)
{
    char *p;

    cuda(cudaMalloc(&p, bytes), "cudaMalloc");
    if (!one)
        cuda(cudaMemset(p, 1, bytes), "cudaMemset");
    return p;
}

static double median(std::vector<double> &v)
{
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

// Launches ------------------------------------------------------------------

// Four loads are under way at once: n is a multiple of 4 times the threads.
template <bool LOAD, bool STORE, bool BACK>
static __global__ void sweep(float4 *to, const float4 *from, size_t n,
                             float *out)
{
    size_t all = (size_t)gridDim.x * blockDim.x;
    size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

#pragma unroll 4
    for (size_t i = first; i < n; i += all) {
        float4 v = {1, 2, 3, 4};

        if (LOAD) {
            v = from[BACK ? n - 1 - i : i];
            sum += v.x + v.y + v.z + v.w;
        }
        if (STORE)
            to[i] = v;
    }
    if (LOAD && !STORE && sum == 12345.678f)
        *out = sum;
}

struct arrays {
    float4 *x, *y, *z;
    size_t n;
};

static void launch(char what, const arrays &a)
{
    int blocks = sms * 8;

    switch (what) {
    case 'm':
        cuda(cudaMemsetAsync(flush, 7, flush_bytes), "memset");
        break;
    case 'k':
        sweep<true, false, false><<<blocks, 256>>>(
            NULL, (float4 *)flush, flush_bytes / sizeof(float4), out);
        break;
    case 'r':
        sweep<true, false, false><<<blocks, 256>>>(NULL, a.x, a.n, out);
        break;
    case 'R':
        sweep<true, false, false><<<blocks, 256>>>(NULL, a.y, a.n, out);
        break;
    case 'b':
        sweep<true, false, true><<<blocks, 256>>>(NULL, a.x, a.n, out);
        break;
    case 'w':
        sweep<false, true, false><<<blocks, 256>>>(a.x, NULL, a.n, out);
        break;
    case 'W':
        sweep<false, true, false><<<blocks, 256>>>(a.y, NULL, a.n, out);
        break;
    case 'c':
        sweep<true, true, false><<<blocks, 256>>>(a.y, a.x, a.n, out);
        break;
    case 'd':
        sweep<true, true, false><<<blocks, 256>>>(a.z, a.y, a.n, out);
        break;
    case 'e':
        sweep<true, true, false><<<blocks, 256>>>(a.x, a.y, a.n, out);
        break;
    }
}

// Microseconds of the first `length` launches of a sequence behind its first
// letter, which the host has time to queue meanwhile.
static double sequence_us(const char *sequence, size_t length, const arrays &a)
{
    static cudaEvent_t begin, end;
    std::vector<double> us;
    float ms;

    if (!begin) {
        cudaEventCreate(&begin);
        cudaEventCreate(&end);
    }
    for (int i = 0; i < (one ? 1 : SAMPLES); i++) {
        launch('m', a);
        launch(*sequence, a);
        cudaEventRecord(begin);
        for (size_t k = 1; k <= length; k++)
            launch(sequence[k], a);
        cudaEventRecord(end);
        cuda(cudaEventSynchronize(end), sequence);
        cudaEventElapsedTime(&ms, begin, end);
        us.push_back(ms * 1e3);
    }
    return median(us);
}

static void held(const char *sequence, size_t size, const arrays &a)
{
    size_t length = strlen(sequence) - 1;
    double all = sequence_us(sequence, length, a);
    double before = length > 1 ? sequence_us(sequence, length - 1, a) : 0;

    printf("held_%s_%zu,%.3f,us\n", sequence, size, all - before);
}

// What `one` plays: a sequence of launches whose last counts.
static void held_one(const char *sequence, size_t size, const arrays &a)
{
    launch('m', a);
    if (*sequence != 'm') {
        launch(*sequence, a);
        puts("before");
    }
    for (size_t k = 1; sequence[k]; k++) {
        launch(sequence[k], a);
        if (sequence[k + 1])
            puts("before");
        else
            printf("held_%s_%zu,1e3,0\n", sequence, size);
    }
}

static void all_held(void)
{
    static const char *const sequences[] = {
        "mr", "mw", "mc", "kr", "kw", "kc", "mrr", "mrb", "mwr", "mwb", "mww",
        "mrw", "mwR", "mrR", "mwW", "krr", "kwr", "kwR", "mcr", "mcR", "mcd",
        "mce", "mcdd", "mcec"};

    for (size_t size : {1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 64, 96, 128,
                        256}) {
        arrays a = {(float4 *)array(size * mib), (float4 *)array(size * mib),
                    (float4 *)array(size * mib), size * mib / sizeof(float4)};

        for (const char *s : sequences)
            (one ? held_one : held)(s, size, a);
        cudaFree(a.x);
        cudaFree(a.y);
        cudaFree(a.z);
    }
}

// Constants -----------------------------------------------------------------

static __constant__ unsigned table[CONSTANTS];

enum kind { WALK, JUMP, NEAR, FAR };

// The word that a lane loads as the k-th one.
template <kind KIND, int D>
static __device__ unsigned word(unsigned k)
{
    enum { LINE = 16, APART = 8 };
    unsigned lane = threadIdx.x % D;

    return KIND == WALK   ? k
           : KIND == JUMP ? k * LINE + k / LINE
           : KIND == NEAR ? k + lane
                          : k + lane * APART;
}

template <kind KIND, int D>
static __global__ void load_constants(unsigned mask, unsigned *out,
                                      long long *clock)
{
    unsigned sum = threadIdx.x;
    long long begin = 0;

    for (int r = -UNROLL; r < REPEAT; r++) {
        if (r == 0) {
            __syncthreads();
            begin = clock64();
        }
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            sum += table[word<KIND, D>(r * UNROLL + u) & mask] ^ sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        clock[2 * blockIdx.x] = begin;
        clock[2 * blockIdx.x + 1] = clock64();
    }
    if (sum == 12345)
        *out = sum;
}

static __global__ void chase(int n, unsigned first, unsigned *out,
                             long long *clock)
{
    unsigned at = first + threadIdx.x;
    long long begin = 0;

    for (int i = -n; i < n; i++) {
        if (i == 0)
            begin = clock64();
        at = table[at];
    }
    clock[0] = clock64() - begin;
    *out = at;
}

// A block's clocks, per load of both blocks of a multiprocessor. Both are there
// at once, but their timed loops hardly meet, and so this is half of what a
// load takes, as in rates.cu. The grid's time over both blocks' loads says how
// good that is: 4.05 clocks for near_2 (residency-h200.txt); this gives 2.10.
template <kind KIND, int D>
static void constants(const char *name, unsigned words)
{
    int blocks = one ? sms : sms * 2;
    static long long *clock, host[1024 * 2];
    double sum = 0;

    if (!clock)
        clock = (long long *)array(sizeof host);
    for (int twice = 0; twice < (one ? 1 : 3); twice++)
        load_constants<KIND, D><<<blocks, BLOCK>>>(words - 1, (unsigned *)out,
                                                   clock);
    if (one) {
        printf("constant_%s_%u,%g,%g\n", name, words,
               (double)khz / (BLOCK / LANES * (REPEAT + UNROLL) * UNROLL) / 2,
               LAUNCH_MS);
        return;
    }
    cuda(cudaMemcpy(host, clock, sizeof host, cudaMemcpyDeviceToHost), name);
    for (int b = 0; b < blocks; b++)
        sum += (double)(host[2 * b + 1] - host[2 * b]);
    printf("constant_%s_%u,%.3f,clocks\n", name, words,
           sum / blocks / (2 * BLOCK / LANES * REPEAT * UNROLL));
}

static void constant_latency(unsigned words)
{
    static unsigned host[CONSTANTS];
    unsigned n = words / 16;
    long long *clock = (long long *)array(sizeof *clock), took;

    for (unsigned i = 0; i < n; i++)
        host[i * 16] = (i + (n / 2 | 1)) % n * 16;
    cuda(cudaMemcpyToSymbol(table, host, sizeof host), "table");
    chase<<<1, 1>>>(2048, 0, (unsigned *)out, clock);
    if (one) {
        printf("latency_constant_%u,%g,%g\n", words, (double)khz / (2 * 2048),
               LAUNCH_MS);
        return;
    }
    cuda(cudaMemcpy(&took, clock, sizeof took, cudaMemcpyDeviceToHost),
         "chase");
    printf("latency_constant_%u,%.1f,clocks\n", words, took / 2048.0);
    cudaFree(clock);
}

static void all_constants(void)
{
    for (unsigned words = 64; words <= CONSTANTS; words *= 2) {
        constant_latency(words);
        constants<WALK, 1>("walk", words);
        constants<JUMP, 1>("jump", words);
    }
    for (unsigned words : {256u, 16384u}) {
        constants<NEAR, 2>("near_2", words);
        constants<NEAR, 4>("near_4", words);
        constants<NEAR, 8>("near_8", words);
        constants<NEAR, 16>("near_16", words);
        constants<NEAR, 32>("near_32", words);
        constants<FAR, 2>("far_2", words);
        constants<FAR, 4>("far_4", words);
        constants<FAR, 8>("far_8", words);
        constants<FAR, 16>("far_16", words);
        constants<FAR, 32>("far_32", words);
    }
}

// Reads at random -----------------------------------------------------------

static __device__ unsigned mixed(unsigned x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

// mask: words of the array, less 1; so many lanes in a row share a draw.
static __global__ void gather(const float *words, unsigned mask, unsigned lanes,
                              float *out)
{
    unsigned thread = blockIdx.x * BLOCK + threadIdx.x;
    float sum = 0;

#pragma unroll 4
    for (unsigned i = 0; i < EACH; i++) {
        unsigned draw = mixed((thread / lanes + i * 0x1000000u) * 2654435761u);

        sum += words[((draw & ~(lanes - 1)) + thread % lanes) & mask];
    }
    if (sum == 12345.678f)
        *out = sum;
}

static void all_random(void)
{
    cudaEvent_t event[3];

    for (auto &e : event)
        cudaEventCreate(&e);
    for (size_t size : {1, 4, 16, 32, 64, 128, 256, 1024, 4096, 16384})
        for (unsigned lanes : {1u, 8u, 32u}) {
            size_t bytes = size * mib;
            double all = 2.0 * sms * BLOCK * EACH;
            std::vector<double> first, again;
            float ms;

            char *words = array(bytes);
            for (int i = 0; i < (one ? 1 : SAMPLES); i++) {
                cuda(cudaMemsetAsync(flush, 7, flush_bytes), "memset");
                for (int k = 0; k < 2; k++) {
                    cudaEventRecord(event[k]);
                    gather<<<2 * sms, BLOCK>>>((float *)words,
                                               (unsigned)(bytes / 4 - 1),
                                               lanes, out);
                }
                cudaEventRecord(event[2]);
                cuda(cudaEventSynchronize(event[2]), "random");
                if (one)
                    continue;
                cudaEventElapsedTime(&ms, event[0], event[1]);
                first.push_back(ms);
                cudaEventElapsedTime(&ms, event[1], event[2]);
                again.push_back(ms);
            }
            if (one)
                printf("random_%u_%zu,%g,0\nrandom_again_%u_%zu,%g,0\n",
                       lanes, size, 1e9 / all, lanes, size, 1e9 / all);
            else
                printf("random_%u_%zu,%.4f,ps\nrandom_again_%u_%zu,%.4f,ps\n",
                       lanes, size, median(first) * 1e9 / all, lanes, size,
                       median(again) * 1e9 / all);
            cudaFree(words);
        }
}

int main(int argc, char **argv)
{
    int l2;

    one = argc > 1 && strcmp(argv[1], "one") == 0;
    cuda(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0),
         "sms");
    cuda(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0), "clock");
    cuda(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0), "L2");
    flush_bytes = 2 * (size_t)l2;
    flush = array(flush_bytes);
    out = (float *)array(256);
    printf(one ? "=l2,%d\n=clock,%d\n"
               : "name,value,unit\nl2,%d,bytes\nclock,%d,kHz\n", l2, khz);
    all_constants();
    all_random();
    all_held();
    cuda(cudaDeviceSynchronize(), "caches");
    return 0;
}
