// SPDX-License-Identifier: MIT
// honest: expf, sums in double, and one thread adds up what the others have
// chapter: 24 swish_backward
// expect: PASS
//> todo slope
    float s = 1.0f / (1.0f + expf(-a));

    return s + a * s * (1.0f - s);
//< todo
//> todo cells
    double sum = 0.0;

    for (size_t cell = i; cell < n; cell += apart) {
        float g = dy[cell] * slope(z[cell] + bias[i / s.L % s.H]);

        dz[cell] = g;
        sum += g;
    }
    sums[i] = (float)sum;
//< todo
//> todo channel
    __shared__ double of_thread[THREADS];
    double sum = 0.0;

    for (unsigned b = threadIdx.x / LANES; b < slices; b += THREADS / LANES)
        for (unsigned t = threadIdx.x % LANES; t < s.L; t += LANES)
            sum += sums[((size_t)b * s.H + blockIdx.x) * s.L + t];
    of_thread[threadIdx.x] = sum;
    __syncthreads(); // every thread's sum is there
    for (unsigned k = 1; threadIdx.x == 0 && k < THREADS; k++)
        sum += of_thread[k];
    if (threadIdx.x == 0)
        dbias[blockIdx.x] = (float)sum;
//< todo
