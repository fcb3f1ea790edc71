// SPDX-License-Identifier: MIT
/*
 * turns.c: launches under way, and what begins beside them.
 *
 *   dev_queue_launch   the launch that was accepted becomes work under way
 *   dev_queue_next     does what can be done; the launch whose turn it is then
 *   dev_queue_go, dev_queue_after   runs it for a while; and what follows
 *   dev_queue_pause_ms, dev_queue_others, dev_queue_alone
 *   dev_queue_told     the program says how long it has waited
 *
 * Launches take turns. One that stands still has none until something has
 * changed memory; if all do, and the program waits for them, they wait in
 * vain.
 */
#include "queue.h"
#include "queued.h"

#include <stdlib.h>
#include <time.h>

enum { MOST_LAUNCHES = 16 }; /* under way at once */
/* Milliseconds: a launch that runs so long without polling does not hold up
 * independent work any more; a call that has waited so long is named; and a
 * launch that stood still for so long is given up, though the program has other
 * threads. */
enum { LONG = 5000, NAMED = 5000, GIVEN_UP = 3000 };

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000u + (uint64_t)t.tv_nsec / 1000000u;
}

/* Launches ----------------------------------------------------------------- */

/* dev->pending becomes x. */
static void open_launch(struct device *dev, struct item *x)
{
    x->entry = (size_t)(dev->pending - dev->log.launches);
    x->out = dev->pending_launch.out = open_memstream(&x->text, &x->n_text);
    if (!x->out)
        abort();
    dev_observe_apply(&dev->observe, dev->pending->kernel,
                      &dev->pending_launch);
    dev->pending = NULL;
    x->launch = engine_launch_begin(dev->engine, dev->pending_kernel,
                                    &dev->pending_launch);
    x->began = now_ms();
    atomic_fetch_add(&dev->queue->under_way, 1);
}

void dev_queue_launch(struct device *dev, const struct simwire_header *m)
{
    struct simwire_header kept = *m;
    struct item *x = queued_new();
    kept.data = 0;
    open_launch(dev, x);
    queued_add(dev->queue, &kept, NULL, x);
}

static void end_launch(struct device *dev, struct item *x)
{
    struct dev_launch *entry = &dev->log.launches[x->entry];
    engine_launch_end(x->launch, &entry->report);
    entry->ran = true;
    dev_observe_held(dev, entry->report.traffic);
    dev_explain_findings(dev, &entry->report);
    fclose(x->out);
    dev_keep_text(dev, x->text, x->n_text);
    free(x->text);
    if (!dev->fault)
        dev->fault = dev_error_of(entry->report.fault);
    atomic_fetch_sub(&dev->queue->under_way, 1);
    queued_take_out(dev->queue, x);
}

/* A fault ends all work, as on a GPU. */
static void drop_all(struct device *dev)
{
    struct dev_queue *q = dev->queue;
    while (q->first)
        if (q->first->launch)
            end_launch(dev, q->first);
        else
            queued_take_out(q, q->first);
}

/* Do all launches under way nothing but poll, or have they run for long? */
static bool all_poll(const struct dev_queue *q)
{
    for (const struct item *x = q->first; x; x = x->next)
        if (x->launch && !engine_launch_polls(x->launch) &&
            now_ms() - x->began < LONG)
            return false;
    return true;
}

static bool can_begin(struct dev_queue *q, const struct item *x)
{
    if (x->launch || x->m.op == OP_HOST || queued_waits(q, &x->m, x))
        return false;
    return x->m.op != OP_LAUNCH ||
           atomic_load(&q->under_way) < (x->m.a[2] ? 1 : MOST_LAUNCHES);
}

static void begin(struct device *dev, struct item *x)
{
    struct dev_queue *q = dev->queue;
    dev->beside = atomic_load(&q->under_way) > 0;
    int error = dev_do(dev, &x->m, x->data);
    dev->beside = false;
    q->stirs++;
    if (error && error != dev->fault)
        dev_log_api_error(&dev->log, "work on a stream", error,
                          "it was refused when its turn came", 0, false);
    if (dev->pending)
        open_launch(dev, x);
    else
        queued_take_out(q, x);
}

static bool begins_work(struct device *dev)
{
    struct dev_queue *q = dev->queue;
    if (q->first && all_poll(q))
        for (struct item *x = q->first; x; x = x->next)
            if (can_begin(q, x)) {
                begin(dev, x);
                return true;
            }
    return false;
}

static bool may_go(const struct dev_queue *q, const struct item *x)
{
    return x->launch && (engine_launch_stands(x->launch) != STAND_FOR_ANY ||
                         x->stirs != q->stirs);
}

/* The next one behind the one that ran last. */
static struct item *whose_turn(const struct dev_queue *q)
{
    struct item *from = q->last_run ? q->last_run->next : NULL;
    for (struct item *x = from; x; x = x->next)
        if (may_go(q, x))
            return x;
    for (struct item *x = q->first; x && x != from; x = x->next)
        if (may_go(q, x))
            return x;
    return NULL;
}

