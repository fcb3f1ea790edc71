// SPDX-License-Identifier: MIT
/*
 * order.h: which kernel of a chapter comes next.
 *
 *   order_first    of those that nobody took, the first; -1: none is left
 *   order_ready    of those whose simulated part is over as well
 *   order_over     a kernel's result is there: it is told once those of all
 *                  kernels before it are
 *   order_to_tell  the next result to be told; -1: it is not there yet
 *
 * A GPU waits for no kernel that takes long on the simulated one while another
 * is ready. Results are told in the order of chapter.conf.
 */
#ifndef CHECK_ORDER_H
#define CHECK_ORDER_H

#include <stdbool.h>

#include "check/conf/conf.h"

struct order {
    int n;
    bool through[CONF_KERNELS]; /* its simulated part is over */
    bool taken[CONF_KERNELS];
    bool over[CONF_KERNELS];
    int told; /* so many are */
};

int order_first(const struct order *order);
int order_ready(const struct order *order);
void order_over(struct order *order, int i);
int order_to_tell(struct order *order);

#endif
