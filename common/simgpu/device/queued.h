// SPDX-License-Identifier: MIT
/*
 * queued.h: the list of work that has not ended, for queue.c and turns.c.
 *
 *   queued_new, queued_add, queued_take_out   a piece of it
 *   queued_waits   does this follow work that has not ended?
 */
#ifndef SIMGPU_QUEUED_H
#define SIMGPU_QUEUED_H

#include <stdatomic.h>
#include <stdio.h>

#include "../core/engine.h"
#include "../wire.h"

struct item {
    struct item *next;
    struct simwire_header m;
    uint8_t *data;                 /* owned */
    struct engine_stepped *launch; /* under way; NULL: waits */
    size_t entry;                  /* its launch in the log */
    FILE *out;
    char *text;
    size_t n_text;
    uint64_t began, stood;         /* ms; stood: since when; 0: it does not */
    unsigned stirs;                /* when it came to a standstill */
    bool named, given_up;
};

struct dev_queue {
    struct item *first, *last_run; /* last_run: NULL, or under way */
    size_t n, bytes;
    atomic_int under_way;          /* launches; for the watchdog */
    unsigned stirs;                /* grows when memory may have changed */
    uint64_t tickets;
    uint64_t *beside;              /* streams that are non-blocking */
    size_t n_beside;
    bool leaving;                  /* the program ends */
    atomic_bool alone;             /* its one thread waits; for the watchdog */
    bool waits, rests;             /* what ran last waits for the host; and is
                                      left alone for a moment */
};

struct item *queued_new(void);
/* Copies the message and its data. */
void queued_add(struct dev_queue *q, const struct simwire_header *m,
                const uint8_t *data, struct item *x);
void queued_take_out(struct dev_queue *q, struct item *x);
/* end: only work before it counts; NULL: all. */
bool queued_waits(const struct dev_queue *q, const struct simwire_header *m,
                  const struct item *end);

#endif
