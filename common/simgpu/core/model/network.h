// SPDX-License-Identifier: MIT
/*
 * network.h: closed networks of queues.
 *
 *   network_time   the time in which a multiprocessor's work is done
 *
 * Customers go round: each asks of every queue in turn what it needs there,
 * spends some time that is nobody's queue, and begins again. They come in
 * blocks, which are started one after the other.
 */
#ifndef SIMGPU_NETWORK_H
#define SIMGPU_NETWORK_H

enum {
    NETWORK_QUEUES = 3,
    NETWORK_CUSTOMERS = 64, /* at most: a multiprocessor has no more warps */
};

/* All times are of the whole work. */
struct network {
    double demand[NETWORK_QUEUES]; /* if nothing else took time */
    double own;     /* of the time that is nobody's queue, if all customers
                       spent it side by side */
    int customers;  /* at least 1 */
    int blocks;     /* among which they are divided: at least 1 */
    double start;   /* of all blocks that are started, one by one */
};

double network_time(const struct network *n);

#endif
