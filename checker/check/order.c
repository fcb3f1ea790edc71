// SPDX-License-Identifier: MIT
/*
 * order.c: see order.h.
 */
#include "order.h"

int order_first(const struct order *o)
{
    for (int i = 0; i < o->n; i++)
        if (!o->taken[i])
            return i;
    return -1;
}

int order_ready(const struct order *o)
{
    for (int i = 0; i < o->n; i++)
        if (o->through[i] && !o->taken[i])
            return i;
    return -1;
}

void order_over(struct order *o, int i)
{
    o->over[i] = true;
}

int order_to_tell(struct order *o)
{
    return o->told < o->n && o->over[o->told] ? o->told++ : -1;
}
