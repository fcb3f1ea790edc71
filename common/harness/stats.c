// SPDX-License-Identifier: MIT
/*
 * stats.c: see stats.h.
 */
#include "harness/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The largest rank r (from 1) such that the r-th smallest of n samples lies
 * above the true median with a chance of at most `tail`; 0: there is none.
 * That chance is P(Binomial(n, 1/2) < r). */
static int low_rank(int n, double tail)
{
    double below = 0;
    int rank = 0;

    for (int i = 0; i < n / 2; i++) {
        below += exp(lgamma(n + 1.0) - lgamma(i + 1.0) - lgamma(n - i + 1.0) -
                     n * log(2.0));
        if (below > tail)
            break;
        rank = i + 1;
    }
    return rank;
}

struct interval stats_median(const double *samples, int n, double confidence)
{
    struct interval result = {NAN, 0, INFINITY};
    int rank = low_rank(n, (1 - confidence) / 2);
    double *sorted;

    if (n < 1)
        return result;
    sorted = malloc((size_t)n * sizeof *sorted);
    if (!sorted)
        abort();
    memcpy(sorted, samples, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, ascending);
    result.median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    if (rank > 0) {
        result.low = sorted[rank - 1];
        result.high = sorted[n - rank];
    }
    free(sorted);
    return result;
}

/* Each interval misses with half the allowed chance, so that both hold with
 * the whole; the extreme quotients then bound the true one. */
struct interval stats_ratio(const double *above, int n_above,
                            const double *below, int n_below,
                            double confidence)
{
    double each = 1 - (1 - confidence) / 2;
    struct interval a = stats_median(above, n_above, each);
    struct interval b = stats_median(below, n_below, each);

    return (struct interval){a.median / b.median, a.low / b.high,
                             b.low > 0 ? a.high / b.low : INFINITY};
}

double stats_width(const struct interval *interval)
{
    return (interval->high - interval->low) / 2 / interval->median;
}
