// SPDX-License-Identifier: MIT
// mutant: a maximum that prefers a number to NaN
// chapter: 22 evonorm_b0_eval
// expect: WRONG
// shape: B3 C5 S37
//> todo kernel
// In place. Where an image has no variance because it holds an infinity or a
// NaN, the moving average has one all the same: the NaN must win.
static __device__ void normalise(float *held, float scale, float shift,
                                 float slope, float batch, float image)
{
#pragma unroll
    for (int i = 0; i < PLANE_HELD; i++) {
        float other = slope * held[i] + image;
        float d = fmaxf(batch, other);

        held[i] = __fdividef(scale * held[i], d) + shift;
    }
}

// A warp per plane, which keeps one round and reads the others again.
template <bool WIDE>
static __global__ void evaluate(const float *x, const float *gamma,
                                const float *beta, const float *v,
                                const float *moving, float *y,
                                struct evonorm_shape s)
{
    int plane = (int)(blockIdx.x * (THREADS / LANES) + threadIdx.x / LANES);
    int c = plane % s.C, rounds = plane_rounds(s.S);
    struct moments m = moments::none();
    float held[PLANE_HELD];

    if (plane >= s.B * s.C)
        return; // the last block has warps to spare
    x += (size_t)plane * s.S;
    y += (size_t)plane * s.S;
    for (int round = 0; round < rounds; round++) {
        plane_load<WIDE>(x, s.S, round, held);
        m.join(moments_of<WIDE>(held, s.S, round));
    }

    float scale = gamma[c], shift = beta[c], slope = v[c];
    float image = sqrtf(m.over_warp().squares / s.S + EVONORM_EPS);
    float batch = sqrtf(moving[c] + EVONORM_EPS);

    for (int round = rounds - 1; round >= 0; round--) {
        if (round < rounds - 1)
            plane_load<WIDE>(x, s.S, round, held);
        normalise(held, scale, shift, slope, batch, image);
        plane_store<WIDE>(y, s.S, round, held);
    }
}
//< todo
