// SPDX-License-Identifier: MIT
/*
 * middle.cu: candidates for depthwise convolution with dozens of taps, in
 * turns; see README.md.
 *
 *   middle L K [L K ...]
 */
#include "op/dwconv_middle.cuh"
#include "overlap.cuh"
#include "pairs.cuh"

static bool gradient;

static cudaError_t committed(void)
{
    if (!dwconv_middle_fits(shape))
        return cudaErrorNotSupported;
    return gradient ? dwconv_middle_input_grad(x, w, result, shape, 0)
                    : dwconv_middle_forward(x, w, result, shape, 0);
}

template <bool TWO, bool STAY, int BLOCKS>
static cudaError_t candidate(void)
{
    if (!overlap_fits(shape))
        return cudaErrorNotSupported;
    return gradient ? overlap_run<overlap_variant<true, TWO, STAY, BLOCKS>>(
                          x, w, result, shape, 0)
                    : overlap_run<overlap_variant<false, TWO, STAY, BLOCKS>>(
                          x, w, result, shape, 0);
}

static const struct entrant entrants[] = {
    {"committed", committed},
    {"goes_one_sum", candidate<false, false, 6>},
    {"goes", candidate<true, false, 5>},
    {"stays_one_sum", candidate<false, true, 6>},
    {"stays_4", candidate<true, true, 4>},
    {"stays_5", candidate<true, true, 5>},
    {"stays_6", candidate<true, true, 6>},
};

enum { ENTRANTS = sizeof entrants / sizeof *entrants };

int main(int argc, char **argv)
{
    pairs_arrays();
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!pairs_shape(argv[i], argv[i + 1]))
            return 2;
        for (int g = 0; g < 2; g++) {
            gradient = g;
            pairs_try(g ? "input_grad" : "forward", entrants, ENTRANTS);
        }
    }
    return 0;
}
