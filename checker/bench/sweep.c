// SPDX-License-Identifier: MIT
/*
 * sweep.c: times candidates at many shapes: `make sweep`.
 *
 *   bench-sweep BUILD OPERATOR CANDIDATES.tsv FILE.tsv [FIELD=VALUE...]
 *
 * Adds to FILE what it lacks, row by row, and says which candidates it had to
 * drop. On the GPU at hand; with gpu=KEY, predicted for that GPU, and marked
 * so. Fields: train, held, flat, map (how many shapes; a map has map x map),
 * repeats, seconds (then it ends, and the next call goes on), seed, date,
 * commit, driver, power_limit, flops_per_second and bytes_per_second (the
 * ceilings), cells (of a depthwise convolution's sequences: B H L),
 * prune_factor (candidates whose floor, by plan_floor, is so many times the
 * best that the file has are not measured), peer=peer_NAME.so (somebody else's
 * stage, timed beside ours).
 *
 * Its hard idea: an interrupted sweep is as good as a finished one. The shapes
 * follow from the seed; training and held-out ones take turns, and every
 * repeat of a shape comes before the next shape.
 *
 * A GPU's time is scarce: a measurement is a few milliseconds of launches, and
 * only what may be the fastest at a shape is repeated there.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/forecast.h"
#include "bench/together.h"
#include "check/base/clock.h"
#include "simgpu/gpu.h"
#include "sweep/draw.h"

enum { SHAPES = 4096 };

#define FIELDS(X)                                                              \
    X(gpu) X(train) X(held) X(flat) X(map) X(repeats) X(seconds) X(seed)       \
    X(date) X(commit) X(driver) X(power_limit) X(cells)                        \
    X(prune_factor) X(peer) X(flops_per_second) X(bytes_per_second)
struct fields {
#define X(name) const char *name;
    FIELDS(X)
#undef X
};

static const double near = 1.5; /* times the best: repeats are for these */

struct sweeper {
    const char *build;
    const struct op *op;
    struct fields fields;
    int n; /* candidates, the peer among them */
    struct candidate candidates[SWEEP_KERNELS];
    struct together together; /* on a GPU */
    struct forecast forecast; /* predicted */
    struct sweep sweep, here; /* here: the rows of the shape at hand */
    FILE *file;
    double begun, last_said;
    int peer; /* its index among them; -1: none */
    int dropped[SWEEP_KERNELS]; /* shapes at which it failed, now */
};

static int number(const char *text, int otherwise)
{
    return text ? atoi(text) : otherwise;
}

static void read_fields(struct sweeper *s, char **argv)
{
    const struct {
        const char *name;
        const char **to;
    } known[] = {
#define X(name) {#name "=", &s->fields.name},
        FIELDS(X)
#undef X
    };

    for (; *argv; argv++) {
        bool is_known = false;

        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            size_t n = strlen(known[i].name);

            if (strncmp(*argv, known[i].name, n) == 0) {
                *known[i].to = *argv + n;
                is_known = true;
            }
        }
        if (!is_known)
            give_up("bench-sweep knows no %s", *argv);
    }
}

/* The GPU's time --------------------------------------------------------- */

static const enum sweep_outcome outcome_of[] = {
    [MEASURE_OK] = SWEEP_ok,           [MEASURE_LAUNCH] = SWEEP_launch,
    [MEASURE_WRONG] = SWEEP_wrong,     [MEASURE_HANGS] = SWEEP_hang,
    [MEASURE_CRASHES] = SWEEP_crash,   [MEASURE_REFUSED] = SWEEP_refused,
};

/* The rows that this shape lacks of one repeat, on a GPU. */
static void measure(struct sweeper *s, const struct data *d,
                    struct sweep_row *rows, const bool *lacking)
{
    struct together_turn turn = {.n = s->n};

    for (int k = 0; k < s->n; k++)
        if (lacking[k])
            turn.stage[k] = s->candidates[k].stage;
    together_turn(&s->together, d, &turn);
    for (int k = 0; k < s->n; k++) {
        if (!lacking[k])
            continue;
        rows[k].outcome = outcome_of[turn.end[k]];
        rows[k].ms = 1e3 * turn.seconds[k];
        if (rows[k].outcome != SWEEP_ok)
            fprintf(stderr, "%s: %s\n", rows[k].kernel,
                    s->together.measure[k].reason);
        if (rows[k].outcome == SWEEP_wrong)
            snprintf(rows[k].why, sizeof rows[k].why, "%.*s", SWEEP_TEXT - 1,
                     s->together.measure[k].reason);
    }
}

