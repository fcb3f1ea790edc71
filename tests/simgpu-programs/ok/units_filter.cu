// SPDX-License-Identifier: MIT
// units: filter_passes.cu
/* units_filter.cu: a separable filter whose kernels, weights and loads at the
 * edge are in another unit; this one fills in the weights. */
#include "../check.h"
#include "../units/filter.h"

#include <vector>

static int clamped(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* In the kernels' order of summation, so that the results are equal. */
static std::vector<float> pass(const std::vector<float> &in, const float *taps,
                               int dx, int dy)
{
    std::vector<float> out(in.size());
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            float sum = 0;
            for (int t = -RADIUS; t <= RADIUS; t++)
                sum += taps[t + RADIUS] *
                       in[clamped(y + t * dy, HEIGHT) * WIDTH +
                          clamped(x + t * dx, WIDTH)];
            out[y * WIDTH + x] = sum;
        }
    return out;
}

int main()
{
    /* Small integers: sums are exact, with and without fma. */
    const float taps[TAPS] = {1, 4, 6, 4, 1};
    std::vector<float> image(WIDTH * HEIGHT), got(image.size());
    float *in, *between, *out;
    for (size_t i = 0; i < image.size(); i++)
        image[i] = (float)(i * 2654435761u >> 24 & 63);
    size_t bytes = image.size() * sizeof(float);
    CUDA(cudaMalloc(&in, bytes));
    CUDA(cudaMalloc(&between, bytes));
    CUDA(cudaMalloc(&out, bytes));
    CUDA(cudaMemcpyToSymbol(weights, taps, sizeof taps));
    CUDA(cudaMemcpy(in, image.data(), bytes, cudaMemcpyHostToDevice));
    filter(in, between, out);
    CUDA(cudaMemcpy(got.data(), out, bytes, cudaMemcpyDeviceToHost));
    std::vector<float> wanted = pass(pass(image, taps, 1, 0), taps, 0, 1);
    for (size_t i = 0; i < wanted.size(); i++)
        CHECK(got[i] == wanted[i]);
    int calls;
    CUDA(cudaMemcpyFromSymbol(&calls, edge_loads, sizeof calls));
    CHECK(calls == 2 * RADIUS * (WIDTH + HEIGHT));
    printf("filtered %d x %d\n", WIDTH, HEIGHT);
}
