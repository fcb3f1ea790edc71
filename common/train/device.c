// SPDX-License-Identifier: MIT
/*
 * device.c: the operations of ops.h as kernels on one stream of the GPU.
 *
 *   train_ops_device
 *   train_graph_begin, _end, _replay
 *   train_time_start, _stop, _ms, _each, _report, train_device_bytes
 *
 * Convolution, norm and optimiser are stages of the chapters, shared libraries
 * as the checker builds them; the rest is kernels.h. All launchers share one
 * workspace, since one stream runs one after the other.
 */
#include "train/ops.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "train/kernels.h"

enum { NORM = 22, HERE = 24, OPERATIONS = 24 };

#define CHECK(call)                                                           \
    do {                                                                      \
        cudaError_t error_ = (call);                                          \
        if (error_ != cudaSuccess) {                                          \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,     \
                    cudaGetErrorString(error_));                              \
            exit(1);                                                          \
        }                                                                     \
    } while (0)

/* What the stages export. Chapter 08 has one of the three convolutions; the
 * others are then those of 07. */
#define CONV   (d.stages.conv == 8 ? 7 : d.stages.conv)
#define WEIGHT d.stages.conv
#define STAGES(X)                                                             \
    X(dwconv_forward, CONV, "forward")                                        \
    X(dwconv_input_grad, CONV, "input_grad")                                  \
    X(dwconv_weight_grad, WEIGHT, "weight_grad")                              \
    X(evonorm_b0, NORM, d.stages.norm_apart ? "kernels" : "evonorm_b0")       \
    X(evonorm_b0_eval, NORM, "evonorm_b0_eval")                               \
    X(evonorm_b0_backward, NORM,                                              \
      d.stages.norm_apart ? "gradient" : "evonorm_b0_backward")               \
    X(adam, HERE, "adam")                                                     \
    X(swish_backward, HERE, "swish_backward")                                 \
    X(rms_backward, HERE, "rms_backward")

#define GIVEN(X)                                                              \
    X(train_tick) X(train_batch) X(train_lift) X(train_lift_grad)             \
    X(train_rms) X(train_swish) X(train_swish_rms)                            \
    X(train_loss) X(train_loss_partial)                                       \
    X(train_conv2d) X(train_conv2d_input_grad) X(train_conv2d_weight_grad)    \
    X(train_conv2d_partial) X(train_lift_grad_partial)                        \
    X(train_classify) X(train_classify_grad)

/* A stage's library is opened when it is first asked for: a sequence model
 * needs no norm of images. */
