// SPDX-License-Identifier: MIT
// mistake: numbers the rows along the grid's y, which ends at 65535
// chapter: 04 forward
// expect: LAUNCH grid y is 65537
// say: along x alone
//> todo kernel
static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    int row = blockIdx.y, h = row % s.H;
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    if (t >= s.L)
        return;
    for (int k = 0; k <= min(t, s.K - 1); k++)
        sum += w[h * s.K + k] * x[row * s.L + t - k];
    y[row * s.L + t] = sum;
}
//< todo
//> todo launch
    dim3 grid((shape.L + 63) / 64, shape.B * shape.H);

    forward<<<grid, 64, 0, stream>>>(x, w, y, shape);
//< todo
