// SPDX-License-Identifier: MIT
/*
 * launch.c: launches one stage once, for a profiler.
 *
 *   launch STAGE.so OP SHAPE   launch forward.so dwconv_forward "B3 H5 L37 K11"
 *
 * The same program runs under Nsight Compute on a GPU and under bin/simgpu
 * without one; both count the same launch, and compare.c compares the counts.
 * On any error it prints a sentence and exits with 1.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "op/op.h"

static void die(const char *what, const char *why)
{
    fprintf(stderr, "launch: %s: %s\n", what, why);
    exit(1);
}

static void cuda(cudaError_t error, const char *what)
{
    if (error != cudaSuccess)
        die(what, cudaGetErrorString(error));
}

static void *symbol(void *stage, const char *name)
{
    void *found = dlsym(stage, name);
    if (!found)
        die(name, dlerror());
    return found;
}

/* Fresh inputs on the device; outputs start as poison, as under check. */
static void *make_buffer(const struct op *op, int i,
                         const struct op_problem *problem)
{
    size_t bytes = op_bytes(op, i, &problem->shape);
    void *device, *host = malloc(bytes);

    if (!host)
        die("malloc", "out of memory: choose a smaller shape");
    op_fill(op, problem, i, host);
    cuda(cudaMalloc(&device, bytes), "cudaMalloc");
    cuda(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    free(host);
    return device;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        die("usage", "launch STAGE.so OP SHAPE");
    const struct op *op = op_find(argv[2]);
    if (!op)
        die(argv[2], "no such operator");
    struct op_shape shape;
    const char *wrong = op_parse_shape(op, argv[3], &shape);
    if (wrong)
        die(argv[3], wrong);
    void *stage = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!stage)
        die(argv[1], dlerror());

    struct op_problem problem = op_timed(op, &shape, 1);
    void *buffers[OP_MAX_BUFFERS], *workspace = NULL;
    for (int i = 0; i < op->n_buffers; i++)
        buffers[i] = make_buffer(op, i, &problem);
    size_t bytes = op->workspace /* NULL: none is ever needed */
                       ? op->query(symbol(stage, op->workspace), &shape)
                       : 0;
    if (bytes > 0)
        cuda(cudaMalloc(&workspace, bytes), "cudaMalloc (workspace)");
    cuda(op->launch(symbol(stage, op->launcher), buffers, &problem, workspace,
                    0),
         op->launcher);
    cuda(cudaDeviceSynchronize(), op->launcher);
    return 0;
}
