// SPDX-License-Identifier: MIT
/* No bug: a struct is copied with padding that was never written. */
struct sample {
    float value;
    long long at;
};

__global__ void fill(sample *x)
{
    x[threadIdx.x].value = threadIdx.x;
    x[threadIdx.x].at = threadIdx.x;
}

__global__ void move(const sample *x, sample *y)
{
    const long long *from = (const long long *)&x[threadIdx.x];
    long long *to = (long long *)&y[threadIdx.x];
    to[0] = from[0];
    to[1] = from[1];
}

static void run(void)
{
    sample *x = (sample *)unset(4 * THREADS), *y = (sample *)unset(4 * THREADS);
    fill<<<1, THREADS>>>(x);
    move<<<1, THREADS>>>(x, y);
    launched();
}
