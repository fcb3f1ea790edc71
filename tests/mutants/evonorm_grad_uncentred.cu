// SPDX-License-Identifier: MIT
// mutant: a variance's gradient without the mean
// chapter: 22 gradient
// expect: WRONG
// shape: B3 C5 S37
    //> todo derive
    float image = sqrtf(m.squares / s.S + EVONORM_EPS);
    float by_image = t / (s.S * image);
    float by_batch = c.a / ((float)s.B * s.S * c.root);

#pragma unroll
    for (int i = 0; i < PLANE_HELD; i++) {
        float other = c.v * x[i] + image;
        float r = __fdividef(1.0f, other > c.root ? other : c.root);
        float direct = g[i] * c.gamma * r;

        g[i] = direct + by_image * x[i] +
               by_batch * (x[i] - c.mean) -
               (other > c.root ? direct * x[i] * r * c.v : 0.0f);
    }
    //< todo