/* Its tiles alone, by the ceilings, take far longer than what the file has of
 * others. */
static bool is_hopeless(const struct sweeper *s, const struct candidate *c,
                        const struct sweep_row *row, double best)
{
    const struct fields *f = &s->fields;
    const struct plan_roofs roofs = {
        f->flops_per_second ? atof(f->flops_per_second) : 0,
        f->bytes_per_second ? atof(f->bytes_per_second) : 0};

    return f->prune_factor && s->op->n_dims == 3 && c->is.rule.tile_m > 0 &&
           plan_floor(c->is.rule, row->dim[0], row->dim[1], row->dim[2],
                      (int)type_row[s->op->buffers[0].type].bytes, roofs) >
               atof(f->prune_factor) * best;
}

/* The sweep -------------------------------------------------------------- */

static void set_text(char to[SWEEP_TEXT], const char *text)
{
    snprintf(to, SWEEP_TEXT, "%s", text && *text ? text : "unknown");
}

static void open_file(struct sweeper *s, const char *path)
{
    struct sweep wanted = {.n_dims = s->op->n_dims};
    struct sweep_about *a = &wanted.about;
    const char *model = s->fields.gpu, *name = s->together.measure->probe.name;
    const struct gpu_model *gpu =
        model ? gpu_find(*model ? model : "h200") : NULL;
    char error[512];

    set_text(a->op, s->op->name);
    set_text(a->source, model ? "predicted" : "measured");
    set_text(a->gpu, model ? (*model ? model : "h200") : name);
    set_text(a->driver, model ? "none" : s->fields.driver);
    set_text(a->power_limit, model ? "none" : s->fields.power_limit);
    set_text(a->toolkit, s->together.measure->toolkit.version);
    set_text(a->seed, s->fields.seed ? s->fields.seed : "1");
    set_text(a->date, s->fields.date);
    set_text(a->commit, s->fields.commit);
    snprintf(a->multiprocessors, SWEEP_TEXT, "%d",
             gpu ? gpu->sms : s->together.measure->probe.sms);
    set_text(a->flops_per_second, s->fields.flops_per_second);
    set_text(a->bytes_per_second, s->fields.bytes_per_second);
    for (int i = 0; i < s->op->n_dims; i++)
        snprintf(wanted.dim_name[i], SWEEP_NAME, "%s", s->op->dim_names[i]);
    s->file = sweep_open(path, &wanted, &s->sweep, error, sizeof error);
    if (!s->file)
        give_up("%s", error);
}

static bool is_over(const struct sweeper *s)
{
    return s->fields.seconds &&
           clock_seconds() - s->begun > atof(s->fields.seconds);
}

/* The fastest first time of ours at the shape at hand. */
static double best_of(const struct sweeper *s, struct sweep_row row)
{
    double best = INFINITY;

    row.repeat = 0;
    for (int k = 0; k < s->n; k++) {
        const struct sweep_row *found;

        snprintf(row.kernel, sizeof row.kernel, "%s", s->candidates[k].is.name);
        found = sweep_find(&s->here, &row);
        if (found && found->ms < best && k != s->peer)
            best = found->ms;
    }
    return best;
}

/* Its row is there, or its first time says that a repeat tells nothing. */
static bool is_known(const struct sweeper *s, double best, int k,
                     struct sweep_row row)
{
    const struct sweep_row *first;

    if (sweep_find(&s->here, &row))
        return true;
    if (row.repeat == 0)
        return false;
    row.repeat = 0;
    first = sweep_find(&s->here, &row);
    return first && !(k == s->peer || first->ms <= near * best);
}

/* The file has every row of this shape. */
static bool is_whole(const struct sweeper *s, struct sweep_row row)
{
    double best = best_of(s, row);

    for (int r = 0; r < number(s->fields.repeats, 1); r++)
        for (int k = 0; k < s->n; k++) {
            snprintf(row.kernel, sizeof row.kernel, "%s",
                     s->candidates[k].is.name);
            row.repeat = r;
            if (!is_known(s, best, k, row))
                return false;
        }
    return true;
}

/* One repeat of a shape: what the file lacks of it. */
static void one_repeat(struct sweeper *s, const struct data *d,
                       struct sweep_row row)
{
    double best = best_of(s, row);
    struct sweep_row rows[SWEEP_KERNELS];
    bool lacking[SWEEP_KERNELS] = {false}, to_measure[SWEEP_KERNELS] = {false};
    struct op_shape row_shape = {{0}, {0}};

