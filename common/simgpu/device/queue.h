// SPDX-License-Identifier: MIT
/*
 * queue.h: work that comes while a kernel runs; of a private device alone. See
 * queue.c.
 */
#ifndef SIMGPU_QUEUE_H
#define SIMGPU_QUEUE_H

#include "reply.h"

void dev_queue_open(struct device *dev);

enum dev_turn {
    DEV_NOW,   /* the message is to be executed */
    DEV_LATER, /* the reply is complete */
    DEV_AGAIN, /* the program is to ask again */
};
enum dev_turn dev_queue_take(struct device *dev, const struct simwire_header *m,
                             const uint8_t *data, struct reply *reply);
/* Begins dev->pending, of this message. */
void dev_queue_launch(struct device *dev, const struct simwire_header *m);

/* The launch whose turn it is, to be run by dev_queue_go; NULL: a message must
 * come first, or some time pass (dev_queue_pause_ms: so many ms; -1: a
 * message). The watchdog may look on during dev_queue_go alone. */
struct item;
struct dev_ran { bool over, stirred; };
struct item *dev_queue_next(struct device *dev);
void dev_queue_go(struct item *x, struct dev_ran *ran);
void dev_queue_after(struct device *dev, struct item *x,
                     const struct dev_ran *ran);
int dev_queue_pause_ms(const struct device *dev);
/* Several launches are under way; for the watchdog. */
bool dev_queue_others(const struct device *dev);
/* Its one thread waits, so that nothing new can come; likewise. */
bool dev_queue_alone(const struct device *dev);

/* The call has waited so long. alone: nothing else of the program runs. */
void dev_queue_told(struct device *dev, const char *call, uint64_t ms,
                    bool alone);

#endif
