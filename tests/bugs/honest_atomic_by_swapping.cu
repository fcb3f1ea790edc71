// SPDX-License-Identifier: MIT
/* No bug: a maximum of floats, by a plain read and compare-and-swap. */
__global__ void largest(const int *x, int *most)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    float v = (float)(x[i] + i % 77);
    int old = *most, seen;
    while (__int_as_float(old) < v) {
        seen = old;
        old = atomicCAS(most, seen, __float_as_int(v));
        if (old == seen)
            break;
    }
}

static void run(void)
{
    largest<<<BLOCKS, THREADS>>>(cells(N), cells(1));
    launched();
}
