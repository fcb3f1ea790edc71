// SPDX-License-Identifier: MIT
/*
 * shapes.c: holds one stage to its reference on random shapes.
 *
 *   shapes STAGE.so OP COUNT SEED
 *          [TIMES [MFLOP [EXTENT:LOW:HIGH | FAMILY]...]]
 *   shapes forward.so dwconv_forward 60 7 1 2.5 K:1:9
 *
 * The same program runs on a GPU and, under bin/simgpu, without one. Extents
 * are drawn so that each order of magnitude is as likely as the next, half of
 * them rounded to a multiple of four; a shape takes MFLOP million operations at
 * most (1), and an extent stays between the limits that are given; the name of
 * a family (integer) takes inputs of that family alone. Each shape
 * runs TIMES times (1), over NaN, with guard cells around the output; every
 * cell is held to the double-precision reference by the operator's tolerance,
 * and each run to the bits of the first. A line a shape, with a sum of the
 * output's bits, so that runs in another order of blocks can be compared; the
 * exit code is 1 if anything was wrong.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "op/op.h"

enum {
    GUARD = 64,      /* cells on either side of the output */
    LARGEST = 2048,  /* extent, unless told otherwise */
    CELLS = 1 << 22, /* of all arrays together */
};

static const char *const families[OP_FAMILIES] = {"signed", "positive",
                                                  "integer", "impulse"};

static struct {
    const struct op *op;
    void *launcher, *workspace;
    uint64_t random;
    int times;
    double most_flops;
    int low[OP_MAX_DIMS], high[OP_MAX_DIMS];
    int only; /* family, or -1 */
} run;

static void die(const char *what, const char *why)
{
    fprintf(stderr, "shapes: %s: %s\n", what, why);
    exit(2);
}

static void cuda(cudaError_t error, const char *what)
{
    if (error != cudaSuccess)
        die(what, cudaGetErrorString(error));
}

/* splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t draw(void)
{
    uint64_t z = run.random += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int draw_extent(int low, int high)
{
    double share = (double)(draw() >> 11) * 0x1p-53;
    int extent = (int)(low * pow((high + 1.0) / low, share));
    int four = (extent + 3) / 4 * 4;

    return four <= high && draw() % 2 ? four : extent;
}

static bool too_large(const struct op_shape *shape)
{
    double cells = 0.0;

    for (int i = 0; i < run.op->n_buffers; i++)
        cells += (double)op_count(run.op, i, shape);
    return run.op->flops(shape) > run.most_flops || cells > CELLS;
}

static struct op_shape draw_shape(void)
{
    struct op_shape shape = {{0}};

    do
        for (int i = 0; i < run.op->n_dims; i++)
            shape.dim[i] = draw_extent(run.low[i], run.high[i]);
    while (run.op->shape_error(&shape) || too_large(&shape));
    return shape;
}

static void *allocate(size_t n, size_t size)
{
    void *memory = n > 2 * (size_t)CELLS ? NULL : calloc(n, size);

    if (!memory)
        die("calloc", "out of memory: take fewer MFLOP");
    return memory;
}

static float *make_input(int i, enum op_family family, uint64_t seed,
                         const struct op_shape *shape, void **device)
{
    size_t n = op_count(run.op, i, shape);
    float *values = allocate(n, sizeof *values);

    run.op->fill(i, family, seed, shape, values);
    cuda(cudaMalloc(device, n * sizeof *values), "cudaMalloc");
    cuda(cudaMemcpy(*device, values, n * sizeof *values,
                    cudaMemcpyHostToDevice), "cudaMemcpy");
    return values;
}

/* One launch over poison; `cells` gets the output with its guards. */
static void launch(void *const *buffers, void *padded, size_t n,
                   const struct op_shape *shape, void *workspace, float *cells)
{
    size_t bytes = (n + 2 * GUARD) * sizeof *cells;

    cuda(cudaMemset(padded, 0xff, bytes), "cudaMemset");
    cuda(run.op->launch(run.launcher, buffers, shape, workspace, 0),
         run.op->launcher);
    cuda(cudaDeviceSynchronize(), run.op->launcher);
    cuda(cudaMemcpy(cells, padded, bytes, cudaMemcpyDeviceToHost),
         "cudaMemcpy");
}

static uint64_t sum_bits(const float *cells, size_t n)
{
    uint64_t sum = 0xcbf29ce484222325u; /* FNV-1a, a word at a time */
    uint32_t bits;

    for (size_t i = 0; i < n; i++) {
        memcpy(&bits, &cells[i], sizeof bits);
        sum = (sum ^ bits) * 0x100000001b3u;
    }
    return sum;
}

/* What is wrong with a guarded output, NULL if nothing is. */
static const char *compare(const float *const *inputs, const float *cells,
                           size_t n, const struct op_shape *shape, bool exact)
{
    struct op_cell *want = allocate(n, sizeof *want);
    const char *wrong = NULL;
    uint32_t bits;

    run.op->reference(run.op->n_buffers - 1, shape, inputs, 0, n, want);
    for (size_t i = 0; i < n; i++) {
        double most = exact ? 0.0 : op_tolerance(&want[i]);

        if (!(fabs((double)cells[GUARD + i] - want[i].value) <= most))
            wrong = "WRONG";
    }
    for (size_t i = 0; i < 2 * GUARD; i++) {
        memcpy(&bits, &cells[i < GUARD ? i : n + i], sizeof bits);
        if (bits != UINT32_MAX)
            wrong = "WROTE OUTSIDE";
    }
    free(want);
    return wrong;
}

