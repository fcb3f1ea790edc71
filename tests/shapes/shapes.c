// SPDX-License-Identifier: MIT
/*
 * shapes.c: compares one stage with its reference on random shapes.
 *
 *   shapes STAGE.so OP COUNT SEED
 *          [TIMES [MFLOP [EXTENT:LOW:HIGH | FAMILY]...]]
 *   shapes forward.so dwconv_forward 60 7 1 2.5 K:1:9
 *
 * The same program runs on a GPU and, under bin/simgpu, without one. Extents
 * are log-uniform, half of them rounded to a multiple of four; a shape takes at
 * most MFLOP million operations (default 1), and extents stay within the given
 * limits; FAMILY (such as integer) restricts the inputs to that family. Every
 * other shape pads the rows of buffers that may be padded. Each shape runs
 * TIMES times (default 1), over poison, with guard bytes around the outputs.
 * Every element must match the double-precision reference within the operator's
 * tolerance, and every run the bits of the first. Prints one line per shape,
 * with a digest of the outputs' bits, so that runs with another order of blocks
 * can be compared; exits with 1 if anything was wrong.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "op/op.h"

enum {
    GUARD = 256,     /* bytes on either side of an output */
    GUARD_BYTE = 0xff,
    PADDING = 9,     /* most elements between two rows */
    LARGEST = 2048,  /* extent, unless told otherwise */
    CELLS = 1 << 22, /* of all arrays together */
};

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
    struct op_shape shape = {{0}, {0}};

    do
        for (int i = 0; i < run.op->n_dims; i++)
            shape.dim[i] = draw_extent(run.low[i], run.high[i]);
    while (op_shape_error(run.op, &shape) || too_large(&shape));
    for (int i = 0; i < run.op->n_buffers; i++)
        if (run.op->buffers[i].strided && draw() % 2)
            shape.ld[i] = (int)(op_row_stride(run.op, i, &shape) + 1 +
                                draw() % PADDING);
    return shape;
}

static void *allocate(size_t n, size_t size)
{
    void *memory = n > 16 * (size_t)CELLS ? NULL : calloc(n, size);

    if (!memory)
        die("calloc", "out of memory: take fewer MFLOP");
    return memory;
}

/* The arrays of one problem, on both sides. */
struct arrays {
    struct op_problem problem;
    size_t bytes[OP_MAX_BUFFERS];
    void *given[OP_MAX_BUFFERS];    /* before a launch */
    char *got[OP_MAX_BUFFERS];      /* after it, with guards; NULL: an input */
    char *padded[OP_MAX_BUFFERS];   /* on the device: guards around it */
    void *device[OP_MAX_BUFFERS];   /* what the stage gets */
    void *workspace;
    size_t workspace_bytes;
};

static void make_arrays(struct arrays *a, const struct op_problem *problem)
{
    *a = (struct arrays){.problem = *problem};
    for (int i = 0; i < run.op->n_buffers; i++) {
        a->bytes[i] = op_bytes(run.op, i, &problem->shape);
        a->given[i] = allocate(a->bytes[i], 1);
        op_fill(run.op, problem, i, a->given[i]);
        if (op_is_written(run.op, i))
            a->got[i] = allocate(a->bytes[i] + 2 * GUARD, 1);
        cuda(cudaMalloc((void **)&a->padded[i], a->bytes[i] + 2 * GUARD),
             "cudaMalloc");
        a->device[i] = a->padded[i] + GUARD;
    }
    if (run.workspace)
        a->workspace_bytes = run.op->query(run.workspace, &problem->shape);
    if (a->workspace_bytes > 0)
        cuda(cudaMalloc(&a->workspace, a->workspace_bytes),
             "cudaMalloc (workspace)");
}

static void free_arrays(struct arrays *a)
{
    for (int i = 0; i < run.op->n_buffers; i++) {
        free(a->given[i]);
        free(a->got[i]);
        cuda(cudaFree(a->padded[i]), "cudaFree");
    }
    cuda(cudaFree(a->workspace), "cudaFree");
}

