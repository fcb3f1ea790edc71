// SPDX-License-Identifier: MIT
/*
 * runner_client.h: check's side of one runner process.
 *
 *   runner_start, runner_stop
 *   runner_kill    the first half of runner_stop: several can end at once
 *   runner_begin, runner_greet   runner_start in two: what lies between runs
 *                  beside the creation of a context on the GPU, which takes
 *                  seconds
 *   runner_load    which stage, for which operator and shape
 *   runner_holds   whether that is what it has
 *   runner_run     upload inputs, poison outputs, launch, read outputs back
 *   runner_time    one batch of timed launches (GPU only)
 *   runner_sets, runner_plan, runner_on_sets, runner_upload_other, runner_mix
 *                  of a runner whose arrays another process keeps (keeper.h)
 *
 * A runner is not believed: whatever it says is compared or bounded. After
 * runner_upload outputs and workspace hold poison (type.h).
 * After a fault of the device (RUNNER_LAUNCH, an illegal address, say) the next
 * call fails too: start another. A runner dies with the thread that started it.
 * Every call has a time limit; after any status but RUNNER_OK and RUNNER_LAUNCH
 * the runner is gone and must be stopped.
 */
#ifndef CHECK_RUNNER_CLIENT_H
#define CHECK_RUNNER_CLIENT_H

#include "inputs.h"
#include "op/op.h"
#include "runner_spawn.h"

enum runner_status {
    RUNNER_OK,
    RUNNER_LAUNCH,     /* the launcher, or the launch, returned an error */
    RUNNER_DEVICE,     /* no usable device, out of device memory: machine's */
    RUNNER_SYMBOL,     /* the stage lacks the launcher; message names it */
    RUNNER_EXITED,     /* the stage ended the process: exit(n) */
    RUNNER_CRASHED,    /* ended by a signal */
    RUNNER_TIMEOUT,    /* wall clock limit; the process was killed */
    RUNNER_REFUSED,    /* wrong libcudart, garbage on the channel */
};

struct runner_failure {
    char error_name[64];    /* "cudaErrorInvalidConfiguration" */
    char message[512];      /* one or two sentences for the learner */
    int exit_code, signal;
    bool unfair;            /* no processor, or no memory in the system */
};

struct runner;

/* Returns NULL and fills failure when the process cannot be started. */
struct runner *runner_start(const struct runner_config *config,
                            struct runner_failure *failure);
struct runner *runner_begin(const struct runner_config *config,
                            struct runner_failure *failure);
/* Waits until its device is open. NULL: it cannot be; the runner is gone. */
struct runner *runner_greet(struct runner *runner,
                            struct runner_failure *failure);
void runner_stop(struct runner *runner);
void runner_kill(const struct runner *runner);
/* The file of what it prints. */
const char *runner_output(const struct runner *runner);

/* Loads the stage and allocates device buffers for the shape (again for each
 * new shape). addresses[i] is where buffer i lives on the device, workspace
 * the workspace's address (0: none) and its size. */
struct runner_case {
    const struct op *op;
    struct op_shape shape;
    const char *stage;      /* path of the .so */
    unsigned off;           /* bit i: buffer i begins one element behind a
                               boundary; not if a keeper has the arrays */
};
struct runner_layout {
    uint64_t address[OP_MAX_BUFFERS];
    size_t bytes[OP_MAX_BUFFERS];
    uint64_t workspace;
    size_t workspace_bytes;
};
enum runner_status runner_load(struct runner *runner,
                               const struct runner_case *c,
                               struct runner_layout *layout,
                               struct runner_failure *failure);

bool runner_holds(const struct runner *runner, const struct op *op,
                  const struct op_shape *shape);

/* given[i] is what buffer i holds before the launch, got[i] an array for what
 * it holds after it: op_bytes each, and not looked at for buffers that are not
 * read, or not written. scalar: op->n_scalars. Split in three so that check can
 * act between them on the simulated device (mark outputs undefined, then read
 * them over the control channel). */
enum runner_status runner_upload(struct runner *runner, void *const *given,
                                 const double *scalar,
                                 struct runner_failure *failure);
/* in: the same inputs, in a file that several runners are given. */
enum runner_status runner_upload_sealed(struct runner *runner,
                                        void *const *given,
                                        const struct inputs *in,
                                        const double *scalar,
                                        struct runner_failure *failure);
enum runner_status runner_launch(struct runner *runner,
                                 struct runner_failure *failure);
/* What the launch left behind; guards_ok: no guard byte changed (GPU). */
struct runner_result {
    bool guards_ok;
    int guard_buffer;       /* which one, if not; n_buffers: workspace */
    long long guard_offset; /* bytes from its start; negative: before it */
    bool inputs_ok;         /* inputs read back unchanged */
};
enum runner_status runner_download(struct runner *runner, void *const *got,
                                   struct runner_result *result,
                                   struct runner_failure *failure);

/* A runner that was started with config.kept launches once per set of arrays,
 * all of them new, and is timed by check's clock: runner_time's seconds are
 * those of a call less the overhead, per set. */
struct runner_sets {
    int n;              /* per call; 0: no other process keeps its arrays */
    size_t bytes;       /* of one */
    size_t least_bytes; /* of memory in a call, used or not */
    double overhead;    /* seconds */
};
struct runner_sets runner_sets(const struct runner *runner);
void runner_plan(struct runner *runner, const struct runner_sets *sets);
/* One call with n sets: check's clock over all of it. */
enum runner_status runner_on_sets(struct runner *runner, int n,
                                  double *seconds,
                                  struct runner_failure *failure);
/* Further inputs, of which no two sets have the same parts. */
enum runner_status runner_upload_other(struct runner *runner,
                                       void *const *given,
                                       struct runner_failure *failure);
/* The next download is this set's; into `to` what its inputs were, from those
 * that were uploaded. */
void runner_mix(struct runner *runner, int set, void *const *given,
                void *const *other, void *const *to);

/* What the runner says its device is. */
struct runner_device {
    char name[128];
    char pci[32];           /* "0000:01:00.0"; empty when simulated */
    int cc_major, cc_minor, sms;
    size_t memory_bytes, l2_bytes;
};
const struct runner_device *runner_device(const struct runner *runner);

/* One batch of launches on a GPU. With events: each of n launches is timed by
 * itself, with a cold L2; the outputs of the last can be downloaded. Without:
 * n launches back to back, for check to hold its own clock against; seconds
 * is left alone. wall is check's clock over the whole call. With events n is
 * at most RUNNER_MAX_SAMPLES. */
enum { RUNNER_MAX_SAMPLES = 1024 };
enum runner_status runner_time(struct runner *runner, bool events, int n,
                               double *seconds, double *wall,
                               struct runner_failure *failure);

#endif
