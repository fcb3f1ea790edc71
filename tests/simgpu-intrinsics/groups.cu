// SPDX-License-Identifier: MIT
/*
 * groups.cu: cooperative groups of every kind, vector and 128-bit atomics,
 * alloca, by results: each kernel against a loop on the host. Prints what is
 * wrong, and nothing else; every check of the simulated GPU is on.
 */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <alloca.h>
#include <cstdio>
#include <cstring>

namespace cg = cooperative_groups;

enum { N = 512 };
static int in[N], out[6 * N];
static int *d_in, *d_out;
static int wrong;

static int value(int i)
{
    return (int)(i * 2654435761u >> 20) - 1500;
}

static void expect(const char *what, int i, long long want, long long got)
{
    if (want != got && wrong++ < 20)
        printf("%s, %d: %lld, not %lld\n", what, i, got, want);
}

static void begin(void)
{
    for (int i = 0; i < N; i++)
        in[i] = value(i);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemset(d_out, 0, sizeof out);
}

static void end(const char *what)
{
    cudaError_t error = cudaMemcpy(out, d_out, sizeof out,
                                   cudaMemcpyDeviceToHost);
    if (error)
        printf("%s: %s\n", what, cudaGetErrorString(error)), wrong++;
}

/* Tiles of more threads than a warp has. */
template <int SIZE, bool OWN_MEMORY> __global__ void wide(const int *x, int *y)
{
    __shared__ cg::block_tile_memory<OWN_MEMORY ? N : 1> memory;
    auto block = OWN_MEMORY ? cg::this_thread_block(memory)
                            : cg::this_thread_block();
    auto tile = cg::tiled_partition<SIZE>(block);
    int t = threadIdx.x;
    y[t] = cg::reduce(tile, x[t], cg::plus<int>());
    y[N + t] = cg::inclusive_scan(tile, x[t]);
    y[2 * N + t] = tile.shfl(x[t], 3) + tile.any(x[t] == x[5]);
    y[3 * N + t] = tile.meta_group_rank() * 1000 + tile.thread_rank();
    cg::invoke_one(tile, [&] { atomicAdd(&y[4 * N + tile.meta_group_rank()],
                                         1); });
    y[5 * N + t] = tile.all(x[t] >= -1500) +
                   2 * cg::invoke_one_broadcast(tile, [&] { return 21; });
    tile.sync();
}

template <int SIZE, bool OWN_MEMORY> static void check_wide(void)
{
    char what[64];
    snprintf(what, sizeof what, "tile of %d", SIZE);
    begin();
    wide<SIZE, OWN_MEMORY><<<1, N>>>(d_in, d_out);
    end(what);
    for (int i = 0; i < N; i++) {
        int first = i / SIZE * SIZE, sum = 0, before = 0, any = 0;
        for (int k = first; k < first + SIZE; k++) {
            sum += in[k];
            before += k <= i ? in[k] : 0;
            any |= in[k] == in[5];
        }
        expect(what, i, sum, out[i]);
        expect(what, i, before, out[N + i]);
        expect(what, i, in[first + 3] + any, out[2 * N + i]);
        expect(what, i, i / SIZE * 1000 + i % SIZE, out[3 * N + i]);
        expect(what, i, i < N / SIZE, out[4 * N + i]);
        expect(what, i, 43, out[5 * N + i]);
    }
}

/* Whoever is here: lanes with an odd number of a block, by label. */
__global__ void parts(const int *x, int *y)
{
    int t = threadIdx.x, v = x[t];
    if (t % 2 == 0)
        return;
    auto here = cg::coalesced_threads();
    auto label = cg::labeled_partition(here, v & 3);
    auto two = cg::binary_partition(here, v > 0);
    y[t] = cg::reduce(here, v, cg::less<int>());
    y[N + t] = cg::exclusive_scan(here, v, cg::plus<int>());
    y[2 * N + t] = cg::reduce(label, v, cg::bit_xor<int>());
    y[3 * N + t] = cg::inclusive_scan(two, v, cg::plus<int>());
    y[4 * N + t] = here.shfl(v, 2) + (int)here.thread_rank();
    cg::invoke_one(label, [&] { atomicAdd(&y[5 * N], 1); });
}

static void check_parts(void)
{
    int labels = 0;
    begin();
    parts<<<1, N>>>(d_in, d_out);
    end("parts");
    for (int i = 1; i < N; i += 2) {
        int first = i / 32 * 32 + 1, least = in[i], sum = 0, bits = 0, two = 0;
        bool leads = true;
        for (int k = first; k < first + 32; k += 2) {
            bool same = (in[k] & 3) == (in[i] & 3);
            least = in[k] < least ? in[k] : least;
            sum += k < i ? in[k] : 0;
            bits ^= same ? in[k] : 0;
            two += k <= i && (in[k] > 0) == (in[i] > 0) ? in[k] : 0;
            leads &= !(same && k < i);
        }
        labels += leads;
        expect("reduce of some", i, least, out[i]);
        expect("scan of some", i, sum, out[N + i]);
        expect("labelled", i, bits, out[2 * N + i]);
        expect("binary", i, two, out[3 * N + i]);
        expect("shfl of some", i, in[first + 4] + (i - first) / 2,
               out[4 * N + i]);
    }
    expect("invoke_one of labels", 0, labels, out[5 * N]);
}

