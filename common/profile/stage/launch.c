// SPDX-License-Identifier: MIT
/*
 * launch.c: bin/launch-stage LIBRARY OPERATOR SHAPE, a program that runs one
 * stage, for `make profile`: inputs to the device, a launch, results back.
 * Nothing is checked; `make check-chapter` does that.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "op/op.h"
#include "profile/mark.h"

#define CHECK(call)                                                           \
    do {                                                                      \
        cudaError_t error_ = (call);                                          \
        if (error_ != cudaSuccess) {                                          \
            fprintf(stderr, "launch-stage: %s: %s\n", #call,                  \
                    cudaGetErrorString(error_));                              \
            exit(1);                                                          \
        }                                                                     \
    } while (0)

static void must(const void *holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "launch-stage: %s\n", what);
    exit(2);
}

static void copy(const struct op *op, const struct op_problem *problem,
                 void **buffers, int back)
{
    for (int i = 0; i < op->n_buffers; i++) {
        size_t bytes = op_bytes(op, i, &problem->shape);
        void *host = malloc(bytes);

        must(host, "no memory for an array");
        if (!back) {
            op_fill(op, problem, i, host);
            CHECK(cudaMalloc(&buffers[i], bytes));
            CHECK(cudaMemcpy(buffers[i], host, bytes,
                             cudaMemcpyHostToDevice));
        } else if (op_is_written(op, i)) {
            CHECK(cudaMemcpy(host, buffers[i], bytes,
                             cudaMemcpyDeviceToHost));
        }
        free(host);
    }
}

int main(int argc, char **argv)
{
    const struct op *op = argc == 4 ? op_find(argv[2]) : NULL;
    void *library, *launcher, *query, *buffers[OP_MAX_BUFFERS];
    void *workspace = NULL;
    struct op_problem problem;
    struct op_shape shape;
    const char *wrong;
    size_t bytes;

    must(op, "usage: launch-stage LIBRARY OPERATOR SHAPE");
    wrong = op_parse_shape(op, argv[3], &shape);
    if (!wrong)
        wrong = op_shape_error(op, &shape);
    must(wrong ? NULL : op, wrong);
    library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    must(library, "cannot open the stage");
    launcher = dlsym(library, op->launcher);
    must(launcher, "the stage has no launcher of this operator");
    problem = op_timed(op, &shape, 1);
    mark_begin("inputs");
    copy(op, &problem, buffers, 0);
    mark_end();
    query = op->workspace ? dlsym(library, op->workspace) : NULL;
    bytes = query ? op->query(query, &shape) : 0;
    if (bytes)
        CHECK(cudaMalloc(&workspace, bytes));
    mark_begin("stage");
    CHECK(op->launch(launcher, buffers, &problem, workspace, NULL));
    CHECK(cudaDeviceSynchronize());
    mark_end();
    mark_begin("results");
    copy(op, &problem, buffers, 1);
    mark_end();
    return 0;
}
