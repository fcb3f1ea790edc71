// SPDX-License-Identifier: MIT
/* plain.c: the loops of plain.h, for the instruction set LANES_ISA. */
#include "plain.h"

#include <math.h>

#define EACH_STEP(s, p)                                                        \
    for (const struct plain_step *p = (s)->step; p < (s)->step + PLAIN_STEPS;  \
         p++)
/* Lanes do not depend on each other. */
#define EACH_LANE(l)                                                           \
    _Pragma("GCC ivdep") for (int l = 0; l < PLAIN_LANES; l++)

static void multiply_add(struct plain_state *s)
{
    EACH_STEP(s, p) {
        float *d = (float *)s->reg[p->d];
        const float *a = (const float *)s->reg[p->a];
        const float *b = (const float *)s->reg[p->b];
        const float *c = (const float *)s->reg[p->c];
        EACH_LANE(l)
            d[l] = fmaf(a[l], b[l], c[l]);
    }
}

static void add(struct plain_state *s)
{
    EACH_STEP(s, p) {
        uint32_t *d = s->reg[p->d];
        const uint32_t *a = s->reg[p->a], *b = s->reg[p->b];
        EACH_LANE(l)
            d[l] = a[l] + b[l];
    }
}

static void load(struct plain_state *s)
{
    EACH_STEP(s, p) {
        uint32_t *d = s->reg[p->d];
        const uint64_t *from = s->address[p->a];
        EACH_LANE(l)
            d[l] = s->memory[from[l]];
    }
}

static void store(struct plain_state *s)
{
    EACH_STEP(s, p) {
        const uint32_t *a = s->reg[p->a];
        const uint64_t *to = s->address[p->b];
        EACH_LANE(l)
            s->memory[to[l]] = a[l];
    }
}

#define NAME2(isa) plain_##isa
#define NAME(isa) NAME2(isa)
const plain_loops NAME(LANES_ISA) = {[PLAIN_FMA] = multiply_add,
                                     [PLAIN_ADD] = add,
                                     [PLAIN_LOAD] = load,
                                     [PLAIN_STORE] = store};
