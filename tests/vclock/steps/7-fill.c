// SPDX-License-Identifier: MIT
// step: an input whose values differ
// next: clock ramp
//> todo prepare
    cudaEvent_t before, after;
    void *flush;
    int l2_bytes;

    CHECK(cudaEventCreate(&before));
    CHECK(cudaEventCreate(&after));
    CHECK(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0));
    CHECK(cudaMalloc(&flush, 2 * (size_t)l2_bytes));
    CHECK(fill(job));
//< todo
//> todo helpers
static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

// The input, full of values of which no two neighbours are equal.
static cudaError_t fill(const struct timer_job *job)
{
    size_t n = job->input_bytes / sizeof(unsigned);
    unsigned *values = (unsigned *)malloc(n * sizeof *values), value = 1;
    cudaError_t error;

    if (!values)
        return cudaErrorMemoryAllocation;
    for (size_t i = 0; i < n; i++) {
        value = value * 1664525u + 1013904223u; // any generator will do
        values[i] = value;
    }
    error = cudaMemcpy(job->input, values, n * sizeof *values,
                       cudaMemcpyHostToDevice);
    free(values);
    return error;
}
//< todo
