// SPDX-License-Identifier: MIT
// Stage 01, a whole CUDA program: program N A-FILE B-FILE C-FILE
// New: the GPU has a memory of its own; you fill it, and you fetch from it.
// Since add.cu: nothing is prepared; allocation, copies, launch are yours.
// Counter: global_store_sectors_per_request is 4, as for add.cu.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime.h>

enum { THREADS = 256 }; // per block

// Every CUDA call returns an error code. Ends the program unless it is 0.
#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t error_ = (call);                                           \
        if (error_ != cudaSuccess) {                                           \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,      \
                    cudaGetErrorString(error_));                               \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

static __global__ void add(const float *a, const float *b, float *c, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
}

// c[i] = a[i] + b[i] for i < n; all three arrays are in the host's memory.
static void add_on_gpu(const float *a, const float *b, float *c, int n)
{
    size_t bytes = n * sizeof *a;
    float *gpu_a = NULL, *gpu_b = NULL, *gpu_c = NULL; // the GPU's memory

    //> todo allocate (about 3 lines)
    // Allocate gpu_a, gpu_b and gpu_c on the GPU: bytes each.
    //
    //   CHECK(cudaMalloc(&pointer, bytes));
    //< todo

    //> todo copy-in (about 2 lines)
    // Copy a to gpu_a and b to gpu_b.
    //
    //   CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
    //< todo

    //> todo launch (about 4 lines)
    // Launch add with THREADS per block; then check that it was accepted.
    //
    //   CHECK(cudaGetLastError());
    //< todo

    //> todo copy-back (about 1 lines)
    // Copy gpu_c to c. The copy waits for the kernel and reports its errors.
    //
    //   CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
    //< todo

    //> todo free (about 3 lines)
    // Free gpu_a, gpu_b and gpu_c.
    //
    //   CHECK(cudaFree(pointer));
    //< todo
}

static void fail(const char *what, const char *path)
{
    fprintf(stderr, "program: cannot %s %s\n", what, path);
    exit(1);
}

// n floats from a file, in memory of their own; NAN each where path is NULL,
// so that a result that never arrives is seen.
static float *floats(const char *path, int n)
{
    float *values = (float *)malloc(n * sizeof *values);
    FILE *file;

    if (!values)
        fail("find memory for", path ? path : "the result");
    if (!path) {
        for (int i = 0; i < n; i++)
            values[i] = NAN;
        return values;
    }
    file = fopen(path, "rb");
    if (!file || fread(values, sizeof *values, n, file) != (size_t)n)
        fail("read", path);
    fclose(file);
    return values;
}

static void save(const char *path, const float *values, int n)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(values, sizeof *values, n, file) != (size_t)n ||
        fclose(file) != 0)
        fail("write", path);
}

int main(int argc, char **argv)
{
    int n = argc == 5 ? atoi(argv[1]) : 0;

    if (n < 1) {
        fprintf(stderr, "usage: program N A-FILE B-FILE C-FILE\n");
        return 2;
    }

    float *a = floats(argv[2], n), *b = floats(argv[3], n);
    float *c = floats(NULL, n);

    add_on_gpu(a, b, c, n);
    save(argv[4], c, n);
    free(a);
    free(b);
    free(c);
    return 0;
}