static bool all_stand(const struct dev_queue *q, bool *for_host)
{
    bool all = true, any = false;
    *for_host = false;
    for (const struct item *x = q->first; x; x = x->next) {
        if (!x->launch)
            continue;
        enum engine_stand how = engine_launch_stands(x->launch);
        any = true;
        all &= how != STAND_NOT && (how == STAND_FOR_HOST ||
                                    x->stirs == q->stirs);
        *for_host |= how == STAND_FOR_HOST;
    }
    return any && all;
}

static void condemn(struct dev_queue *q, const char *why)
{
    for (struct item *x = q->first; x; x = x->next)
        if (x->launch && engine_launch_stands(x->launch) != STAND_NOT) {
            x->given_up = x->given_up || engine_launch_condemn(x->launch, why);
            q->stirs++;
            return;
        }
}

struct item *dev_queue_next(struct device *dev)
{
    struct dev_queue *q = dev->queue;
    bool for_host;
    if (dev->fault)
        drop_all(dev);
    while (begins_work(dev))
        ;
    if (q->leaving && all_stand(q, &for_host))
        condemn(q, for_host ? "only the host can write this, and the program "
                              "ends"
                            : "all warps repeat themselves, and none writes "
                              "this");
    q->rests = q->waits;
    q->waits = false;
    return q->rests ? NULL : whose_turn(q);
}

void dev_queue_go(struct item *x, struct dev_ran *ran)
{
    uint64_t before = engine_launch_deeds(x->launch);
    ran->over = engine_launch_go(x->launch);
    ran->stirred = engine_launch_deeds(x->launch) != before;
}

void dev_queue_after(struct device *dev, struct item *x,
                     const struct dev_ran *ran)
{
    struct dev_queue *q = dev->queue;
    q->last_run = x;
    q->stirs += ran->stirred;
    if (ran->over) {
        end_launch(dev, x);
        q->stirs++;
        return;
    }
    enum engine_stand how = engine_launch_stands(x->launch);
    if (how == STAND_NOT && (ran->stirred || x->stirs != q->stirs))
        x->stood = 0;
    else if (how != STAND_NOT && !x->stood)
        x->stood = now_ms();
    if (how == STAND_FOR_ANY || how == STAND_FOR_TIME)
        x->stirs = q->stirs;
    q->waits = how == STAND_FOR_HOST || how == STAND_FOR_TIME;
}

int dev_queue_pause_ms(const struct device *dev)
{
    const struct dev_queue *q = dev->queue;
    enum { REST = 1, LOOK = 100 };
    return !q->first ? -1 : q->rests ? REST : LOOK;
}

bool dev_queue_others(const struct device *dev)
{
    return atomic_load(&dev->queue->under_way) > 1;
}

bool dev_queue_alone(const struct device *dev)
{
    return atomic_load(&dev->queue->alone);
}

/* Waiting calls ------------------------------------------------------------ */

static void name_call(struct item *x, const struct device *dev,
                      const char *call, uint64_t ms)
{
    struct finding at = {0};
    char *kernel = dev_demangle(dev->log.launches[x->entry].kernel);
    bool known = engine_launch_at(x->launch, &at);
    char *array = at.array ? dev_demangle(at.array) : NULL;
    enum engine_stand how = engine_launch_stands(x->launch);
    fprintf(stderr, "simgpu: %s has waited for %s for %.0f s",
            call, kernel, 1e-3 * (double)ms);
    if (known && at.at.file)
        fprintf(stderr, ", which polls %s at %s:%d",
                array ? array : "memory", at.at.file, at.at.line);
    fprintf(stderr, "%s\n", how == STAND_FOR_HOST
                                ? ": the host has to write that" : "");
    free(array);
    free(kernel);
    x->named = true;
}

void dev_queue_told(struct device *dev, const char *call, uint64_t ms,
                    bool alone)
{
    struct dev_queue *q = dev->queue;
    struct item *x = q->first;
    bool for_host, all = all_stand(q, &for_host);
    char why[120];
    atomic_store(&q->alone, alone);
    while (x && !x->launch)
        x = x->next;
    if (!x || dev->fault)
        return;
    if (ms >= NAMED && !x->named && engine_launch_polls(x->launch))
        name_call(x, dev, call, ms);
    if (!all)
        return;
    if (!for_host && (alone || (x->stood && ms >= GIVEN_UP &&
                                now_ms() - x->stood >= GIVEN_UP)))
        condemn(q, "all warps repeat themselves, and none writes this; the "
                   "host waits for the kernel");
    if (for_host && alone && ms >= NAMED) {
        snprintf(why, sizeof why, "only the host can write this, and its one "
                 "thread waits in %.40s", call);
        condemn(q, why);
    }
}
