// SPDX-License-Identifier: MIT
/*
 * runner.h: the parts of the runner and their common state.
 *
 *   stage.c    loads the learner's shared library
 *   buffers.c  device memory: guards, upload, poison, download
 *   batch.c    timed launches
 *   keep.c     arrays that one process keeps and another's stage uses
 *   case.c     the operator and the shape
 *   reply.c    says why a request failed
 *   main.c     serves check's requests, one at a time
 *
 * Every function that can fail fills the reply and returns false.
 */
#ifndef RUNNER_H
#define RUNNER_H

#include "wire.h"

struct stage {
    void *handle;    /* of dlopen */
    char path[4096]; /* of the open library */
    void *launcher;
    void *workspace; /* the query; NULL if the operator has none */
};

/* One device array between two guards (none on the simulator, which knows
 * bounds exactly). */
struct buffer {
    char *base;  /* of the allocation */
    char *at;    /* of the array, as passed to the stage */
    size_t bytes;
};

enum {
    RUNNER_GUARD = 4096, /* bytes; keeps the 256-byte alignment of cudaMalloc */
    RUNNER_GUARD_VALUE = 0xa5, /* neither zero, nor poison, nor likely */
};

/* Sets of arrays: see keep.c. Index n_buffers is the workspace. */
struct kept {
    size_t at[OP_MAX_BUFFERS + 1]; /* from the start of a set */
    size_t bytes[OP_MAX_BUFFERS + 1];
    size_t stride;                 /* bytes of a set */
    char *source[2][OP_MAX_BUFFERS]; /* of inputs */
    char *sets;                    /* all of them; NULL: none */
    uint32_t n_sets;
};

struct runner {
    bool simulated;
    const struct op *op; /* NULL until a case is loaded */
    struct op_problem problem; /* its shape and scalars alone */
    struct stage stage;
    struct buffer buffers[OP_MAX_BUFFERS];
    void *initial[OP_MAX_BUFFERS]; /* GPU: of in-and-out arrays */
    struct buffer workspace; /* bytes 0: none */
    size_t guard;            /* bytes before and after each array */
    struct kept kept;        /* instead of buffers, or for another's */
    cudaStream_t stream;
    int memory_fd;           /* check's file, mapped for uploads */
    char *flush;             /* device memory; writing it evicts L2 */
    size_t flush_bytes;
    size_t l2_bytes;
    size_t most_pitch;       /* bytes from row to row in calls of CUDA */
};

/* Fills the reply with a status and a message; returns false. */
bool runner_fail(struct wire_reply *reply, enum wire_status status,
                 const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The same, with the CUDA error's name and text. */
bool runner_fail_cuda(struct wire_reply *reply, enum wire_status status,
                      cudaError_t error, const char *what);

/* The operator and the shape; dim and ld as in wire_load. */
bool runner_set_case(struct runner *r, const char *op, const int32_t *dim,
                     const int32_t *ld, struct wire_reply *reply);

bool stage_load(struct stage *stage, const struct op *op, const char *path,
                struct wire_reply *reply);

bool device_open(struct runner *runner, struct wire_reply *reply);

/* off: bit i: buffer i begins one element behind a boundary. */
bool buffers_allocate(struct runner *runner, uint32_t off,
                      struct wire_reply *reply);
void buffers_free(struct runner *runner);
/* sealed: the file that followed; -1: the inputs are in check's. */
bool buffers_upload(struct runner *runner, const struct wire_upload *ask,
                    int sealed, struct wire_reply *reply);
/* Enqueues copies that restore every in-and-out buffer. */
bool buffers_restore(struct runner *runner, struct wire_reply *reply);
/* The same, and poisons every output and the workspace. */
bool buffers_poison(struct runner *runner, struct wire_reply *reply);
bool buffers_download(struct runner *runner, struct wire_reply *reply);
/* Check's file, which must be large enough for the case; NULL: it is not. */
char *buffers_map(struct runner *r, size_t *size, struct wire_reply *reply);
/* The guards around array i, n bytes at `at`: into the reply if one changed. */
bool buffers_check_guards(int i, const char *at, size_t n,
                          struct wire_reply *reply);

/* Calls the launcher once and checks its errors. Does not wait. */
bool stage_launch(struct runner *runner, struct wire_reply *reply);
/* Waits for the stream and for any other work that the stage started. */
bool stage_wait(struct runner *runner, struct wire_reply *reply);

bool batch_run(struct runner *runner, const struct wire_batch *batch,
               struct wire_reply *reply);
/* Enqueues a write that evicts L2. */
bool batch_flush(struct runner *runner, struct wire_reply *reply);

bool keep_open(struct runner *r, const struct wire_keep *ask,
               struct wire_reply *reply);
bool keep_source(struct runner *r, const struct wire_source *ask,
                 struct wire_reply *reply);
bool keep_renew(struct runner *r, const struct wire_renew *ask,
                struct wire_reply *reply);
bool keep_collect(struct runner *r, const struct wire_collect *ask,
                  struct wire_reply *reply);
void keep_lay_out(struct runner *r);
bool keep_run(struct runner *r, const struct wire_run *ask,
              struct wire_reply *reply);
bool keep_release(struct runner *r, struct wire_reply *reply);

#endif
