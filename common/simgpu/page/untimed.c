// SPDX-License-Identifier: MIT
/*
 * untimed.c: a page predicts no times, so that its engine goes without
 * core/model/. This is what stands for it there.
 */
#include <stdlib.h>

#include "simgpu/core/model/traffic.h"

/* No page asks for CHECK_TRAFFIC. */
void traffic_begin(struct run *r)
{
    (void)r;
    abort();
}

struct traffic *traffic_end(struct run *r)
{
    return r->probe->traffic;
}

void traffic_free(struct traffic *t)
{
    (void)t;
}