/* All launches of one shape: the first is held to the reference, the others
 * to its bits. They find NaN in the workspace, the first what was there. */
static const char *try_launches(void *const *buffers, void *padded, size_t n,
                                const float *const *inputs,
                                const struct op_shape *shape, bool exact,
                                uint64_t *sum)
{
    float *cells = allocate(n + 2 * GUARD, sizeof *cells);
    size_t bytes = run.op->query(run.workspace, shape);
    const char *wrong = NULL;
    void *workspace = NULL;

    if (bytes > 0)
        cuda(cudaMalloc(&workspace, bytes), "cudaMalloc (workspace)");
    for (int i = 0; i < run.times && !wrong; i++) {
        if (i > 0 && bytes > 0)
            cuda(cudaMemset(workspace, 0xff, bytes), "cudaMemset");
        launch(buffers, padded, n, shape, workspace, cells);
        if (i == 0) {
            *sum = sum_bits(cells, n + 2 * GUARD);
            wrong = compare(inputs, cells, n, shape, exact);
        } else if (sum_bits(cells, n + 2 * GUARD) != *sum) {
            wrong = "NOT THE SAME AGAIN";
        }
    }
    cuda(cudaFree(workspace), "cudaFree");
    free(cells);
    return wrong;
}

static bool try_shape(const struct op_shape *shape, int number, uint64_t seed)
{
    const struct op *op = run.op;
    enum op_family family =
        (enum op_family)(run.only >= 0 ? run.only : number % OP_FAMILIES);
    int last = op->n_buffers - 1;
    size_t n = op_count(op, last, shape);
    void *buffers[OP_MAX_BUFFERS], *padded;
    float *inputs[OP_MAX_BUFFERS];
    char text[80];
    uint64_t sum = 0;

    for (int i = 0; i < last; i++)
        inputs[i] = make_input(i, family, seed, shape, &buffers[i]);
    cuda(cudaMalloc(&padded, (n + 2 * GUARD) * sizeof(float)), "cudaMalloc");
    buffers[last] = (float *)padded + GUARD;

    op_format_shape(op, shape, text, sizeof text);
    printf("%s %s ", text, families[family]);
    fflush(stdout);
    const char *wrong = try_launches(
        buffers, padded, n, (const float *const *)inputs, shape,
        family == OP_INTEGER || family == OP_IMPULSE, &sum);
    printf("%016" PRIx64 " %s\n", sum, wrong ? wrong : "right");

    for (int i = 0; i < last; i++) {
        free(inputs[i]);
        cuda(cudaFree(buffers[i]), "cudaFree");
    }
    cuda(cudaFree(padded), "cudaFree");
    return !wrong;
}

static void *find(void *stage, const char *name)
{
    void *found = dlsym(stage, name);

    if (!found)
        die(name, dlerror());
    return found;
}

/* "K:1:9", or "integer" */
static void limit(const char *text)
{
    size_t length = strcspn(text, ":");
    int low, high;

    for (int i = 0; i < OP_FAMILIES; i++)
        if (strcmp(text, families[i]) == 0) {
            run.only = i;
            return;
        }

    for (int i = 0; i < run.op->n_dims; i++)
        if (strlen(run.op->dim_names[i]) == length &&
            strncmp(run.op->dim_names[i], text, length) == 0 &&
            sscanf(text + length, ":%d:%d", &low, &high) == 2 && low >= 1 &&
            low <= high) {
            run.low[i] = low;
            run.high[i] = high;
            return;
        }
    die(text, "is no EXTENT:LOW:HIGH of this operator and no family");
}

int main(int argc, char **argv)
{
    if (argc < 5)
        die("usage", "shapes STAGE.so OP COUNT SEED "
                     "[TIMES [MFLOP [EXTENT:LOW:HIGH | FAMILY]...]]");
    void *stage = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!stage)
        die(argv[1], dlerror());
    run.op = op_find(argv[2]);
    if (!run.op)
        die(argv[2], "no such operator");
    run.launcher = find(stage, run.op->launcher);
    run.workspace = find(stage, run.op->workspace);
    run.only = -1;
    run.random = strtoull(argv[4], NULL, 10);
    run.times = argc > 5 ? atoi(argv[5]) : 1;
    run.most_flops = 1e6 * (argc > 6 ? atof(argv[6]) : 1.0);
    for (int i = 0; i < run.op->n_dims; i++) {
        run.low[i] = 1;
        run.high[i] = LARGEST;
    }
    for (int i = 7; i < argc; i++)
        limit(argv[i]);

    int count = atoi(argv[3]), wrong = 0;
    for (int i = 0; i < count; i++) {
        struct op_shape shape = draw_shape();

        wrong += !try_shape(&shape, i, draw());
    }
    printf("%d shapes, %d wrong (seed %s)\n", count, wrong, argv[4]);
    return wrong > 0 || count < 1;
}
