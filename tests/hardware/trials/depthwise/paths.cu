// SPDX-License-Identifier: MIT
/*
 * paths.cu: candidates for all lengths and taps, one path of the three; see
 * README.md. Compiled with -DPATH=0 (forward), 1 (input gradient) or 2 (weight
 * gradient), and with 09's launcher of that path.
 *
 *   paths L K [L K ...]
 */
#include "few.cuh"
#include "op/dwconv_lanes.cuh"
#include "op/dwconv_middle.cuh"
#include "op/dwconv_middle_weights.cuh"
#include "pairs.cuh"

enum { FORWARD, INPUT_GRAD, WEIGHT_GRAD };

#if PATH == 2
static cudaError_t committed(void)
{
    return dwconv_weight_grad(dy, x, result, shape, workspace, 0);
}

static cudaError_t middle(void)
{
    return dwconv_middle_weights_fits(shape)
               ? dwconv_middle_weight_grad(dy, x, result, shape, workspace, 0)
               : cudaErrorNotSupported;
}

template <int HALO, int FEWER, int BATCH, int THREADS, int BLOCKS>
static cudaError_t few(void)
{
    if (shape.K > HALO * SHORT_QUAD + 1 || shape.K <= FEWER * SHORT_QUAD + 1)
        return cudaErrorNotSupported;
    return few_weights_run<HALO, BATCH, THREADS, BLOCKS>(dy, x, result, shape);
}

static const struct entrant entrants[] = {
    {"committed", committed},
    {"middle", middle},
    {"few_512", few<1, 0, 2, 512, 3>},
    {"few_512", few<2, 1, 2, 512, 2>},
    {"few_512", few<3, 2, 1, 512, 2>},
    {"few_512", few<4, 3, 1, 512, 2>},
    {"few_512", few<5, 4, 1, 512, 2>},
    {"few_512", few<8, 5, 1, 512, 1>},
    {"few_256", few<1, 0, 4, 256, 4>},
    {"few_256", few<2, 1, 2, 256, 4>},
    {"few_256", few<3, 2, 2, 256, 3>},
    {"few_256", few<4, 3, 2, 256, 2>},
    {"few_256", few<5, 4, 1, 256, 3>},
    {"few_256", few<8, 5, 1, 256, 2>},
    {"few_256", few<11, 8, 1, 256, 2>},
    {"few_256", few<14, 11, 1, 256, 2>},
    {"few_256", few<16, 14, 1, 256, 2>},
};
#else
enum { BACK = PATH == INPUT_GRAD };

static cudaError_t committed(void)
{
#if PATH == 1
    return dwconv_input_grad(x, w, result, shape, workspace, 0);
#else
    return dwconv_forward(x, w, result, shape, workspace, 0);
#endif
}

static cudaError_t middle(void)
{
    return !dwconv_middle_fits(shape) ? cudaErrorNotSupported
           : BACK ? dwconv_middle_input_grad(x, w, result, shape, 0)
                  : dwconv_middle_forward(x, w, result, shape, 0);
}

static cudaError_t lanes(void)
{
    return !dwconv_lanes_fits(shape) ? cudaErrorNotSupported
           : BACK ? dwconv_lanes_input_grad(x, w, result, shape, 0)
                  : dwconv_lanes_forward(x, w, result, shape, 0);
}

static const struct entrant entrants[] = {
    {"committed", committed},
    {"middle", middle},
    {"lanes", lanes},
};
#endif

enum { ENTRANTS = sizeof entrants / sizeof *entrants };

int main(int argc, char **argv)
{
    static const char *const paths[] = {"forward", "input_grad",
                                        "weight_grad"};

    of_weights = PATH == WEIGHT_GRAD;
    pairs_arrays();
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!pairs_shape(argv[i], argv[i + 1]))
            return 2;
        pairs_try(paths[PATH], entrants, ENTRANTS);
    }
    return 0;
}
