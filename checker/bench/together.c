// SPDX-License-Identifier: MIT
/*
 * together.c: see together.h.
 */
#include "bench/together.h"

#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double batch_seconds = 0.002;

/* One stage's part of a turn, for a thread. */
struct part {
    struct measure *measure;
    const char *stage;
    const struct data *given; /* all share the inputs */
    bool ok;
};

struct starter {
    struct part *part;
    sem_t done;
};

static void *load(void *argument)
{
    struct part *p = argument;

    p->ok = measure_load(p->measure, p->stage, p->given);
    return NULL;
}

/* With outputs of its own. */
static void *compare(void *argument)
{
    struct part *p = argument;
    struct data mine = *p->given;

    for (int b = 0; b < mine.op->n_buffers; b++)
        if (mine.got[b])
            mine.got[b] = check_alloc(mine.bytes[b], 1);
    p->ok = measure_result(p->measure, &mine);
    for (int b = 0; b < mine.op->n_buffers; b++)
        free(mine.got[b]);
    return NULL;
}

/* For the stages with `which`, each in a thread. */
static void at_once(void *(*work)(void *), struct part *parts,
                    const bool *which)
{
    pthread_t thread[SWEEP_KERNELS];

    for (int k = 0; k < SWEEP_KERNELS; k++)
        if (which[k] && pthread_create(&thread[k], NULL, work, &parts[k]) != 0)
            give_up("no thread can be started");
    for (int k = 0; k < SWEEP_KERNELS; k++)
        if (which[k])
            pthread_join(thread[k], NULL);
}

/* A runner dies with the thread that started it. So this one stays until the
 * program ends. */
static void *start(void *argument)
{
    struct starter *s = argument;

    measure_start(s->part->measure);
    sem_post(&s->done);
    for (;;)
        pause();
    return NULL;
}

/* Runners for those that have none. */
static void start_all(struct part *parts, const bool *which)
{
    static struct starter starters[SWEEP_KERNELS];
    pthread_t thread;

    for (int k = 0; k < SWEEP_KERNELS; k++) {
        struct starter *s = &starters[k];

        s->part = NULL;
        if (!which[k] || parts[k].measure->runner[TIMING_CURRENT])
            continue;
        s->part = &parts[k];
        if (sem_init(&s->done, 0, 0) != 0 ||
            pthread_create(&thread, NULL, start, s) != 0 ||
            pthread_detach(thread) != 0)
            give_up("no thread can be started");
    }
    for (int k = 0; k < SWEEP_KERNELS; k++)
        while (starters[k].part && sem_wait(&starters[k].done) != 0)
            ; /* a signal came */
}

void together_turn(struct together *t, const struct data *d,
                   struct together_turn *turn)
{
    struct part parts[SWEEP_KERNELS];
    bool fresh[SWEEP_KERNELS] = {false}, timed[SWEEP_KERNELS] = {false};

    for (int k = 0; k < turn->n; k++) {
        parts[k] = (struct part){&t->measure[k], turn->stage[k], d, true};
        fresh[k] = turn->stage[k] && !t->loaded[k];
    }
    start_all(parts, fresh);
    at_once(load, parts, fresh);
    for (int k = 0; k < turn->n; k++) {
        turn->seconds[k] = NAN;
        timed[k] = turn->stage[k] && parts[k].ok &&
                   measure_again(&t->measure[k], d, batch_seconds,
                                 &turn->seconds[k]);
        fresh[k] &= timed[k];
    }
    at_once(compare, parts, fresh);
    for (int k = 0; k < turn->n; k++) {
        t->loaded[k] = turn->stage[k] ? timed[k] && parts[k].ok : t->loaded[k];
        turn->end[k] = t->measure[k].end;
        if (!t->loaded[k])
            turn->seconds[k] = NAN;
    }
}

void together_begin(struct together *t)
{
    memset(t->loaded, 0, sizeof t->loaded);
}

void together_open(struct together *t, const char *build)
{
    measure_open(&t->measure[0], build);
    for (int k = 1; k < SWEEP_KERNELS; k++)
        t->measure[k] = t->measure[0];
    together_begin(t);
}

void together_close(struct together *t)
{
    for (int k = 0; k < SWEEP_KERNELS; k++)
        measure_close(&t->measure[k]);
}
