// SPDX-License-Identifier: MIT
// honest: a warp goes from sequence to sequence, lanes along t; expf, doubles
// chapter: 24 swish_backward
// expect: PASS
//> todo slope
    float s = 1.0f / (1.0f + expf(-a));

    return s + a * s * (1.0f - s);
//< todo
//> todo kernel
    __shared__ double sums[THREADS];
    unsigned h = blockIdx.x;
    double sum = 0.0;

    for (unsigned b = threadIdx.x / LANES; b < s.B; b += THREADS / LANES)
        for (unsigned t = threadIdx.x % LANES; t < s.L; t += LANES) {
            size_t i = ((size_t)b * s.H + h) * s.L + t;
            float g = dy[i] * slope(z[i] + bias[h]);

            dz[i] = g;
            sum += g;
        }
    sums[threadIdx.x] = sum;
    __syncthreads(); // every thread's sum is there
    for (unsigned k = 1; threadIdx.x == 0 && k < THREADS; k++)
        sum += sums[k];
    if (threadIdx.x == 0)
        dbias[h] = sum;
//< todo
