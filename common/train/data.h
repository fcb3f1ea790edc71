// SPDX-License-Identifier: MIT
/*
 * data.h: what the models learn from.
 *
 *   data_series    a time series: sequences, and what follows each step
 *   data_images    drawn images of ten classes
 *   data_fashion   Fashion-MNIST, from the files of Debian's package
 *   data_shuffle   another order of the examples
 *   data_give_back
 *
 * The series is a load as a power grid has it, in steps of an hour: a day's
 * swing with two harmonics, a week's, a slow drift, noise, and a level and a
 * phase per sequence (a household). The images have one of ten simple shapes
 * (bars, a cross, a ring, ...) at a random place, size and brightness, under
 * noise. Both follow from the seed.
 */
#ifndef WB_TRAIN_DATA_H
#define WB_TRAIN_DATA_H

#include <stdint.h>

struct data_set {
    int n;                      /* examples */
    int input_size, target_size; /* numbers of an example */
    float *inputs, *targets;    /* labels are whole numbers */
};

struct data_set data_series(int n, int length, uint64_t seed);
struct data_set data_images(int n, int side, uint64_t seed);
/* The first n of "train" or "t10k"; n = 0 if they are not where the package
 * puts them, nor in the folder TRAIN_FASHION. */
struct data_set data_fashion(int n, const char *part);
void data_shuffle(struct data_set *d, uint64_t seed);
void data_give_back(struct data_set *d);

#endif
