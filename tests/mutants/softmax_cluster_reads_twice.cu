// SPDX-License-Identifier: MIT
// mutant: long rows are read twice, as in the step before
// chapter: 21 softmax
// expect: TECHNIQUE
// say: global_bytes_over_compulsory
    //> todo launch
    (void)workspace; // none was asked for
    softmax<float> op = {x, y};
    cudaError_t error =
        chip_fits<softmax<float>>(shape.C)
            ? row_chip_run(op, shape.R, shape.C, stream)
            : row_twice_run(op, shape.R, shape.C, sums_of_nothing(), shape.R,
                            stream);

    if (error != cudaSuccess)
        return error;
    //< todo
