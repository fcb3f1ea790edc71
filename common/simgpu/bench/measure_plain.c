// SPDX-License-Identifier: MIT
/* measure_plain.c: how long plain.c's loops take here. Interface: plain.h. */
#include "plain.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "simgpu/width.h"

enum { TIMES = 400, ROUNDS = 9 };

static const plain_loops *loops(void)
{
#ifdef __x86_64__
    enum cpu_width width = cpu_width();

    if (width == CPU_AVX512)
        return &plain_avx512;
    if (width == CPU_AVX2)
        return &plain_avx2;
#endif
    return &plain_base;
}

static double spent(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Operands here and there; addresses of neighbouring words, as most are. */
static void prepare(struct plain_state *s)
{
    uint32_t x = 1;
    for (int k = 0; k < PLAIN_STEPS; k++) {
        uint8_t *at = (uint8_t *)&s->step[k];
        for (int n = 0; n < 4; n++) {
            x = x * 1664525u + 1013904223u;
            at[n] = (uint8_t)((x >> 16) % PLAIN_REGS);
        }
    }
    for (int r = 0; r < PLAIN_REGS; r++)
        for (int l = 0; l < PLAIN_LANES; l++) {
            float one = 1;
            memcpy(&s->reg[r][l], &one, sizeof one);
            s->address[r][l] =
                (uint64_t)(r * PLAIN_LANES + l) % PLAIN_WORDS;
        }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void plain_measure(double seconds[PLAIN_KINDS])
{
    static struct plain_state s;
    const plain_loops *of = loops();
    for (int kind = 0; kind < PLAIN_KINDS; kind++) {
        double each[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            prepare(&s);
            double start = spent();
            for (int n = 0; n < TIMES; n++)
                (*of)[kind](&s);
            each[round] = (spent() - start) / TIMES / PLAIN_STEPS;
        }
        qsort(each, ROUNDS, sizeof *each, by_value);
        seconds[kind] = each[ROUNDS / 2];
    }
}