/* Launches once on fresh arrays; a->got receives outputs with their guards. */
static void launch(struct arrays *a)
{
    for (int i = 0; i < run.op->n_buffers; i++) {
        cuda(cudaMemset(a->padded[i], GUARD_BYTE, a->bytes[i] + 2 * GUARD),
             "cudaMemset");
        cuda(cudaMemcpy(a->device[i], a->given[i], a->bytes[i],
                        cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    cuda(run.op->launch(run.launcher, a->device, &a->problem, a->workspace, 0),
         run.op->launcher);
    cuda(cudaDeviceSynchronize(), run.op->launcher);
    for (int i = 0; i < run.op->n_buffers; i++)
        if (a->got[i])
            cuda(cudaMemcpy(a->got[i], a->padded[i], a->bytes[i] + 2 * GUARD,
                            cudaMemcpyDeviceToHost), "cudaMemcpy");
}

static uint64_t sum_bits(const struct arrays *a)
{
    uint64_t sum = 0xcbf29ce484222325u; /* FNV-1a */

    for (int i = 0; i < run.op->n_buffers; i++)
        for (size_t b = 0; a->got[i] && b < a->bytes[i] + 2 * GUARD; b++)
            sum = (sum ^ (unsigned char)a->got[i][b]) * 0x100000001b3u;
    return sum;
}

/* Whether a byte of the guards, or an element of the padding, has changed. */
static bool wrote_outside(const struct arrays *a, int buffer)
{
    enum type type = run.op->buffers[buffer].type;
    const char *got = a->got[buffer] + GUARD;
    size_t cell;

    for (size_t i = 0; i < GUARD; i++)
        if ((unsigned char)a->got[buffer][i] != GUARD_BYTE ||
            (unsigned char)got[a->bytes[buffer] + i] != GUARD_BYTE)
            return true;
    for (size_t i = 0; i < a->bytes[buffer] / type_row[type].bytes; i++)
        if (!op_cell_at(run.op, buffer, &a->problem.shape, i, &cell) &&
            !type_is_poison(type, type_bits(type, got, i)))
            return true;
    return false;
}

static bool is_wrong(const struct arrays *a, int buffer)
{
    const struct op_shape *shape = &a->problem.shape;
    enum type type = run.op->buffers[buffer].type;
    size_t n = op_count(run.op, buffer, shape);
    struct op_cell *want = allocate(n, sizeof *want);
    bool wrong = false;

    run.op->reference(run.op, &a->problem, buffer,
                      (const void *const *)a->given, 0, n, want);
    for (size_t i = 0; i < n; i++)
        if (!op_accepts(run.op, &a->problem, buffer, &want[i],
                        type_bits(type, a->got[buffer] + GUARD,
                                  op_offset(run.op, buffer, shape, i))))
            wrong = true;
    free(want);
    return wrong;
}

/* What is wrong with the outputs; NULL: nothing. */
static const char *compare(const struct arrays *a)
{
    const char *wrong = NULL;

    for (int i = 0; i < run.op->n_buffers; i++) {
        if (a->got[i] && is_wrong(a, i))
            wrong = "WRONG";
        if (a->got[i] && wrote_outside(a, i))
            return "WROTE OUTSIDE";
    }
    return wrong;
}

/* All launches of one problem: the first must match the reference, the others
 * its bits. The workspace is poisoned, except at the first launch. */
static const char *try_launches(struct arrays *a, uint64_t *sum)
{
    const char *wrong = NULL;

    for (int i = 0; i < run.times && !wrong; i++) {
        if (i > 0 && a->workspace)
            cuda(cudaMemset(a->workspace, 0xff, a->workspace_bytes),
                 "cudaMemset");
        launch(a);
        if (i == 0) {
            *sum = sum_bits(a);
            wrong = compare(a);
        } else if (sum_bits(a) != *sum) {
            wrong = "NOT THE SAME AGAIN";
        }
    }
    return wrong;
}

static bool try_shape(const struct op_shape *shape, int number, uint64_t seed)
{
    const struct op *op = run.op;
    enum op_family family =
        run.only >= 0 ? (enum op_family)run.only
                      : op->families[number % op->n_families];
    struct op_problem problem = op_draw(op, shape, family, seed);
    struct arrays arrays;
    const char *wrong;
    char text[128];
    uint64_t sum = 0;

    op_format_shape(op, shape, text, sizeof text);
    printf("%s %s ", text, op_family_row[family].name);
    fflush(stdout);
    make_arrays(&arrays, &problem);
    wrong = try_launches(&arrays, &sum);
    free_arrays(&arrays);
    printf("%016" PRIx64 " %s\n", sum, wrong ? wrong : "right");
    return !wrong;
}

static void *symbol(void *stage, const char *name)
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

    for (int i = 0; i < run.op->n_families; i++)
        if (strcmp(text, op_family_row[run.op->families[i]].name) == 0) {
            run.only = (int)run.op->families[i];
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
    run.launcher = symbol(stage, run.op->launcher);
    if (run.op->workspace)
        run.workspace = symbol(stage, run.op->workspace);
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