    memcpy(row_shape.dim, row.dim, sizeof row.dim);
    for (int k = 0; k < s->n; k++) {
        const struct candidate *c = &s->candidates[k];

        rows[k] = row;
        rows[k].ms = NAN;
        snprintf(rows[k].kernel, sizeof rows[k].kernel, "%s", c->is.name);
        lacking[k] = !is_known(s, best, k, rows[k]) && !is_over(s);
        if (!lacking[k])
            continue;
        rows[k].outcome = !c->built                           ? SWEEP_unbuilt
                          : is_hopeless(s, c, &rows[k], best) ? SWEEP_pruned
                                                              : SWEEP_ok;
        to_measure[k] = rows[k].outcome == SWEEP_ok;
        if (!to_measure[k] || !s->fields.gpu)
            continue;
        rows[k].ms = forecast_ms(&s->forecast, s->op, &row_shape, c);
        rows[k].outcome = rows[k].ms > 0 ? SWEEP_ok : SWEEP_launch;
    }
    if (!s->fields.gpu)
        measure(s, d, rows, to_measure);
    for (int k = 0; k < s->n; k++) {
        if (!lacking[k])
            continue;
        s->dropped[k] += rows[k].outcome != SWEEP_ok &&
                         rows[k].outcome != SWEEP_pruned;
        if (!sweep_add(s->file, &s->sweep, &rows[k]))
            give_up("cannot write the sweep's file: %s", strerror(errno));
        sweep_keep(&s->here, &rows[k]);
    }
}

/* The inputs are made once; not at all if nothing is measured. */
static void one_shape(struct sweeper *s, struct sweep_row row)
{
    struct op_shape shape = {{0}, {0}};
    struct test_case c = {.number = -1};
    struct data d = {0};
    bool measured;

    memcpy(shape.dim, row.dim, sizeof row.dim);
    if (op_shape_error(s->op, &shape))
        return;
    s->here = sweep_of_shape(&s->sweep, &row);
    measured = !s->fields.gpu && !is_whole(s, row);
    if (measured) {
        c.problem = op_timed(s->op, &shape, 1);
        data_make(&d, s->op, &c);
        together_begin(&s->together);
    }
    for (int r = 0; r < number(s->fields.repeats, 1) && !is_over(s); r++) {
        row.repeat = r;
        if (s->fields.gpu || measured)
            one_repeat(s, &d, row);
    }
    if (measured)
        data_free(&d);
    sweep_free(&s->here);
}

static void say_shape(int i, int n)
{
    if (isatty(2))
        fprintf(stderr, "\rshape %d of %d", i + 1, n);
}

/* A depthwise convolution's: the first `train` + `held` of the grid. */
static void causal_shapes(struct sweeper *s)
{
    static struct sweep_row shapes[SHAPES];
    int n = draw_causal(number(s->fields.cells, 1 << 23), SHAPES, shapes);
    int most = number(s->fields.train, n) + number(s->fields.held, 0);

    for (int i = 0; i < n && i < most && !is_over(s); i++) {
        one_shape(s, shapes[i]);
        say_shape(i, n);
    }
}

static bool is_among(const struct sweep_row *shape,
                     const struct sweep_row *shapes, int n)
{
    for (int i = 0; i < n; i++)
        if (memcmp(shapes[i].dim, shape->dim, sizeof shape->dim) == 0)
            return true;
    return false;
}

/* More training shapes: C is large, k short. Few of those drawn over all
 * extents are like that, and a wrong choice costs much there. None is among
 * the n others. */
static void flat_shapes(struct sweeper *s, struct draw draw,
                        const struct sweep_row *others, int n)
{
    static struct sweep_row shapes[SHAPES];
    int flat = number(s->fields.flat, 0);

    draw.seed++;
    draw.low[0] = draw.low[1] = 512;
    draw.high[2] = 128;
    draw_shapes(&draw, 0, flat, shapes);
    for (int i = 0; i < flat && !is_over(s); i++)
        if (!is_among(&shapes[i], others, n))
            one_shape(s, shapes[i]);
}

