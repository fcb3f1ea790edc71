// SPDX-License-Identifier: MIT
// honest: sums of values and of squares in double, and no struct of moments
// chapter: 22 fused
// expect: PASS
//> todo kernel
static __device__ double lanes_sum_double(double x)
{
    for (int step = LANES / 2; step > 0; step /= 2)
        x += __shfl_xor_sync(~0u, x, step);
    return x;
}

// A warp per plane. With 53 bits the difference of squares has enough left.
static __global__ void sums(const float *x, double2 *of_plane,
                            struct evonorm_shape s)
{
    int plane = (int)(blockIdx.x * (THREADS / LANES) + threadIdx.x / LANES);
    int lane = threadIdx.x % LANES;
    double sum = 0.0, squares = 0.0;

    if (plane >= s.B * s.C)
        return;
    for (int i = lane; i < s.S; i += LANES) {
        double value = x[(size_t)plane * s.S + i];

        sum += value;
        squares += value * value;
    }
    sum = lanes_sum_double(sum);
    squares = lanes_sum_double(squares);
    if (lane == 0)
        of_plane[plane] = make_double2(sum, squares);
}

static __device__ double variance_of(double sum, double squares, double n)
{
    double variance = squares / n - (sum / n) * (sum / n);

    return variance < 0.0 ? 0.0 : variance; // a NaN stays one
}

// A warp per channel.
static __global__ void channels(const double2 *of_plane, float *p,
                                float *moving, struct evonorm_shape s)
{
    int c = blockIdx.x;
    double sum = 0.0, squares = 0.0;

    for (int b = threadIdx.x; b < s.B; b += LANES) {
        sum += of_plane[b * s.C + c].x;
        squares += of_plane[b * s.C + c].y;
    }
    sum = lanes_sum_double(sum);
    squares = lanes_sum_double(squares);
    if (threadIdx.x == 0) {
        p[c] = (float)variance_of(sum, squares, (double)s.B * s.S);
        moving[c] = EVONORM_DECAY * moving[c] + (1.0f - EVONORM_DECAY) * p[c];
    }
}

static __global__ void finish(const float *x, const float *gamma,
                              const float *beta, const float *v,
                              const float *p, const double2 *of_plane,
                              float *y, struct evonorm_shape s)
{
    int plane = (int)(blockIdx.x * (THREADS / LANES) + threadIdx.x / LANES);

    if (plane >= s.B * s.C)
        return;

    int c = plane % s.C;
    float scale = gamma[c], shift = beta[c], slope = v[c];
    float batch = sqrtf(p[c] + EVONORM_EPS);
    double2 own = of_plane[plane];
    float image = sqrtf((float)variance_of(own.x, own.y, s.S) + EVONORM_EPS);

    for (int i = threadIdx.x % LANES; i < s.S; i += LANES) {
        float value = x[(size_t)plane * s.S + i];
        float other = slope * value + image;

        y[(size_t)plane * s.S + i] =
            scale * value / (other > batch ? other : batch) + shift;
    }
}
//< todo
    //> todo workspace
    return (size_t)shape.B * shape.C * sizeof(double2) +
           shape.C * sizeof(float);
    //< todo
    //> todo launch
    unsigned planes = (unsigned)shape.B * shape.C;
    unsigned blocks = (planes - 1) / (THREADS / LANES) + 1;
    double2 *of_plane = (double2 *)workspace;
    float *p = (float *)(of_plane + planes);

    sums<<<blocks, THREADS, 0, stream>>>(x, of_plane, shape);
    channels<<<shape.C, LANES, 0, stream>>>(of_plane, p, moving, shape);
    finish<<<blocks, THREADS, 0, stream>>>(x, gamma, beta, v, p, of_plane, y,
                                           shape);
    //< todo