#define STAGE_POINTERS(name, chapter, file)                                   \
    __typeof__(name) *name;                                                   \
    __typeof__(name##_workspace) *name##_workspace;
#define GIVEN_POINTER(name) __typeof__(name) *name;

struct operation {
    const char *name;
    int calls;
    double ms;
};

static struct {
    struct train_stages stages;
    cudaStream_t stream;
    cudaGraphExec_t graph;
    cudaEvent_t start, stop;
    void *workspace;
    size_t workspace_bytes, bytes, most_bytes;
    bool each;
    struct operation operation[OPERATIONS];
    int n_operations;
    STAGES(STAGE_POINTERS)
    GIVEN(GIVEN_POINTER)
} d;

static void *open_library(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

    if (!library) {
        fprintf(stderr, "train: %s\n", dlerror());
        exit(1);
    }
    return library;
}

static void *find(void *library, const char *name)
{
    void *symbol = dlsym(library, name);

    if (!symbol) {
        fprintf(stderr, "train: %s\n", dlerror());
        exit(1);
    }
    return symbol;
}

static void *open_stage(int chapter, const char *name)
{
    char path[4096];

    for (int i = 0; i < TRAIN_FOLDERS && d.stages.folder[i]; i++) {
        snprintf(path, sizeof path, "%s/%02d/%s.so", d.stages.folder[i],
                 chapter, name);
        if (access(path, R_OK) == 0)
            return open_library(path);
    }
    fprintf(stderr, "train: there is no %02d/%s.so; `make train` builds it\n",
            chapter, name);
    exit(1);
}

#define OPEN_STAGE(stage, chapter, file)                                      \
    static void open_##stage(void)                                            \
    {                                                                         \
        void *library, *symbol;                                               \
                                                                              \
        if (d.stage)                                                          \
            return;                                                           \
        library = open_stage(chapter, file);                                  \
        symbol = find(library, #stage);                                       \
        memcpy(&d.stage, &symbol, sizeof symbol);                             \
        symbol = find(library, #stage "_workspace");                          \
        memcpy(&d.stage##_workspace, &symbol, sizeof symbol);                 \
    }
STAGES(OPEN_STAGE)

#define OPEN_GIVEN(name)                                                      \
    symbol = find(library, #name);                                            \
    memcpy(&d.name, &symbol, sizeof symbol);

static void open_given(void)
{
    void *library = open_library(d.stages.given), *symbol;

    GIVEN(OPEN_GIVEN)
}

/* Memory -------------------------------------------------------------------*/

static void *take(size_t numbers)
{
    float *array;
    size_t bytes = (numbers ? numbers : 1) * sizeof *array;

    CHECK(cudaMalloc((void **)&array, bytes));
    CHECK(cudaMemsetAsync(array, 0, bytes, d.stream));
    d.bytes += bytes;
    if (d.bytes > d.most_bytes)
        d.most_bytes = d.bytes;
    return array;
}

static void give_back(void *array)
{
    CHECK(cudaFree(array));
}

static void put(void *to, const float *from, size_t numbers)
{
    CHECK(cudaMemcpyAsync(to, from, numbers * sizeof *from,
                          cudaMemcpyHostToDevice, d.stream));
    CHECK(cudaStreamSynchronize(d.stream));
}

static void fetch(double *to, const void *from, size_t numbers)
{
    float *copy = malloc(numbers * sizeof *copy);

    if (!copy) {
        fprintf(stderr, "train: no memory for %zu numbers\n", numbers);
        exit(1);
    }
    CHECK(cudaMemcpyAsync(copy, from, numbers * sizeof *copy,
                          cudaMemcpyDeviceToHost, d.stream));
    CHECK(cudaStreamSynchronize(d.stream));
    for (size_t i = 0; i < numbers; i++)
        to[i] = copy[i];
    free(copy);
}

static void wait_for_device(void)
{
    CHECK(cudaStreamSynchronize(d.stream));
}

static void *workspace(size_t bytes)
{
    if (bytes > d.workspace_bytes) {
        wait_for_device(); /* who uses the smaller one */
        CHECK(cudaFree(d.workspace));
        CHECK(cudaMalloc(&d.workspace, bytes));
        d.bytes += bytes - d.workspace_bytes;
        d.workspace_bytes = bytes;
        if (d.bytes > d.most_bytes)
            d.most_bytes = d.bytes;
    }
    return d.workspace;
}

/* Times --------------------------------------------------------------------*/

void train_time_start(void)
{
    CHECK(cudaEventRecord(d.start, d.stream));
}

void train_time_stop(void)
{
    CHECK(cudaEventRecord(d.stop, d.stream));
}

double train_time_ms(void)
{
    float ms;

    CHECK(cudaEventSynchronize(d.stop));
    CHECK(cudaEventElapsedTime(&ms, d.start, d.stop));
    return ms;
}

void train_time_each(void)
{
    d.each = true;
}

static void add_time(const char *name, double ms)
{
    int i = 0;

    while (i < d.n_operations && strcmp(d.operation[i].name, name) != 0)
        i++;
    if (i == OPERATIONS)
        return;
    if (i == d.n_operations)
        d.operation[d.n_operations++].name = name;
    d.operation[i].calls++;
    d.operation[i].ms += ms;
}

void train_time_report(FILE *to)
{
    for (int i = 0; i < d.n_operations; i++)
        fprintf(to, "operation %s %d %.6f\n", d.operation[i].name,
                d.operation[i].calls, d.operation[i].ms);
}

size_t train_device_bytes(void)
{
    return d.most_bytes;
}

/* Runs an operation, and times it if each one is to be timed. */
#define RUN(name, call)                                                       \
    do {                                                                      \
        if (d.each)                                                           \
            train_time_start();                                               \
        CHECK(call);                                                          \
        if (d.each) {                                                         \
            train_time_stop();                                                \
            add_time(name, train_time_ms());                                  \
        }                                                                     \
    } while (0)

/* A stage: opened, given its workspace, on the stream. */
#define RUN_STAGE(name, shape, ...)                                           \
    do {                                                                      \
        void *space;                                                          \
                                                                              \
        open_##name();                                                        \
        space = workspace(d.name##_workspace(shape));                         \
        RUN(#name, d.name(__VA_ARGS__, space, d.stream));                     \
    } while (0)

#define RUN_GIVEN(name, ...) RUN(#name, d.train_##name(__VA_ARGS__, d.stream))

/* Operations ---------------------------------------------------------------*/

static void tick(void *clock)
{
    RUN_GIVEN(tick, clock);
}

static void batch(const void *data, void *to, size_t numbers, int batches,
                  const void *clock)
{
    RUN_GIVEN(batch, data, to, numbers, batches, clock);
}

static void adam_step(const struct train_adam *a, const void *clock)
{
    struct adam_shape s = {(int)a->n};

    RUN_STAGE(adam, s, a->grad, clock, a->value, a->mean, a->square, s,
              (float)a->rate);
}

static void conv_forward(const void *x, const void *w, void *y,
                         struct dwconv_shape s)
{
    RUN_STAGE(dwconv_forward, s, x, w, y, s);
}

static void conv_input_grad(const void *dy, const void *w, void *dx,
                            struct dwconv_shape s)
{
    RUN_STAGE(dwconv_input_grad, s, dy, w, dx, s);
}

static void conv_weight_grad(const void *dy, const void *x, void *dw,
                             struct dwconv_shape s)
{
    RUN_STAGE(dwconv_weight_grad, s, dy, x, dw, s);
}

static void lift(const void *u, const void *w, const void *bias, void *x,
                 struct dwconv_shape s)
{
    RUN_GIVEN(lift, u, w, bias, x, s);
}

static void lift_grad(const void *u, const void *dx, void *dw, void *dbias,
                      struct dwconv_shape s)
{
    float *partial = workspace(d.train_lift_grad_partial(s) * sizeof *partial);

    RUN_GIVEN(lift_grad, u, dx, dw, dbias, partial, s);
}

static void rms(const void *x, const void *gamma, void *n,
                struct dwconv_shape s)
{
    RUN_GIVEN(rms, x, gamma, n, s);
}

static struct block_shape block_of(struct dwconv_shape s)
{
    return (struct block_shape){s.B, s.H, s.L};
}

static void rms_grad(const void *x, const void *gamma, const void *dn,
                     const void *skip, void *dx, void *dgamma,
                     struct dwconv_shape s)
{
    RUN_STAGE(rms_backward, block_of(s), x, gamma, dn, skip, dx, dgamma,
              block_of(s));
}

static void swish(const void *z, const void *bias, const void *skip, void *y,
                  struct dwconv_shape s)
{
    RUN_GIVEN(swish, z, bias, skip, y, s);
}

static void swish_rms(const void *z, const void *bias, const void *skip,
                      void *y, const void *gamma, void *n,
                      struct dwconv_shape s)
{
    RUN_GIVEN(swish_rms, z, bias, skip, y, gamma, n, s);
}

static void swish_grad(const void *z, const void *bias, const void *dy,
                       void *dz, void *dbias, struct dwconv_shape s)
{
    RUN_STAGE(swish_backward, block_of(s), z, bias, dy, dz, dbias,
              block_of(s));
}

static void loss(const void *x, const void *w, const void *bias,
                 const void *target, void *dx, void *dw, void *dbias,
                 void *losses, const void *clock, struct dwconv_shape s)
{
    float *partial = workspace(d.train_loss_partial(s) * sizeof *partial);

    RUN_GIVEN(loss, x, w, bias, target, dx, dw, dbias, losses, clock, partial,
              s);
}

static void conv2d(const void *x, const void *w, void *y,
                   struct train_conv2d s)
{
    RUN_GIVEN(conv2d, x, w, y, s);
}

static void conv2d_input_grad(const void *dy, const void *w, void *dx,
                              struct train_conv2d s)
{
    RUN_GIVEN(conv2d_input_grad, dy, w, dx, s);
}

static void conv2d_weight_grad(const void *dy, const void *x, void *dw,
                               struct train_conv2d s)
{
    float *partial = workspace(d.train_conv2d_partial(s) * sizeof *partial);

    RUN_GIVEN(conv2d_weight_grad, dy, x, dw, partial, s);
}

static void evonorm(const void *x, const void *gamma, const void *beta,
                    const void *v, void *moving, void *y,
                    struct evonorm_shape s)
{
    RUN_STAGE(evonorm_b0, s, x, gamma, beta, v, moving, y, s);
}

static void evonorm_eval(const void *x, const void *gamma, const void *beta,
                         const void *v, const void *moving, void *y,
                         struct evonorm_shape s)
{
    RUN_STAGE(evonorm_b0_eval, s, x, gamma, beta, v, moving, y, s);
}

static void evonorm_grad(const void *x, const void *dy, const void *gamma,
                         const void *v, void *dx, void *dgamma, void *dbeta,
                         void *dv, struct evonorm_shape s)
{
    RUN_STAGE(evonorm_b0_backward, s, x, dy, gamma, v, dx, dgamma, dbeta, dv,
              s);
}

static void classify(const void *x, const void *w, const void *bias,
                     const void *label, void *pool, void *de, void *losses,
                     void *hits, const void *clock, struct evonorm_shape s)
{
    RUN_GIVEN(classify, x, w, bias, label, pool, de, losses, hits, clock, s);
}

static void classify_grad(const void *pool, const void *w, const void *de,
                          void *dx, void *dw, void *dbias,
                          struct evonorm_shape s)
{
    RUN_GIVEN(classify_grad, pool, w, de, dx, dw, dbias, s);
}

/* Graphs -------------------------------------------------------------------*/

void train_graph_begin(void)
{
    CHECK(cudaStreamBeginCapture(d.stream, cudaStreamCaptureModeThreadLocal));
}

void train_graph_end(void)
{
    cudaGraph_t graph;

    CHECK(cudaStreamEndCapture(d.stream, &graph));
    CHECK(cudaGraphInstantiateWithFlags(&d.graph, graph, 0));
    CHECK(cudaGraphDestroy(graph));
}

void train_graph_replay(void)
{
    CHECK(cudaGraphLaunch(d.graph, d.stream));
}

const struct train_ops *train_ops_device(const struct train_stages *stages)
{
    static const struct train_ops ops = {
        .name = "device",
        .element = sizeof *(float *)NULL,
        .take = take,
        .give_back = give_back,
        .put = put,
        .fetch = fetch,
        .wait = wait_for_device,
        .tick = tick,
        .batch = batch,
        .adam = adam_step,
        .dwconv_forward = conv_forward,
        .dwconv_input_grad = conv_input_grad,
        .dwconv_weight_grad = conv_weight_grad,
        .lift = lift,
        .lift_grad = lift_grad,
        .rms = rms,
        .rms_grad = rms_grad,
        .swish = swish,
        .swish_rms = swish_rms,
        .swish_grad = swish_grad,
        .loss = loss,
        .conv2d = conv2d,
        .conv2d_input_grad = conv2d_input_grad,
        .conv2d_weight_grad = conv2d_weight_grad,
        .evonorm = evonorm,
        .evonorm_eval = evonorm_eval,
        .evonorm_grad = evonorm_grad,
        .classify = classify,
        .classify_grad = classify_grad,
    };

    d.stages = *stages;
    CHECK(cudaStreamCreateWithFlags(&d.stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&d.start));
    CHECK(cudaEventCreate(&d.stop));
    open_given();
    return &ops;
}
