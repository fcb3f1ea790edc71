// SPDX-License-Identifier: MIT
/*
 * stats.h: medians, and how far to trust them.
 *
 *   stats_median     the median with an interval that covers the true one
 *   stats_ratio      of two medians, with an interval
 *   stats_width      half of an interval's width, over its median
 *
 * Times of a kernel are skewed and have outliers, so nothing here assumes a
 * distribution: the interval runs between two order statistics, chosen by the
 * binomial distribution (how many of n samples fall below the true median).
 */
#ifndef HARNESS_STATS_H
#define HARNESS_STATS_H

struct interval {
    double median, low, high;
};

/* confidence in (0, 1): 0.95. With too few samples for it (below 6 at 0.95)
 * the interval is infinitely wide above and reaches down to 0. */
struct interval stats_median(const double *samples, int n, double confidence);
/* The quotient of two medians of positive samples, whose intervals together
 * hold with `confidence`. */
struct interval stats_ratio(const double *above, int n_above,
                            const double *below, int n_below,
                            double confidence);
double stats_width(const struct interval *interval);

#endif
