// SPDX-License-Identifier: MIT
/*
 * nans.cu: which bits an operation gives when an operand or its result is not
 * a number, on a GPU or on the simulated one: a line per operation, its name
 * and then a result for all combinations of its operands, the last operand
 * fastest. After that, where shared arrays stand, modulo 1024: a line each.
 *
 * Made for compute capability 9.0. tests/nans/run.sh compares the simulated GPU
 * with nans-h200.txt, which an H200 gave.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "nans.cuh"

#define CUDA(call) check(call, #call)
static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "nans: %s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

// Zero, a negative number, infinities, quiet NaNs with a payload, signalling
// ones, and the one with all bits set.
static const uint64_t wide_values[] = {
    0, 0xbff0000000000000, 0x7ff0000000000000, 0xfff0000000000000,
    0x7ff8123456789abc, 0xfff8abcdef012345, 0x7ff0123456789abc,
    0xfff0abcdef012345, 0x7fffffffffffffff};
static const uint64_t single_values[] = {
    0, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc12345, 0xffc54321, 0x7f812345,
    0xff812345, 0x7fffffff};
static const uint64_t half_values[] = {0, 0xbc00, 0x7c00, 0xfc00, 0x7e12,
                                       0xfe21, 0x7c12, 0xfc21, 0x7fff};
static const uint64_t bfloat_values[] = {0, 0xbf80, 0x7f80, 0xff80, 0x7fc1,
                                         0xffc2, 0x7f81, 0xff82, 0x7fff};
enum { VALUES = 9, MOST = VALUES * VALUES * VALUES };

static const uint64_t *values_of(char type)
{
    return type == 'd'   ? wide_values
           : type == 'f' ? single_values
           : type == 'h' ? half_values
                         : bfloat_values;
}

typedef void kernel(const uint64_t *in, uint64_t *out, int n);
static uint64_t in[3 * MOST], out[MOST], *device_in, *device_out;

// types: a letter per operand.
static void run(kernel *k, const char *name, const char *types)
{
    int n = 1;
    for (size_t i = 0; i < strlen(types); i++)
        n *= VALUES;
    for (int t = 0; t < n; t++)
        for (int i = (int)strlen(types) - 1, rest = t; i >= 0; i--) {
            in[3 * t + i] = values_of(types[i])[rest % VALUES];
            rest /= VALUES;
        }
    CUDA(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
    k<<<(n + 127) / 128, 128>>>(device_in, device_out, n);
    CUDA(cudaMemcpy(out, device_out, n * sizeof *out, cudaMemcpyDeviceToHost));
    printf("%s", name);
    for (int t = 0; t < n; t++)
        printf(" %llx", (unsigned long long)out[t]);
    printf("\n");
}

// Of kernels with more than one shared array ---------------------------------

static __device__ unsigned where(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p) % 1024;
}

extern __shared__ char dynamic[];

__global__ void mixed(uint64_t *out, int)
{
    __shared__ char a[3];
    __shared__ double b[2];
    __shared__ short c[5];
    __shared__ __align__(128) char d[7];
    out[0] = where(a), out[1] = where(b), out[2] = where(c), out[3] = where(d);
    out[4] = where(dynamic);
}

__global__ void rows(uint64_t *out, int)
{
    __shared__ float a[33], b[100], c[33];
    out[0] = where(c), out[1] = where(b), out[2] = where(a);
    out[3] = where(dynamic);
}

// Half of the warp reads a, half b, whose banks overlap where they are packed:
// two wavefronts, or one if b began at bank 0.
__global__ void two_arrays(uint64_t *out, int n)
{
    __shared__ float a[33], b[33];
    int lane = threadIdx.x;
    a[lane] = (float)lane, b[lane] = 2.0f * lane;
    __syncthreads();
    const volatile float *p = lane < n ? a : b;
    out[lane] = (uint64_t)p[lane];
}

static void print(const char *name, int n)
{
    CUDA(cudaMemcpy(out, device_out, n * sizeof *out, cudaMemcpyDeviceToHost));
    printf("%s", name);
    for (int i = 0; i < n; i++)
        printf(" %llu", (unsigned long long)out[i]);
    printf("\n");
}

int main()
{
    CUDA(cudaMalloc(&device_in, sizeof in));
    CUDA(cudaMalloc(&device_out, sizeof out));
#define X(name, types, text) run(op_##name, #name, types);
    NAN_OPERATIONS(X)
#undef X
    mixed<<<1, 1>>>(device_out, 0);
    print("mixed", 5);
    rows<<<1, 1>>>(device_out, 0);
    print("rows", 4);
    two_arrays<<<1, 32>>>(device_out, 16);
    print("two_arrays", 32);
    return 0;
}
