// SPDX-License-Identifier: MIT
/*
 * main.c: plays one trap to one timer; see stopwatch.h.
 *
 * The hard idea: one program for both worlds. What it launches is a real
 * kernel that spins for as long as the trap says, or a call of the virtual
 * clock; which one, the library that the linker found decides.
 */
#include "stopwatch/stopwatch.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "op/timer.h"
#include "stopwatch/spin.h"
#include "vclock/trap.h"

/* The job comes first: a timer's pointer to it is a pointer to this. */
struct play {
    struct timer_job job;
    struct trap trap;
    uint64_t launches; /* of all calls */
    double busy_ms;    /* what they took so far */
    cudaError_t (*spin)(const void *, size_t, double, double, cudaStream_t);
    cudaError_t (*chase)(const void *, size_t, unsigned, cudaStream_t);
    cudaError_t (*virtual_kernel)(const struct trap *, double, const void *);
};

static FILE *result;

static void finish(enum stopwatch_end end, const char *words)
{
    fprintf(result, "%s\n", words);
    fclose(result);
    exit(end);
}

static void *symbol(void *library, const char *name)
{
    void *found = dlsym(library, name);

    if (!found)
        finish(STOPWATCH_DEVICE, dlerror());
    return found;
}

/* A step of the chase waits this long for memory, roughly: the truth is
 * measured, so only the order of magnitude matters. */
static const double step_us = 0.6;

static cudaError_t on_gpu(struct play *p, double us, cudaStream_t stream)
{
    size_t bytes = p->job.input_bytes;

    if (p->trap.warm < 1)
        return p->chase(p->job.input, bytes, (unsigned)(us / step_us), stream);
    us *= trap_ramp(&p->trap, p->busy_ms);
    p->busy_ms += us * 1e-3;
    return p->spin(p->job.input, bytes, us, us * p->trap.alike, stream);
}

static cudaError_t launch(const struct timer_job *job, cudaStream_t stream)
{
    struct play *p = (struct play *)job;
    double us = trap_launch_us(&p->trap, p->launches++);

    return p->virtual_kernel
               ? p->virtual_kernel(&p->trap, us, p->job.input)
               : on_gpu(p, us, stream);
}

/* The kernels, the input full of zeros, and a GPU that is awake. */
static void prepare(struct play *p, const char *spin_path)
{
    void *found = dlsym(RTLD_DEFAULT, "vclock_kernel"), *spin;
    cudaError_t error;

    memcpy(&p->virtual_kernel, &found, sizeof found);
    if (!found) {
        spin = dlopen(spin_path, RTLD_NOW | RTLD_LOCAL);
        if (!spin)
            finish(STOPWATCH_DEVICE, dlerror());
        found = symbol(spin, "spin_launch");
        memcpy(&p->spin, &found, sizeof found);
        found = symbol(spin, "chase_launch");
        memcpy(&p->chase, &found, sizeof found);
    }
    p->job.launch = launch;
    p->job.input_bytes = (size_t)p->trap.input_bytes;
    error = cudaMalloc(&p->job.input, p->job.input_bytes);
    if (error == cudaSuccess)
        error = cudaMemset(p->job.input, 0, p->job.input_bytes);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
        finish(STOPWATCH_DEVICE, cudaGetErrorString(error));
}

static double (*load(const char *path))(const struct timer_job *)
{
    void *library, *found;
    double (*timer)(const struct timer_job *);

    if (strcmp(path, "-") == 0)
        return stopwatch_truth;
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        finish(STOPWATCH_NO_LOAD, dlerror());
    found = dlsym(library, "timer_ms");
    if (!found)
        finish(STOPWATCH_NO_TIMER, dlerror());
    memcpy(&timer, &found, sizeof timer);
    return timer;
}

int main(int argc, char **argv)
{
    enum { RESULT = 1, SPIN, TIMER, CALLS, FIELDS };
    static struct play play;
    double (*timer)(const struct timer_job *);

    if (argc <= FIELDS || !(result = fopen(argv[RESULT], "w"))) {
        fprintf(stderr, "usage: stopwatch RESULT SPIN.so TIMER.so CALLS "
                "FIELD=VALUE...\n");
        return 2;
    }
    for (int i = FIELDS; i < argc; i++)
        if (!trap_read(&play.trap, argv[i]))
            finish(STOPWATCH_DEVICE, argv[i]);
    prepare(&play, argv[SPIN]);
    timer = load(argv[TIMER]);
    for (int i = 0; i < atoi(argv[CALLS]); i++) {
        uint64_t before = play.launches;
        double ms = timer(&play.job);

        fprintf(result, "%.9g %llu\n", ms,
                (unsigned long long)(play.launches - before));
        fflush(result);
    }
    fclose(result);
    return STOPWATCH_WELL;
}
