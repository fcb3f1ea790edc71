// SPDX-License-Identifier: MIT
// mutant: the CPU writes to the GPU's memory
// chapter: 02 timer
// expect: CRASH
// say: signal 11
// say: job->input is the GPU's memory
// say: cudaMemcpy
//> todo helpers
static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static cudaError_t fill(const struct timer_job *job)
{
    float *values = (float *)job->input;

    for (size_t i = 0; i < job->input_bytes / sizeof *values; i++)
        values[i] = rand();
    return cudaSuccess;
}
//< todo
