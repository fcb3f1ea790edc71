// SPDX-License-Identifier: MIT
// mutant: leaves the input as it is: all zeros
// chapter: 02 timer
// expect: WRONG
// say: all alike: 
// say: the truth is
//> todo helpers
static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static cudaError_t fill(const struct timer_job *job)
{
    return cudaMemset(job->input, 0, job->input_bytes);
}
//< todo
