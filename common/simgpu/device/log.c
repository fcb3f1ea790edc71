// SPDX-License-Identifier: MIT
/*
 * log.c: what happened on the device since the last clear.
 *
 *   dev_log_launch      adds a launch, refused (error) or about to run
 *   dev_log_api_error   adds a CUDA call that failed
 *   dev_log_asked       the program has asked for errors
 *   dev_log_clear       forgets everything
 */
#include "device.h"

#include <driver_types.h>
#include <stdlib.h>
#include <string.h>

static void out_of_memory(void)
{
    fputs("simgpu-device: this machine is out of memory\n", stderr);
    abort();
}

static char *copy(const char *text)
{
    char *s = strdup(text);
    if (!s)
        out_of_memory();
    return s;
}

/* Makes room for element n; the array doubles when n is a power of two. */
static void *grow(void *array, size_t n, size_t size)
{
    if (n & (n - 1))
        return array;
    array = realloc(array, (n ? 2 * n : 1) * size);
    if (!array)
        out_of_memory();
    return array;
}

struct dev_launch *dev_log_launch(struct dev_log *log, const char *kernel,
                                  const struct simwire_shape *shape,
                                  size_t dynamic_shared, int error)
{
    log->launches = grow(log->launches, log->n_launches,
                         sizeof *log->launches);
    struct dev_launch *launch = &log->launches[log->n_launches++];
    *launch = (struct dev_launch){.kernel = copy(kernel),
                                  .dynamic_shared = dynamic_shared,
                                  .error = error};
    memcpy(launch->grid, shape->grid, sizeof launch->grid);
    memcpy(launch->block, shape->block, sizeof launch->block);
    return launch;
}

void dev_log_api_error(struct dev_log *log, const char *call, int error,
                       const char *detail, uint64_t thread, bool accuses)
{
    bool launches = strcmp(call, "cudaLaunchKernel") == 0;
    accuses |= strncmp(call, "cudaFree", strlen("cudaFree")) == 0 ||
               (launches && error == cudaErrorNotSupported) || /* at loading */
               error == cudaErrorInvalidPtx ||
               error == cudaErrorNoKernelImageForDevice;
    log->api_errors = grow(log->api_errors, log->n_api_errors,
                           sizeof *log->api_errors);
    log->api_errors[log->n_api_errors++] = (struct dev_api_error){
        .call = copy(call), .detail = copy(detail), .error = error,
        .thread = thread, .accuses = accuses};
}

void dev_log_asked(struct dev_log *log, uint64_t thread, int error)
{
    struct dev_api_error *list = log->api_errors;
    for (size_t i = log->n_asked; i < log->n_api_errors; i++)
        list[i].asked |= thread ? list[i].thread == thread
                                : list[i].error == error;
    while (log->n_asked < log->n_api_errors && list[log->n_asked].asked)
        log->n_asked++;
}

void dev_log_clear(struct dev_log *log)
{
    for (size_t i = 0; i < log->n_launches; i++) {
        free(log->launches[i].kernel);
        free(log->launches[i].caller);
        if (log->launches[i].ran)
            engine_report_free(&log->launches[i].report);
    }
    for (size_t i = 0; i < log->n_api_errors; i++) {
        free(log->api_errors[i].call);
        free(log->api_errors[i].detail);
        free(log->api_errors[i].caller);
        free(log->api_errors[i].other);
    }
    free(log->launches);
    free(log->api_errors);
    *log = (struct dev_log){0};
}
