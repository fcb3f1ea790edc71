// SPDX-License-Identifier: MIT
/*
 * turns.c: see turns.h.
 *
 * What the GPU needs of the host is little but soon: launches follow each other
 * while the simulated GPU has all cores. So the thread that goes ahead is nice
 * to the one that times, and its device processes, which inherit that, too.
 */
#include "turns.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check/base/clock.h"
#include "check/base/progress.h"
#include "check/base/spent.h"
#include "check/order.h"
#include "check/phase/building.h"
#include "check/phase/phase.h"
#include "check/phase/predict.h"
#include "check/phase/previous.h"
#include "check/report/remarks.h"

enum { CORES = 4, NICE = 10, THREADS = 4 }; /* fewer cores have enough to do */

/* The threads that go ahead: each takes the next turn. */
struct ahead {
    struct turn *turn;
    int n;
    int next;                   /* the first turn that nobody took */
    bool compiled[CONF_KERNELS];
    struct order order;         /* of the GPU's part */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread[THREADS];
    int threads;
};

/* The thread that builds the stages before. Nobody waits for its end. */
static struct {
    const struct workbook *workbook;
    const struct kernel_conf *kernel[CONF_KERNELS];
    int n;
} builder;

/* A stage that misses a gate is still timed, for information; what only the
 * simulator cannot do is the GPU's to judge. */
static bool goes_on_a_gpu(struct kernel_result *r)
{
    if (r->verdict == VERDICT_UNSUPPORTED) {
        text_add(&r->notes, "Not on the simulated GPU: %s",
                 text_get(&r->evidence));
        r->verdict = VERDICT_PASS;
        text_free(&r->evidence);
        text_free(&r->advice);
    }
    return r->verdict == VERDICT_PASS || r->verdict == VERDICT_TECHNIQUE;
}

/* before: NULL on the simulated GPU. */
static void run_phase(const struct phase *phase, const struct before *before)
{
    bool simulated = !before;
    const struct kernel_conf *conf = phase->result->conf;
    double begun = clock_seconds();

    if (conf->timer)
        timer_phase(phase, simulated);
    else if (conf->study)
        study_phase(phase);
    else if (conf->host)
        host_phase(phase, simulated);
    else if (simulated)
        sim_phase(phase);
    else
        gpu_phase(phase, before);
    spent_on(begun, "%s: all on %s", conf->name,
             simulated ? "the simulated GPU" : "the GPU");
}

static bool compiled(const struct workbook *w, struct kernel_result *r)
{
    double begun = clock_seconds();
    bool done = building_finish(w, r);

    spent_on(begun, "%s: waiting for its compile", r->conf->name);
    return done;
}

static bool assembled(const struct workbook *w, struct kernel_result *r)
{
    double begun = clock_seconds();
    bool done = building_assemble(w, r);

    spent_on(begun, "%s: assembling", r->conf->name);
    return done;
}

static void predict(const struct phase *phase)
{
    double begun = clock_seconds();

    predict_phase(phase);
    predict_tall(phase);
    spent_on(begun, "%s: predicting", phase->result->conf->name);
}

/* Drawn sizes are many, and a GPU is through with them in no time. */
static bool is_for_the_gpu_alone(const struct options *options)
{
    return options->draw && options->device == DEVICE_GPU;
}

static void mark(struct ahead *a, bool *flag)
{
    pthread_mutex_lock(&a->lock);
    *flag = true;
    pthread_cond_broadcast(&a->changed);
    pthread_mutex_unlock(&a->lock);
}

static void await_mark(struct ahead *a, const bool *flag)
{
    pthread_mutex_lock(&a->lock);
    while (!*flag)
        pthread_cond_wait(&a->changed, &a->lock);
    pthread_mutex_unlock(&a->lock);
}

static void simulate(struct ahead *a, int i)
{
    struct turn *turn = &a->turn[i];
    const struct workbook *w = turn->phase.workbook;
    struct kernel_result *r = turn->phase.result;
    bool built = compiled(w, r);

    mark(a, &a->compiled[i]);
    if (!built)
        return;
    if (!is_for_the_gpu_alone(w->options))
        run_phase(&turn->phase, NULL);
    if (!assembled(w, r))
        return;
    for (int k = 0; k < i; k++) /* of which one may be the stage before */
        await_mark(a, &a->compiled[k]);
    predict(&turn->phase);
    if (!w->options->run)
        remarks_add(r, w);
    turn->to_time = w->gpu[0] && !r->conf->study && goes_on_a_gpu(r);
}

static int take_next(struct ahead *a)
{
    int i;

    pthread_mutex_lock(&a->lock);
    i = a->next < a->n ? a->next++ : -1;
    pthread_mutex_unlock(&a->lock);
    return i;
}

static void *go_ahead(void *argument)
{
    struct ahead *a = argument;
    int i;

    progress_mute();
    setpriority(PRIO_PROCESS, 0, NICE); /* of this thread alone */
    while ((i = take_next(a)) >= 0) {
        simulate(a, i);
        mark(a, &a->order.through[i]);
    }
    return NULL;
}

static void *build_previous(void *unused)
{
    (void)unused;
    setpriority(PRIO_PROCESS, 0, NICE);
    for (int i = 0; i < builder.n; i++)
        previous_ahead(builder.workbook, builder.kernel[i]);
    return NULL;
}

/* A first check finds none of them built. */
static void begin_to_build(const struct turn *turn, int n)
{
    pthread_t thread;

    builder.workbook = turn[0].phase.workbook;
    for (int i = 0; i < n; i++)
        if (predict_is_wanted(&turn[i].phase))
            builder.kernel[builder.n++] = turn[i].phase.result->conf;
    if (pthread_create(&thread, NULL, build_previous, NULL) == 0)
        pthread_detach(thread);
}

