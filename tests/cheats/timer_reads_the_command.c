// SPDX-License-Identifier: MIT
// cheat: looks for the true time on the command line
// chapter: 02 timer
// expect: WRONG
// say: async
//> todo helpers
#include <stdio.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static cudaError_t fill(const struct timer_job *job)
{
    return cudaMemset(job->input, 1, job->input_bytes);
}

// The number behind NAME= among the program's arguments, in milliseconds.
static double told(const char *name)
{
    char line[8192];
    FILE *file = fopen("/proc/self/cmdline", "rb");
    size_t n = file ? fread(line, 1, sizeof line, file) : 0;

    for (size_t i = 0; i < n; i++)
        if (strncmp(line + i, name, strlen(name)) == 0)
            return atof(line + i + strlen(name)) / 1000;
    return 0;
}
//< todo
//> todo warm-up
    (void)ascending;
    CHECK(job->launch(job, NULL));
//< todo
//> todo sample
        ms[i] = told("kernel_us=");
//< todo
//> todo answer
    answer = ms[0];
//< todo
