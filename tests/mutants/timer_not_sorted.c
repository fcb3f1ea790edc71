// SPDX-License-Identifier: MIT
// mutant: compares samples as whole milliseconds, so they are not sorted
// chapter: 02 timer
// expect: WRONG
// say: one launch: 
// say: are they in order
//> todo helpers
static int ascending(const void *a, const void *b)
{
    return *(const double *)a - *(const double *)b;
}

static cudaError_t fill(const struct timer_job *job)
{
    size_t n = job->input_bytes / sizeof(unsigned);
    unsigned *values = (unsigned *)malloc(n * sizeof *values);
    cudaError_t error;

    if (!values)
        return cudaErrorMemoryAllocation;
    for (size_t i = 0; i < n; i++)
        values[i] = 3 * i;
    error = cudaMemcpy(job->input, values, n * sizeof *values,
                       cudaMemcpyHostToDevice);
    free(values);
    return error;
}
//< todo