/* Copies of a group, in two stages. */
__global__ void copies(const int *x, int *y)
{
    __shared__ alignas(16) int tile[2][N / 2];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    cg::memcpy_async(block, tile[0], x, sizeof tile[0]);
    cg::memcpy_async(block, tile[1], N / 2, x + N / 2, N / 2);
    cg::wait_prior<1>(block);
    if (t < N / 2)
        y[t] = tile[0][N / 2 - 1 - t];
    cg::wait(block);
    if (t < N / 2)
        y[N / 2 + t] = tile[1][t] * 2;
    auto token = block.barrier_arrive();
    block.barrier_wait(std::move(token));
}

static void check_copies(void)
{
    begin();
    copies<<<1, N>>>(d_in, d_out);
    end("copies");
    for (int i = 0; i < N / 2; i++) {
        expect("first stage", i, in[N / 2 - 1 - i], out[i]);
        expect("second stage", i, in[N / 2 + i] * 2, out[N / 2 + i]);
    }
}

/* A lane's own number of words, twice, the second in the first's place. */
__global__ void stack(const int *x, int *y)
{
    int t = threadIdx.x, n = t % 37 + 1, sum = 0;
    int *words = (int *)alloca(n * sizeof *words);
    for (int i = 0; i < n; i++)
        words[i] = x[(t + i) % N];
    for (int round = 0; round < 2; round++) {
        int *more = (int *)alloca((round + 1) * sizeof *more);
        for (int i = 0; i <= round; i++)
            more[i] = words[n - 1 - i % n];
        for (int i = 0; i <= round; i++)
            sum += more[i] * (i + 1);
    }
    y[t] = sum;
}

static void check_stack(void)
{
    begin();
    stack<<<1, N>>>(d_in, d_out);
    end("stack");
    for (int i = 0; i < N; i++) {
        int n = i % 37 + 1, last = in[(i + n - 1) % N];
        int next = in[(i + n - 1 - 1 % n) % N];
        expect("alloca", i, last + last + 2 * next, out[i]);
    }
}

struct alignas(16) two { long long a, b; };

#if __CUDA_ARCH__ >= 900
static __device__ two swap_if(two *p, two old, two next)
{
    two seen;
    asm volatile("{ .reg .b128 old, next, seen; mov.b128 old, {%3, %4};\n"
                 "mov.b128 next, {%5, %6};\n"
                 "atom.acq_rel.gpu.global.cas.b128 seen, [%2], old, next;\n"
                 "mov.b128 {%0, %1}, seen; }"
                 : "=l"(seen.a), "=l"(seen.b)
                 : "l"(p), "l"(old.a), "l"(old.b), "l"(next.a), "l"(next.b)
                 : "memory");
    return seen;
}

static __device__ two swap(two *p, two next)
{
    two seen;
    asm volatile("{ .reg .b128 next, seen; mov.b128 next, {%3, %4};\n"
                 "atom.relaxed.gpu.global.exch.b128 seen, [%2], next;\n"
                 "mov.b128 {%0, %1}, seen; }"
                 : "=l"(seen.a), "=l"(seen.b)
                 : "l"(p), "l"(next.a), "l"(next.b) : "memory");
    return seen;
}
#endif

__global__ void vectors(float2 *f2, float4 *f4, two *p)
{
#if __CUDA_ARCH__ >= 900
    int t = threadIdx.x;
    atomicAdd(f2, make_float2((float)t, 1));
    float4 old = atomicAdd(f4, make_float4(1, 2, 3, 4));
    atomicAdd(f4 + 1, make_float4(old.x, 0, 0, (float)(old.y == 2 * old.x)));
    two want, seen = {0, 0};
    do {
        want = seen;
        seen = swap_if(p, want, {want.a + t, want.b - t});
    } while (seen.a != want.a || seen.b != want.b);
    seen = swap(p + 1, {t, t});
    atomicAdd((unsigned long long *)p + 4, (unsigned long long)seen.a);
    atomicAdd((unsigned long long *)p + 5, (unsigned long long)seen.b);
#endif
}

static void check_vectors(void)
{
    float f[12];
    long long p[6];
    begin();
    vectors<<<4, 64>>>((float2 *)d_out, (float4 *)(d_out + 4),
                       (two *)(d_out + 16));
    end("vectors");
    memcpy(f, out, sizeof f);
    memcpy(p, out + 16, sizeof p);
    expect("float2", 0, 4 * 63 * 32, (long long)f[0]);
    expect("float2", 1, 256, (long long)f[1]);
    for (int k = 0; k < 4; k++)
        expect("float4", k, 256 * (k + 1), (long long)f[4 + k]);
    expect("float4's old value", 0, 255 * 128, (long long)f[8]);
    expect("float4's old value", 1, 256, (long long)f[11]);
    expect("128-bit swap", 0, 4 * 63 * 32, p[0]);
    expect("128-bit swap", 1, -4 * 63 * 32, p[1]);
    expect("128-bit exchange", 0, 4 * 63 * 32, p[4] + p[2]);
    expect("128-bit exchange", 1, 4 * 63 * 32, p[5] + p[3]);
}

int main()
{
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    check_wide<64, false>();
    check_wide<128, true>();
    check_wide<256, false>();
    check_wide<512, true>();
    check_parts();
    check_copies();
    check_stack();
    check_vectors();
    cudaFree(d_in);
    cudaFree(d_out);
    return wrong != 0;
}
