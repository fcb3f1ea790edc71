// SPDX-License-Identifier: MIT
/*
 * network.c: how queues overlap. Interface: network.h.
 *
 * Two levels. While so many blocks are at work, their customers make a network
 * of their own: mean value analysis (Reiser and Lavenberg, Journal of the ACM
 * 27, 1980) computes its time. A customer that arrives finds the queues as they
 * are with one customer less. Seen from outside, that network is one server
 * that is the faster the more blocks are in it (Chandy, Herzog and Woo, IBM
 * Journal of Research and Development 19, 1975). Blocks go back and forth
 * between it and the one that starts them.
 */
#include "network.h"

/* time[k]: in which all work is done by k customers. */
static void find_times(const struct network *n, int customers, double *time)
{
    double queue[NETWORK_QUEUES] = {0};
    for (int k = 1; k <= customers; k++) {
        double stay[NETWORK_QUEUES], round = n->own * customers;
        for (int q = 0; q < NETWORK_QUEUES; q++)
            round += stay[q] = n->demand[q] * (1 + queue[q]);
        for (int q = 0; q < NETWORK_QUEUES; q++)
            queue[q] = round > 0 ? k * stay[q] / round : 0;
        time[k] = round / k;
    }
}

/* Customers of k of the blocks. */
static int of_blocks(const struct network *n, int customers, int k)
{
    return (k * customers + n->blocks - 1) / n->blocks;
}

double network_time(const struct network *n)
{
    int customers =
        n->customers < NETWORK_CUSTOMERS ? n->customers : NETWORK_CUSTOMERS;
    double time[NETWORK_CUSTOMERS + 1], likely = 1, all = 0, done = 0;
    find_times(n, customers, time);
    if (!(time[customers] > 0))
        return n->start;
    /* likely: that k blocks are at work, and the others wait for their start;
     * done: the share of all work per time. */
    for (int k = n->blocks; k > 0; k--) {
        double t = time[of_blocks(n, customers, k)];
        all += likely;
        done += likely / t;
        likely *= n->start / t;
    }
    return (all + likely) / done;
}
