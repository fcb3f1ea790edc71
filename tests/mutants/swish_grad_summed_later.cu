// SPDX-License-Identifier: MIT
// mutant: dz is read again for its sum
// chapter: 24 swish_backward
// expect: TECHNIQUE
//> todo kernel
    unsigned h = blockIdx.x, steps = s.B * s.L;
    float own = bias[h], sum = 0.0f;

    for (unsigned r = threadIdx.x; r < steps; r += THREADS) {
        size_t i = ((size_t)(r / s.L) * s.H + h) * s.L + r % s.L;

        dz[i] = dy[i] * slope(z[i] + own);
    }
    __syncthreads(); // dz is whole
    for (unsigned r = threadIdx.x; r < steps; r += THREADS)
        sum += dz[((size_t)(r / s.L) * s.H + h) * s.L + r % s.L];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        dbias[h] = sum;
//< todo