/* A product's. Training and held-out shapes take turns. */
static void product_shapes(struct sweeper *s)
{
    static struct sweep_row shapes[SHAPES];
    struct draw draw = {.n_dims = s->op->n_dims, .most_work = 6e10,
                        .seed = (uint64_t)number(s->fields.seed, 1)};
    int held = number(s->fields.held, 100);
    int n = held + number(s->fields.train, 200);
    int steps = number(s->fields.map, 16);

    if (n > SHAPES || steps * steps > SHAPES ||
        number(s->fields.flat, 0) > SHAPES)
        give_up("at most %d shapes", SHAPES);
    for (int d = 0; d < draw.n_dims; d++) {
        draw.low[d] = 1;
        draw.high[d] = 4096;
    }
    draw_shapes(&draw, held, n, shapes);
    flat_shapes(s, draw, shapes, n);
    for (int i = 0; i < n && !is_over(s); i++) {
        int turn = i < 2 * held ? (i % 2 ? held + i / 2 : i / 2) : i;

        one_shape(s, shapes[turn < n ? turn : i]);
        say_shape(i, n);
    }
    for (int d = 0; d < draw.n_dims; d++) {
        draw.low[d] = 16;
        draw.high[d] = d == 2 ? 512 : 2896;
    }
    if (steps > 1)
        draw_grid(&draw, 1, 0, steps, shapes);
    for (int i = 0; i < steps * steps && !is_over(s); i++)
        one_shape(s, shapes[i]);
}

/* As many at a time as the machine has processors. */
static void build_all(struct sweeper *s)
{
    long most = sysconf(_SC_NPROCESSORS_ONLN);
    const struct measure *m = s->together.measure;

    for (int k = 0; k < s->n + most; k++) {
        if (k >= most && k - most < s->n)
            candidate_finish(&s->candidates[k - most]);
        if (k < s->n)
            candidate_start(&s->candidates[k], s->op, s->build, &m->toolkit,
                            s->fields.gpu ? 90 : m->sm);
    }
}

/* A peer is built already. */
static void add_peer(struct sweeper *s)
{
    struct candidate *c = &s->candidates[s->n];
    const char *slash = s->fields.peer ? strrchr(s->fields.peer, '/') : NULL;
    const char *name = slash ? slash + 1 : s->fields.peer;

    s->peer = -1;
    if (!name)
        return;
    if (s->n == SWEEP_KERNELS || strncmp(name, SWEEP_PEER,
                                         sizeof SWEEP_PEER - 1) != 0)
        give_up("peer= wants a file " SWEEP_PEER "NAME.so, and one candidate "
                "less than %d", SWEEP_KERNELS);
    snprintf(c->is.name, sizeof c->is.name, "%.*s",
             (int)strcspn(name, "."), name);
    path_set(c->stage, "%s", s->fields.peer);
    c->built = true;
    s->peer = s->n++;
}

static void say_dropped(const struct sweeper *s)
{
    for (int k = 0; k < s->n; k++) {
        const struct candidate *c = &s->candidates[k];

        if (!c->built)
            printf("dropped %s at all shapes: %s\n", c->is.name, c->reason);
        else if (s->dropped[k])
            printf("dropped %s at %d shapes; the column outcome says why\n",
                   c->is.name, s->dropped[k]);
    }
    printf("%d rows%s\n", s->sweep.n_rows,
           is_over(s) ? "; the time is over, the same command goes on" : "");
}

int main(int argc, char **argv)
{
    static struct sweeper s;
    struct sweep_kernels list;
    char error[512];

    if (argc < 5) {
        fprintf(stderr, "usage: bench-sweep BUILD OPERATOR CANDIDATES.tsv "
                "FILE.tsv [FIELD=VALUE...]\n");
        return 2;
    }
    s.build = argv[1];
    s.op = op_find(argv[2]);
    if (!s.op)
        give_up("no operator \"%s\" in common/op", argv[2]);
    read_fields(&s, argv + 5);
    if (!kernels_read(argv[3], &list, error, sizeof error))
        give_up("%s", error);
    s.n = list.n;
    for (int k = 0; k < s.n; k++)
        s.candidates[k].is = list.kernel[k];
    together_open(&s.together, s.build);
    if (!s.fields.gpu && !s.together.measure->probe.usable)
        give_up("no GPU can be used: %s. DEVICE=sim predicts the times",
                s.together.measure->probe.why);
    forecast_open(&s.forecast, s.build, s.fields.gpu);
    build_all(&s);
    add_peer(&s);
    open_file(&s, argv[4]);
    s.begun = clock_seconds();
    if (strncmp(s.op->name, "dwconv", 6) == 0)
        causal_shapes(&s);
    else
        product_shapes(&s);
    say_dropped(&s);
    forecast_close(&s.forecast);
    together_close(&s.together);
    sweep_free(&s.sweep);
    return fclose(s.file) == 0 ? 0 : 1;
}