/* A grade's stages meet nothing else while they are timed. Programs and timers
 * look at the host's clock. */
static bool is_worth_it(const struct turn *turn, int n)
{
    const struct workbook *w = turn->phase.workbook;

    for (int i = 0; i < n; i++) {
        const struct kernel_conf *conf = turn[i].phase.result->conf;

        if (conf->timer || conf->study || conf->host)
            return false;
    }
    return n > 1 && w->gpu[0] && !w->options->grade &&
           w->options->jobs >= CORES && sysconf(_SC_NPROCESSORS_ONLN) >= CORES;
}

static void begin_ahead(struct ahead *a)
{
    int most = a->turn[0].phase.workbook->options->jobs / CORES;

    if (most > THREADS)
        most = THREADS;
    while (a->threads < most &&
           pthread_create(&a->thread[a->threads], NULL, go_ahead, a) == 0)
        a->threads++;
}

/* Who is told, and the turn that waits for what its GPU wrote. The inputs of
 * the next turn are made while this one is timed and the cases of that run. */
struct telling {
    struct ahead *ahead;
    void (*done)(void *context, struct kernel_result *r);
    void *context;
    int open;                 /* -1: none */
    int next;                 /* whose inputs are made, and who comes next;
                                 -1: not known yet */
    pthread_t thread;
    bool started;
};

/* The next turn for the GPU, which is then taken. */
static int choose(struct ahead *a, int promised)
{
    double begun = clock_seconds();
    int i = promised;

    pthread_mutex_lock(&a->lock);
    if (a->threads == 0)
        i = order_first(&a->order);
    while (i < 0 && (i = order_ready(&a->order)) < 0)
        pthread_cond_wait(&a->changed, &a->lock);
    a->order.taken[i] = true;
    pthread_mutex_unlock(&a->lock);
    if (a->threads == 0)
        simulate(a, i);
    else
        spent_on(begun, "%s: waiting for its simulated part",
                 a->turn[i].phase.result->conf->name);
    return i;
}

static void *prepare_next(void *argument)
{
    const struct telling *t = argument;

    setpriority(PRIO_PROCESS, 0, NICE);
    gpu_tidy();
    if (t->next >= 0)
        gpu_prepare(&t->ahead->turn[t->next].phase);
    return NULL;
}

static void finish(struct telling *t, int i)
{
    struct ahead *a = t->ahead;

    order_over(&a->order, i);
    while ((i = order_to_tell(&a->order)) >= 0)
        t->done(t->context, a->turn[i].phase.result);
}

static void settle(void *context)
{
    struct telling *t = context;
    int i = t->open;

    if (i < 0)
        return;
    gpu_settle();
    progress_clear();
    t->open = -1;
    finish(t, i);
}

static void await_inputs(void *context)
{
    struct telling *t = context;

    if (t->started)
        pthread_join(t->thread, NULL);
    t->started = false;
}

/* The GPU is this turn's alone from here on, and the host has time: to give a
 * hundred megabytes back to the system takes a twentieth of a second. Inputs
 * take the place of those of the turn before, while this one's are still looked
 * at: so they have to be those of the next turn. */
static void prepare(void *context)
{
    struct telling *t = context;
    struct ahead *a = t->ahead;

    await_inputs(t);
    if (a->threads == 0) {
        gpu_tidy();
        return;
    }
    pthread_mutex_lock(&a->lock);
    t->next = order_ready(&a->order);
    pthread_mutex_unlock(&a->lock);
    t->started = pthread_create(&t->thread, NULL, prepare_next, t) == 0;
}

static void take(struct telling *t, int i)
{
    const struct before first = {settle, prepare, await_inputs, t};
    struct turn *turn = &t->ahead->turn[i];

    if (turn->to_time && turn->phase.result->conf->host) {
        await_inputs(t); /* it has the machine to itself */
        settle(t);
        gpu_quiet();
    }
    if (turn->to_time)
        run_phase(&turn->phase, &first);
    if (turn->to_time && gpu_is_open() && t->open < 0) {
        t->open = i;
        return;
    }
    settle(t);
    finish(t, i);
}

/* What a turn needs of the GPU, and the one after it; i: -1: none. */
static void open_ahead(const struct ahead *a, int i)
{
    int next = order_first(&a->order);

    if (next == i)
        next = i + 1 < a->n ? i + 1 : -1;
    if (i >= 0)
        gpu_ahead(&a->turn[i].phase,
                  next >= 0 ? a->turn[next].phase.result->conf : NULL);
}

void turns_take(struct turn *turn, int n,
                void (*done)(void *context, struct kernel_result *r),
                void *context)
{
    struct ahead a = {.turn = turn, .n = n, .order = {.n = n},
                      .lock = PTHREAD_MUTEX_INITIALIZER,
                      .changed = PTHREAD_COND_INITIALIZER};
    struct telling t = {.ahead = &a, .done = done, .context = context,
                        .open = -1, .next = -1};

    if (is_worth_it(turn, n))
        begin_ahead(&a);
    if (a.threads > 0)
        begin_to_build(turn, n);
    for (int k = 0; k < n; k++) {
        int i = order_first(&a.order);

        open_ahead(&a, i); /* most often it is this one's turn */
        if (a.threads > 0 && k == 0)
            gpu_prepare(&turn[0].phase);
        i = choose(&a, t.next);
        t.next = -1;
        open_ahead(&a, i);
        take(&t, i);
    }
    await_inputs(&t);
    settle(&t);
    for (int i = 0; i < a.threads; i++)
        pthread_join(a.thread[i], NULL);
}
