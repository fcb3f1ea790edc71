// SPDX-License-Identifier: MIT
/*
 * main.c: runs one timer on one trap; see stopwatch.h.
 *
 * The hard idea: one program for both devices. It launches either a real
 * kernel that spins for the trap's time, or calls the virtual clock, depending
 * on which libcudart the dynamic linker found.
 */
#include "stopwatch/stopwatch.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "op/timer.h"
#include "stopwatch/spin.h"
#include "vclock/trap.h"

/* Kept apart from the job, to which the timer gets a pointer: the true time
 * must not be stored next to it. */
static struct play {
    struct trap trap;
    uint64_t launches; /* in all calls of the timer */
    double busy_ms;    /* their total time so far */
    cudaError_t (*spin)(const void *, size_t, double, double, cudaStream_t);
    cudaError_t (*chase)(const void *, size_t, unsigned, cudaStream_t);
    cudaError_t (*virtual_kernel)(const struct trap *, double, const void *);
    const char *(*virtual_remark)(void);
} play;

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

/* Roughly the latency of one load from memory. The true time is measured, so
 * only the order of magnitude matters. */
static const double step_us = 0.6;

static cudaError_t on_gpu(const struct timer_job *job, double us,
                          cudaStream_t stream)
{
    if (play.trap.warm < 1)
        return play.chase(job->input, job->input_bytes,
                          (unsigned)(us / step_us), stream);
    us *= trap_ramp(&play.trap, play.busy_ms);
    play.busy_ms += us * 1e-3;
    return play.spin(job->input, job->input_bytes, us, us * play.trap.alike,
                     stream);
}

static cudaError_t launch(const struct timer_job *job, cudaStream_t stream)
{
    double us = trap_launch_us(&play.trap, play.launches++);

    return play.virtual_kernel
               ? play.virtual_kernel(&play.trap, us, job->input)
               : on_gpu(job, us, stream);
}

static void find_kernels(const char *spin_path)
{
    void *found = dlsym(RTLD_DEFAULT, "vclock_kernel"), *spin;

    memcpy(&play.virtual_kernel, &found, sizeof found);
    if (found) {
        found = symbol(RTLD_DEFAULT, "vclock_remark");
        memcpy(&play.virtual_remark, &found, sizeof found);
        return;
    }
    spin = dlopen(spin_path, RTLD_NOW | RTLD_LOCAL);
    if (!spin)
        finish(STOPWATCH_DEVICE, dlerror());
    found = symbol(spin, "spin_launch");
    memcpy(&play.spin, &found, sizeof found);
    found = symbol(spin, "chase_launch");
    memcpy(&play.chase, &found, sizeof found);
}

/* The input is zeroed, and the GPU has left its idle state. */
static struct timer_job make_job(void)
{
    struct timer_job job = {.launch = launch,
                            .input_bytes = (size_t)play.trap.input_bytes};
    cudaError_t error = cudaMalloc(&job.input, job.input_bytes);

    if (error == cudaSuccess)
        error = cudaMemset(job.input, 0, job.input_bytes);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
        finish(STOPWATCH_DEVICE, cudaGetErrorString(error));
    return job;
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

/* Reads the trap, and erases it from /proc/self/cmdline. */
static void read_fields(char **argv)
{
    for (; *argv; argv++) {
        if (!trap_read(&play.trap, *argv))
            finish(STOPWATCH_DEVICE, *argv);
        memset(*argv, ' ', strlen(*argv));
    }
}

int main(int argc, char **argv)
{
    enum { RESULT = 1, SPIN, TIMER, CALLS, FIELDS };
    double (*timer)(const struct timer_job *);
    struct timer_job job;

    if (argc <= FIELDS || !(result = fopen(argv[RESULT], "w"))) {
        fprintf(stderr, "usage: stopwatch RESULT SPIN.so TIMER.so CALLS "
                "FIELD=VALUE...\n");
        return 2;
    }
    read_fields(argv + FIELDS);
    find_kernels(argv[SPIN]);
    job = make_job();
    timer = load(argv[TIMER]);
    for (int i = 0; i < atoi(argv[CALLS]); i++) {
        uint64_t before = play.launches;
        double ms = timer(&job);

        fprintf(result, "%.9g %llu %s\n", ms,
                (unsigned long long)(play.launches - before),
                play.virtual_remark ? play.virtual_remark() : "-");
        fflush(result);
    }
    fclose(result);
    return STOPWATCH_OK;
}
