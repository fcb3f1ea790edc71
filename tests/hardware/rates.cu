// SPDX-License-Identifier: MIT
/*
 * rates.cu: how fast a GPU's parts are, as NAME,VALUE,UNIT lines.
 *
 *   nvcc -O3 -arch=native -o rates tests/hardware/rates.cu && ./rates
 *
 * The traffic model (common/simgpu/core/model/model.c) takes its clocks from here:
 * a request of 32 lines, a wavefront, a miss. A kernel keeps one part busy on
 * every multiprocessor and counts its own clocks; latencies are one thread
 * that follows pointers. Addresses change from repetition to repetition, and
 * what is loaded is used, so that no compiler leaves it out.
 *
 *   rates one      launches each row's kernel once, on a block per
 *                  multiprocessor where the row is a rate, and prints how its
 *                  milliseconds become the row's value: for
 *                  book/predicted-rates.sh, which explains the lines
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum {
    BLOCK = 1024,
    BLOCKS_SM = 2,
    REPEAT = 64,
    UNROLL = 8,
    LANES = 32,
    STEP = 1536,     // floats from one repetition's place to the next
    SHARED = 24576   // bytes per block
};

static void cuda(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "rates: %s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

static const double LAUNCH_MS = 2.7e-3; // for `one`

static int sms;
static double khz;
static bool one;          // for the simulated GPU: see above
static long long *clocks; // a block's: begin, end
static float *memory;
static const size_t memory_bytes = (size_t)4 << 30;

#define EACH _Pragma("unroll") for (int u = 0; u < UNROLL; u++)

// Where the lane reads in repetition r, u-th time.
static __device__ float *place(float *p, int stride, int r, int u)
{
    return p + (r + u) % UNROLL * STEP + threadIdx.x % LANES * stride;
}

struct load_l1 {
    // Each repetition reads the same places in another order. ptxas would read
    // them once, did they not depend on what was read before.
    static __device__ void run(float *p, int stride, int r, float *sum)
    {
        float v[UNROLL];
        p += *sum == 12345.678f;
        EACH asm volatile("ld.global.ca.f32 %0, [%1];"
                          : "=f"(v[u])
                          : "l"(place(p, stride, r, u)));
        EACH *sum += v[u];
    }
};

struct load_l1_wide {
    static __device__ void run(float *p, int stride, int r, float *sum)
    {
        float4 v[UNROLL];
        EACH asm volatile("ld.global.ca.v4.f32 {%0, %1, %2, %3}, [%4];"
                          : "=f"(v[u].x), "=f"(v[u].y), "=f"(v[u].z),
                            "=f"(v[u].w)
                          : "l"(place(p, stride, r, u)));
        EACH *sum += v[u].x + v[u].w;
    }
};

struct store {
    static __device__ void run(float *p, int stride, int r, float *)
    {
        float *mine = p + (blockIdx.x * 32 + threadIdx.x / LANES) * 65536;
        EACH *(volatile float *)place(mine, stride, r, u) = r;
    }
};

struct red_own {
    static __device__ void run(float *p, int, int r, float *)
    {
        EACH atomicAdd(p + (blockIdx.x * UNROLL + (r + u) % UNROLL) * BLOCK +
                           threadIdx.x, 1.0f);
    }
};

struct red_one {
    static __device__ void run(float *p, int, int, float *)
    {
        EACH asm volatile("red.global.add.f32 [%0], %1;" ::"l"(p), "f"(1.0f));
    }
};

struct load_shared {
    static __device__ void run(float *, int stride, int r, float *sum)
    {
        extern __shared__ float tile[];
        float v[UNROLL];
        EACH v[u] = *(volatile float *)(tile + (r + u) % UNROLL +
                                        threadIdx.x % LANES * stride);
        EACH *sum += v[u];
    }
};

struct store_shared {
    static __device__ void run(float *, int stride, int r, float *)
    {
        extern __shared__ float tile[];
        EACH *(volatile float *)(tile + (r + u) % UNROLL +
                                 threadIdx.x % LANES * stride) = r;
    }
};

struct red_shared {
    static __device__ void run(float *, int stride, int r, float *)
    {
        extern __shared__ float tile[];
        EACH atomicAdd((int *)tile + (r + u) % UNROLL +
                           threadIdx.x % LANES * stride, 1);
    }
};

struct multiply_add {
    static __device__ void run(float *, int, int r, float *sum)
    {
        float v[UNROLL];
        EACH v[u] = *sum + u;
        for (int n = 0; n < 8; n++)
            EACH v[u] = v[u] * v[u] + r;
        EACH *sum += v[u];
    }
};

struct shuffle {
    static __device__ void run(float *, int, int r, float *sum)
    {
        float v[UNROLL];
        EACH v[u] = __shfl_xor_sync(0xffffffffu, *sum + u, 1 + r % 16);
        EACH *sum += v[u];
    }
};

// One operation of each kind on what was there before: its pipe is busy, as no
// result is needed for the next but one eighth of the operations.
#define OPERATION(name, type, from, expression)                                \
    struct name {                                                              \
        static __device__ void run(float *, int, int r, float *sum)            \
        {                                                                      \
            type v[UNROLL];                                                    \
            EACH v[u] = from;                                                  \
            EACH v[u] = expression;                                            \
            EACH *sum += (float)v[u];                                          \
        }                                                                      \
    }

OPERATION(divide_f32, float, *sum + u, v[u] / (r + 1.5f));
OPERATION(root_f32, float, *sum + u, sqrtf(v[u] + r));
OPERATION(exponential, float, *sum + u, exp2f(v[u] * r));
OPERATION(multiply_i32, int, (int)*sum + u, v[u] * (v[u] + r));
OPERATION(divide_i32, int, (int)*sum + u, v[u] / (r + 3));
OPERATION(multiply_i64, long long, (long long)*sum + u, v[u] * (v[u] + r));
OPERATION(divide_i64, long long, (long long)*sum + u, v[u] / (r + 3));
OPERATION(bit_count, unsigned, (unsigned)*sum + u, __popc(v[u] + r));
OPERATION(vote, unsigned, (unsigned)*sum + u,
          __ballot_sync(0xffffffffu, (int)v[u] > r));
OPERATION(divide_f64, double, *sum + u, v[u] / (r + 1.5));

struct barrier {
    static __device__ void run(float *, int, int, float *)
    {
        EACH __syncthreads();
    }
};

template <class Work>
static __global__ void busy(float *p, int stride, long long *clock)
{
    float sum = threadIdx.x;

    for (int r = 0; r < UNROLL; r++)
        Work::run(p, stride, r, &sum); // warm
    __syncthreads();
    long long begin = clock64();
    for (int r = 0; r < REPEAT; r++)
        Work::run(p, stride, r, &sum);
    __syncthreads();
    if (threadIdx.x == 0) {
        clock[2 * blockIdx.x] = begin;
        clock[2 * blockIdx.x + 1] = clock64();
    }
    if (sum == 12345.678f)
        p[0] = sum;
}

// A block's clocks, per request of both blocks of a multiprocessor, the mean of
// blocks. Both are there at once (residency.cu) where a thread needs no more
// than 32 registers, but their timed loops hardly meet: of load_shared_32's 32
// wavefronts this makes 16.4. It is half of what a request takes.
template <class Work>
static void rate(const char *name, int stride)
{
    int blocks = one ? sms : sms * BLOCKS_SM;
    size_t bytes = blocks * 2 * sizeof(long long);
    long long *host = (long long *)malloc(bytes);
    double sum = 0;

    if (one) {
        busy<Work><<<blocks, BLOCK, SHARED>>>(memory, stride, clocks);
        printf("%s_%d,%g,%g\n", name, stride,
               khz / (BLOCK / LANES * (REPEAT + UNROLL) * UNROLL) / BLOCKS_SM,
               LAUNCH_MS);
        free(host);
        return;
    }
    for (int twice = 0; twice < 2; twice++)
        busy<Work><<<blocks, BLOCK, SHARED>>>(memory, stride, clocks);
    cuda(cudaMemcpy(host, clocks, bytes, cudaMemcpyDeviceToHost), name);
    for (int b = 0; b < blocks; b++)
        sum += (double)(host[2 * b + 1] - host[2 * b]);
    printf("%s_%d,%.3f,clocks\n", name, stride,
           sum / blocks / (BLOCKS_SM * (BLOCK / LANES) * REPEAT * UNROLL));
    free(host);
}

static __global__ void chase(long long *p, int n, bool l1, long long *clock)
{
    long long q = (long long)p, begin = 0;

    for (int i = 0; i < 2 * n; i++) {
        if (i == n)
            begin = clock64();
        if (l1)
            asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(q));
        else
            asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(q));
    }
    clock[0] = clock64() - begin + (q == 0);
}

static __global__ void chase_shared(int n, long long *clock)
{
    __shared__ unsigned ring[64];
    unsigned first = (unsigned)__cvta_generic_to_shared(ring);

    for (int i = 0; i < 64; i++)
        ring[i] = first + (i + 1) % 64 * sizeof *ring;
    unsigned q = first;
    long long begin = clock64();
    for (int i = 0; i < n; i++)
        asm volatile("ld.shared.u32 %0, [%0];" : "+r"(q));
    clock[0] = clock64() - begin + (q == 0);
}

// n of all loads are measured.
static void print_latency(const char *name, int n, int all)
{
    long long took;

    if (one) {
        printf("%s,%g,%g\n", name, khz / all, LAUNCH_MS);
        return;
    }
    cuda(cudaMemcpy(&took, clocks, sizeof took, cudaMemcpyDeviceToHost), name);
    printf("%s,%.1f,clocks\n", name, (double)took / n);
}

// A ring over `bytes` in steps of `step`, in an order that no line follows.
// first: places that are followed, if there is no going round.
static void ring(size_t bytes, size_t step, size_t first)
{
    size_t n = bytes / step, jump = (n / 2 + 77) | 1;

    for (size_t i = 0, at = 0; first < n && i < first; i++) {
        size_t next = (at + jump) % n;
        char *place = (char *)memory + next * step;

        cuda(cudaMemcpy((char *)memory + at * step, &place, sizeof place,
                        cudaMemcpyHostToDevice), "ring");
        at = next;
    }
    if (first < n)
        return;
    char *host = (char *)calloc(bytes, 1);

    for (size_t i = 0, at = 0; i < n; i++) {
        size_t next = (at + jump) % n;

        *(char **)(host + at * step) = (char *)memory + next * step;
        at = next;
    }
    cuda(cudaMemcpy(memory, host, bytes, cudaMemcpyHostToDevice), "ring");
    free(host);
}

static void latencies(void)
{
    static const struct {
        const char *name;
        size_t bytes, step;
        int n, n_one; // for `one`, so many that the first round hardly counts
        bool l1;
    } rings[] = {
        {"latency_l1", 16 << 10, 128, 1000, 10000, true},
        {"latency_l2", 4 << 20, 128, 32768, 8 * 32768, false},
        {"latency_memory", (size_t)1 << 30, 4096, 100000, 1000, false},
    };

    for (auto &r : rings) {
        int n = one ? r.n_one : r.n;

        ring(r.bytes, r.step, 2 * (size_t)n);
        chase<<<1, 1>>>((long long *)memory, n, r.l1, clocks);
        print_latency(r.name, n, 2 * n);
    }
    chase_shared<<<1, 1>>>(1000, clocks);
    print_latency("latency_shared", 1000, 1000);
}

// Sweeps n float4 of each array, `step` apart, `times` times.
template <bool LOAD, bool STORE>
static __global__ void stream(float4 *to, const float4 *from, size_t n,
                              int step, int times)
{
    size_t all = (size_t)gridDim.x * blockDim.x;
    size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    for (int t = 0; t < times; t++)
        for (size_t i = first; i < n; i += all) {
            float4 v = {1, 2, 3, 4};

            if (LOAD) {
                v = __ldcg(from + (i + t * 4096) % n * step);
                sum += v.x + v.y + v.z + v.w;
            }
            if (STORE)
                to[i * step] = v;
        }
    if (LOAD && !STORE && sum == 12345.678f)
        to[0].x = sum;
}

static __global__ void nothing() {}

static float best_ms(void (*launch)(size_t, int, int), size_t n, int step,
                     int times)
{
    cudaEvent_t begin, end;
    float best = 1e30f, ms;

    if (one) {
        launch(n, step, times);
        return 1;
    }
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    for (int i = 0; i < 8; i++) {
        cudaEventRecord(begin);
        launch(n, step, times);
        cudaEventRecord(end);
        cuda(cudaEventSynchronize(end), "stream");
        cudaEventElapsedTime(&ms, begin, end);
        best = i > 1 && ms < best ? ms : best;
    }
    return best;
}

template <bool LOAD, bool STORE>
static void launch_stream(size_t n, int step, int times)
{
    float4 *to = (float4 *)memory;

    stream<LOAD, STORE><<<sms * 8, 256>>>(
        to, to + ((size_t)2 << 30) / sizeof *to, n, step, times);
}

static void print_bytes(const char *name, double bytes, float ms)
{
    if (one)
        printf("%s,%g,per\n", name, bytes * 1e-6);
    else
        printf("%s,%.1f,GB/s\n", name, bytes / ms * 1e-6);
}

// Bytes that must move, in sectors of 32: at a step of 4, half of a range.
template <bool LOAD, bool STORE>
static void bandwidth(const char *name, size_t bytes, int step, int times)
{
    size_t n = bytes / sizeof(float4) / step;
    double sector = step > 1 ? 32 : 16;
    float ms = best_ms(launch_stream<LOAD, STORE>, n, step, times);

    print_bytes(name, (LOAD + STORE) * n * sector * times, ms);
}

// A kernel that spins for so many clocks: the clock that the rest ran at.
static __global__ void spin(long long n)
{
    long long begin = clock64();

    while (clock64() - begin < n)
        ;
}

static void overheads(void)
{
    enum { MANY = 1000 };
    static const long long long_enough = 200 * 1000 * 1000;
    cudaEvent_t event[3];
    float ms;

    if (one) {
        nothing<<<sms, 128>>>();
        printf("=multiprocessors,%d\n=clock,%.0f\nlaunch,1e3,0\n", sms,
               khz * 1e-3);
        return;
    }
    printf("name,value,unit\nmultiprocessors,%d,\n", sms);
    for (auto &e : event)
        cudaEventCreate(&e);
    for (int twice = 0; twice < 2; twice++) {
        cudaEventRecord(event[0]);
        for (int i = 0; i < MANY; i++)
            nothing<<<sms, 128>>>();
        cudaEventRecord(event[1]);
        spin<<<sms, 128>>>(long_enough);
        cudaEventRecord(event[2]);
        cuda(cudaEventSynchronize(event[2]), "spin");
    }
    cudaEventElapsedTime(&ms, event[0], event[1]);
    printf("launch,%.2f,us\n", ms / MANY * 1e3);
    cudaEventElapsedTime(&ms, event[1], event[2]);
    printf("clock,%.0f,MHz\n", long_enough / ms * 1e-3);
}

// Bulk copies from a range that L2 holds into shared memory, `depth` under way
// per block.
static __global__ void bulk_read(const char *from, size_t bytes, int times)
{
#if __CUDA_ARCH__ >= 900
    enum { PIECE = 16384, DEPTH = 4 };
    extern __shared__ __align__(128) char room[];
    __shared__ unsigned long long ready[DEPTH];
    unsigned to = (unsigned)__cvta_generic_to_shared(room);
    unsigned object = (unsigned)__cvta_generic_to_shared(ready);
    size_t pieces = bytes / PIECE;

    if (threadIdx.x > 0)
        return;
    for (int d = 0; d < DEPTH; d++)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;"
                     ::"r"(object + 8 * d));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    for (int n = 0; n < times + DEPTH; n++) {
        unsigned d = n % DEPTH, done = n < DEPTH;
        const char *piece =
            from + (blockIdx.x + (size_t)n * gridDim.x) % pieces * PIECE;

        while (!done) // the copy that this place waits for
            asm volatile("{ .reg .pred p;"
                         "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;"
                         "selp.u32 %0, 1, 0, p; }"
                         : "=r"(done)
                         : "r"(object + 8 * d), "r"((n / DEPTH - 1) & 1)
                         : "memory");
        if (n >= times)
            continue;
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                     ::"r"(object + 8 * d), "r"(PIECE) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier"
                     "::complete_tx::bytes [%0], [%1], %2, [%3];"
                     ::"r"(to + d * PIECE), "l"(piece), "r"(PIECE),
                     "r"(object + 8 * d) : "memory");
    }
#endif
}

static void launch_bulk(size_t bytes, int, int times)
{
    bulk_read<<<sms * 2, 32, 4 * 16384>>>((const char *)memory, bytes, times);
}

static void bulk_bandwidth(void)
{
    enum { TIMES = 2000 };
    float ms;

    cuda(cudaFuncSetAttribute(bulk_read,
                              cudaFuncAttributeMaxDynamicSharedMemorySize,
                              4 * 16384), "bulk");
    ms = best_ms(launch_bulk, (size_t)16 << 20, 1, TIMES);
    print_bytes("read_l2_bulk", 2.0 * sms * TIMES * 16384, ms);
}

static void launch_blocks(size_t blocks, int warps, int)
{
    nothing<<<(unsigned)blocks, warps * LANES>>>();
}

// Clocks of a multiprocessor for a block that does nothing.
static void blocks_alone(void)
{
    enum { BLOCKS = 1 << 20 };

    for (int warps : {1, 2, 4, 8, 16, 32}) {
        float ms = best_ms(launch_blocks, BLOCKS, warps, 1);
        double clocks_per_ms = khz * sms / BLOCKS;

        if (one)
            printf("block_of_%d,%g,0\n", warps, clocks_per_ms);
        else
            printf("block_of_%d,%.1f,clocks\n", warps, ms * clocks_per_ms);
    }
}

int main(int argc, char **argv)
{
    int clock;

    one = argc > 1 && strcmp(argv[1], "one") == 0;
    cuda(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0),
         "device");
    cuda(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0), "clock");
    khz = clock;
    cuda(cudaMalloc(&memory, memory_bytes), "cudaMalloc");
    if (!one)
        cuda(cudaMemset(memory, 0x11, memory_bytes), "cudaMemset");
    cuda(cudaMalloc(&clocks, sms * BLOCKS_SM * 2 * sizeof *clocks), "clocks");
    overheads();
    for (int stride : {0, 1, 2, 4, 8, 16, 32, 48})
        rate<load_l1>("load", stride);
    for (int stride : {0, 4, 8, 16, 48})
        rate<load_l1_wide>("load_16_bytes", stride);
    for (int stride : {1, 2, 4, 8, 16, 48})
        rate<store>("store", stride);
    for (int stride : {1, 2, 4, 32})
        rate<load_shared>("load_shared", stride);
    for (int stride : {1, 2, 32})
        rate<store_shared>("store_shared", stride);
    for (int stride : {0, 1, 32})
        rate<red_shared>("atomic_shared", stride);
    rate<red_own>("atomic_own", 1);
    rate<red_one>("atomic_one", 0);
    rate<multiply_add>("eight_fma", 0);
    rate<shuffle>("shuffle", 0);
    rate<barrier>("barrier", 0);
    rate<divide_f32>("divide_f32", 0);
    rate<root_f32>("root_f32", 0);
    rate<exponential>("exponential", 0);
    rate<multiply_i32>("multiply_i32", 0);
    rate<divide_i32>("divide_i32", 0);
    rate<multiply_i64>("multiply_i64", 0);
    rate<divide_i64>("divide_i64", 0);
    rate<bit_count>("bit_count", 0);
    rate<vote>("vote", 0);
    rate<divide_f64>("divide_f64", 0);
    blocks_alone();
    bulk_bandwidth();
    bandwidth<true, false>("read_l2", (size_t)16 << 20, 1, 64);
    bandwidth<true, false>("read_l2_apart", (size_t)16 << 20, 4, 64);
    bandwidth<true, false>("read", (size_t)2 << 30, 1, 1);
    bandwidth<true, false>("read_apart", (size_t)2 << 30, 4, 1);
    bandwidth<false, true>("write", (size_t)2 << 30, 1, 1);
    bandwidth<true, true>("copy", (size_t)2 << 30, 1, 1);
    latencies();
    cuda(cudaDeviceSynchronize(), "rates");
    return 0;
}
